package rules

import (
	"fmt"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func timeoutRules() []Rule {
	return []Rule{
		{
			ID: "timeout-exceeds-period", Severity: report.SeverityWarning,
			Summary: "the timeout of a readiness or liveness probe is longer than its period",
			Why: "Checks of one probe do not overlap. One that hangs is followed at once by the next, so the period says nothing any more, " +
				"and a hanging application goes unnoticed for failureThreshold times the timeout, and a timeout more.",
			Hint: "Make the timeout no longer than the period: a hang is then noticed sooner. Where good answers take as long as the timeout, make the " +
				"period as long instead: then no failure is noticed sooner.",
			kinds: probe.Kinds(), needs: needsWorkloads, check: timeoutExceedsPeriod,
		},
		{
			ID: "exec-timeout-default", Severity: report.SeverityInfo,
			Summary: "an exec probe with the default timeout of 1s",
			Why:     "Each check starts a process. On a busy node that alone can take a second, and the check then fails without the application's doing.",
			Hint:    "Give it a few seconds, but no more than the period.",
			kinds:   probe.Kinds(), needs: needsWorkloads, check: execTimeoutDefault,
		},
	}
}

// grave orders hits: what kills first, then what is asked all the time.
func grave(hits []hit) []hit {
	order := []probe.Kind{probe.Liveness, probe.Readiness, probe.Startup}
	out := slices.Clone(hits)
	slices.SortFunc(out, func(a, b hit) int { return slices.Index(order, a.kind) - slices.Index(order, b.kind) })
	return out
}

// also names the other probes of which the same holds: one finding for a container says it.
func also(hits []hit, text func(hit) string) string {
	if len(hits) < 2 {
		return ""
	}
	out := "also"
	for i, h := range hits[1:] {
		if i > 0 {
			out += ","
		}
		out += " " + string(h.kind) + text(h)
	}
	return out
}

func timeoutExceedsPeriod(f facts) []found {
	hits := grave(f.hits(func(_ probe.Kind, p *report.Probe, _ *report.Variant) bool {
		return p.Config.TimeoutSeconds > p.Config.PeriodSeconds
	}))
	if len(hits) == 0 || hits[0].kind == probe.Startup {
		return nil // a start that may take longer than it seems harms nobody
	}
	h := hits[0]
	text := fmt.Sprintf("timeout %s exceeds period %s%s: %s", seconds(h.probe.Config.TimeoutSeconds), seconds(h.probe.Config.PeriodSeconds), h.where, becomes(h))
	others := also(hits, func(h hit) string {
		return fmt.Sprintf(" (timeout %s, period %s: %s)", seconds(h.probe.Config.TimeoutSeconds), seconds(h.probe.Config.PeriodSeconds), becomes(h))
	})
	var edits []edit
	hint := []string{others}
	for _, h := range hits {
		if h.kind == probe.Startup {
			continue
		}
		edits = append(edits, setTo(h.kind, "timeout=%d", h.probe.Config.PeriodSeconds))
		hint = append(hint, withShorterTimeout(h), withLongerPeriod(h))
	}
	note, command := f.change(edits...)
	return []found{{h.kind, text, append(hint, note), command}}
}

// withShorterTimeout is what changes when the timeout is as long as the period.
func withShorterTimeout(h hit) string {
	timeout := h.probe.Config.PeriodSeconds
	with := budget(h.probe, func(b *probe.Probe) { b.TimeoutSeconds = timeout })
	return fmt.Sprintf("with timeout=%d %s would act within %s; an answer that takes longer then fails", timeout, h.kind, figures(h, with))
}

// withLongerPeriod is for answers that need their time: no failure is noticed sooner.
func withLongerPeriod(h hit) string {
	period := h.probe.Config.TimeoutSeconds
	with := budget(h.probe, func(b *probe.Probe) { b.PeriodSeconds = period })
	return fmt.Sprintf("where answers need their time, period=%d: %s", period, figures(h, with))
}

func figures(h hit, with *probe.Probe) string {
	now, then := h.probe.Detection, with.Detection(probe.Ticks)
	return fmt.Sprintf("%s of a hang (now %s), %s of a failure at once (now %s)",
		seconds(then.HangSeconds), seconds(now.HangSeconds), seconds(then.AtOnceSeconds), seconds(now.AtOnceSeconds))
}

// becomes is what the figures are that the product of period and threshold hides.
func becomes(h hit) string {
	if h.kind == probe.Startup {
		return fmt.Sprintf("a start that hangs can go on for %s", seconds(h.probe.Allowance.LongestSeconds))
	}
	product := int64(h.probe.Config.PeriodSeconds) * int64(h.probe.Config.FailureThreshold)
	return fmt.Sprintf("a hang can go on for %s before it acts, not %s", seconds(h.probe.Detection.HangSeconds), seconds(product))
}

func execTimeoutDefault(f facts) []found {
	hits := grave(f.hits(func(_ probe.Kind, p *report.Probe, _ *report.Variant) bool {
		return p.Handler.Type == string(probe.Exec) && p.Config.TimeoutSeconds == 1
	}))
	hits = slices.DeleteFunc(hits, func(h hit) bool { return len(f.erroring(h.kind)) > 0 }) // it does not get as far as that
	if len(hits) == 0 {
		return nil
	}
	var edits []edit
	for _, h := range hits {
		edits = append(edits, moreTime(h.kind, h.probe)...)
	}
	note, command := f.change(edits...)
	text := "exec at the default timeout of 1s" + hits[0].where + ": starting a process can take that long on a busy node, and then the check fails"
	return []found{{hits[0].kind, text, []string{also(hits, func(hit) string { return "" }), note}, command}}
}
