package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// The tests here are named after faults that were found in another tool of this kind. Each was a wrong
// answer about a real cluster; the comment says what would be wrong.

// rows are the words of each row of a table, without the headers and without the columns of evidence and opinions.
func rows(out string) [][]string {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	headers := strings.Fields(lines[0])
	var all [][]string
	for _, line := range lines[1:] {
		var row []string
		for i, word := range strings.Fields(line) {
			if i >= len(headers) || !slices.Contains([]string{"LAST", "REASON", "FINDINGS"}, headers[i]) {
				row = append(row, word)
			}
		}
		all = append(all, row)
	}
	return all
}

func wantRows(t *testing.T, out string, want ...string) {
	t.Helper()
	var got []string
	for _, row := range rows(out) {
		got = append(got, strings.Join(row, " "))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rows:\n%s\nwant:\n%s\nof:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), out)
	}
}

func onlyWorkload(t *testing.T, r *report.Report) report.Workload {
	t.Helper()
	if len(r.Workloads) != 1 {
		t.Fatalf("%d workloads, want 1", len(r.Workloads))
	}
	return r.Workloads[0]
}

func containerNamed(t *testing.T, w report.Workload, name string) report.Container {
	t.Helper()
	for _, c := range w.Containers {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("%s has no container %s", w.DisplayName, name)
	return report.Container{}
}

// An injected container, or a probe rewritten for every Pod, would be drift for ever.
func TestPeerFault14InjectedContainersAreNotDrift(t *testing.T) {
	d := deployment("web", 2, app(httpProbe("/readyz")))
	rs := replicaSet(d, 2, app(httpProbe("/readyz")))
	owners := ownedBy(rs, "apps/v1", "ReplicaSet")
	rewritten := app(httpProbe("/app-health/app/readyz"))
	proxy := corev1.Container{Name: "istio-proxy", ReadinessProbe: httpProbe("/healthz/ready")}
	file := dump(t, d, rs, running("web-1", owners, rewritten, proxy), running("web-2", owners, rewritten, proxy))

	w := onlyWorkload(t, reportOf(t, "-f", file))
	for _, c := range w.Containers {
		if len(c.Drift) > 0 {
			t.Errorf("%s drifts: %+v", c.Name, c.Drift)
		}
	}
	if got := containerNamed(t, w, "app").Rewritten; len(got) != 1 || got[0].Pods != 2 || got[0].Fields[0].Field != "httpGet.path" {
		t.Errorf("rewritten: %+v", got)
	}
	if got := containerNamed(t, w, "istio-proxy"); !got.Injected || got.OnlyIn != report.OnlyInPods {
		t.Errorf("istio-proxy: injected %v, only in %q", got.Injected, got.OnlyIn)
	}
	wantRows(t, pipe(t, "-f", file).out, "deploy/web app 2/2 0 - http:31s -", "deploy/web istio-proxy 2/2 0 - http:31s -")
}

// One old Pod among many would give its configuration to all of them.
func TestPeerFault15TheOddPodDoesNotStandForTheRest(t *testing.T) {
	d := deployment("web", 4, app(httpProbe("/new")))
	older, newer := replicaSet(d, 1, app(httpProbe("/old"))), replicaSet(d, 2, app(httpProbe("/new")))
	file := dump(t, d, older, newer,
		running("a-old", ownedBy(older, "apps/v1", "ReplicaSet"), app(httpProbe("/old"))),
		running("b", ownedBy(newer, "apps/v1", "ReplicaSet"), app(httpProbe("/new"))),
		running("c", ownedBy(newer, "apps/v1", "ReplicaSet"), app(httpProbe("/new"))),
		running("d", ownedBy(newer, "apps/v1", "ReplicaSet"), app(httpProbe("/new"))))

	c := onlyWorkload(t, reportOf(t, "-f", file)).Containers[0]
	if c.Probes.Readiness.Handler.Path != "/new" {
		t.Errorf("the row shows %s", c.Probes.Readiness.Handler.Path)
	}
	if len(c.Variants) != 2 || c.Variants[0].Pods != 3 || !c.Variants[0].Template || c.Variants[1].Pods != 1 || c.Variants[1].Revision != "rev1" {
		t.Errorf("variants: %+v", c.Variants)
	}
	if len(c.Drift) != 1 || c.Drift[0].Kind != report.Stale || c.Drift[0].Pods != 1 {
		t.Errorf("drift: %+v", c.Drift)
	}
	if out := pipe(t, "-f", file, "-o", "wide").out; !strings.Contains(out, "1/4") {
		t.Errorf("the wide table does not say how many Pods drift:\n%s", out)
	}
}

// Finished and evicted Pods would lower READY and count their restarts for days.
func TestPeerFault16FinishedPodsAreNotLive(t *testing.T) {
	d := deployment("web", 1, app(httpProbe("/")))
	rs := replicaSet(d, 2, app(httpProbe("/")))
	owners := ownedBy(rs, "apps/v1", "ReplicaSet")
	finished := job("import", app(nil))
	finished.Status.Conditions = append(finished.Status.Conditions, jobComplete())
	file := dump(t, d, rs, finished,
		running("web-1", owners, app(httpProbe("/"))),
		ended(running("web-2", owners, app(httpProbe("/old"))), corev1.PodFailed, "Evicted"),
		terminating(running("web-3", owners, app(httpProbe("/")))),
		ended(running("import-1", ownedBy(finished, "batch/v1", "Job"), app(nil)), corev1.PodSucceeded, ""))

	r := reportOf(t, "-f", file)
	if got, want := r.Workloads[0].Pods, (report.PodCounts{Total: 1, Ready: 1, Terminating: 1, Finished: 1}); got != want {
		t.Errorf("deploy/web: %+v, want %+v", got, want)
	}
	if drift := r.Workloads[0].Containers[0].Drift; len(drift) > 0 {
		t.Errorf("an evicted Pod drifts: %+v", drift)
	}
	wantRows(t, pipe(t, "-f", file).out, "deploy/web app 1/1 0 - http:31s -", "job/import app done 0 - - -")
}

// Asking for a Pod would show it beside its workload with no Pods at all.
func TestPeerFault17AnOwnedPodIsNoGhost(t *testing.T) {
	file := threeLevels(t)
	w := onlyWorkload(t, reportOf(t, "-f", file, "pod/web-1"))
	if w.DisplayName != "deploy/web" || w.Pods.Total != 1 || !w.Narrowed || w.Desired != nil {
		t.Errorf("%s: %+v, narrowed %v, desired %v", w.DisplayName, w.Pods, w.Narrowed, w.Desired)
	}
	wantRows(t, pipe(t, "-f", file, "pods").out, "cj/backup app - 0 - - -", "deploy/web app 2/3 0 - http:31s -", "sts/prometheus-k8s app 1/1 0 - http:31s -")
}

// A ReplicaSet, a Job of a CronJob, a StatefulSet under an operator's resource would be shown without Pods.
func TestPeerFault18AnyLevelCanBeNamed(t *testing.T) {
	file := threeLevels(t)
	tests := []struct {
		argument, workload string
		pods               int
		desired            bool
	}{
		{"rs/web-rev2", "deploy/web", 2, false},
		{"job/backup-1", "cj/backup", 1, false},
		{"sts/prometheus-k8s", "sts/prometheus-k8s", 1, true},
		{"prometheus/k8s", "sts/prometheus-k8s", 1, true},
		{"prometheus.monitoring.coreos.com/k8s", "sts/prometheus-k8s", 1, true},
		{"deploy/web", "deploy/web", 2, true},
		{"svc/web", "deploy/web", 2, true},
		{"rs", "deploy/web", 2, true},
	}
	for _, test := range tests {
		t.Run(test.argument, func(t *testing.T) {
			w := onlyWorkload(t, reportOf(t, "-f", file, test.argument))
			if w.DisplayName != test.workload || w.Pods.Total != test.pods || (w.Desired != nil) != test.desired {
				t.Errorf("%s with %d Pods, desired %v", w.DisplayName, w.Pods.Total, w.Desired)
			}
		})
	}
}

// threeLevels has a Deployment of which a Pod is missing, a CronJob with one Job, and a StatefulSet under a custom owner.
func threeLevels(t *testing.T) string {
	t.Helper()
	d := deployment("web", 3, app(httpProbe("/")))
	rs := replicaSet(d, 2, app(httpProbe("/")))
	cj, j := cronJob("backup", app(nil)), job("backup-1", app(nil))
	j.OwnerReferences = ownedBy(cj, "batch/v1", "CronJob")
	sts := statefulSet("prometheus-k8s", 1, app(httpProbe("/")))
	root := meta("k8s")
	sts.OwnerReferences = ownedBy(&root, "monitoring.coreos.com/v1", "Prometheus")
	owners := ownedBy(rs, "apps/v1", "ReplicaSet")
	return dump(t, d, rs, cj, j, sts, service("web", "web"),
		running("web-1", owners, app(httpProbe("/"))), running("web-2", owners, app(httpProbe("/"))),
		running("backup-1-x", ownedBy(j, "batch/v1", "Job"), app(nil)),
		running("prometheus-k8s-0", ownedBy(sts, "apps/v1", "StatefulSet"), app(httpProbe("/"))))
}

// Everything below one custom resource would be one workload, its containers merged by name.
func TestPeerFault19UnlikeThingsUnderOneOwnerStayApart(t *testing.T) {
	root := meta("search")
	var objects []runtime.Object
	for _, name := range []string{"search-data", "search-master"} {
		sts := statefulSet(name, 1, app(httpProbe("/"+name)))
		sts.OwnerReferences = ownedBy(&root, "elasticsearch.k8s.elastic.co/v1", "Elasticsearch")
		objects = append(objects, sts, running(name+"-0", ownedBy(sts, "apps/v1", "StatefulSet"), app(httpProbe("/"+name))))
	}
	r := reportOf(t, "-f", dump(t, objects...), "elasticsearch/search")
	if len(r.Workloads) != 2 {
		t.Fatalf("%d workloads", len(r.Workloads))
	}
	for _, w := range r.Workloads {
		if w.RootOwner == nil || w.RootOwner.Name != "search" || w.Containers[0].Probes.Readiness.Handler.Path != "/"+w.Name {
			t.Errorf("%s: root owner %v, path %s", w.DisplayName, w.RootOwner, w.Containers[0].Probes.Readiness.Handler.Path)
		}
	}
}

// Workloads scaled to zero would be missing.
func TestPeerFault20WorkloadsWithoutPodsAreListed(t *testing.T) {
	d, sts := deployment("web", 0, app(httpProbe("/"))), statefulSet("cache", 2, app(nil))
	other := running("bare", nil, app(nil))
	wantRows(t, pipe(t, "-f", dump(t, d, sts, other)).out, "deploy/web app 0/0 0 - http:31s -", "pod/bare app 1/1 0 - - -", "sts/cache app 0/2 0 - - -")
}

// Pods of a deleted and re-created owner would be booked on the new one, with false drift.
func TestPeerFault21AnOwnerOfAnotherUIDIsAnother(t *testing.T) {
	before := statefulSet("db", 1, app(httpProbe("/old")))
	before.UID = "uid-before"
	now := statefulSet("db", 1, app(httpProbe("/new")))
	file := dump(t, now, running("db-0", ownedBy(before, "apps/v1", "StatefulSet"), app(httpProbe("/old"))))

	r := reportOf(t, "-f", file)
	if len(r.Workloads) != 2 {
		t.Fatalf("%d workloads, want the new one and the one that is gone", len(r.Workloads))
	}
	for _, w := range r.Workloads {
		if len(w.Containers[0].Drift) > 0 || (w.Pods.Total > 0) != (w.Template == report.TemplateUnknown) {
			t.Errorf("%d Pods, template %s, drift %v", w.Pods.Total, w.Template, w.Containers[0].Drift)
		}
	}
	if !hasGap(r, "statefulsets.apps", "shop") {
		t.Errorf("no gap for the owner that is gone: %+v", r.Gaps)
	}
}

func hasGap(r *report.Report, what, namespace string) bool {
	for _, g := range r.Gaps {
		if g.What == what && (g.Namespace == namespace || g.Namespace == "") {
			return true
		}
	}
	return false
}

// A multi-line exec command would swallow the rows after it.
func TestPeerFault23AScriptCostsNoRow(t *testing.T) {
	script := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"sh", "-c", "set -e\nredis-cli ping\n\texit 0\n"}}}}
	file := dump(t, running("a", nil, app(script)), running("b", nil, app(httpProbe("/"))))
	for _, width := range []int{0, 80} {
		out := terminal(t, width, "", "-f", file, "-o", "wide").out
		if got := rows(out); len(got) != 2 || got[1][0] != "pod/b" {
			t.Errorf("width %d:\n%s", width, out)
		}
	}
}

// An unreadable owner would look like no drift.
func TestPeerFault28UnreadableOwnersAreSaid(t *testing.T) {
	d := deployment("web", 1, app(httpProbe("/")))
	rs := replicaSet(d, 2, app(httpProbe("/")))
	file := dump(t, rs, running("web-1", ownedBy(rs, "apps/v1", "ReplicaSet"), app(httpProbe("/"))))
	r := pipe(t, "-f", file)
	wantRows(t, r.out, "deploy/web app 1/1 0 -? http:31s? -?")
	if !strings.Contains(r.err, "deployments.apps") || !strings.Contains(r.err, "?") {
		t.Errorf("stderr says neither what is missing nor what ? means:\n%s", r.err)
	}
}

// An owner cycle would end the run.
func TestPeerFault29ACycleOfOwnersIsSurvived(t *testing.T) {
	a, b := statefulSet("a", 1, app(nil)), statefulSet("b", 1, app(nil))
	a.OwnerReferences, b.OwnerReferences = ownedBy(b, "apps/v1", "StatefulSet"), ownedBy(a, "apps/v1", "StatefulSet")
	r := pipe(t, "-f", dump(t, a, b, running("a-0", ownedBy(a, "apps/v1", "StatefulSet"), app(nil))))
	if len(rows(r.out)) == 0 {
		t.Errorf("nothing is shown:\n%s", r.out)
	}
}

// Files without Events would be reported as free of failures.
func TestPeerFault30FilesWithoutEventsClaimNothing(t *testing.T) {
	out := pipe(t, "-f", dump(t, running("web", nil, app(httpProbe("/")))), "-o", "json").out
	if strings.Contains(out, `"failures"`) {
		t.Errorf("failures are reported without Events:\n%s", out)
	}
	if !hasGap(reportOf(t, "-f", dump(t, running("web", nil, app(nil)))), "events", "shop") {
		t.Error("there is no gap for Events")
	}
}

// Arguments, -l and -n would be ignored with -f.
func TestPeerFault31FilesAreFilteredAsAClusterIs(t *testing.T) {
	web, api, other := deployment("web", 1, app(httpProbe("/"))), deployment("api", 1, app(nil)), deployment("web", 1, app(nil))
	in("other", other)
	file := dump(t, web, api, other)
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"arguments", []string{"deploy/api", "deploy/web", "-n", "shop"}, []string{"deploy/api app - - - - -", "deploy/web app - - - http:31s -"}},
		{"argument of two namespaces", []string{"deploy/web"}, []string{"other deploy/web app - - - - -", "shop deploy/web app - - - http:31s -"}},
		{"namespace", []string{"-n", "other"}, []string{"deploy/web app - - - - -"}},
		{"selector", []string{"-l", "app=api"}, []string{"deploy/api app - - - - -"}},
		{"selector and namespace", []string{"-l", "app=web", "-n", "shop"}, []string{"deploy/web app - - - http:31s -"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantRows(t, pipe(t, append(test.args, "-f", file)...).out, test.want...) })
	}
	if r := terminal(t, 0, "", "-f", file, "deploy/nosuch"); r.status != ExitError || !strings.Contains(r.err, `deployments.apps "nosuch" not found`) {
		t.Errorf("a missing name ends with %d: %s", r.status, r.err)
	}
}

// A workload without a ready Pod would look calm.
func TestPeerFault33NotReadyIsColoured(t *testing.T) {
	out := terminal(t, 80, "", "-f", dump(t, unready(running("web", nil, app(httpProbe("/"))))), "--color=always").out
	if !strings.Contains(out, "\x1b[31m0/1") {
		t.Errorf("0/1 is not red: %q", out)
	}
}

// A container renamed in mid-rollout would be two unrelated rows, the old one all drift.
func TestPeerFault35ARenamedContainerIsSaid(t *testing.T) {
	renamed := app(httpProbe("/"))
	renamed.Name = "server"
	d := deployment("web", 2, renamed)
	older, newer := replicaSet(d, 1, app(httpProbe("/"))), replicaSet(d, 2, renamed)
	w := onlyWorkload(t, reportOf(t, "-f", dump(t, d, older, newer,
		running("web-1", ownedBy(older, "apps/v1", "ReplicaSet"), app(httpProbe("/"))),
		running("web-2", ownedBy(newer, "apps/v1", "ReplicaSet"), renamed))))
	before, now := containerNamed(t, w, "app"), containerNamed(t, w, "server")
	if before.OnlyIn != report.OnlyInPods || before.Injected || len(before.Drift) > 0 || before.Total != 1 {
		t.Errorf("app: %+v", before)
	}
	if now.OnlyIn != "" || now.Total != 1 || len(now.Drift) > 0 {
		t.Errorf("server: %+v", now)
	}
}

// Consumers would have to know the API's defaults to compute anything.
func TestPeerFault36ConfigHoldsEffectiveValues(t *testing.T) {
	c := onlyWorkload(t, reportOf(t, "-f", dump(t, deployment("web", 1, app(httpProbe(""))))))
	got := c.Containers[0].Probes.Readiness
	if got.Config != (report.Config{PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3}) || got.Handler.Path != "/" || got.Handler.Scheme != "HTTP" {
		t.Errorf("%+v %+v", got.Config, got.Handler)
	}
}

// false and 0 would be absent, and an empty namespace would have no list of workloads.
func TestPeerFault37FalseAndZeroAreWritten(t *testing.T) {
	out := pipe(t, "-f", dump(t, unready(running("web", nil, app(nil)))), "-o", "jsonpath={.workloads[0].containers[0].pods[0].ready} {.workloads[0].containers[0].restarts} {.workloads[0].containers[0].drift}").out
	if out != "false 0 []" {
		t.Errorf("got %q", out)
	}
	if out := pipe(t, "-f", dump(t, service("web", "web")), "-o", "jsonpath={.workloads}").out; out != "[]" {
		t.Errorf("workloads of nothing: %q", out)
	}
}

// Durations as text could be neither compared nor sorted.
func TestPeerFault38DurationsAreIntegerSeconds(t *testing.T) {
	out := pipe(t, "-f", dump(t, running("web", nil, app(httpProbe("/")))), "-o", "jsonpath={.workloads[0].containers[0].probes.readiness.detection}").out
	if out != `{"atOnceSeconds":30,"hangSeconds":31}` {
		t.Errorf("got %s", out)
	}
}

// A consumer could not tell what was not read from what is not there.
func TestPeerFault39GapsAndScopeAreInTheReport(t *testing.T) {
	r := reportOf(t, "-f", dump(t, running("web", nil, app(nil))), "-n", "shop", "-l", "a!=b", "-c", "a*")
	if !hasGap(r, "events", "shop") || r.Scope.Namespaces[0] != "shop" || r.Scope.Selector != "a!=b" || r.Scope.Containers[0] != "a*" || len(r.Scope.Files) != 1 {
		t.Errorf("gaps %+v, scope %+v", r.Gaps, r.Scope)
	}
}

// There would be no output for scripts but the whole report.
func TestPeerFault41OutputsForScripts(t *testing.T) {
	file := dump(t, deployment("web", 1, app(nil)), running("bare", nil, app(nil)))
	if out := pipe(t, "-f", file, "-o", "name").out; out != "deployment.apps/web\npod/bare\n" {
		t.Errorf("-o name: %q", out)
	}
	if out := pipe(t, "-f", file, "-o", "jsonpath={.workloads[*].displayName}").out; out != "deploy/web pod/bare" {
		t.Errorf("-o jsonpath: %q", out)
	}
	if out := pipe(t, "-f", file, "--no-headers").out; !strings.HasPrefix(out, "deploy/web") {
		t.Errorf("--no-headers: %q", out)
	}
	if r := terminal(t, 0, "", "-f", file, "-o", "csv"); r.status != ExitError || !strings.Contains(r.err, "allowed formats are") {
		t.Errorf("-o csv ends with %d: %s", r.status, r.err)
	}
}

// Two arguments, or TYPE NAME, would be refused.
func TestPeerFault43ArgumentsInEveryForm(t *testing.T) {
	file := dump(t, deployment("web", 1, app(nil)), deployment("api", 1, app(nil)), statefulSet("db", 1, app(nil)), running("bare", nil, app(nil)))
	tests := []struct{ args, want string }{
		{"deploy web", "deployment.apps/web"},
		{"deploy web api", "deployment.apps/api deployment.apps/web"},
		{"deploy/web sts/db", "deployment.apps/web statefulset.apps/db"},
		{"deploy,sts", "deployment.apps/api deployment.apps/web statefulset.apps/db"},
		{"deployments.apps/web", "deployment.apps/web"},
		{"deployment.v1.apps web", "deployment.apps/web"},
		{"statefulsets", "statefulset.apps/db"},
		{"pods", "pod/bare"},
		{"po/bare pod/bare", "pod/bare"},
		{"db", "statefulset.apps/db"},
		{"", "deployment.apps/api deployment.apps/web pod/bare statefulset.apps/db"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			got := strings.Join(strings.Fields(pipe(t, append(strings.Fields(test.args), "-f", file, "-o", "name")...).out), " ")
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// One Deployment in a namespace would silently switch to another view.
func TestPeerFault50ATypeNeverSwitchesTheView(t *testing.T) {
	one := pipe(t, "-f", dump(t, deployment("web", 1, app(nil))), "deploy").out
	two := pipe(t, "-f", dump(t, deployment("web", 1, app(nil)), deployment("api", 1, app(nil))), "deploy").out
	if header(one) != header(two) {
		t.Errorf("%q and %q", header(one), header(two))
	}
}

func header(out string) string {
	first, _, _ := strings.Cut(out, "\n")
	return first
}

// A bare name would be looked up with its errors swallowed.
func TestPeerFault51BareNames(t *testing.T) {
	file := dump(t, deployment("web", 1, app(nil)), statefulSet("web", 1, app(nil)), service("front", "web"))
	if r := terminal(t, 0, "", "-f", file, "web"); r.status != ExitError || !strings.Contains(r.err, "deploy/web, sts/web") {
		t.Errorf("an ambiguous name ends with %d: %s", r.status, r.err)
	}
	if r := terminal(t, 0, "", "-f", file, "nosuch"); r.status != ExitError || !strings.Contains(r.err, `"nosuch" not found`) {
		t.Errorf("a missing name ends with %d: %s", r.status, r.err)
	}
	if out := pipe(t, "-f", file, "svc/front", "-o", "name").out; out != "deployment.apps/web\nstatefulset.apps/web\n" {
		t.Errorf("svc/front: %q", out)
	}
}

// Rows of two namespaces would look the same.
func TestPeerFault52SeveralNamespacesAreTold(t *testing.T) {
	a, b := deployment("web", 1, app(nil)), deployment("web", 1, app(nil))
	in("other", b)
	wantRows(t, pipe(t, "-f", dump(t, a, b)).out, "other deploy/web app - - - - -", "shop deploy/web app - - - - -")
}

// What an application wrote would reach the terminal raw.
func TestPeerFault53NothingReachesTheTerminalRaw(t *testing.T) {
	evil := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/\x1b]0;owned\x07\r\u202e", Port: intstr.FromInt32(80)}}}
	file := dump(t, running("web", nil, app(evil)))
	for _, format := range []string{"", "wide"} {
		r := pipe(t, "-f", file, "-o", format)
		if strings.ContainsAny(r.out+r.err, "\x1b\x07\r\u202e") {
			t.Errorf("-o %q: %q", format, r.out)
		}
	}
	for _, args := range [][]string{{"deploy/\x1b[2Jx"}, {"-n", "\x1b[31m"}, {"--only=\x1b[2J"}, {"-c", "\x1b[2J"}} {
		if r := terminal(t, 0, "", append(args, "-f", file)...); strings.Contains(r.err, "\x1b") || r.err == "" {
			t.Errorf("%q is not escaped: %q", args, r.err)
		}
	}
}

// Folders below a folder, and kustomizations, could not be read.
func TestPeerFault55FoldersAndKustomize(t *testing.T) {
	dir := t.TempDir()
	manifest := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app, image: app}]}}}\n"
	for name, content := range map[string]string{"base/web.yaml": manifest, "base/kustomization.yaml": "namePrefix: prod-\nresources: [web.yaml]\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out := pipe(t, "-f", dir, "-R", "-o", "name").out; out != "deployment.apps/web\n" {
		t.Errorf("-R: %q", out)
	}
	if out := pipe(t, "-k", filepath.Join(dir, "base"), "-o", "name").out; out != "deployment.apps/prod-web\n" {
		t.Errorf("-k: %q", out)
	}
}

// The figures that a wrong formula gets wrong, from a manifest to the report.
func TestFiguresInTheReport(t *testing.T) {
	with := func(p, timeout, f int32) *corev1.Probe {
		probe := httpProbe("/")
		probe.PeriodSeconds, probe.TimeoutSeconds, probe.FailureThreshold = p, timeout, f
		return probe
	}
	tests := []struct{ p, t, f, atOnce, hang int64 }{
		{20, 30, 3, 60, 120},
		{10, 1, 3, 30, 31},
		{10, 1, 2147483647, 21474836470, 21474836471},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.p, test.t, test.f), func(t *testing.T) {
			c := onlyWorkload(t, reportOf(t, "-f", dump(t, deployment("web", 1, app(with(int32(test.p), int32(test.t), int32(test.f)))))))
			if got := *c.Containers[0].Probes.Readiness.Detection; got != (report.Detection{AtOnceSeconds: test.atOnce, HangSeconds: test.hang}) {
				t.Errorf("%+v", got)
			}
		})
	}
	starting := corev1.Container{Name: "app", StartupProbe: with(10, 1, 30)}
	c := onlyWorkload(t, reportOf(t, "-f", dump(t, deployment("web", 1, starting))))
	if got := *c.Containers[0].Probes.Get(probe.Startup).Allowance; got != (report.Allowance{GuaranteedSeconds: 290, LongestSeconds: 302}) {
		t.Errorf("%+v", got)
	}
}

// A Pod changed by somebody is told from what its revision has, with who and when.
func TestChangedPodNamesWho(t *testing.T) {
	d := deployment("web", 2, app(httpProbe("/")))
	rs := replicaSet(d, 2, app(httpProbe("/")))
	owners := ownedBy(rs, "apps/v1", "ReplicaSet")
	changed := running("web-1", owners, app(httpProbe("/fixed")))
	changed.Generation = 2
	at := metav1.NewTime(noon().Add(-10 * 60e9))
	changed.ManagedFields = []metav1.ManagedFieldsEntry{{
		Manager: "jane", Operation: metav1.ManagedFieldsOperationUpdate, Time: &at, FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:readinessProbe":{"f:httpGet":{"f:path":{}}}}}}}`),
	}}
	c := onlyWorkload(t, reportOf(t, "-f", dump(t, d, rs, changed, running("web-2", owners, app(httpProbe("/")))))).Containers[0]
	if len(c.Drift) != 1 || c.Drift[0].Kind != report.Changed || c.Drift[0].Pods != 1 || c.Drift[0].By != "jane" || !c.Drift[0].At.Time.Equal(at.Time) {
		t.Errorf("drift: %+v", c.Drift)
	}
}
