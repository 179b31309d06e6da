package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// mirrorUID is the UID under which the kubelet reports a static Pod: that of the manifest, which the
// mirror Pod carries as an annotation (pkg/kubelet/types/constants.go, v1.37).
func mirrorUID(p *corev1.Pod) types.UID {
	return types.UID(p.Annotations["kubernetes.io/config.mirror"])
}

func podConditions(in []corev1.PodCondition) []Condition {
	out := make([]Condition, 0, len(in))
	for _, c := range in {
		out = append(out, Condition{string(c.Type), string(c.Status), c.Reason, c.Message, c.LastTransitionTime.Time})
	}
	return out
}

func appendStatuses(out []ContainerStatus, in []corev1.ContainerStatus, init bool) []ContainerStatus {
	for i := range in {
		s := &in[i]
		status := ContainerStatus{
			Name: s.Name, Init: init, Ready: s.Ready, Started: s.Started, RestartCount: max(s.RestartCount, 0),
			Terminated: termination(s.State.Terminated), Last: termination(s.LastTerminationState.Terminated),
		}
		if s.State.Running != nil {
			status.Running = s.State.Running.StartedAt.Time
		}
		if s.State.Waiting != nil {
			status.Waiting, status.WaitingText = s.State.Waiting.Reason, s.State.Waiting.Message
		}
		out = append(out, status)
	}
	return out
}

func termination(t *corev1.ContainerStateTerminated) *Termination {
	if t == nil {
		return nil
	}
	out := &Termination{Reason: t.Reason, ExitCode: t.ExitCode, Signal: t.Signal, Started: t.StartedAt.Time, Finished: t.FinishedAt.Time}
	if t.Reason == "StartError" || t.Reason == "ContainerCannotRun" {
		out.Message = t.Message
	}
	return out
}
