package report

import (
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// readyAfter makes a Pod of which the container became ready that long after its start.
func readyAfter(took time.Duration, containers ...snapshot.Container) *snapshot.Pod {
	p := runningPod("web", containers...)
	for i := range p.Conditions {
		p.Conditions[i].LastTransition = p.Containers[0].Running.Add(took)
	}
	return p
}

// allowing has a startup probe that allows 290 seconds and acts after 312 at the latest.
func allowing() snapshot.Container {
	c := appContainer("app")
	c.Startup = httpProbe()
	c.Startup.FailureThreshold = 30
	return c
}

func TestStartSeconds(t *testing.T) {
	otherLiveness := appContainer("app")
	otherLiveness.Liveness.Path = "/other"
	delayed := allowing()
	delayed.Readiness.InitialDelaySeconds = 60
	failed := func(p *snapshot.Pod) *snapshot.Event {
		return event(p, "Unhealthy", "Startup probe failed: no", 4, 30*time.Minute, 30*time.Minute-45*time.Second)
	}
	tests := []struct {
		name   string
		pod    *snapshot.Pod
		events func(*snapshot.Pod) *snapshot.Event
		want   int64
	}{
		{"readiness goes back to the end of the start", readyAfter(90*time.Second, allowing()), nil, 90 - 12},
		{"an outage since", readyAfter(20*time.Minute, allowing()), nil, 0},
		{"readiness waited for its own delay", readyAfter(75*time.Second, delayed), nil, 0},
		{"the last failure of the startup probe", readyAfter(20*time.Minute, allowing()), failed, 45},
		{"liveness asks what readiness asks", readyAfter(40 * time.Second), nil, 40 - 12},
		{"liveness asks something else", readyAfter(40*time.Second, otherLiveness), nil, 0},
		{"another container may have been slower", readyAfter(90*time.Second, allowing(), appContainer("other")), nil, 0},
		{"beside one without probes", readyAfter(90*time.Second, allowing(), snapshot.Container{Name: "other"}), nil, 90 - 12},
		{"not ready", unready(readyAfter(90*time.Second, allowing())), nil, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := readSnapshot(pods(test.pod))
			if test.events != nil {
				s.Events = append(s.Events, test.events(test.pod))
			}
			if got := build(t, s).Workloads[0].Containers[0].Pods[0].StartSeconds; got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}
