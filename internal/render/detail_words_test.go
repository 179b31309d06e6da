package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// downFor is a workload of n Pods that are down for one cause.
func downFor(cause string, n int, change func(i int, p *report.Pod)) *report.Report {
	app := container("app", 0, n, report.Probes{Readiness: httpReadiness("/ready"), Liveness: httpLiveness("/live")})
	app.Causes = []report.Cause{{Cause: cause, Pods: n}}
	for i := range n {
		p := report.Pod{Name: fmt.Sprint("app-", i), Phase: report.Live, Node: "node-1", State: "waiting", Reason: cause, Cause: cause}
		change(i, &p)
		app.Pods = append(app.Pods, p)
	}
	return onCluster(deploy("shop", "app", int32(n), live(0, n), app))
}

func expect(t *testing.T, got string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(flat(got), want) {
			t.Errorf("does not say %q:\n%s", want, got)
		}
	}
}

// What a registry or the scheduler says is told, once where it is the same.
func TestDetailTellsMessages(t *testing.T) {
	r := downFor("ImagePullBackOff", 40, func(i int, p *report.Pod) {
		p.Message = fmt.Sprintf("Back-off pulling image \"x:2\": dial tcp 10.0.0.%d:443: refused\x1b[31m.", i)
		if i > 37 {
			p.Message = fmt.Sprint("another ", i)
		}
	})
	got := detail(t, r, Options{Width: 80})
	expect(t, got, `the container runs Back-off pulling image "x:2": dial tcp 10.0.0.37:443: refused\x1b[31m and 2 other messages`)
	wide := detail(t, r, Options{Wide: true})
	expect(t, wide, "refused\\x1b[31m another 38 another 39")
	long := downFor("ImagePullBackOff", 1, func(_ int, p *report.Pod) { p.Message = strings.Repeat("word ", 200) })
	if got := detail(t, long, Options{Width: 80}); strings.Count(got, "word") > messageWidth/5 || !strings.Contains(got, "…") {
		t.Error(got)
	}
}

func TestDetailTellsWhatElseIsWrong(t *testing.T) {
	gate := downFor("gate", 2, func(i int, p *report.Pod) {
		p.State, p.Reason, p.Ready, p.FalseGates = "running", "", true, []string{"target-health.example.com/tg", "b"}[:1+i]
	})
	expect(t, detail(t, gate, Options{}), "why gate, 2 Pods: all containers are ready, but not a readiness gate", "sets not true: b, target-health.example.com/tg")

	node := downFor("NodeNotReady", 2, func(_ int, p *report.Pod) {
		p.NodeNotReady = &report.Condition{Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status.", Since: before("5m")}
	})
	expect(t, detail(t, node, Options{}), "node-1 since 13:57 UTC (5m), NodeStatusUnknown: Kubelet stopped posting node status")

	command := downFor("exit-128", 1, func(_ int, p *report.Pod) {
		p.Reason, p.Message, p.LastTermination = "CrashLoopBackOff", "serve: not found", &report.Termination{Reason: "StartError", ExitCode: 128}
	})
	expect(t, detail(t, command, Options{}), "why exit-128, 1 Pod: the container cannot be started; nothing has been checked serve: not found")

	quota := downFor("FailedCreate", 0, nil)
	quota.Workloads[0].FailedCreate = &report.FailedCreate{Pods: 3, Message: "exceeded quota: compute"}
	quota.Workloads[0].Containers[0].Causes = []report.Cause{{Cause: "FailedCreate", Pods: 3}}
	expect(t, detail(t, quota, Options{}), "FailedCreate, 3 Pods: they could not be created (a quota, a webhook); no probe is concerned exceeded quota: compute")
}

// A Pod that was evicted says what of; those that need somebody come first.
func TestDetailTellsEvictions(t *testing.T) {
	r := downFor("readiness", 3, func(i int, p *report.Pod) {
		switch i {
		case 0:
			p.Ready, p.PodReady = true, true
		case 1:
			p.Phase, p.Reason, p.Message, p.Cause = report.Finished, "Evicted", "The node was low on resource: memory.", ""
		}
	})
	got := detail(t, r, Options{Wide: true})
	expect(t, got, "why Evicted, 1 Pod (app-1) The node was low on resource: memory ")
	if a, b, c := strings.Index(got, "app-2"), strings.Index(got, "app-0"), strings.Index(got, "app-1"); a > b || b > c {
		t.Error(got)
	}
}

func TestDetailTellsResizes(t *testing.T) {
	r := downFor("readiness", 4, func(i int, p *report.Pod) {
		switch i {
		case 0, 1:
			p.ResizePending = &report.Condition{Reason: "Deferred", Message: "Node didn't have enough resource: cpu", Since: before("2m")}
		case 2:
			p.ResizeInProgress = &report.Condition{}
		}
	})
	expect(t, detail(t, r, Options{}), "resize in place, waits in 2 Pods (app-0, app-1) since 14:00 UTC (2m), Deferred: Node didn't have enough resource: cpu",
		"resize in place, goes on in 1 Pod (app-2)")
}

// A figure holds where its schedule does.
func TestDetailTellsSchedules(t *testing.T) {
	r := downFor("readiness", 4, func(i int, p *report.Pod) {
		p.Schedule, p.KubeletVersion = report.ScheduleUnproven, "v1.38.0"
		switch i {
		case 0:
			p.Node, p.VirtualKubelet, p.Schedule, p.KubeletVersion = "vk-1", true, report.ScheduleOwn, "v1.30"
		case 1:
			p.Schedule = report.ScheduleEndOfCheck
		}
	})
	c := &r.Workloads[0].Containers[0]
	c.Probes.Startup = slowStart("/start")
	c.Probes.Startup.EndOfCheck = &report.EndOfCheck{Allowance: &report.Allowance{GuaranteedSeconds: 144, LongestSeconds: 170}}
	c.Probes.Liveness.EndOfCheck = &report.EndOfCheck{Detection: &report.Detection{AtOnceSeconds: 31, HangSeconds: 34}}
	figures := "startup 2m24s surely, 2m50s at most; liveness 31s at once, 34s hanging"
	expect(t, detail(t, r, Options{}), "note 1 of 4 Pods on a virtual kubelet (vk-1): its schedule is its own: the figures do not apply",
		"note 1 of 4 Pods on kubelet v1.38.0, which waits a period after the end of each check (ContainerProbeChanged proves it): "+figures,
		"note 2 of 4 Pods on kubelet v1.38.0: nothing tells whether it waits a period after the end of each check (MutableContainerProbes); if so: "+figures)
	expect(t, detail(t, r, Options{Wide: true}), "- vk-1 (virtual)")
	if got := detail(t, checkout(3), Options{}); strings.Contains(got, "note") {
		t.Error(got)
	}
}

// How long the kubelet waits is its own word; without it nothing is said.
func TestDetailTellsBackOffs(t *testing.T) {
	r := downFor("CrashLoopBackOff", 3, func(i int, p *report.Pod) { p.BackOffSeconds = number(int64(40 * (i + 1))) })
	expect(t, detail(t, r, Options{}), "3 CrashLoopBackOff, back-off 40s to 2m ")
	r = downFor("CrashLoopBackOff", 3, func(int, *report.Pod) {})
	if got := detail(t, r, Options{}); strings.Contains(got, "back-off") {
		t.Error(got)
	}
}

func TestDetailTellsHowContainersEnded(t *testing.T) {
	for _, tt := range []struct {
		end  report.Termination
		want string
	}{
		{report.Termination{Reason: "Error", ExitCode: 143, Cause: "liveness"}, "liveness, exit 143"},
		{report.Termination{Reason: "OOMKilled", ExitCode: 137, Cause: "OOMKilled"}, "OOMKilled, exit 137"},
		{report.Termination{Reason: "Error", ExitCode: 1, Cause: "exit-1"}, "exit 1"},
		{report.Termination{Reason: "Completed", Cause: "?"}, "?, exit 0"},
		{report.Termination{Reason: "StartError", ExitCode: 128, Cause: "exit-128"}, "StartError, exit 128"},
		{report.Termination{Reason: "Completed"}, "exit 0"},
	} {
		if got := endOf(&report.Pod{LastTermination: &tt.end}); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestDetailNamesChangedPods(t *testing.T) {
	r := downFor("readiness", 5, func(int, *report.Pod) {})
	r.Workloads[0].Containers[0].Drift = []report.Drift{{
		Probe: probe.Liveness, Kind: report.Changed, Change: report.Removed, Pods: 4, PodNames: []string{"app-1", "app-2", "app-3"}, By: "kubectl-edit",
	}}
	expect(t, detail(t, r, Options{}), "drift liveness changed, 4 of 5 Pods (app-1, app-2, app-3 and 1 more), by kubectl-edit")
}

// A finding that only refers to another is a line of that one; one of another probe stands alone.
func TestDetailFoldsFindings(t *testing.T) {
	r := checkout(3)
	c := &r.Workloads[0].Containers[0]
	find(c, report.SeverityError, "failing-now", probe.Liveness, "1 of 3 Pods, at least 9 failures", "killed-by-probe has what it says, and what to do")
	find(c, report.SeverityError, "failing-now", probe.Readiness, "1 of 3 Pods, at least 7 failures", "it asks")
	got := detail(t, r, Options{})
	expect(t, got, "failing-now too: 1 of 3 Pods, at least 9 failures all say:", "error failing-now app readiness: 1 of 3 Pods, at least 7")
	if strings.Contains(got, "has what it says") {
		t.Error(got)
	}
	c.Findings[0].Suppressed = true
	expect(t, detail(t, r, Options{}), "error failing-now app liveness: 1 of 3 Pods, at least 9 failures")
}

func TestOneFailureHasItKilled(t *testing.T) {
	for failures, want := range map[int32]string{1: "at the latest one failure has it killed.", 3: "at the latest 3 failures in a row have it killed."} {
		p := &report.Probe{Config: report.Config{FailureThreshold: failures, PeriodSeconds: 10, TimeoutSeconds: 1}, Allowance: &report.Allowance{GuaranteedSeconds: 9, LongestSeconds: 20}}
		if got := allows(p); !strings.Contains(got, want) {
			t.Errorf("%q, want %q in it", got, want)
		}
	}
}

// What is wrong with a sidecar, or with one of two, is not taken for the state of the container beside it.
func TestStatesNameTheirContainerWhereAnotherMayBeMeant(t *testing.T) {
	down, well := on(container("proxy", 0, 1, report.Probes{}), "node-1"), on(container("app", 1, 1, report.Probes{}), "node-1")
	because(&down, 7, "1s", "liveness", 1)
	sidecar, injected := down, well
	sidecar.Sidecar, injected.Injected = true, true
	for _, tt := range []struct {
		in   []report.Container
		want string
	}{
		{[]report.Container{well, sidecar}, "\nproxy  PODS  STATE"},
		{[]report.Container{well, down}, "\nproxy  PODS  STATE"},
		{[]report.Container{down, injected}, "\nPODS  STATE"},
		{[]report.Container{down}, "\nPODS  STATE"},
	} {
		if got := detail(t, onCluster(deploy("a", "x", 1, live(0, 1), tt.in...)), Options{}); !strings.Contains(got, tt.want) {
			t.Errorf("want %q in:\n%s", tt.want, got)
		}
	}
}
