package probe

import "math"

// DefaultGraceSeconds is a Pod's terminationGracePeriodSeconds when it sets none
// (pkg/apis/core/v1/defaults.go SetDefaults_PodSpec, v1.37).
const DefaultGraceSeconds = 30

// MinimumGraceSeconds is what every container gets between SIGTERM and SIGKILL, also with a grace period of 0
// (pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer, v1.37).
const MinimumGraceSeconds = 2

// GraceInRange says whether the API server would take the probe's own grace period, if it has one
// (pkg/apis/core/validation/validation.go validateProbe, v1.37).
func (p *Probe) GraceInRange() bool {
	return p.TerminationGracePeriodSeconds == nil || *p.TerminationGracePeriodSeconds > 0
}

// PodGrace returns a Pod's effective grace period in seconds: the API server makes a negative one 1
// (pkg/apis/core/v1/defaults.go SetDefaults_Pod and SetDefaults_PodSpec, v1.37).
func PodGrace(seconds *int64) int64 {
	switch {
	case seconds == nil:
		return DefaultGraceSeconds
	case *seconds < 0:
		return 1
	default:
		return *seconds
	}
}

// Grace returns the grace period, in seconds, of a kill by this probe: its own, else the Pod's, else the default
// (kuberuntime_container.go setTerminationGracePeriod, v1.37). Where the kill takes the whole Pod down the kubelet no
// longer knows that a probe was the reason, and the Pod's applies even if the probe has one
// (kuberuntime_manager.go SyncPod step 2, v1.37). It is 0 for a readiness probe, which kills nothing.
// See KillSeconds for how long the container then has.
func (p *Probe) Grace(kind Kind, podSeconds *int64, in Situation) int64 {
	switch {
	case kind == Readiness:
		return 0
	case p.TerminationGracePeriodSeconds != nil && !in.killsPod():
		return *p.TerminationGracePeriodSeconds
	default:
		return PodGrace(podSeconds)
	}
}

// KillSeconds is the most seconds from the start of a kill with that grace period until SIGKILL. A preStop hook runs
// inside the grace period, and what it leaves, at least MinimumGraceSeconds, follows (killContainer, v1.37).
func KillSeconds(graceSeconds int64, preStop bool) int64 {
	if !preStop || graceSeconds <= 0 {
		return max(graceSeconds, MinimumGraceSeconds)
	}
	return min(graceSeconds, math.MaxInt64-MinimumGraceSeconds) + MinimumGraceSeconds
}
