package report

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// A grace period of 0 is one of 2 seconds, and a preStop hook adds as much.
func TestKillSeconds(t *testing.T) {
	for _, tt := range []struct {
		grace   int64
		preStop bool
		want    int64
	}{{0, false, 2}, {30, false, 30}, {30, true, 32}} {
		c := snapshot.Container{Name: "app", PreStop: tt.preStop, Liveness: &probe.Probe{Handler: probe.Handler{Type: probe.Exec}, PeriodSeconds: 10, FailureThreshold: 3}}
		spec := &snapshot.PodSpec{Containers: []snapshot.Container{c}, TerminationGracePeriodSeconds: &tt.grace}
		got := probesOf(spec, &c).Liveness
		if *got.GraceSeconds != tt.grace || *got.KillSeconds != tt.want {
			t.Errorf("%+v: grace %d, killed within %d", tt, *got.GraceSeconds, *got.KillSeconds)
		}
	}
}

// Of a number that no API server takes nothing follows: neither when the probe acts nor how long the container then has.
func TestFiguresOfNonsense(t *testing.T) {
	for _, tt := range []struct {
		name              string
		in                probe.Probe
		figures, killTime bool
	}{
		{"as it should be", probe.Probe{PeriodSeconds: 1, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 1}, true, true},
		{"delay", probe.Probe{InitialDelaySeconds: -1, PeriodSeconds: 1, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 1}, false, true},
		{"period", probe.Probe{PeriodSeconds: -1, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 1}, false, true},
		{"timeout", probe.Probe{PeriodSeconds: 1, TimeoutSeconds: -1, SuccessThreshold: 1, FailureThreshold: 1}, false, true},
		{"success", probe.Probe{PeriodSeconds: 1, TimeoutSeconds: 1, SuccessThreshold: -1, FailureThreshold: 1}, false, true},
		{"failure", probe.Probe{PeriodSeconds: 1, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: -1}, false, true},
		{"grace", probe.Probe{PeriodSeconds: 1, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 1, TerminationGracePeriodSeconds: new(int64)}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Type = probe.Exec
			c := snapshot.Container{Name: "app", Startup: &tt.in, Readiness: &tt.in, Liveness: &tt.in}
			spec := &snapshot.PodSpec{Containers: []snapshot.Container{c}}
			got := probesOf(spec, &c)
			for kind, known := range map[string]bool{
				"allowance": got.Startup.Allowance != nil, "first check": got.Startup.FirstCheck != nil,
				"recovery": got.Readiness.Recovery != nil, "detection": got.Liveness.Detection != nil,
			} {
				if known != tt.figures {
					t.Errorf("%s is known: %t", kind, known)
				}
			}
			if grace, kill := got.Liveness.GraceSeconds != nil, got.Startup.KillSeconds != nil; grace != tt.killTime || kill != tt.killTime {
				t.Errorf("grace is known: %t, time to SIGKILL: %t", grace, kill)
			}
		})
	}
}

func TestCanRun(t *testing.T) {
	ports := []corev1.ContainerPort{{Name: "web", ContainerPort: 8080}}
	for _, tt := range []struct {
		handler corev1.ProbeHandler
		want    string
	}{
		{corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("web")}}, ""},
		{corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromString("wbe")}}, `its container has no port named "wbe"`},
		{corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(70000)}}, "there is no port 70000"},
		{corev1.ProbeHandler{}, "it has no handler"},
	} {
		pod := snapshot.NewConverter().Pod(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Ports: ports, ReadinessProbe: &corev1.Probe{ProbeHandler: tt.handler}, LivenessProbe: &corev1.Probe{ProbeHandler: tt.handler},
		}}}})
		all := probesOf(pod.Spec, &pod.Spec.Containers[0])
		got := all.Readiness
		if got.WhyNot != tt.want || got.CanRun != (tt.want == "") {
			t.Errorf("%v: can run %t, %q, want %q", tt.handler, got.CanRun, got.WhyNot, tt.want)
		}
		if times := got.HasFigures() || got.FirstCheck != nil || got.Recovery != nil || all.Liveness.GraceSeconds != nil || all.Liveness.KillSeconds != nil; times != got.CanRun {
			t.Errorf("%v: can run %t, and has times: %t", tt.handler, got.CanRun, times)
		}
	}
}

// Two clocks may disagree: the first failure is never after the last, and no share of checks is negative.
func TestEventThatEndsBeforeItBegins(t *testing.T) {
	now := time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)
	var sum tally
	sum.add(&snapshot.Event{Count: 5, First: now.Add(time.Hour), Last: now}, "refused")
	if !sum.first.Equal(now) || !sum.last.Equal(now) {
		t.Errorf("from %s to %s", sum.first, sum.last)
	}
	if got := perCheck(&probe.Probe{PeriodSeconds: 10}, tally{count: 5, first: now.Add(time.Hour), last: now}); *got != 1 {
		t.Errorf("share %v", *got)
	}
}
