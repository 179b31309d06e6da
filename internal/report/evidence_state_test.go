package report

import (
	"math"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestStateOfEvidence(t *testing.T) {
	const minute, second = time.Minute, time.Second
	withStartup := func() *snapshot.Pod {
		c := appContainer("app")
		c.Startup = httpProbe()
		return runningPod("web", c)
	}
	startedAt := func(p *snapshot.Pod, before time.Duration) *snapshot.Pod {
		p.Containers[0].Running = ago(before)
		return p
	}
	readyAt := func(p *snapshot.Pod, before time.Duration) *snapshot.Pod {
		p.Conditions[0].LastTransition = ago(before)
		return p
	}
	deleted := func(p *snapshot.Pod, asked time.Duration) *snapshot.Pod {
		p.Deleted = ago(asked - 30*second)
		return p
	}
	finished := func(p *snapshot.Pod) *snapshot.Pod {
		p.Phase = corev1.PodSucceeded
		return p
	}
	notStarted := func(p *snapshot.Pod) *snapshot.Pod {
		p.Containers[0].Started = boolPointer(false)
		return unready(p)
	}
	withoutLiveness := func(p *snapshot.Pod) *snapshot.Pod {
		p.Spec.Containers[0].Liveness = nil
		return p
	}
	killedAndWaiting := inBackOff(runningPod("web"), 3, ended("Completed", 0, 40*second, 2*minute))
	crashedAndWaiting := inBackOff(runningPod("web"), 3, ended("Error", 1, 5*second, 2*minute))
	for _, tc := range []struct {
		name  string
		pod   *snapshot.Pod
		probe string
		last  time.Duration // before now
		kill  bool          // a Killing event for liveness, 2m30s ago
		want  EvidenceState
	}{
		{"a finished Pod", finished(unready(runningPod("web"))), "Readiness", 5 * second, false, StatePast},
		{"an earlier container", startedAt(unready(runningPod("web")), 5*minute), "Readiness", 6 * minute, false, StatePast},
		{"this container, in the second it started", startedAt(unready(runningPod("web")), 5*minute), "Readiness", 5 * minute, false, StateNow},
		{"waits after a probe's kill", killedAndWaiting, "Liveness", 9 * minute, true, StateNow},
		{"waits after a crash", crashedAndWaiting, "Liveness", 3 * minute, false, StatePast},
		{"terminating, before it was told to go", deleted(unready(runningPod("web")), minute), "Readiness", 2 * minute, false, StateNow},
		{"terminating, after it was told to go", deleted(unready(runningPod("web")), minute), "Readiness", 10 * second, false, StatePast},
		{"the probe is not there any more", withoutLiveness(runningPod("web")), "Liveness", 10 * second, false, StatePast},
		{"not started", notStarted(withStartup()), "Startup", 10 * second, false, StateStarting},
		{"not started for long", notStarted(withStartup()), "Startup", 20 * minute, false, StateStarting},
		{"started: the startup probe is over", unready(withStartup()), "Startup", minute, false, StateStarting},
		{"before Ready, within the start", readyAt(startedAt(runningPod("web"), 10*minute), 9*minute+40*second), "Readiness", 9*minute + 45*second, false, StateStarting},
		{"before Ready, long after the start", readyAt(startedAt(runningPod("web"), 30*minute), 9*minute), "Readiness", 10 * minute, false, StateRecovered},
		{"after Ready, within the start", readyAt(startedAt(runningPod("web"), 10*minute), 9*minute+55*second), "Readiness", 9*minute + 45*second, false, StateRecovered},
		{"before Ready, within the startup allowance", readyAt(startedAt(withStartup(), 10*minute), 9*minute), "Readiness", 9*minute + 5*second, false, StateStarting},
		{"not Ready yet, still within the start", startedAt(unready(runningPod("web")), 20*second), "Readiness", 5 * second, false, StateStarting},
		{"not Ready, failed within the start and long ago", startedAt(unready(runningPod("web")), 20*minute), "Readiness", 19*minute + 50*second, false, StateNow},
		{"readiness and not Ready, however long ago", startedAt(unready(runningPod("web")), 90*minute), "Readiness", 50 * minute, false, StateNow},
		{"readiness and Ready again", runningPod("web"), "Readiness", 10 * second, false, StateRecovered},
		{"liveness, within the lag of writes", runningPod("web"), "Liveness", 5*minute + 10*second, false, StateNow},
		{"liveness, beyond the lag of writes", runningPod("web"), "Liveness", 5*minute + 11*second, false, StateRecovered},
	} {
		t.Run(tc.name, func(t *testing.T) {
			events := []*snapshot.Event{event(tc.pod, "Unhealthy", tc.probe+" probe failed: x", 1, tc.last, tc.last)}
			if tc.kill {
				events = append(events, event(tc.pod, "Killing", "Container app failed liveness probe, will be restarted", 1, 150*second, 150*second))
			}
			r := build(t, readSnapshot(pods(tc.pod), events...))
			kind, _ := kindNamed(tc.probe)
			if got := onlyEvidence(t, r, kind).State; got != tc.want {
				t.Errorf("state %s, want %s", got, tc.want)
			}
		})
	}
}

func TestWarningIsNoFailure(t *testing.T) {
	p := unready(runningPod("web"))
	r := build(t, readSnapshot(pods(p), event(p, "ProbeWarning", "Readiness probe warning: Probe terminated redirects", 4, time.Hour, time.Minute)))
	e := onlyEvidence(t, r, probe.Readiness)
	if e.Failures != 0 || e.Errors != 0 || e.Warnings != 4 || e.State != StateRecovered || *r.Workloads[0].Containers[0].Failures != 0 {
		t.Errorf("%+v, want four warnings and nothing that goes on", *e)
	}
}

func TestPerCheck(t *testing.T) {
	slow := httpProbe()
	slow.TimeoutSeconds = 30
	for _, tc := range []struct {
		name     string
		probe    *probe.Probe
		count    int64
		timeouts int64
		over     time.Duration
		want     float64 // negative: none
	}{
		{"too few", httpProbe(), 2, 0, time.Minute, -1},
		{"the period is not known", nil, 9, 0, time.Minute, -1},
		{"every check", httpProbe(), 7, 0, time.Minute, 1},
		{"extra checks do not make it more", httpProbe(), 12, 0, time.Minute, 1},
		{"one in nine", httpProbe(), 10, 0, 890 * time.Second, 1.0 / 9},
		{"a part of a period is none", httpProbe(), 3, 0, 29 * time.Second, 1},
		{"timeouts follow each other at their own pace", slow, 3, 3, 60 * time.Second, 1},
		{"some timeouts", slow, 3, 2, 60 * time.Second, 3.0 / 7},
		{"one burst", httpProbe(), 25, 0, 24 * time.Second, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := perCheck(tc.probe, tally{count: tc.count, timeouts: tc.timeouts, first: ago(tc.over), last: ago(0)})
			switch {
			case got == nil && tc.want >= 0:
				t.Errorf("none, want %v", tc.want)
			case got != nil && math.Abs(*got-tc.want) > 1e-9:
				t.Errorf("%v, want %v", *got, tc.want)
			}
		})
	}
}

func TestPerCheckSumsDifferentMessages(t *testing.T) {
	p := unready(runningPod("web"))
	r := build(t, readSnapshot(pods(p),
		event(p, "Unhealthy", "Readiness probe failed: one", 3, 5*time.Minute, 3*time.Minute),
		event(p, "Unhealthy", "Readiness probe failed: two", 4, 2*time.Minute, time.Minute),
		event(p, "Unhealthy", "Readiness probe errored: three", 9, 20*time.Minute, 0),
	))
	e := onlyEvidence(t, r, probe.Readiness)
	if e.Failures != 7 || e.Errors != 9 || e.Messages != 3 || e.Message != "two" {
		t.Errorf("%+v, want seven failures, nine errors and the latest failure's message", *e)
	}
	if want := 7.0 / 25; e.PerCheck == nil || *e.PerCheck != want {
		t.Errorf("rate %v, want %v: errors are no failures", e.PerCheck, want)
	}
	if !e.FirstSeen.Time.Equal(ago(20*time.Minute)) || !e.LastSeen.Time.Equal(ago(0)) {
		t.Errorf("from %v to %v", e.FirstSeen, e.LastSeen)
	}
}
