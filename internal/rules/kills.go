package rules

import (
	"fmt"
	"math"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func evidenceRules() []Rule {
	return []Rule{
		{
			ID: "killed-by-probe", Severity: report.SeverityError,
			Summary: "Events of the last hour say that the liveness or startup probe had the container killed",
			Why: "A restart throws away what the container was doing, and seldom mends what the check complains about: an overload, a dependency, " +
				"a wrong path. Nothing but the Event says that a probe did it: exit code and status are the application's.",
			Hint: "Look at what the check says. If the application is only slow or busy, let the probe fail longer; if readiness asks the same, " +
				"it takes the Pod out of its Services without a kill; if only a new template is killed, undo it.",
			kinds: killers(), needs: needsEvents, check: killedByProbe,
		},
		{
			ID: "failing-now", Severity: report.SeverityError,
			Summary: "a probe fails at present: the container is not ready for it, or about to be killed for it",
			Why:     "The container serves nobody, or will not live long. Failures while a container starts, of an earlier container, or of one that crashes by itself are not meant; once it was killed, killed-by-probe tells of it instead.",
			Hint:    "Look at what the check says: the path, the port, the timeout, or the application.",
			kinds:   probe.Kinds(), needs: needsEvents, check: failingNow,
		},
		{
			ID: "rollout-stalled", Severity: report.SeverityError,
			Summary: "the Pods of a new template do not become ready while those of the previous one serve",
			Why:     "The rollout will not end by itself, and what it was to bring is not there.",
			Hint:    "Undo the rollout, or correct the probe or the application in the template.",
			kinds:   []probe.Kind{probe.Readiness}, needs: needsTemplate, check: rolloutStalled,
		},
	}
}

// killers are the probes that can have a container killed.
func killers() []probe.Kind { return []probe.Kind{probe.Liveness, probe.Startup} }

func killedByProbe(f facts) []found {
	var all []found
	for _, kind := range killers() {
		if k := f.killings(kind); k.count > 0 {
			hint, command := f.killHint(kind, k)
			all = append(all, found{kind, f.killText(k), hint, command})
		}
	}
	return all
}

// killings are the kills of one probe in the last hour.
type killings struct {
	answers
	count       int64
	live        []*report.Pod
	elsewhere   int // Pods that are gone, going or finished
	first, last time.Time
}

func (f facts) killings(kind probe.Kind) killings {
	var sum killings
	for i := range f.container.Pods {
		p := &f.container.Pods[i]
		k := killsOf(p, kind)
		if k == nil || !f.recent(k.LastSeen.Time, eventRetention) {
			continue
		}
		sum.count += k.Count
		if sum.first.IsZero() || k.FirstSeen.Time.Before(sum.first) {
			sum.first = k.FirstSeen.Time
		}
		if k.LastSeen.After(sum.last) {
			sum.last = k.LastSeen.Time
		}
		if p.Phase == report.Live {
			sum.live = append(sum.live, p)
		} else {
			sum.elsewhere++
		}
		sum.hear(p, kind)
	}
	return sum
}

func (f facts) killText(k killings) string {
	kills := fmt.Sprintf("at least %s, the last %s ago", plural(k.count, "kill", "kills"), f.age(k.last))
	if len(k.live) == 0 {
		return fmt.Sprintf("in %s gone, going or finished: %s", plural(int64(k.elsewhere), "Pod that is", "Pods that are"), kills)
	}
	return fmt.Sprintf("%s %s, %s", f.podsText(k.live), f.since(k.first), kills)
}

// podsText is how many of the container's live Pods these are, and where.
func (f facts) podsText(pods []*report.Pod) string {
	nodes := map[string]bool{}
	for _, p := range pods {
		nodes[p.Node] = true
	}
	text := fmt.Sprintf("%d of %s", len(pods), plural(int64(f.container.Total), "Pod", "Pods"))
	if len(nodes) > 1 {
		text += fmt.Sprintf(" on %d nodes", len(nodes))
	}
	return text
}

// killHint gives what was asked and answered, and the one command that fits best.
func (f facts) killHint(kind probe.Kind, k killings) (hint []string, command string) {
	p := f.container.Probes.Get(kind)
	if len(k.live) > 0 {
		p = f.probeOf(k.live[0], kind)
	}
	hint = append(hint, k.text())
	if p == nil {
		return append(hint, "its template has no such probe any more"), ""
	}
	same := false
	if readiness := f.container.Probes.Readiness; kind == probe.Liveness && readiness != nil {
		same = sameHandler(p, readiness)
	}
	asks := "it asks " + p.Handler.Text
	if same {
		asks += ", which readiness checks too"
		if f.serving.senders != "" {
			asks += ": that alone takes the Pod out of its Services without a kill"
		}
	}
	hint = append(hint, quoted(asks))
	var note string
	d := f.diagnose(kind, p, k.answers)
	switch {
	case len(k.live) == 0:
		return append(hint, d.text), ""
	case f.onlyNewest(k.live):
		note, command = f.undo()
		return append(hint, d.text, "only Pods of the latest template are killed, those of the previous one serve", note), command
	case d.final:
		return append(hint, d.text), ""
	default:
		edits, why := d.edit, ""
		if len(edits) == 0 && p.HasFigures() {
			edits, why = patience(kind, p)
		}
		note, command = f.incidentChange(edits...)
		return append(hint, d.text, why, note), command
	}
}

// incidentChange is change for somebody who needs it now: it says why the running Pods are not the place.
func (f facts) incidentChange(edits ...edit) (note, command string) {
	note, command = f.change(edits...)
	if command != "" && f.immutableNote() != "" {
		note = f.immutableNote() + "\n" + note
	}
	return note, command
}

// breathing is how long a liveness probe may fail before it kills while somebody looks for the reason.
const breathing = 5 * 60

// patience lets a probe fail longer: for minutes, or twice as often if that is what it had. It says what that
// changes.
func patience(kind probe.Kind, p *report.Probe) (edits []edit, why string) {
	period, enough := int64(p.Config.PeriodSeconds), int64(breathing)
	if kind == probe.Startup {
		enough = min(2*p.Allowance.GuaranteedSeconds, 24*60*60)
	}
	failure := int32(min(max(2*int64(p.Config.FailureThreshold), (enough+period-1)/period+boolToInt(kind == probe.Startup)), math.MaxInt32))
	with := budget(p, func(b *probe.Probe) { b.FailureThreshold = failure })
	if kind == probe.Startup {
		why = fmt.Sprintf("with failure=%d a start would have %s for sure, not %s", failure, seconds(with.StartupAllowance(probe.Ticks).GuaranteedSeconds), seconds(p.Allowance.GuaranteedSeconds))
	} else {
		why = fmt.Sprintf("with failure=%d it would kill after %s of failures, not %s: time to look for the reason", failure, seconds(with.Detection(probe.Ticks).AtOnceSeconds), seconds(p.Detection.AtOnceSeconds))
	}
	return []edit{setTo(kind, "failure=%d", failure)}, why
}

func boolToInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// onlyNewest says that all of these Pods are of the template that is being rolled out, while earlier ones serve.
func (f facts) onlyNewest(pods []*report.Pod) bool {
	r := f.workload.Rollout
	if r == nil || r.State == report.RolloutComplete || r.NewRevision == "" || r.KeepServing == nil || !*r.KeepServing {
		return false
	}
	for _, p := range pods {
		if p.Revision != r.NewRevision {
			return false
		}
	}
	return len(pods) > 0
}
