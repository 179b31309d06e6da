package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// explain says why the container is down and how it last ended, and what else than a probe keeps its Pod back.
func (j *judge) explain(entry *Pod) {
	if cause, down := j.cause(); down && entry.Phase == Live && j.pod.HasStatus {
		entry.Cause = cause
	}
	if entry.LastTermination != nil {
		entry.LastTermination.Cause = j.provenEnd()
	}
	entry.Message, entry.BackOffSeconds = j.message(), j.backOff()
	if entry.Phase != Live {
		return
	}
	if entry.Cause == causeGate {
		entry.FalseGates = j.falseGates()
	}
	entry.ResizePending = condition(j.pod.Conditions, "PodResizePending", "True")
	entry.ResizeInProgress = condition(j.pod.Conditions, "PodResizeInProgress", "True")
}

// provenEnd is the cause of the last end: a probe only where its kill is of that life, not where earlier ones make it
// likely. That of a Pod that is not to go on is none to wonder about: only what is proven is told.
func (j *judge) provenEnd() string {
	end := j.lastEnd()
	cause := j.endCause(end)
	if isProbe(cause) && !j.killedIn(end) {
		cause = causeLost
	}
	goesOn := phaseOf(j.pod) == Live && (j.status.Terminated == nil || j.restarts(end.ExitCode))
	if cause == causeLost && !goesOn {
		return ""
	}
	return cause
}

func (j *judge) falseGates() []string {
	isTrue := map[string]bool{}
	for _, c := range j.pod.Conditions {
		isTrue[c.Type] = isTrue[c.Type] || c.Status == "True"
	}
	return slices.DeleteFunc(slices.Clone(j.pod.Spec.ReadinessGates), func(gate string) bool { return isTrue[gate] })
}

// condition is nil when there is none of that type and status.
func condition(all []snapshot.Condition, name, status string) *Condition {
	for _, c := range all {
		if c.Type == name && c.Status == status {
			return &Condition{Reason: c.Reason, Message: c.Message, Since: timeOrNil(c.LastTransition)}
		}
	}
	return nil
}

// message is what somebody else has to say about a container that does not run.
func (j *judge) message() string {
	s := j.status
	switch {
	case phaseOf(j.pod) == Finished:
		return j.pod.Message
	case j.pod.Node == "":
		if c := condition(j.pod.Conditions, "PodScheduled", "False"); c != nil {
			return c.Message
		}
		return ""
	case s == nil:
		return j.pod.Message
	case s.Waiting == "PodInitializing":
		return j.initializing()
	case s.Waiting != "" && s.Waiting != causeCrashLoop:
		return s.WaitingText
	case s.Running.IsZero() && j.lastEnd() != nil:
		return j.lastEnd().Message
	default:
		return ""
	}
}

// initializing is which init container or sidecar the others wait for.
func (j *judge) initializing() string {
	return remember(j.book.waitsFor, j.pod, j.book.hasMany(j.pod), j.firstToWaitFor)
}

func (j *judge) firstToWaitFor() string {
	for _, s := range j.pod.Containers {
		sidecar, name := j.book.container(j.pod.Spec, s.Name) != nil, "init container "+s.Name
		if sidecar {
			name = "sidecar " + s.Name
		}
		switch {
		case !s.Init, s.Waiting == "PodInitializing",
			sidecar && s.Started != nil && *s.Started, !sidecar && s.Terminated != nil && s.Terminated.ExitCode == 0:
			continue
		case s.Waiting != "" && s.Waiting != causeCrashLoop:
			return strings.TrimSuffix(fmt.Sprintf("%s: %s: %s", name, s.Waiting, s.WaitingText), ": ")
		case s.Waiting != "" && s.Last != nil:
			return fmt.Sprintf("%s: %s after exit %d", name, s.Waiting, s.Last.ExitCode)
		case s.Waiting != "":
			return name + ": " + s.Waiting
		case s.Terminated != nil:
			return fmt.Sprintf("%s ended with exit %d", name, s.Terminated.ExitCode)
		case sidecar:
			return name + " runs and has not started"
		case !s.Running.IsZero():
			return fmt.Sprintf("%s runs since %s", name, s.Running.UTC().Format(time.RFC3339))
		}
	}
	return ""
}

// backOff is how long the kubelet says that it waits: "back-off 2m40s restarting failed container=..."
// (pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff).
func (j *judge) backOff() *int64 {
	if j.status == nil || j.status.Waiting != causeCrashLoop {
		return nil
	}
	rest, found := strings.CutPrefix(j.status.WaitingText, "back-off ")
	word, _, _ := strings.Cut(rest, " ")
	d, err := time.ParseDuration(word)
	if !found || err != nil || d <= 0 {
		return nil
	}
	n := int64(d / time.Second)
	return &n
}
