package validation

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	core "k8s.io/kubernetes/pkg/apis/core"
)

func TestLeaveOutProbeChanges(t *testing.T) {
	always := core.ContainerRestartPolicyAlways
	probe := &core.Probe{PeriodSeconds: 10}
	running := core.Pod{Spec: core.PodSpec{
		Containers: []core.Container{{Name: "app", StartupProbe: probe, ReadinessProbe: probe, LivenessProbe: probe}},
		InitContainers: []core.Container{
			{Name: "setup"},
			{Name: "proxy", RestartPolicy: &always, LivenessProbe: probe},
		},
	}}
	changedProbe := &core.Probe{PeriodSeconds: 20}

	tests := []struct {
		name     string
		pod      func(*core.Pod)
		change   func(*core.PodSpec)
		accepted bool
	}{
		{name: "removed", accepted: true, change: func(s *core.PodSpec) { s.Containers[0].LivenessProbe = nil }},
		{name: "changed", accepted: true, change: func(s *core.PodSpec) {
			s.Containers[0].StartupProbe, s.Containers[0].ReadinessProbe = changedProbe, changedProbe
		}},
		{name: "sidecar", accepted: true, change: func(s *core.PodSpec) {
			s.InitContainers[1].LivenessProbe, s.InitContainers[1].ReadinessProbe = nil, changedProbe
		}},
		{name: "init container", change: func(s *core.PodSpec) { s.InitContainers[0].LivenessProbe = changedProbe }},
		{name: "another field too", change: func(s *core.PodSpec) {
			s.Containers[0].LivenessProbe, s.Containers[0].WorkingDir = nil, "/tmp"
		}},
		{
			name:   "terminating",
			pod:    func(p *core.Pod) { p.DeletionTimestamp = &metav1.Time{} },
			change: func(s *core.PodSpec) { s.Containers[0].LivenessProbe = nil },
		},
		{
			name:   "succeeded",
			pod:    func(p *core.Pod) { p.Status.Phase = core.PodSucceeded },
			change: func(s *core.PodSpec) { s.Containers[0].LivenessProbe = nil },
		},
		{
			name:   "failed",
			pod:    func(p *core.Pod) { p.Status.Phase = core.PodFailed },
			change: func(s *core.PodSpec) { s.Containers[0].LivenessProbe = nil },
		},
		{
			name:   "mirror",
			pod:    func(p *core.Pod) { p.Annotations = map[string]string{core.MirrorPodAnnotationKey: "hash"} },
			change: func(s *core.PodSpec) { s.Containers[0].LivenessProbe = nil },
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			oldPod := running.DeepCopy()
			if test.pod != nil {
				test.pod(oldPod)
			}
			spec := oldPod.Spec.DeepCopy()
			test.change(spec)
			leaveOutProbeChanges(spec, oldPod)
			if accepted := reflect.DeepEqual(*spec, oldPod.Spec); accepted != test.accepted {
				t.Errorf("accepted: %t, want %t", accepted, test.accepted)
			}
		})
	}
}
