package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// timingIndent leaves room for the name of a probe.
const timingIndent = 13

// sentences say of each probe what it asks, when, and what it does.
func (v *view) sentences(c *report.Container) {
	for _, s := range settings(c) {
		if s.probe == nil {
			continue
		}
		v.page.sayAt(timingIndent, cell{text: "  " + string(s.kind)}, cell{}, v.timing(s, c.Probes.Startup))
	}
}

func (v *view) timing(s setting, startup *report.Probe) string {
	p := s.probe
	parts := []string{asks(p), first(s.kind, p, startup)}
	switch s.kind {
	case probe.Startup:
		parts = append(parts, allows(p))
	case probe.Readiness:
		parts = append(parts, v.leaves(p), recovers(p))
	default:
		parts = append(parts, liveness(p))
	}
	return strings.Join(parts, " ")
}

// asks is what is asked and how often.
func asks(p *report.Probe) string {
	text := strings.TrimSpace(Escape(p.Handler.Text))
	if text == "" {
		text = "nothing"
	}
	return fmt.Sprintf("asks %s every %s and waits %s for an answer.", text,
		probe.FormatSeconds(int64(p.Config.PeriodSeconds)), probe.FormatSeconds(int64(p.Config.TimeoutSeconds)))
}

// first is when checks begin. A delay is counted from the container's start, also behind a startup probe.
func first(kind probe.Kind, p, startup *report.Probe) string {
	period, delay := probe.FormatSeconds(int64(p.Config.PeriodSeconds)), probe.FormatSeconds(int64(p.Config.InitialDelaySeconds))
	switch {
	case kind == probe.Startup || startup == nil:
		return fmt.Sprintf("The first check comes %s to %s after the container's start.",
			probe.FormatSeconds(p.FirstCheck.EarliestSeconds), probe.FormatSeconds(p.FirstCheck.LatestSeconds))
	case p.Config.InitialDelaySeconds > 0:
		return fmt.Sprintf("The first check comes within %s of the startup probe's success, or of %s after the container's start if that is later.", period, delay)
	default:
		return fmt.Sprintf("The first check comes within %s of the startup probe's success.", period)
	}
}

func allows(p *report.Probe) string {
	return fmt.Sprintf("A start of up to %s is surely allowed; by %s at the latest %s have it killed. %s The other probes wait until it succeeds.",
		budget(p, true).text, budget(p, false).text, inARow(p), killing(p))
}

func (v *view) leaves(p *report.Probe) string {
	return fmt.Sprintf("%s and it is not ready (%s): at most %s after it began to fail at once, %s after it began to hang.",
		capital(inARow(p)), v.then(p), budget(p, true).text, budget(p, false).text)
}

func recovers(p *report.Probe) string {
	if p.Recovery == nil {
		return ""
	}
	return fmt.Sprintf("Once well again it is ready within %s, or %s where answers are slow.",
		probe.FormatSeconds(p.Recovery.AtOnceSeconds), probe.FormatSeconds(p.Recovery.AtWorstSeconds))
}

func liveness(p *report.Probe) string {
	return fmt.Sprintf("%s and it is killed: at most %s after it began to fail at once, %s after it began to hang. %s",
		capital(inARow(p)), budget(p, true).text, budget(p, false).text, killing(p))
}

func killing(p *report.Probe) string {
	if p.GraceSeconds == nil {
		return "It is " + Escape(p.Then) + "."
	}
	return fmt.Sprintf("It has %s for preStop and SIGTERM before SIGKILL, and is %s.", probe.FormatSeconds(*p.GraceSeconds), Escape(p.Then))
}

// inARow is the failures that it takes.
func inARow(p *report.Probe) string {
	if p.Config.FailureThreshold == 1 {
		return "one failure"
	}
	return fmt.Sprintf("%d failures in a row", p.Config.FailureThreshold)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
