package render

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

func TestDetailGolden(t *testing.T) {
	for _, tt := range []struct {
		name   string
		report *report.Report
		in     Options
	}{
		{"checkout_80.ansi", checkout(40), Options{Width: 80, Color: true}},
		{"checkout_160.ansi", checkout(40), Options{Width: 160, Color: true}},
		{"checkout_pipe.txt", checkout(40), Options{}},
		{"checkout_wide_160.txt", checkout(6), Options{Wide: true, Width: 160}},
		{"troubles_80.txt", troubles(), Options{Width: 80}},
		{"troubles_160.ansi", troubles(), Options{Width: 160, Color: true}},
		{"troubles_wide.txt", troubles(), Options{Wide: true}},
		{"canary_80.txt", canary(), Options{Width: 80}},
		{"canary_160.txt", canary(), Options{Width: 160}},
		{"calm_80.txt", calmOne(), Options{Width: 80}},
		{"manifest_80.txt", manifestOne(), Options{Width: 80}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden.Check(t, "detail/"+tt.name, detail(t, tt.report, tt.in))
		})
	}
}

// troubles has a Pod of every state that no probe is the reason of.
func troubles() *report.Report {
	app := container("app", 1, 9, report.Probes{Startup: slowStart("/up"), Readiness: httpReadiness("/ready"), Liveness: httpLiveness("/live")})
	finished := ago(30)
	term := func(reason string, code int32) *report.Termination {
		return &report.Termination{Reason: reason, ExitCode: code, FinishedAt: &finished}
	}
	yes, no := true, false
	app.Pods = []report.Pod{
		{Name: "app-0", Phase: report.Live, Node: "node-1", Ready: true, PodReady: true, State: "running", Started: &yes},
		{Name: "app-1", Phase: report.Live, Node: "node-1", State: "waiting", Reason: "CrashLoopBackOff", Restarts: 9, LastTermination: term("OOMKilled", 137)},
		{Name: "app-2", Phase: report.Live, Node: "node-2", State: "waiting", Reason: "ImagePullBackOff"},
		{Name: "app-3", Phase: report.Live},
		{Name: "app-4", Phase: report.Live, Node: "node-2", State: "running", Started: &no},
		{Name: "app-5", Phase: report.Live, Node: "node-3", Ready: true, State: "running", Started: &yes},
		{Name: "app-6", Phase: report.Live, Node: "node-3", State: "terminated", Reason: "Error", Restarts: 2, LastTermination: term("Error", 1)},
		{Name: "app-7", Phase: report.Live, Node: "node-4", State: "running", Started: &yes, Restarts: 1, LastTermination: term("Error", 143)},
		{Name: "app-8", Phase: report.Live, Node: "node-5", State: "waiting", Reason: "PodInitializing"},
		{Name: "app-9", Phase: report.Terminating, Node: "node-4", State: "running"},
		{Name: "app-10", Phase: report.Finished, Node: "node-4", Reason: "Evicted"},
	}
	app.Pods[7].ProbeChanges = []report.ProbeChange{{Probe: probe.Liveness, Action: "updated", Count: 1, LastSeen: ago(200), Message: "liveness probe of container app updated"}}
	app.Restarts, app.LastEnd = 12, before("30s")
	for _, cause := range []string{"OOMKilled", "exit-1", "ImagePullBackOff", "FailedCreate", "NodeNotReady", "Pending", "Init", "gate", "resize"} {
		app.Causes = append(app.Causes, report.Cause{Cause: cause, Pods: 1})
	}
	app.RestartCauses = []report.RestartCause{
		{Cause: "OOMKilled", Restarts: 1},
		{Cause: "exit-1", Restarts: 1},
		{Cause: "resize", Restarts: 1},
		{Cause: "definition-changed", Restarts: 1},
		{Cause: "?", Restarts: 8},
	}
	app.Rewritten = []report.Rewritten{{Probe: probe.Readiness, Change: report.Fields, Pods: 9, Fields: []report.Field{{Field: "httpGet.port", Pod: "15020", Template: "8080"}}}}
	for i := range 7 {
		find(&app, report.SeverityWarning, fmt.Sprintf("rule-%d", i), probe.Liveness, "something to say", "look there")
	}
	app.Findings[6].Suppressed = true
	log := container("log", 9, 9, report.Probes{})
	log.Sidecar = true
	log.Causes = []report.Cause{{Cause: "FailedCreate", Pods: 1}}
	w := deploy("shop", "app", 10, report.PodCounts{Total: 9, Ready: 1, Terminating: 1, Finished: 1}, app, log)
	w.InitContainers = []string{"seed", "migrate"}
	w.Services = []report.Service{{Name: "app"}, {Name: "app-headless", PublishNotReadyAddresses: true}}
	w.RootOwner = &report.OwnerRef{Kind: "App", Group: "example.com", Name: "main"}
	w.Mixed = []report.Mixed{{Pod: "app-7", Count: 40, LastSeen: ago(20), Message: "Liveness probe failed: HTTP probe failed with statuscode: 500"}}
	r := onCluster(w)
	r.Gaps = []report.Gap{{What: "nodes", Reason: "forbidden"}, {What: "events", Namespace: "elsewhere", Reason: "forbidden"}}
	return r
}

// canary is a custom controller in mid-rollout whose new Pods cannot be told by any Events.
func canary() *report.Report {
	app := report.Container{Name: "app", Ready: 4, Total: 6, Probes: report.Probes{Readiness: httpReadiness("/ready"), Liveness: httpLiveness("/live")}}
	newer := httpReadiness("/ready-v2")
	newer.Config.InitialDelaySeconds, newer.Config.SuccessThreshold = 5, 2
	app.Variants = []report.Variant{
		{Pods: 4, Revision: "6d5f6bb85b", Probes: app.Probes},
		{Pods: 2, Revision: "bbdb5d966", Template: true, Probes: report.Probes{Readiness: newer}},
	}
	app.Drift = []report.Drift{
		stale(probe.Readiness, 4, "httpGet.path", "initialDelaySeconds", "successThreshold"),
		{Probe: probe.Liveness, Kind: report.Stale, Change: report.Added, Pods: 4},
		{Probe: probe.Liveness, Kind: report.Changed, Change: report.Fields, Pods: 1, By: "kubectl-probes", At: before("26h"), Fields: []report.Field{{Field: "periodSeconds", Pod: "30", Template: "10"}}},
	}
	for i := range 6 {
		p := report.Pod{Name: fmt.Sprintf("app-6d5f6bb85b-%d", i), Phase: report.Live, Node: "node-1", Revision: "6d5f6bb85b", Ready: true, PodReady: true, State: "running"}
		if i > 3 {
			p.Name, p.Revision, p.Ready, p.PodReady = fmt.Sprintf("app-bbdb5d966-%d", i), "bbdb5d966", false, false
		}
		app.Pods = append(app.Pods, p)
	}
	app.Causes = []report.Cause{{Cause: "readiness", Pods: 2}}
	w := deploy("shop", "app", 6, live(4, 6), app)
	w.Kind, w.Group, w.DisplayName = "Rollout", "argoproj.io", "rollout.argoproj.io/app"
	six, four, two, none, serving := 6, 4, 2, 0, true
	w.Revision = "2"
	w.Rollout = &report.Rollout{
		State: report.RolloutPaused, Reason: "CanaryPauseStep", Since: before("3m"), Message: "waits for a person\x1b[31m", NewRevision: "bbdb5d966", OldRevisions: []string{"6d5f6bb85b"},
		NewPods: &two, NewReady: &none, OldPods: &four, OldReady: &four, NotReady: []string{"app-bbdb5d966-4"}, KeepServing: &serving,
	}
	w.Services = []report.Service{{Name: "app", Endpoints: &six, Ready: &four}, {Name: "app-canary", Endpoints: &two, Ready: &none}}
	r := onCluster(w)
	r.Gaps = []report.Gap{{What: "events", Namespace: "shop", Reason: "forbidden"}}
	return r
}

func calmOne() *report.Report {
	app := on(container("app", 3, 3, report.Probes{Readiness: httpReadiness("/ready")}), "node-1", "node-2", "node-3")
	for i := range app.Pods {
		app.Pods[i].Name = fmt.Sprint("app-", i)
	}
	proxy := container("proxy", 3, 3, report.Probes{Readiness: acting("http", "GET :15021/ready", 61)})
	return onCluster(deploy("shop", "app", 3, live(3, 3), app, proxy))
}

func manifestOne() *report.Report {
	app := report.Container{Name: "app", Probes: report.Probes{Startup: slowStart("/up"), Liveness: httpLiveness("/live")}, Findings: []report.Finding{}}
	w := deploy("", "app", 3, live(0, 0), app)
	w.Source = &report.Source{File: "app.yaml", Document: 2}
	return ofFiles(w)
}

func TestDetailNeedsOneWorkload(t *testing.T) {
	for _, r := range []*report.Report{onCluster(), shop()} {
		if err := Detail(&strings.Builder{}, r, Options{}); err == nil {
			t.Error("no error")
		}
	}
}

func TestDetailReturnsTheWritersError(t *testing.T) {
	if err := Detail(&fullDisk{5}, checkout(3), Options{}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

func TestDetailOfAlmostNothing(t *testing.T) {
	w := report.Workload{Kind: "Rollout", Group: "argoproj.io", Namespace: "shop", DisplayName: "rollout.argoproj.io/x", Template: report.TemplateUnknown}
	got := detail(t, onCluster(w), Options{})
	want := "rollout.argoproj.io/x -n shop   no live Pods\n\ndrift    unknown: the template could not be read\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	pod := report.Workload{Kind: "Pod", DisplayName: "pod/x", Name: "x", Pods: live(0, 1), Template: report.TemplateNone, Containers: []report.Container{{Name: "c", Total: 1, Pods: []report.Pod{{Name: "x", Phase: report.Live}}}}}
	if got := detail(t, onCluster(pod), Options{}); !strings.Contains(got, "not scheduled") || strings.Contains(got, caveat) {
		t.Errorf("got %q", got)
	}
}

// Unread Pods are neither zero nor gone.
func TestDetailOfUnreadPods(t *testing.T) {
	r := onCluster(deploy("shop", "x", 3, live(0, 0), container("c", 0, 0, report.Probes{})))
	r.Gaps = []report.Gap{{What: "pods", Namespace: "shop", Reason: "forbidden"}}
	got := detail(t, r, Options{})
	if !strings.HasPrefix(got, "deploy/x -n shop   Pods unknown\n") || !strings.Contains(got, "unknown  forbidden in shop: pods") {
		t.Errorf("got %q", got)
	}
}

// Ages are those of the Report, not of a clock; a node that runs ahead is no "<invalid>".
func TestDetailAges(t *testing.T) {
	r := checkout(3)
	ahead := metav1.NewTime(afternoon().Add(1e10))
	for i := range r.Workloads[0].Containers[0].Pods {
		if end := r.Workloads[0].Containers[0].Pods[i].LastTermination; end != nil {
			end.FinishedAt = &ahead
		}
	}
	if got := detail(t, r, Options{}); !strings.Contains(got, "exit 143, 0s ago") {
		t.Error(got)
	}
}
