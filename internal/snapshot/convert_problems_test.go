package snapshot

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

func TestProblemsAreInTheServersWords(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	good := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(80)}}}
	twice := good.DeepCopy()
	twice.SuccessThreshold = 2
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{
			{Name: "setup", LivenessProbe: good},
			{Name: "proxy", RestartPolicy: &always, StartupProbe: good},
		},
		Containers:          []corev1.Container{{Name: "app", ReadinessProbe: twice, LivenessProbe: twice, StartupProbe: &corev1.Probe{}}},
		EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug", ReadinessProbe: good}}},
	}
	want := []Problem{
		{"app", probe.Startup, "spec.containers[0].startupProbe: Required value: must specify a handler type"},
		{"app", probe.Liveness, "spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1"},
		{"setup", probe.Liveness, "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always"},
		{"debug", probe.Readiness, "spec.ephemeralContainers[0].readinessProbe: Forbidden: cannot be set for an Ephemeral Container"},
	}
	if diff := cmp.Diff(want, podSpec(spec, true).Problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := podSpec(spec, false).Problems; got != nil {
		t.Errorf("what the server has accepted is not for this to judge: %v", got)
	}
}
