package render

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func httpReadiness(path string) *report.Probe {
	return &report.Probe{
		Handler: report.Handler{Type: "http", Text: "GET :8080" + path}, Config: report.Config{PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3},
		Detection: &report.Detection{AtOnceSeconds: 30, HangSeconds: 31}, FirstCheck: &report.Window{LatestSeconds: 11},
		Recovery: &report.Recovery{AtOnceSeconds: 10, AtWorstSeconds: 11}, Then: "out of Service endpoints",
	}
}

func httpLiveness(path string) *report.Probe {
	p := httpReadiness(path)
	p.Recovery, p.GraceSeconds, p.KillSeconds, p.Then = nil, number(30), number(30), "restarted"
	return p
}

func slowStart(path string) *report.Probe {
	p := httpLiveness(path)
	p.Config.FailureThreshold, p.Config.InitialDelaySeconds = 15, 5
	p.Detection, p.Allowance = nil, &report.Allowance{GuaranteedSeconds: 144, LongestSeconds: 156}
	p.FirstCheck = &report.Window{EarliestSeconds: 4, LatestSeconds: 15}
	return p
}

// ago is an instant so many seconds before the Report's.
func ago(seconds int) metav1.Time {
	return metav1.NewTime(afternoon().Add(-time.Duration(seconds) * time.Second))
}

// checkout is a workload of n Pods of which all but two are killed by a liveness probe that asks what readiness asks.
func checkout(n int) *report.Report {
	app := container("app", 2, n, report.Probes{Readiness: httpReadiness("/health"), Liveness: httpLiveness("/health")})
	app.Variants = []report.Variant{{Pods: n, Revision: "7d9f8b6c5d", Template: true, Probes: app.Probes}}
	for i := range n {
		app.Pods = append(app.Pods, checkoutPod(i, n))
	}
	app.Restarts = int64(6 * (n - 2))
	app.Causes = []report.Cause{{Cause: "liveness", Pods: n - 2}}
	app.RestartCauses = []report.RestartCause{{Cause: "liveness", Restarts: app.Restarts - 10}, {Cause: "?", Restarts: 10}}
	app.Failures, app.Kills = number(int64(18*n)), &report.Kills{Liveness: app.Restarts - 10}
	app.Findings = []report.Finding{{
		Rule: "killed-by-probe", Severity: report.SeverityError, Probe: probe.Liveness,
		Message: fmt.Sprintf("%d of %d Pods on 17 nodes since 13:31 UTC (31m), at least %d kills", n-2, n, app.Restarts-10),
		Hint:    "all say: HTTP probe failed with statuscode: 503\nit asks GET :8080/health, which readiness checks too: that alone takes them out of the Service without a kill\nin the template, which starts a rollout:",
		Command: "kubectl probes set deploy/checkout -n shop -c app --pod-template --liveness=failure=30 --dry-run=server",
	}}
	proxy := container("istio-proxy", n, n, report.Probes{Readiness: acting("http", "GET :15021/healthz/ready", 61)})
	proxy.OnlyIn, proxy.Injected = report.OnlyInPods, true
	w := deploy("shop", "checkout", int32(n), live(2, n), app, proxy)
	endpoints, ready := n, 2
	since := ago(9 * 24 * 3600)
	w.Revision, w.RevisionSince, w.Rollout = "41", &since, &report.Rollout{State: report.RolloutComplete}
	w.Services = []report.Service{{Name: "checkout", Endpoints: &endpoints, Ready: &ready}}
	return onCluster(w)
}

func checkoutPod(i, n int) report.Pod {
	p := report.Pod{
		Name: fmt.Sprintf("checkout-7d9f8b6c5d-%05x", i*7919%1048576), Phase: report.Live, Node: fmt.Sprintf("node-%d", i%17), Revision: "7d9f8b6c5d",
		Evidence: []report.Evidence{}, Kills: []report.Kill{},
	}
	if i >= n-2 {
		p.State, p.Ready, p.PodReady = "running", true, true
		return p
	}
	finished := ago(60 + i%180)
	p.Restarts = int32(5 + i%3)
	p.LastTermination = &report.Termination{Reason: "Error", ExitCode: 143, FinishedAt: &finished, Cause: "liveness"}
	p.State, p.Reason, p.Cause, p.Saturated = "waiting", "CrashLoopBackOff", "liveness", true
	p.BackOffSeconds = number(300)
	if i%5 == 4 {
		p.State, p.Reason, p.BackOffSeconds = "running", "", nil
	}
	share := 0.6
	p.Evidence = []report.Evidence{{
		Probe: probe.Liveness, Failures: 18, FirstSeen: ago(1860), LastSeen: ago(20), State: report.StateNow, PerCheck: &share, Messages: 1,
		Message: "HTTP probe failed with statuscode: 503",
	}, {
		Probe: probe.Readiness, Failures: 7, FirstSeen: ago(1860), LastSeen: ago(40), State: report.StateNow, Messages: 1,
		Message: fmt.Sprintf("Get \"http://10.1.%d.%d:8080/health\": dial tcp 10.1.%d.%d:8080: connect: connection refused", i/250, i%250, i/250, i%250),
	}}
	p.Kills = []report.Kill{{Probe: probe.Liveness, Count: 6, FirstSeen: ago(1860), LastSeen: ago(60)}}
	return p
}
