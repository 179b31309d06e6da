package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// onlyPod is the entry of the only Pod of the only workload's first container.
func onlyPod(t *testing.T, s *snapshot.Snapshot) *Pod {
	t.Helper()
	return &build(t, s).Workloads[0].Containers[0].Pods[0]
}

func TestWhyAPodIsDown(t *testing.T) {
	waits := func(reason, text string) *snapshot.Pod {
		p := unready(runningPod("web"))
		p.Containers[0].Running, p.Containers[0].Waiting, p.Containers[0].WaitingText = time.Time{}, reason, text
		return p
	}
	unscheduled := unready(runningPod("web"))
	unscheduled.Node, unscheduled.Containers = "", nil
	unscheduled.Conditions = append(unscheduled.Conditions, snapshot.Condition{Type: "PodScheduled", Status: "False", Reason: "Unschedulable", Message: "0/3 nodes are available"})
	evicted := unready(runningPod("web"))
	evicted.Phase, evicted.Reason, evicted.Message, evicted.Asked = corev1.PodFailed, "Evicted", "The node was low on resource: memory", true
	broken := inBackOff(runningPod("web"), 3, ended("StartError", 128, 0, time.Minute))
	broken.Containers[0].Last.Message = `exec: "serve": not found`
	for _, tc := range []struct {
		name           string
		pod            *snapshot.Pod
		cause, message string
	}{
		{"ready", runningPod("web"), "", ""},
		{"its probe", unready(runningPod("web")), "readiness", ""},
		{"an image", waits("ImagePullBackOff", `Back-off pulling image "x"`), "ImagePullBackOff", `Back-off pulling image "x"`},
		{"a Secret", waits("CreateContainerConfigError", `secret "x" not found`), "CreateContainerConfigError", `secret "x" not found`},
		{"no node for it", unscheduled, "Pending", "0/3 nodes are available"},
		{"evicted", evicted, "", "The node was low on resource: memory"},
		{"a command that is not there", broken, "exit-128", `exec: "serve": not found`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := onlyPod(t, readSnapshot(pods(tc.pod))); got.Cause != tc.cause || got.Message != tc.message {
				t.Errorf("got cause %q, message %q; want %q, %q", got.Cause, got.Message, tc.cause, tc.message)
			}
		})
	}
}

func TestWhatInitializes(t *testing.T) {
	proxy := appContainer("proxy")
	proxy.Sidecar = true
	for _, tc := range []struct {
		name   string
		status snapshot.ContainerStatus
		want   string
	}{
		{"its image", snapshot.ContainerStatus{Name: "migrate", Waiting: "ErrImagePull", WaitingText: "not found"}, "init container migrate: ErrImagePull: not found"},
		{"it crashes", snapshot.ContainerStatus{Name: "migrate", Waiting: "CrashLoopBackOff", WaitingText: "back-off 5m0s restarting", Last: &snapshot.Termination{ExitCode: 3}}, "init container migrate: CrashLoopBackOff after exit 3"},
		{"it runs", snapshot.ContainerStatus{Name: "migrate", Running: ago(time.Hour)}, "init container migrate runs since 2026-11-29T11:00:00Z"},
		{"it ended", snapshot.ContainerStatus{Name: "migrate", Terminated: &snapshot.Termination{ExitCode: 1}}, "init container migrate ended with exit 1"},
		{"a sidecar that does not start", snapshot.ContainerStatus{Name: "proxy", Running: ago(time.Hour), Started: boolPointer(false)}, "sidecar proxy runs and has not started"},
		{"a sidecar that has", snapshot.ContainerStatus{Name: "proxy", Running: ago(time.Hour), Started: boolPointer(true)}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := unready(runningPod("web", appContainer("app"), proxy))
			p.Containers[0].Running, p.Containers[0].Waiting = time.Time{}, "PodInitializing"
			tc.status.Init = true
			p.Containers = []snapshot.ContainerStatus{
				p.Containers[0], {Name: "done", Init: true, Terminated: &snapshot.Termination{}}, tc.status, {Name: "later", Init: true, Waiting: "PodInitializing"},
			}
			if got := onlyPod(t, readSnapshot(pods(p))); got.Cause != "Init" || got.Message != tc.want {
				t.Errorf("got cause %q, message %q; want %q", got.Cause, got.Message, tc.want)
			}
		})
	}
}

func TestBackOffIsTheKubeletsWord(t *testing.T) {
	for text, want := range map[string]int64{
		"back-off 2m40s restarting failed container=app pod=web_shop(x)": 160,
		"back-off 10s restarting failed container=app":                   10,
		"":                               0,
		"back-off restarting":            0,
		"back-off -5s restarting":        0,
		"Back-off pulling image \"1m\"":  0,
		"back-off\x1b[31m 5m restarting": 0,
	} {
		p := inBackOff(runningPod("web"), 3, ended("Error", 1, time.Second, time.Minute))
		p.Containers[0].WaitingText = text
		got := onlyPod(t, readSnapshot(pods(p))).BackOffSeconds
		if (got == nil) != (want == 0) || got != nil && *got != want {
			t.Errorf("%q: got %v, want %d", text, got, want)
		}
	}
}

// The end of a container is told by what is proven of it, and wondered about only where it matters.
func TestCauseOfTheLastEnd(t *testing.T) {
	killed := inBackOff(runningPod("web"), 1, ended("Completed", 0, 40*time.Second, time.Minute))
	kill := event(killed, "Killing", livenessKill, 1, 65*time.Second, 65*time.Second)
	old := restarted(1, ended("Error", 1, 40*time.Second, 9*time.Hour))
	done := unready(runningPod("web"))
	done.Phase, done.Asked, done.Spec.RestartPolicy = corev1.PodSucceeded, true, corev1.RestartPolicyNever
	end := ended("Completed", 0, time.Hour, 9*time.Hour)
	done.Containers[0].Running, done.Containers[0].Terminated = time.Time{}, &end
	for _, tc := range []struct {
		name   string
		pod    *snapshot.Pod
		events []*snapshot.Event
		want   string
	}{
		{"a probe", killed, []*snapshot.Event{kill}, "liveness"},
		{"probes in earlier lives, of this one nothing tells", killed, []*snapshot.Event{event(killed, "Killing", livenessKill, 6, 20*time.Minute, 6*time.Minute)}, "?"},
		{"crashed", killed, nil, "exit-0"},
		{"a resize", killed, []*snapshot.Event{event(killed, "Killing", "Container app resize requires restart", 1, 65*time.Second, 65*time.Second)}, "resize"},
		{"nothing tells", old, nil, "?"},
		{"finished", done, nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := onlyPod(t, readSnapshot(pods(tc.pod), tc.events...))
			if got.LastTermination == nil || got.LastTermination.Cause != tc.want {
				t.Errorf("got %+v, want %q", got.LastTermination, tc.want)
			}
		})
	}
}

func TestGatesAndResizes(t *testing.T) {
	p := runningPod("web")
	p.Spec.ReadinessGates = []string{"example.com/a", "example.com/b", "example.com/c"}
	p.Conditions[0].Status = "False"
	p.Conditions = append(p.Conditions,
		snapshot.Condition{Type: "example.com/a", Status: "True"}, snapshot.Condition{Type: "example.com/b", Status: "False"},
		snapshot.Condition{Type: "PodResizePending", Status: "True", Reason: "Deferred", Message: "not enough cpu"},
		snapshot.Condition{Type: "PodResizeInProgress", Status: "False"})
	got := onlyPod(t, readSnapshot(pods(p)))
	if got.Cause != "gate" || !slices.Equal(got.FalseGates, []string{"example.com/b", "example.com/c"}) {
		t.Errorf("got cause %q, gates %q", got.Cause, got.FalseGates)
	}
	if got.ResizePending == nil || got.ResizePending.Reason != "Deferred" || got.ResizePending.Message != "not enough cpu" || got.ResizeInProgress != nil {
		t.Errorf("got %+v, %+v", got.ResizePending, got.ResizeInProgress)
	}
	if ready := onlyPod(t, readSnapshot(pods(runningPod("web")))); ready.FalseGates != nil || ready.ResizePending != nil {
		t.Errorf("got %+v", ready)
	}
}

func TestFailedCreateHasItsWords(t *testing.T) {
	s := readSnapshot(pods(runningPod("web")))
	s.Objects = deployment("web", 3, s.Pods[0])
	s.Objects[1].Conditions = []snapshot.Condition{{Type: "ReplicaFailure", Status: "True", Reason: "FailedCreate", Message: "exceeded quota: compute"}}
	got := build(t, s).Workloads[0].FailedCreate
	if got == nil || got.Pods != 2 || !strings.Contains(got.Message, "quota") {
		t.Errorf("got %+v", got)
	}
	s.Events = []*snapshot.Event{{Namespace: "shop", Kind: "ReplicaSet", ObjectUID: s.Objects[1].UID, Reason: "FailedCreate", Message: "denied by a webhook", Count: 1, First: ago(time.Minute), Last: ago(time.Minute)}}
	if got := build(t, s).Workloads[0].FailedCreate; got == nil || got.Message != "denied by a webhook" || got.LastSeen == nil {
		t.Errorf("got %+v", got)
	}
	s.Objects[0].Desired = new(int32)
	if got := build(t, s).Workloads[0].FailedCreate; got != nil {
		t.Errorf("got %+v though no Pod is missing", got)
	}
}

func TestSchedules(t *testing.T) {
	changed := func(p *snapshot.Pod) *snapshot.Event {
		return event(p, "ContainerProbeChanged", "Container app liveness probe updated", 1, time.Minute, time.Minute)
	}
	for _, tc := range []struct {
		name    string
		node    snapshot.Node
		change  bool
		want    Schedule
		figures bool
	}{
		{"today's", snapshot.Node{KubeletVersion: "v1.37.2"}, false, ScheduleTicks, false},
		{"tomorrow's, without proof", snapshot.Node{KubeletVersion: "v1.38.0-beta.0"}, false, ScheduleUnproven, true},
		{"with proof", snapshot.Node{KubeletVersion: "v1.38.0"}, true, ScheduleEndOfCheck, true},
		{"a virtual one", snapshot.Node{KubeletVersion: "v1.38.0", Virtual: true}, true, ScheduleOwn, false},
		{"no version", snapshot.Node{}, false, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := readSnapshot(pods(runningPod("web")))
			tc.node.Name, tc.node.Ready = "node-1", "False"
			tc.node.Conditions = []snapshot.Condition{{Type: "Ready", Status: "False", Reason: "KubeletNotReady", Message: "no network"}}
			s.Nodes = []*snapshot.Node{&tc.node}
			if tc.change {
				s.Events = append(s.Events, changed(s.Pods[0]))
			}
			c := build(t, s).Workloads[0].Containers[0]
			p := c.Pods[0]
			if p.Schedule != tc.want || p.VirtualKubelet != tc.node.Virtual || p.KubeletVersion != tc.node.KubeletVersion {
				t.Errorf("got %q, %v, %q", p.Schedule, p.VirtualKubelet, p.KubeletVersion)
			}
			if p.NodeNotReady == nil || p.NodeNotReady.Reason != "KubeletNotReady" {
				t.Errorf("got %+v", p.NodeNotReady)
			}
			figures := c.Probes.Get(probe.Liveness).EndOfCheck
			if (figures != nil) != tc.figures {
				t.Fatalf("got %+v", figures)
			}
			if want := (Detection{31, 34}); figures != nil && *figures.Detection != want {
				t.Errorf("got %+v, want %+v", *figures.Detection, want)
			}
		})
	}
}

// Somebody changed four of the Pods: three are named, in the order of their ordinals.
func TestDriftNamesPods(t *testing.T) {
	s := readSnapshot(pods(runningPod("web-2"), runningPod("web-10"), runningPod("web-1"), runningPod("web-3"), runningPod("web-4")))
	s.Objects = deployment("web", 5, s.Pods...)
	for _, p := range s.Pods[:4] {
		c := appContainer("app")
		c.Liveness.PeriodSeconds = 30
		p.Spec = &snapshot.PodSpec{Containers: []snapshot.Container{c}}
		p.ProbeWrites = []snapshot.ProbeWrite{{Container: "app", Probe: probe.Liveness, Manager: "kubectl-edit", Time: ago(time.Minute), AfterCreation: true}}
	}
	drift := build(t, s).Workloads[0].Containers[0].Drift
	if len(drift) != 1 || drift[0].Pods != 4 || !slices.Equal(drift[0].PodNames, []string{"web-1", "web-2", "web-3"}) {
		t.Errorf("got %+v", drift)
	}
}
