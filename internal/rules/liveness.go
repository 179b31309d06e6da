package rules

import (
	"fmt"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func livenessRules() []Rule {
	both := []probe.Kind{probe.Liveness}
	return []Rule{
		{
			ID: "liveness-before-readiness", Severity: report.SeverityWarning,
			Summary: "the liveness probe acts before the readiness probe would take the container out",
			Why:     "A container that has trouble is killed while it still gets traffic, instead of being left to recover without it.",
			Hint:    "Let liveness fail longer than readiness.",
			kinds:   both, needs: needsWorkloads, check: livenessBeforeReadiness,
		},
		{
			ID: "liveness-same-as-readiness", Severity: report.SeverityWarning,
			Summary: "liveness asks the same as readiness and acts no later",
			Why: "What readiness would ride out becomes a restart, of all Pods at once when the endpoint depends on something they share. " +
				"The same endpoint with a more tolerant liveness probe is the documented pattern, and is not meant.",
			Hint:  "Let liveness fail longer, or ask something that only a restart can mend.",
			kinds: both, needs: needsWorkloads, check: livenessSameAsReadiness,
		},
	}
}

// pair is a liveness and a readiness probe of one variant.
type pair struct {
	hit
	readiness *report.Probe
}

func (f facts) pairs(test func(liveness, readiness *report.Probe) bool) []pair {
	var all []pair
	for _, h := range f.hitsOf(probe.Liveness, func(p *report.Probe, v *report.Variant) bool {
		return v.Probes.Readiness != nil && v.Probes.Readiness.HasFigures() && test(p, v.Probes.Readiness)
	}) {
		all = append(all, pair{h, h.variant.Probes.Readiness})
	}
	return all
}

// actsBefore compares the longest that a failure can go on, for checks that fail at once and for those that hang.
func actsBefore(a, b *report.Probe) bool {
	return a.Detection.AtOnceSeconds < b.Detection.AtOnceSeconds && a.Detection.HangSeconds < b.Detection.HangSeconds
}

func actsNoLater(a, b *report.Probe) bool {
	return a.Detection.AtOnceSeconds <= b.Detection.AtOnceSeconds && a.Detection.HangSeconds <= b.Detection.HangSeconds
}

func asksTheSameNoLater(a, b *report.Probe) bool { return sameHandler(a, b) && actsNoLater(a, b) }

func livenessBeforeReadiness(f facts) []found {
	var all []found
	for _, p := range f.pairs(actsBefore) {
		text := fmt.Sprintf("acts within %s, readiness only within %s%s: it kills while the Pod still gets traffic", seconds(p.probe.HeadlineSeconds()), seconds(p.readiness.HeadlineSeconds()), p.where)
		all = append(all, f.moreTolerant(p, text))
	}
	return all
}

func livenessSameAsReadiness(f facts) []found {
	var all []found
	for _, p := range f.pairs(asksTheSameNoLater) {
		text := fmt.Sprintf("asks %s as readiness does, and acts no later (%s, readiness %s)%s", quoted(p.probe.Handler.Text), seconds(p.probe.HeadlineSeconds()), seconds(p.readiness.HeadlineSeconds()), p.where)
		all = append(all, f.moreTolerant(p, text))
	}
	return all
}

// acts is what the liveness probe would do with that failureThreshold.
func (p pair) acts(failure int32) probe.Detection {
	return budget(p.probe, func(b *probe.Probe) { b.FailureThreshold = failure }).Detection(probe.Ticks)
}

// unlikely is a failureThreshold that nobody would set.
const unlikely = 1000

// enough is a failureThreshold with which liveness acts after that many times readiness' budget.
func (p pair) enough(times int64) int32 {
	failure := p.probe.Config.FailureThreshold
	for failure < unlikely && (p.acts(failure).AtOnceSeconds < times*p.readiness.Detection.AtOnceSeconds || p.acts(failure).HangSeconds < times*p.readiness.Detection.HangSeconds ||
		p.acts(failure).HeadlineSeconds() <= p.readiness.HeadlineSeconds()) {
		failure++
	}
	return failure
}

// moreTolerant proposes one failureThreshold, whichever of the rules speak of the container.
func (f facts) moreTolerant(p pair, text string) found {
	var failure int32
	for _, other := range f.pairs(actsBefore) {
		failure = max(failure, other.enough(1))
	}
	for _, other := range f.pairs(asksTheSameNoLater) {
		failure = max(failure, other.enough(2))
	}
	if failure >= unlikely {
		return found{probe.Liveness, text, []string{"let liveness fail longer than readiness"}, ""}
	}
	note, command := f.change(setTo(probe.Liveness, "failure=%d", failure))
	advice := fmt.Sprintf("with failure=%d it would act within %s, after readiness has taken the Pod out", failure, seconds(p.acts(failure).HeadlineSeconds()))
	return found{probe.Liveness, text, []string{advice, note}, command}
}
