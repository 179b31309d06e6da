package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func startRules() []Rule {
	return []Rule{
		{
			ID: "restart-loop-on-start", Severity: report.SeverityWarning,
			Summary: "liveness (without a startup probe) or the startup allowance is shorter than this container's own observed starts",
			Why:     "Only the phase of the checks decides whether a start survives. On a busier node none will, and each restart makes the node busier.",
			Hint:    "Give starts twice what the slowest took, by the failureThreshold of a startup probe.",
			kinds:   killers(), check: restartLoop,
		},
		{
			ID: "liveness-without-startup", Severity: report.SeverityWarning,
			Summary: "a liveness delay of 30s or more does the startup probe's job",
			Why:     "A delay is too short for a slow start, which is then killed, and too long for a fast one, which goes unchecked for all of it, after every restart.",
			Hint:    "A startup probe with the same handler waits as long as it takes; liveness then needs no delay.",
			kinds:   []probe.Kind{probe.Liveness}, needs: needsWorkloads, check: livenessWithoutStartup,
		},
	}
}

// starts are the container's observed starts, in seconds, in ascending order.
type starts []int64

func (s starts) text() string {
	switch low, high := s[0], s[len(s)-1]; {
	case len(s) == 1:
		return "its start took at least " + seconds(high)
	case low == high:
		return fmt.Sprintf("its %d starts took at least %s", len(s), seconds(high))
	default:
		return fmt.Sprintf("its %d starts took at least %s to %s", len(s), seconds(low), seconds(high))
	}
}

// startsOf are the starts in Pods of each variant; those of all under nil.
func startsOf(c *report.Container) map[*report.Variant]starts {
	var all map[*report.Variant]starts
	for i := range c.Pods {
		p := &c.Pods[i]
		if p.StartSeconds == 0 || p.Phase != report.Live || p.Variant == nil {
			continue
		}
		if all == nil {
			all = map[*report.Variant]starts{}
		}
		for _, v := range []*report.Variant{nil, &c.Variants[*p.Variant]} {
			all[v] = append(all[v], p.StartSeconds)
		}
	}
	for _, of := range all {
		slices.Sort(of)
	}
	return all
}

// observed are a variant's own starts, else those of the others: all of its own may have been killed.
func (f facts) observed(v *report.Variant) starts {
	if own := f.starts[v]; len(own) > 0 {
		return own
	}
	return f.starts[nil]
}

// guarantee is how long a start may surely take before a probe kills it, and false when none does.
func guarantee(kind probe.Kind, p *report.Probe, v *report.Variant) (int64, bool) {
	switch {
	case kind == probe.Startup:
		return p.Allowance.GuaranteedSeconds, true
	case kind == probe.Liveness && v.Probes.Startup == nil:
		return p.FirstCheck.EarliestSeconds + int64(p.Config.FailureThreshold-1)*int64(p.Config.PeriodSeconds), true
	default:
		return 0, false
	}
}

func (f facts) tooShort() []hit {
	return f.hits(func(kind probe.Kind, p *report.Probe, v *report.Variant) bool {
		limit, kills := guarantee(kind, p, v)
		seen := f.observed(v)
		return kills && len(seen) > 0 && seen[len(seen)-1] > limit
	})
}

func restartLoop(f facts) []found {
	var all []found
	for _, h := range f.tooShort() {
		limit, _ := guarantee(h.kind, h.probe, h.variant)
		seen := f.observed(h.variant)
		text := fmt.Sprintf("%s, and only %s is sure%s: a start may be killed", seen.text(), seconds(limit), h.where)
		hint, command := f.longerStart(h, 2*seen[len(seen)-1])
		all = append(all, found{h.kind, text, hint, command})
	}
	return all
}

// longerStart proposes a startup probe that allows at least so many seconds.
func (f facts) longerStart(h hit, enough int64) (hint []string, command string) {
	period := max(int64(h.probe.Config.PeriodSeconds), 1)
	failure := min(max(1+(enough-max(int64(h.probe.Config.InitialDelaySeconds)-1, 0)+period-1)/period, int64(h.probe.Config.FailureThreshold)), math.MaxInt32)
	if h.kind == probe.Startup {
		allows := budget(h.probe, func(b *probe.Probe) { b.FailureThreshold = int32(failure) }).StartupAllowance(probe.Ticks)
		note, command := f.change(setTo(probe.Startup, "failure=%d", failure))
		return []string{fmt.Sprintf("period=%d,failure=%d would allow %s", period, failure, seconds(allows.GuaranteedSeconds)), note}, command
	}
	return f.startupProbe(h, enough)
}

// startupProbe proposes one that asks what liveness asks, in place of the delay.
func (f facts) startupProbe(h hit, enough int64) (hint []string, command string) {
	period := min(max(int64(h.probe.Config.PeriodSeconds), 1), 10)
	failure := min(1+(enough+period-1)/period, math.MaxInt32)
	hint = append(hint, fmt.Sprintf("a startup probe that asks the same, with period=%d,failure=%d, would allow %s and end as soon as the container is up", period, failure, seconds((failure-1)*period)))
	handler, ok := handlerField(h.probe.Handler)
	if !ok {
		return hint, ""
	}
	edits := []edit{setTo(probe.Startup, "period=%d,failure=%d,%s%s", period, failure, timeoutField(h.probe), handler)}
	if h.probe.Config.InitialDelaySeconds > 0 {
		edits = append(edits, setTo(probe.Liveness, "delay=0"))
	}
	note, command := f.change(edits...)
	return append(hint, note), command
}

func timeoutField(p *report.Probe) string {
	if p.Config.TimeoutSeconds == 1 {
		return ""
	}
	return fmt.Sprintf("timeout=%d,", p.Config.TimeoutSeconds)
}

// longDelay is where a delay stops being the time of an ordinary start.
const longDelay = 30

func livenessWithoutStartup(f facts) []found {
	var all []found
	short := f.tooShort()
	for _, h := range f.hitsOf(probe.Liveness, func(p *report.Probe, v *report.Variant) bool {
		return p.Config.InitialDelaySeconds >= longDelay && v.Probes.Startup == nil
	}) {
		if isAmong(short, probe.Liveness) {
			continue // told already, with the same cure
		}
		limit, _ := guarantee(probe.Liveness, h.probe, h.variant)
		text := fmt.Sprintf("delay %s does a startup probe's job%s: nothing is checked until then, and a start that takes longer than %s may be killed", seconds(h.probe.Config.InitialDelaySeconds), h.where, seconds(limit))
		enough, seen := limit, f.observed(h.variant)
		var observed string
		if len(seen) > 0 {
			observed, enough = seen.text(), max(limit, 2*seen[len(seen)-1])
		}
		hint, command := f.startupProbe(h, enough)
		all = append(all, found{probe.Liveness, text, append([]string{observed}, hint...), command})
	}
	return all
}
