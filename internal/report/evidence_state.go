package report

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// writeLag is how old the last write about something that goes on can be: a recorder that has spent its
// burst writes once in five minutes (client-go tools/record/events_cache.go).
const writeLag = 5 * time.Minute

// judge judges one container in one Pod.
type judge struct {
	book   *eventBook
	pod    *snapshot.Pod
	spec   *snapshot.Container       // nil: not in the Pod's spec
	status *snapshot.ContainerStatus // nil: not reported
	podFacts
	facts *containerFacts
}

func (b *eventBook) judge(p *snapshot.Pod, container string) *judge {
	j := &judge{book: b, pod: p, spec: b.container(p.Spec, container), status: b.status(p, container)}
	if f := b.facts[p]; f != nil {
		j.podFacts, j.facts = *f, f.container(container)
	}
	return j
}

// state is the first that fits; last is when it was last seen.
func (j *judge) state(kind probe.Kind, last time.Time) EvidenceState {
	switch {
	case phaseOf(j.pod) == Finished, j.spec == nil, j.spec.Probe(kind) == nil:
		return StatePast
	case j.earlier(last):
		if j.backsOff() && isProbe(j.endCause(j.lastEnd())) {
			return StateNow
		}
		return StatePast
	case !j.pod.Deleted.IsZero() && !last.Before(j.deletionAsked()):
		return StatePast
	case j.starting(kind, last):
		return StateStarting
	case kind == probe.Readiness && !j.ready():
		return StateNow
	case kind != probe.Readiness && j.book.asOf.Sub(last) <= writeLag+seconds(max(0, int64(j.spec.Probe(kind).PeriodSeconds))):
		return StateNow
	default:
		return StateRecovered
	}
}

// earlier says that what was last seen then was of an earlier container than the one that runs now.
func (j *judge) earlier(last time.Time) bool {
	return j.status != nil && (j.status.Running.IsZero() || last.Before(j.status.Running))
}

func (j *judge) ready() bool { return j.status != nil && j.status.Ready }

// backsOff says that the container has ended and will be started again. A sidecar's status stays
// "terminated" meanwhile.
func (j *judge) backsOff() bool {
	s := j.status
	return s != nil && j.pod.Deleted.IsZero() &&
		(s.Waiting == "CrashLoopBackOff" || s.Terminated != nil && j.restarts(s.Terminated.ExitCode))
}

// restarts says whether a container that ended with that code is started again.
func (j *judge) restarts(exitCode int32) bool {
	policy := corev1.ContainerRestartPolicy(j.pod.Spec.RestartPolicy)
	if j.spec != nil && j.spec.RestartPolicy != "" {
		policy = j.spec.RestartPolicy
	}
	switch {
	case j.spec != nil && j.spec.Sidecar:
		return true
	case policy == corev1.ContainerRestartPolicyNever:
		return false
	default:
		return policy != corev1.ContainerRestartPolicyOnFailure || exitCode != 0
	}
}

// lastEnd is how the container ended last, nil when it never did.
func (j *judge) lastEnd() *snapshot.Termination {
	switch {
	case j.status == nil:
		return nil
	case j.status.Terminated != nil:
		return j.status.Terminated
	default:
		return j.status.Last
	}
}

// deletionAsked is when the Pod was told to go: deletionTimestamp is the end of its grace period.
func (j *judge) deletionAsked() time.Time {
	return j.pod.Deleted.Add(-seconds(probe.PodGrace(j.pod.Spec.TerminationGracePeriodSeconds)))
}

// starting says that a failure belongs to the container's start.
func (j *judge) starting(kind probe.Kind, last time.Time) bool {
	s := j.status
	if s == nil {
		return false
	}
	if s.Started != nil && (!*s.Started || kind == probe.Startup) {
		return true // a startup probe that has passed is over
	}
	until := s.Running.Add(j.startBudget())
	if !s.Ready {
		return j.book.asOf.Before(until)
	}
	ready := readySince(j.pod)
	return !last.After(until) && (ready.IsZero() || !last.After(ready))
}

// readySince is when the Pod became Ready, zero while it is not.
func readySince(p *snapshot.Pod) time.Time {
	for _, c := range p.Conditions {
		if c.Type == "Ready" && c.Status == "True" {
			return c.LastTransition
		}
	}
	return time.Time{}
}

// startBudget is how long a start may take: the startup allowance, or the delay of the readiness probe, and
// then what readiness needs to act.
func (j *judge) startBudget() time.Duration {
	if j.spec == nil {
		return 0
	}
	var start, act int64
	if p := inRange(j.spec.Startup); p != nil {
		start = p.StartupAllowance(probe.Ticks).LongestSeconds
	}
	if p := inRange(j.spec.Readiness); p != nil {
		start = max(start, int64(p.InitialDelaySeconds))
		act = p.Detection(probe.Ticks).HeadlineSeconds()
	}
	return seconds(start + act)
}

func seconds(n int64) time.Duration {
	return time.Duration(min(n, math.MaxInt64/int64(time.Second))) * time.Second
}

// fewFailures are too few to speak of a rate.
const fewFailures = 3

// perCheck is the share of checks that failed between the first failure and the last. The kubelet's extra
// readiness checks (pkg/kubelet/prober/prober_manager.go UpdatePodStatus) can make it more than all.
func perCheck(p *probe.Probe, t tally) *float64 {
	if p == nil || t.count < fewFailures {
		return nil
	}
	step := int64(p.PeriodSeconds)
	if t.timeouts == t.count {
		step = max(step, int64(p.TimeoutSeconds))
	}
	checks := 1 + int64(max(t.last.Sub(t.first), 0)/time.Second)/max(step, 1)
	rate := math.Min(1, float64(t.count)/float64(checks))
	return &rate
}
