package render

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func afternoon() time.Time { return time.Date(2026, 11, 29, 14, 2, 11, 0, time.UTC) }

// onCluster is a Report of a live cluster.
func onCluster(workloads ...report.Workload) *report.Report {
	now := metav1.NewTime(afternoon())
	return &report.Report{GeneratedAt: now, AsOf: &now, Running: true, Workloads: workloads}
}

// ofFiles is a Report of manifests alone.
func ofFiles(workloads ...report.Workload) *report.Report {
	return &report.Report{Scope: report.Scope{Files: []string{"app.yaml"}}, Workloads: workloads}
}

func deploy(namespace, name string, desired int32, pods report.PodCounts, containers ...report.Container) report.Workload {
	return report.Workload{
		Kind: "Deployment", Group: "apps", Namespace: namespace, Name: name, DisplayName: "deploy/" + name,
		Desired: &desired, Template: report.TemplateKnown, Pods: pods, Containers: containers,
	}
}

// live counts live Pods.
func live(ready, total int) report.PodCounts { return report.PodCounts{Ready: ready, Total: total} }

// on puts as many Pods as nodes are given under a container, its first ready ones ready.
func on(c report.Container, nodes ...string) report.Container {
	for i, n := range nodes {
		c.Pods = append(c.Pods, report.Pod{Phase: report.Live, Node: n, State: "running", Ready: i < c.Ready, PodReady: i < c.Ready})
	}
	return c
}

// container is one of which Events were read and say nothing.
func container(name string, ready, total int, p report.Probes) report.Container {
	return report.Container{
		Name: name, Ready: ready, Total: total, Probes: p,
		Failures: number(0), Errors: number(0), Kills: &report.Kills{}, Findings: []report.Finding{},
	}
}

func number(n int64) *int64 { return &n }

// because gives a container restarts, the last so long before the Report's instant, and why.
func because(c *report.Container, restarts int64, ago, cause string, pods int) {
	c.Restarts, c.Causes = restarts, []report.Cause{{Cause: cause, Pods: pods}}
	if ago != "" {
		c.LastEnd = before(ago)
	}
}

// before is an instant that long before the Report's.
func before(ago string) *metav1.Time {
	d, err := time.ParseDuration(ago)
	if err != nil {
		panic(err)
	}
	at := metav1.NewTime(afternoon().Add(-d))
	return &at
}

func find(c *report.Container, severity report.Severity, rule string, kind probe.Kind, message, hint string) {
	c.Findings = append(c.Findings, report.Finding{Rule: rule, Severity: severity, Probe: kind, Message: message, Hint: hint})
}

func count(c *report.Container, failures, kills int64) {
	c.Failures, c.Kills = &failures, &report.Kills{Liveness: kills}
}

func acting(handlerType, text string, seconds int64) *report.Probe {
	return &report.Probe{
		Handler:   report.Handler{Type: handlerType, Text: text},
		Detection: &report.Detection{AtOnceSeconds: seconds - 1, HangSeconds: seconds}, FirstCheck: &report.Window{},
	}
}

func starting(handlerType, text string, seconds int64) *report.Probe {
	return &report.Probe{
		Handler:   report.Handler{Type: handlerType, Text: text},
		Allowance: &report.Allowance{GuaranteedSeconds: seconds, LongestSeconds: seconds + 7}, FirstCheck: &report.Window{},
	}
}

func stale(kind probe.Kind, pods int, fields ...string) report.Drift {
	d := report.Drift{Probe: kind, Kind: report.Stale, Change: report.Fields, Pods: pods}
	for _, f := range fields {
		d.Fields = append(d.Fields, report.Field{Field: f, Pod: "a", Template: "b"})
	}
	return d
}

func overview(t *testing.T, r *report.Report, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Overview(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func notes(r *report.Report, o Options) string {
	var out bytes.Buffer
	Notes(&out, r, o)
	return out.String()
}

func linesOf(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func withoutColor(s string) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(s, "")
}

// shop has a row of everything the overview tells apart.
func shop() *report.Report {
	backup := report.Workload{
		Kind: "CronJob", Group: "batch", Namespace: "shop", Name: "backup", DisplayName: "cj/backup",
		Template: report.TemplateKnown, Containers: []report.Container{container("backup", 0, 0, report.Probes{})},
	}
	api := on(container("api", 3, 3, report.Probes{
		Startup:   starting("http", "GET :8080/healthz", 145),
		Readiness: acting("http", "GET :8080/readyz", 31),
		Liveness:  acting("http", "GET :8080/healthz", 61),
	}), "node-1", "node-2", "node-3")
	catalog := on(container("catalog", 2, 2, report.Probes{Liveness: acting("http", "GET :8080/health", 31)}), "node-1", "node-1")
	because(&catalog, 14, "2m", "liveness", 2)
	count(&catalog, 41, 12)
	find(&catalog, report.SeverityWarning, "liveness-without-startup", probe.Liveness, "its delay of 60s does the startup probe's job", "")
	find(&catalog, report.SeverityInfo, "exec-timeout-default", probe.Liveness, "the timeout is the default of 1s", "")
	find(&catalog, report.SeverityError, "killed-by-probe", probe.Liveness, "2 of 2 Pods, 12 times", "")
	for i := range catalog.Pods {
		catalog.Pods[i].Saturated = true
	}
	catalog.Rewritten = []report.Rewritten{{
		Probe: probe.Liveness, Change: report.Fields, Pods: 2,
		Fields: []report.Field{{Field: "httpGet.path"}, {Field: "httpGet.port"}},
	}}
	pay := on(container("pay", 0, 3, report.Probes{
		Readiness: acting("http", "GET https://:8443/ready [X-Probe: yes]", 31),
		Liveness:  acting("http", "GET https://:8443/live", 31),
	}), "node-1", "node-2", "node-3")
	because(&pay, 51, "40s", "exit-1", 3)
	count(&pay, 9, 0)
	web := on(container("web", 2, 3, report.Probes{Readiness: acting("http", "GET :8080/readyz", 16)}), "node-1", "node-2", "node-3")
	because(&web, 0, "", "readiness", 1)
	web.Failures, web.Pods[2].Evidence = number(154), []report.Evidence{{Probe: probe.Readiness, Failures: 154, State: report.StateNow}}
	find(&web, report.SeverityError, "rollout-stalled", probe.Readiness, "", "")
	web.Drift = []report.Drift{
		stale(probe.Readiness, 2, "httpGet.path"),
		{Probe: probe.Liveness, Kind: report.Changed, Change: report.Removed, Pods: 1},
	}
	proxy := container("istio-proxy", 2, 2, report.Probes{Readiness: acting("http", "GET :15021/healthz/ready", 61)})
	proxy.OnlyIn, proxy.Injected = report.OnlyInPods, true
	db := on(container("db", 3, 3, report.Probes{
		Readiness: acting("exec", "exec pg_isready -U postgres", 18),
		Liveness:  acting("exec", "exec sh -c 'set -e\npg_isready -U postgres -h 127.0.0.1 -p 5432\n'", 120),
	}), "node-1", "node-2", "node-3")
	because(&db, 8, "9h", "?", 1)
	find(&db, report.SeverityWarning, "timeout-exceeds-period", probe.Liveness, "the budget is 2m, not 30s", "")
	find(&db, report.SeverityWarning, "no-startup-probe", probe.Startup, "", "")
	db.Findings[1].Suppressed = true
	db.RestartCauses = []report.RestartCause{{Cause: "?", Restarts: 8}}
	sts := deploy("shop", "db", 3, live(3, 3), db)
	sts.Kind, sts.DisplayName = "StatefulSet", "sts/db"
	sts.RootOwner = &report.OwnerRef{Kind: "Postgres", Group: "db.example.com", Name: "main"}
	rollout := deploy("shop", "cart", 1, live(1, 1), on(container("cart", 1, 1, report.Probes{Readiness: acting("grpc", "grpc :9090", 31)}), "node-2"))
	rollout.Kind, rollout.Group, rollout.DisplayName = "Rollout", "argoproj.io", "rollout.argoproj.io/cart"
	rollout.Template = report.TemplateUnknown
	img := on(container("img", 0, 2, report.Probes{Readiness: acting("http", "GET :80/", 31)}), "node-1", "node-2")
	because(&img, 0, "", "ImagePullBackOff", 2)
	quota := on(container("quota", 3, 3, report.Probes{}), "node-1", "node-1", "node-1")
	because(&quota, 0, "", "FailedCreate", 7)
	return onCluster(backup,
		deploy("shop", "api", 3, live(3, 3), api),
		deploy("shop", "catalog", 2, live(2, 2), catalog),
		deploy("shop", "idle", 0, live(0, 0), container("idle", 0, 0, report.Probes{Readiness: acting("tcp", "tcp :5432", 31)})),
		deploy("shop", "img", 2, live(0, 2), img),
		deploy("shop", "pay", 3, live(0, 3), pay),
		deploy("shop", "quota", 10, live(3, 3), quota),
		deploy("shop", "web", 3, live(2, 3), web, proxy),
		rollout, sts)
}

// everywhere is shop beside a namespace with long names.
func everywhere() *report.Report {
	r := shop()
	r.Workloads = append(r.Workloads, deploy("payments-production", "fraud-detection-model-server", 2, live(2, 2),
		on(container("model-server-gpu", 2, 2, report.Probes{
			Startup:  starting("grpc", "grpc :9000", 3600),
			Liveness: acting("grpc", "grpc :9000", 3661),
		}), "ip-10-0-12-34.eu-west-1.compute.internal", "ip-10-0-12-34.eu-west-1.compute.internal")))
	r.Gaps = []report.Gap{
		{What: "events", Namespace: "shop", Reason: "forbidden"},
		{What: "deployments.apps", Namespace: "shop", Reason: "forbidden"},
	}
	return r
}
