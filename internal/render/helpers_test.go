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

// onCluster is a Report of a live cluster.
func onCluster(workloads ...report.Workload) *report.Report {
	now := metav1.NewTime(time.Date(2026, 11, 29, 14, 2, 11, 0, time.UTC))
	return &report.Report{GeneratedAt: now, AsOf: &now, Workloads: workloads}
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
		c.Pods = append(c.Pods, report.Pod{Phase: report.Live, Node: n, State: "running", Ready: i < c.Ready})
	}
	return c
}

func container(name string, ready, total int, p report.Probes) report.Container {
	return report.Container{Name: name, Ready: ready, Total: total, Probes: p}
}

func acting(handlerType, text string, seconds int64) *report.Probe {
	return &report.Probe{
		Handler:   report.Handler{Type: handlerType, Text: text},
		Detection: &report.Detection{AtOnceSeconds: seconds - 1, HangSeconds: seconds},
	}
}

func starting(handlerType, text string, seconds int64) *report.Probe {
	return &report.Probe{
		Handler:   report.Handler{Type: handlerType, Text: text},
		Allowance: &report.Allowance{GuaranteedSeconds: seconds, LongestSeconds: seconds + 7},
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
	catalog.Restarts = 14
	catalog.Rewritten = []report.Rewritten{{
		Probe: probe.Liveness, Change: report.Fields, Pods: 2,
		Fields: []report.Field{{Field: "httpGet.path"}, {Field: "httpGet.port"}},
	}}
	pay := on(container("pay", 0, 3, report.Probes{
		Readiness: acting("http", "GET https://:8443/ready [X-Probe: yes]", 31),
		Liveness:  acting("http", "GET https://:8443/live", 31),
	}), "node-1", "node-2", "node-3")
	pay.Restarts = 51
	web := on(container("web", 2, 3, report.Probes{Readiness: acting("http", "GET :8080/readyz", 16)}), "node-1", "node-2", "node-3")
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
	db.Restarts = 8
	sts := deploy("shop", "db", 3, live(3, 3), db)
	sts.Kind, sts.DisplayName = "StatefulSet", "sts/db"
	sts.RootOwner = &report.OwnerRef{Kind: "Postgres", Group: "db.example.com", Name: "main"}
	rollout := deploy("shop", "cart", 1, live(1, 1), on(container("cart", 1, 1, report.Probes{Readiness: acting("grpc", "grpc :9090", 31)}), "node-2"))
	rollout.Kind, rollout.Group, rollout.DisplayName = "Rollout", "argoproj.io", "rollout.argoproj.io/cart"
	rollout.Template = report.TemplateUnknown
	return onCluster(backup,
		deploy("shop", "api", 3, live(3, 3), api),
		deploy("shop", "catalog", 2, live(2, 2), catalog),
		deploy("shop", "idle", 0, live(0, 0), container("idle", 0, 0, report.Probes{Readiness: acting("tcp", "tcp :5432", 31)})),
		deploy("shop", "pay", 3, live(0, 3), pay),
		deploy("shop", "quota", 10, live(3, 3), on(container("quota", 3, 3, report.Probes{}), "node-1", "node-1", "node-1")),
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
