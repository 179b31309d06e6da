package report

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestSameEventInBothFormsCountsOnce(t *testing.T) {
	p := unready(runningPod("web"))
	first := event(p, "Unhealthy", "Readiness probe failed: x", 3, 20*time.Minute, 2*time.Minute)
	second := *first
	second.Count, second.Last = 4, ago(time.Minute)
	for _, events := range [][]*snapshot.Event{{first, &second}, {&second, first}} {
		if e := onlyEvidence(t, build(t, readSnapshot(pods(p), events...)), probe.Readiness); e.Failures != 4 || e.Messages != 1 {
			t.Errorf("%+v, want the later state of one Event", *e)
		}
	}
}

func TestEventsWithoutUIDGoByName(t *testing.T) {
	p := unready(runningPod("web"))
	one, two := event(p, "Unhealthy", "Readiness probe failed: x", 3, 20*time.Minute, time.Minute), event(p, "Unhealthy", "Readiness probe failed: y", 3, 20*time.Minute, time.Minute)
	for _, e := range []*snapshot.Event{one, two} {
		e.UID, e.ObjectUID = "", ""
	}
	if e := onlyEvidence(t, build(t, readSnapshot(pods(p), one, two)), probe.Readiness); e.Failures != 6 {
		t.Errorf("%+v, want both Events", *e)
	}
}

func TestEventsGoToTheirContainers(t *testing.T) {
	sidecar := appContainer("proxy")
	sidecar.Sidecar = true
	p := unready(runningPod("web", appContainer("app"), sidecar))
	w := build(t, readSnapshot(pods(p),
		event(p, "Unhealthy", "Readiness probe failed: x", 3, 20*time.Minute, time.Minute),
		atPath("spec.initContainers{proxy}", event(p, "Unhealthy", "Liveness probe failed: x", 4, 20*time.Minute, time.Minute)),
		atPath("spec.initContainers{proxy}", event(p, "Killing", "Init container proxy failed liveness probe", 5, 20*time.Minute, time.Minute)),
		atPath("", event(p, "ContainerProbeChanged", "Container proxy: liveness probe updated", 1, time.Minute, time.Minute)),
		atPath("", event(p, "Unhealthy", "Readiness probe failed: of whom", 6, 20*time.Minute, time.Minute)),
		event(p, "BackOff", "(combined from similar events): Back-off restarting failed container app in pod web_shop(x)", 7, 20*time.Minute, time.Minute),
	)).Workloads[0]
	app, proxy := containerNamed(t, &w, "app"), containerNamed(t, &w, "proxy")
	if *app.Failures != 3 || *app.Kills != (Kills{}) || *proxy.Failures != 4 || *proxy.Kills != (Kills{Liveness: 5}) {
		t.Errorf("app %d %+v, proxy %d %+v", *app.Failures, *app.Kills, *proxy.Failures, *proxy.Kills)
	}
	changes := proxy.Pods[0].ProbeChanges
	if len(changes) != 1 || changes[0].Probe != probe.Liveness || changes[0].Action != "updated" || len(app.Pods[0].ProbeChanges) != 0 {
		t.Errorf("changes of proxy %+v, of app %+v", changes, app.Pods[0].ProbeChanges)
	}
	var counts []int64
	for _, m := range w.Mixed {
		counts = append(counts, m.Count)
	}
	if diff := cmp.Diff([]int64{7, 6}, counts); diff != "" {
		t.Errorf("mixed (-want +got):\n%s", diff)
	}
}

func TestPossibleKill(t *testing.T) {
	for _, tc := range []struct {
		name   string
		policy corev1.RestartPolicy
		change func(*snapshot.Pod)
		count  int32
		last   time.Duration
		want   bool
	}{
		{"stopped right after enough failures", corev1.RestartPolicyNever, nil, 3, time.Minute, true},
		{"too few failures", corev1.RestartPolicyNever, nil, 2, time.Minute, false},
		{"failures long before", corev1.RestartPolicyNever, nil, 3, 5 * time.Minute, false},
		{"it would have been restarted, and the message have said so", corev1.RestartPolicyAlways, nil, 3, time.Minute, false},
		{"the Pod was told to go", corev1.RestartPolicyNever, func(p *snapshot.Pod) { p.Deleted = ago(0) }, 3, time.Minute, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := runningPod("web")
			p.Phase, p.Spec.RestartPolicy = corev1.PodFailed, tc.policy
			if tc.change != nil {
				tc.change(p)
			}
			r := build(t, readSnapshot(pods(p),
				event(p, "Unhealthy", "Liveness probe failed: x", tc.count, 20*time.Minute, tc.last),
				event(p, "Killing", "Stopping container app", 1, time.Minute, time.Minute)))
			entry := r.Workloads[0].Containers[0].Pods[0]
			if got := entry.PossibleKill != nil; got != tc.want || len(entry.Kills) > 0 {
				t.Errorf("possible kill %v, kills %v, want %v and none", entry.PossibleKill, entry.Kills, tc.want)
			}
		})
	}
}

func TestFinishedPodsDoNotCount(t *testing.T) {
	live, finished, terminating := unready(runningPod("web-1")), runningPod("web-2"), runningPod("web-3")
	finished.Phase, terminating.Deleted = corev1.PodFailed, ago(0)
	s := readSnapshot(pods(live, finished, terminating))
	for i, p := range s.Pods {
		s.Events = append(s.Events, event(p, "Unhealthy", "Readiness probe failed: x", int32(1)<<i, 10*time.Minute, 5*time.Minute))
	}
	s.Objects = deployment("web", 1, live, finished, terminating)
	c := containerNamed(t, workloadNamed(t, build(t, s), "deploy/web"), "app")
	if *c.Failures != 1+4 || len(c.Pods) != 3 {
		t.Errorf("%d failures in %d Pods, want those of the live and the terminating one, and all three told", *c.Failures, len(c.Pods))
	}
}
