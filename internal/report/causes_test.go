package report

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

const (
	livenessKill = "Container app failed liveness probe, will be restarted"
	refused      = `probe failed: Get "http://10.0.0.1:80/": dial tcp 10.0.0.1:80: connect: connection refused`
)

// restarted is a running, Ready Pod whose container ended before.
func restarted(restarts int32, end snapshot.Termination) *snapshot.Pod {
	p := runningPod("web")
	p.Containers[0].RestartCount, p.Containers[0].Last, p.Containers[0].Running = restarts, &end, end.Finished
	return p
}

func TestCauseOfAnEnd(t *testing.T) {
	const minute, second = time.Minute, time.Second
	long, short := 40*second, 19*second // the earliest kill is 20s after the start
	for _, tc := range []struct {
		name     string
		end      snapshot.Termination
		restarts int32
		events   func(*snapshot.Pod) []*snapshot.Event
		kubelet  string
		want     string
		split    string
	}{
		{
			name: "a probe, though it ended well", end: ended("Completed", 0, long, minute), restarts: 1, want: "liveness:1", split: "liveness:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Killing", livenessKill, 1, 65*second, 65*second)}
			},
		},
		{
			name: "out of memory, and a probe before", end: ended("OOMKilled", 137, long, minute), restarts: 3, want: "OOMKilled:1", split: "liveness:2 OOMKilled:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Killing", livenessKill, 2, 20*minute, 10*minute)}
			},
		},
		{name: "out of memory, hours ago", end: ended("OOMKilled", 137, long, 9*time.Hour), restarts: 1, want: "OOMKilled:1", split: "OOMKilled:1"},
		{name: "a crash that the Events say nothing about", end: ended("Error", 1, long, minute), restarts: 2, want: "exit-1:1", split: "exit-1:1 ?:1"},
		{
			name: "a crash that refuses its checks", end: ended("Error", 1, long, minute), restarts: 5, want: "exit-1:1", split: "exit-1:1 ?:4",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{
					event(p, "Unhealthy", "Readiness "+refused, 9, 20*minute, minute), event(p, "Unhealthy", "Liveness "+refused, 5, 20*minute, minute),
					event(p, "BackOff", "Back-off restarting failed container app in pod web_shop(x)", 4, 20*minute, minute),
				}
			},
		},
		{
			name: "as many restarts as may have used up what the kubelet writes, too few failures", end: ended("Error", 1, long, minute), restarts: 9, want: "exit-1:1", split: "exit-1:1 ?:8",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Unhealthy", "Liveness "+refused, 2, 20*minute, minute)}
			},
		},
		{
			name: "the same, and enough failures", end: ended("Error", 1, long, minute), restarts: 9, want: "?:1", split: "?:9",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Unhealthy", "Liveness "+refused, 3, 20*minute, minute)}
			},
		},
		{
			name: "saturated", end: ended("Error", 1, long, minute), restarts: 1, want: "?:1", split: "?:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Unhealthy", "Readiness "+refused, 25, 20*minute, minute)}
			},
		},
		{
			name: "saturated, but too short a life for a probe", end: ended("Error", 1, short, minute), restarts: 17, want: "exit-1:1", split: "exit-1:1 ?:16",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Unhealthy", "Readiness "+refused, 200, 20*minute, minute)}
			},
		},
		{
			name: "a life as long as the earliest kill", end: ended("Error", 1, 20*second, minute), restarts: 1, want: "?:1", split: "?:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Unhealthy", "Readiness "+refused, 200, 20*minute, minute)}
			},
		},
		{name: "older than the Events", end: ended("Error", 1, long, 61*minute), restarts: 1, want: "?:1", split: "?:1"},
		{
			name: "a kubelet that counts Warnings and the rest together", end: ended("Error", 1, long, minute), restarts: 4, kubelet: "v1.31.4", want: "?:1", split: "?:4",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Unhealthy", "Readiness "+refused, 10, 20*minute, minute)}
			},
		},
		{
			name: "kills whose latest was not written", end: ended("Completed", 0, long, minute), restarts: 7, want: "liveness:1", split: "liveness:6 ?:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Killing", livenessKill, 6, 20*minute, 6*minute)}
			},
		},
		{
			name: "kills, then a crash too soon after the start", end: ended("Error", 2, short, minute), restarts: 7, want: "exit-2:1", split: "liveness:6 exit-2:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Killing", livenessKill, 6, 20*minute, 6*minute)}
			},
		},
		{
			name: "stopped is not killed by a probe", end: ended("Error", 143, long, minute), restarts: 1, want: "exit-143:1", split: "exit-143:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Killing", "Stopping container app", 1, minute, minute)}
			},
		},
		{
			name: "definition changed", end: ended("Error", 143, long, minute), restarts: 1, want: "definition-changed:1", split: "definition-changed:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Killing", "Container app definition changed, will be restarted", 1, minute, minute)}
			},
		},
		{
			name: "an in-place resize", end: ended("Error", 143, long, minute), restarts: 1, want: "resize:1", split: "resize:1",
			events: func(p *snapshot.Pod) []*snapshot.Event {
				return []*snapshot.Event{event(p, "Killing", "Container app resize requires restart", 1, minute, minute)}
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := restarted(tc.restarts, tc.end)
			var events []*snapshot.Event
			if tc.events != nil {
				events = tc.events(p)
			}
			s := readSnapshot(pods(p), events...)
			if tc.kubelet != "" {
				s.Nodes[0].KubeletVersion = tc.kubelet
			}
			c := build(t, s).Workloads[0].Containers[0]
			if got := causesText(c); got != tc.want {
				t.Errorf("causes %q, want %q", got, tc.want)
			}
			if got := restartsText(c); got != tc.split {
				t.Errorf("restarts %q, want %q", got, tc.split)
			}
		})
	}
}

func TestCauseOfNotReady(t *testing.T) {
	waits := func(reason string) *snapshot.Pod {
		p := unready(runningPod("web"))
		p.Containers[0].Running, p.Containers[0].Waiting, p.Containers[0].Started = time.Time{}, reason, boolPointer(false)
		return p
	}
	withStartup := func(p *snapshot.Pod) *snapshot.Pod {
		p.Spec.Containers[0].Startup, p.Containers[0].Started = httpProbe(), boolPointer(false)
		return p
	}
	crashLoop := func(code int32, life time.Duration) *snapshot.Pod {
		p := unready(restarted(17, ended("Error", code, life, 10*time.Second)))
		return p
	}
	for _, tc := range []struct {
		name   string
		pod    *snapshot.Pod
		change func(*snapshot.Pod, *snapshot.Snapshot)
		events []*snapshot.Event
		want   string
	}{
		{name: "well", pod: runningPod("web"), want: ""},
		{name: "a manifest", pod: unready(runningPod("web")), want: "", change: func(p *snapshot.Pod, _ *snapshot.Snapshot) { p.HasStatus = false }},
		{name: "its readiness probe", pod: unready(runningPod("web")), want: "readiness:1"},
		{name: "its readiness probe, without Events", pod: unready(runningPod("web")), want: "readiness:1", change: func(_ *snapshot.Pod, s *snapshot.Snapshot) {
			s.Gaps = []snapshot.Gap{{What: "events"}}
		}},
		{name: "its startup probe", pod: withStartup(unready(runningPod("web"))), want: "startup:1"},
		{name: "image", pod: waits("ImagePullBackOff"), want: "ImagePullBackOff:1"},
		{name: "image name", pod: waits("InvalidImageName"), want: "InvalidImageName:1"},
		{name: "configuration", pod: waits("CreateContainerConfigError"), want: "CreateContainerConfigError:1"},
		{name: "being made", pod: waits("ContainerCreating"), want: "ContainerCreating:1"},
		{name: "init containers", pod: waits("PodInitializing"), want: "Init:1"},
		{name: "not scheduled", pod: waits(""), want: "Pending:1", change: func(p *snapshot.Pod, _ *snapshot.Snapshot) { p.Node, p.Containers = "", nil }},
		{name: "not reported yet", pod: waits(""), want: "Pending:1", change: func(p *snapshot.Pod, _ *snapshot.Snapshot) { p.Containers = nil }},
		{name: "its node", pod: unready(runningPod("web")), want: "NodeNotReady:1", change: func(_ *snapshot.Pod, s *snapshot.Snapshot) { s.Nodes[0].Ready = "Unknown" }},
		{name: "its node, the containers last seen ready", pod: runningPod("web"), want: "NodeNotReady:1", change: func(p *snapshot.Pod, s *snapshot.Snapshot) {
			s.Nodes[0].Ready, p.Conditions[0].Status = "Unknown", "False"
		}},
		{name: "a gate", pod: runningPod("web"), want: "gate:1", change: func(p *snapshot.Pod, _ *snapshot.Snapshot) {
			p.Spec.ReadinessGates, p.Conditions[0].Status = []string{"target-health.elbv2.k8s.aws/x"}, "False"
		}},
		{name: "a gate that is open", pod: runningPod("web"), want: "", change: func(p *snapshot.Pod, _ *snapshot.Snapshot) {
			p.Spec.ReadinessGates, p.Conditions[0].Status = []string{"Ready-Too"}, "False"
			p.Conditions = append(p.Conditions, snapshot.Condition{Type: "Ready-Too", Status: "True"})
		}},
		{name: "a resize", pod: unready(runningPod("web")), want: "resize:1", change: func(p *snapshot.Pod, _ *snapshot.Snapshot) {
			p.Spec.Containers[0].ResizeRestartPolicy = true
			p.Conditions = append(p.Conditions, snapshot.Condition{Type: "PodResizeInProgress", Status: "True"})
		}},
		{
			name: "liveness that fails and has not killed yet", pod: unready(runningPod("web")), want: "liveness:1",
			events: []*snapshot.Event{event(runningPod("web"), "Unhealthy", "Liveness probe failed: x", 2, time.Minute, time.Minute)},
		},
		{
			name: "back-off of nobody knows what", pod: inBackOff(runningPod("web"), 9, ended("Error", 1, 40*time.Second, time.Minute)), want: "?:1",
			change: func(_ *snapshot.Pod, s *snapshot.Snapshot) {
				s.Gaps = []snapshot.Gap{{What: "events", Namespace: "shop"}}
			},
		},
		{name: "back-off, and no end in the status", pod: waits("CrashLoopBackOff"), want: "CrashLoopBackOff:1"},
		{
			name: "a crash loop between two crashes", pod: crashLoop(1, 5*time.Second), want: "exit-1:1",
			events: []*snapshot.Event{event(runningPod("web"), "Unhealthy", "Readiness "+refused, 100, 20*time.Minute, time.Second)},
		},
		{
			name: "a crash long ago, and a probe that does not pass", pod: unready(restarted(1, ended("Error", 1, 40*time.Second, 20*time.Minute))), want: "readiness:1",
			events: []*snapshot.Event{event(runningPod("web"), "Unhealthy", "Readiness probe failed: x", 20, 20*time.Minute, time.Minute)},
		},
		{
			name: "between two kills", pod: unready(restarted(6, ended("Error", 143, 40*time.Second, 10*time.Second))), want: "liveness:1",
			events: []*snapshot.Event{event(runningPod("web"), "Killing", livenessKill, 6, 20*time.Minute, 12*time.Second)},
		},
		{name: "done, and others go on", pod: waits(""), want: "", change: func(p *snapshot.Pod, _ *snapshot.Snapshot) {
			p.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
			end := ended("Completed", 0, 40*time.Second, time.Minute)
			p.Containers[0].Terminated = &end
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := readSnapshot(pods(tc.pod), tc.events...)
			if tc.change != nil {
				tc.change(tc.pod, s)
			}
			if got := causesText(build(t, s).Workloads[0].Containers[0]); got != tc.want {
				t.Errorf("causes %q, want %q", got, tc.want)
			}
		})
	}
}

func TestCausesComeGravestFirst(t *testing.T) {
	counts := causeCounts{}
	for _, add := range []struct {
		cause string
		pods  int
		down  bool
	}{
		{"", 5, true},
		{"?", 9, false},
		{"liveness", 1, false},
		{"readiness", 4, true},
		{"ImagePullBackOff", 1, true},
		{"exit-1", 1, true},
		{"exit-137", 2, true},
		{"FailedCreate", 0, true},
		{"Pending", 8, true},
		{"readiness", 1, true},
	} {
		counts.add(add.cause, add.pods, add.down)
	}
	const want = "exit-137:2 exit-1:1 ImagePullBackOff:1 readiness:5 Pending:8 liveness:1 ?:9"
	if got := causesText(Container{Causes: counts.list()}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
