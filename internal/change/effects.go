package change

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// aspect is a part of a probe that the kubelet treats alike when it changes.
type aspect int

const (
	aspectAdded aspect = iota
	aspectRemoved
	aspectCheck      // handler or timeoutSeconds
	aspectThresholds // successThreshold, failureThreshold
	aspectPeriod
	aspectDelay
	aspectGrace
)

// phase is how far the container is, as far as is known.
type phase int

const (
	anyPhase phase = iota
	starting       // its startup probe has not passed, or it does not run yet
	started
)

// effect is what a kubelet with MutableContainerProbes does about one aspect (KEP-6318, Design Details).
type effect struct {
	aspect aspect
	kinds  []probe.Kind // none: all
	phase  phase
	text   string
}

// effectTable is KEP-6318's table of what a change keeps and resets, in the order in which it is told. Of several rows
// for one aspect the first that fits counts.
func effectTable() []effect {
	onlyStartup, onlyReadiness, onlyLiveness := []probe.Kind{probe.Startup}, []probe.Kind{probe.Readiness}, []probe.Kind{probe.Liveness}
	return []effect{
		{aspectAdded, onlyStartup, started, "waits for the next start of the container: this one has started, and stays so"},
		{aspectAdded, onlyStartup, anyPhase, "the container counts as not started until it passes, and its other probes wait"},
		{aspectAdded, onlyReadiness, anyPhase, "the container is unready until the probe passes"},
		{aspectAdded, onlyLiveness, anyPhase, "the container counts as healthy until it fails; then it may be restarted"},

		{aspectRemoved, onlyStartup, started, "no effect on this start of the container, which is over; the next one has no startup probe"},
		{aspectRemoved, onlyStartup, anyPhase, "the container counts as started at once, and its other probes begin"},
		{aspectRemoved, onlyReadiness, anyPhase, "the container is ready as soon as it has started, whatever it answers"},
		{aspectRemoved, onlyLiveness, anyPhase, "no more liveness restarts of this container; its ready and started status stay as they are"},

		{aspectCheck, onlyStartup, started, "waits for the next start of the container: the startup probe of this one has passed"},
		{aspectCheck, nil, anyPhase, "the check in flight is cancelled and does not count; counts start again at zero, with a check at once; the last result (passed or failed) stays until the new checks reach a threshold"},

		{aspectThresholds, onlyStartup, started, "waits for the next start of the container: the startup probe of this one has passed"},
		{aspectThresholds, nil, anyPhase, "counts start again at zero; the check in flight goes on and is the first to count"},

		{aspectPeriod, onlyStartup, started, "waits for the next start of the container: the startup probe of this one has passed"},
		{aspectPeriod, nil, anyPhase, "counts are kept; the next check comes a new period after the last one ended"},

		{aspectDelay, nil, started, "the new delay counts from the next start of the container"},
		{aspectDelay, nil, anyPhase, "the new delay counts if this container was not checked yet"},

		{aspectGrace, nil, anyPhase, "the new grace period counts for the next kill by this probe"},
	}
}

// aspects are what changed. A change that resets counts says nothing any more of those that keep them: the strongest
// rule wins.
func aspects(c Change) []aspect {
	switch c.Action {
	case Unchanged:
		return nil
	case Added:
		return []aspect{aspectAdded}
	case Removed:
		return []aspect{aspectRemoved}
	}
	before, after := c.old, c.new
	var out []aspect
	switch {
	case !sameEffective(&probe.Probe{Handler: before.Handler}, &probe.Probe{Handler: after.Handler}) || before.TimeoutSeconds != after.TimeoutSeconds:
		out = append(out, aspectCheck)
	case before.SuccessThreshold != after.SuccessThreshold || before.FailureThreshold != after.FailureThreshold:
		out = append(out, aspectThresholds)
	case before.PeriodSeconds != after.PeriodSeconds:
		out = append(out, aspectPeriod)
	}
	if before.InitialDelaySeconds != after.InitialDelaySeconds {
		out = append(out, aspectDelay)
	}
	if !sameGrace(before, after) {
		out = append(out, aspectGrace)
	}
	return out
}

func sameGrace(a, b *probe.Probe) bool {
	x, y := a.TerminationGracePeriodSeconds, b.TerminationGracePeriodSeconds
	return x == nil && y == nil || x != nil && y != nil && *x == *y
}

// effects says what the kubelet does about a change, in sentences.
func effects(c Change, at phase) []string {
	var out []string
	for _, a := range aspects(c) {
		for _, e := range effectTable() {
			if e.aspect != a || len(e.kinds) > 0 && !slices.Contains(e.kinds, c.Kind) || e.phase != anyPhase && e.phase != at {
				continue
			}
			if !slices.Contains(out, e.text) {
				out = append(out, e.text)
			}
			break
		}
	}
	if c.Action == Updated && len(c.old.Headers) > 0 && len(c.new.Headers) == 0 {
		out = append(out, "the old handler's HTTP headers are gone")
	}
	if c.Action == Updated && c.Kind != probe.Readiness && (c.Kind != probe.Startup || at != started) {
		text := "a restart already decided goes on"
		if risky(c, at) && !neverActs(c.After) {
			text = "it may restart the container later, when it fails long enough; " + text
		}
		out = append(out, text)
	}
	return out
}

// risky says whether a change can make the container unready, or have it killed, sooner than before.
func risky(c Change, at phase) bool {
	switch c.Action {
	case Unchanged:
		return false
	case Added:
		return true
	case Removed: // liveness may begin in the middle of a start
		return c.Kind == probe.Startup && at == starting
	}
	before, after := c.old, c.new
	was, is := before.Detection(probe.Ticks), after.Detection(probe.Ticks)
	return !sameEffective(&probe.Probe{Handler: before.Handler}, &probe.Probe{Handler: after.Handler}) ||
		after.TimeoutSeconds < before.TimeoutSeconds ||
		after.FailureThreshold < before.FailureThreshold ||
		after.SuccessThreshold > before.SuccessThreshold ||
		is.AtOnceSeconds < was.AtOnceSeconds || is.HangSeconds < was.HangSeconds ||
		c.Kind == probe.Startup && after.Headline(probe.Startup, probe.Ticks) < before.Headline(probe.Startup, probe.Ticks)
}

// stateOf is how far a container is.
func stateOf(pod *corev1.Pod, container string) phase {
	for _, list := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for _, status := range list {
			if status.Name == container && status.Started != nil && *status.Started {
				return started
			}
		}
	}
	return starting
}
