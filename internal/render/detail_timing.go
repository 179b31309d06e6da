package render

import (
	"cmp"
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
	if p.WhyNot != "" {
		return neverActs(s.kind, p)
	}
	if !p.HasFigures() {
		return fmt.Sprintf("asks %s. When it does, and when it acts, is unknown: it has a number that no API server takes.", question(p))
	}
	parts := []string{asks(p), first(s.kind, p, startup)}
	switch s.kind {
	case probe.Startup:
		parts = append(parts, allows(p))
	case probe.Readiness:
		parts = append(parts, v.leaves(p), recovers(p))
	default:
		parts = append(parts, liveness(p))
	}
	return strings.Join(append(parts, onTop(s.kind, p)), " ")
}

// neverActs is all there is to say of a probe that cannot run.
func neverActs(kind probe.Kind, p *report.Probe) string {
	effect := "readiness stays what it was: a container that is not ready yet never will be"
	switch kind {
	case probe.Startup:
		effect = "it neither passes nor has the container killed, and the other probes wait for ever"
	case probe.Liveness:
		effect = "it never has the container killed, whatever becomes of it"
	}
	return fmt.Sprintf("never acts: %s, so that every check errors and none counts; %s.", Escape(p.WhyNot), effect)
}

// onTop is what the figures leave out for that kind of check.
func onTop(kind probe.Kind, p *report.Probe) string {
	switch {
	case p.Handler.Type == string(probe.Exec):
		return "On top comes what the container runtime takes for each check: the start of a process, and at worst 2m more where the runtime hangs."
	case p.Handler.Type == string(probe.GRPC) && kind != probe.Startup:
		return "A kubelet before v1.38 takes the whole timeout to notice a refused connection too: there, failing at once is an answer such as NOT_SERVING."
	default:
		return ""
	}
}

// asks is what is asked and how often.
func asks(p *report.Probe) string {
	return fmt.Sprintf("asks %s every %s and waits %s for an answer.", question(p),
		probe.FormatSeconds(int64(p.Config.PeriodSeconds)), probe.FormatSeconds(int64(p.Config.TimeoutSeconds)))
}

func question(p *report.Probe) string {
	return cmp.Or(strings.TrimSpace(Escape(p.Handler.Text)), "nothing")
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
	have := inARow(p) + " have"
	if p.Config.FailureThreshold == 1 {
		have = inARow(p) + " has"
	}
	return fmt.Sprintf("A start of up to %s is surely allowed; by %s at the latest %s it killed. %s The other probes wait until it succeeds.",
		budget(p, true).text, budget(p, false).text, have, killing(p))
}

func (v *view) leaves(p *report.Probe) string {
	return fmt.Sprintf("%s and it is not ready (%s): at most %s after it began to fail at once, %s after it began to hang.",
		capital(inARow(p)), v.then(probe.Readiness, p), budget(p, true).text, budget(p, false).text)
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
	if p.KillSeconds == nil {
		return fmt.Sprintf("How long it then has before SIGKILL is unknown (no API server takes its grace period), and it is %s.", Escape(p.Then))
	}
	return fmt.Sprintf("It has at most %s for preStop and SIGTERM before SIGKILL, and is %s.", probe.FormatSeconds(*p.KillSeconds), Escape(p.Then))
}

// inARow is the failures that it takes.
func inARow(p *report.Probe) string {
	if p.Config.FailureThreshold == 1 {
		return "one failure"
	}
	return fmt.Sprintf("%d failures in a row", p.Config.FailureThreshold)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
