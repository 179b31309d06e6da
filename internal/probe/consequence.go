package probe

import corev1 "k8s.io/api/core/v1"

// Situation is what decides, apart from the probe, what becomes of a container that the kubelet kills for it.
type Situation struct {
	PodPolicy       corev1.RestartPolicy          // empty is Always
	ContainerPolicy corev1.ContainerRestartPolicy // empty: the Pod's applies (ContainerRestartRules, on since v1.35)
	Rules           bool                          // the container has restartPolicyRules; they need a ContainerPolicy
	Sidecar         bool                          // an init container with restartPolicy Always
	Alone           bool                          // no other regular container of the Pod is running or will be started
}

// Consequence is what follows when a probe acts.
type Consequence string

// What can follow. Which one it is follows pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions (v1.37).
const (
	// LeavesService: not Ready, so out of the endpoints of its Services. Never restarted.
	LeavesService Consequence = "leaves-service"
	// Restarts: killed and started again, whatever its exit code.
	Restarts Consequence = "restarts"
	// RestartsOnFailure: killed and started again in one go, so the exit code is not looked at; but when crash-loop
	// back-off puts the start off, a container that exited with 0 is then left ended.
	RestartsOnFailure Consequence = "restarts-on-failure"
	// FollowsRules: killed; its exit code and its restartPolicyRules decide.
	FollowsRules Consequence = "follows-rules"
	// Ends: killed for good; the Pod's other containers go on.
	Ends Consequence = "ends"
	// EndsPod: killed for good, and as nothing is left to run, the whole Pod with it.
	EndsPod Consequence = "ends-pod"
)

// Consequence returns what follows when a probe of that kind acts on a container in this situation.
func (in Situation) Consequence(kind Kind) Consequence {
	switch {
	case kind == Readiness:
		return LeavesService
	case in.restarts() && in.policy() == corev1.RestartPolicyOnFailure:
		return RestartsOnFailure
	case in.restarts():
		return Restarts
	case in.Rules && in.ContainerPolicy != "":
		return FollowsRules
	case in.killsPod():
		return EndsPod
	default:
		return Ends
	}
}

// policy is the restart policy that applies: a sidecar's is Always, a container's own goes before its Pod's.
func (in Situation) policy() corev1.RestartPolicy {
	switch {
	case in.Sidecar:
		return corev1.RestartPolicyAlways
	case in.ContainerPolicy != "":
		return corev1.RestartPolicy(in.ContainerPolicy)
	default:
		return in.PodPolicy
	}
}

// restarts: for a probe the kubelet looks at the policy alone; rules need an exit code, which a running container has not.
func (in Situation) restarts() bool { return in.policy() != corev1.RestartPolicyNever }

// killsPod: with nothing to start again and nothing to keep, the kubelet stops the Pod instead of the container.
func (in Situation) killsPod() bool { return in.Alone && !in.restarts() }

// Kills tells whether the container is killed at all.
func (c Consequence) Kills() bool { return c != LeavesService }

// MayRestart tells whether the container may run again afterwards.
func (c Consequence) MayRestart() bool {
	return c == Restarts || c == RestartsOnFailure || c == FollowsRules
}

// Text is what happens to the container, in words that fit a table cell.
func (c Consequence) Text() string {
	switch c {
	case LeavesService:
		return "out of Service endpoints"
	case RestartsOnFailure:
		return "restarted, exit 0 may end it"
	case FollowsRules:
		return "by its restartPolicyRules"
	case Ends:
		return "ended, not restarted"
	case EndsPod:
		return "ended with its Pod"
	default:
		return "restarted"
	}
}
