package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

const (
	mostAnswers  = 5   // are told apart
	answerWidth  = 320 // columns of one answer, unless all is asked for
	everyCheck   = 0.9 // a rate from here on
	halfOfChecks = 0.5
)

// evidence is what Events say and no finding has told yet.
func (v *view) evidence() {
	v.page.section()
	for i := range v.workload.Containers {
		c := &v.workload.Containers[i]
		if v.full {
			v.eachEvidence(c)
			continue
		}
		groups := v.evidenceGroups(c)
		for i, g := range groups {
			if i == mostAnswers && len(groups) > mostAnswers+1 {
				v.page.say(cell{}, fmt.Sprintf("%sand %d other answers (-o wide tells them)", v.subject(c), len(groups)-i))
				break
			}
			v.answerGroup(c, g)
		}
		v.kills(c)
		v.changes(c)
	}
	v.mixed()
}

// evidenceGroup is what checks of one probe were answered, in some Pods.
type evidenceGroup struct {
	probe    probe.Kind
	state    report.EvidenceState
	answer   string
	evidence []report.Evidence
	pods     []*report.Pod
}

// evidenceGroups are those that go on first. What is over, or belongs to a start, is not told apart by answers.
func (v *view) evidenceGroups(c *report.Container) []*evidenceGroup {
	type id struct {
		probe  probe.Kind
		state  report.EvidenceState
		answer string
	}
	byID := map[id]*evidenceGroup{}
	var groups []*evidenceGroup
	for i := range c.Pods {
		p := &c.Pods[i]
		for _, e := range p.Evidence {
			at := id{e.Probe, e.State, ""}
			if e.State == report.StateNow {
				at.answer = v.answers.alike(e.Message)
				if told(c, e) {
					continue
				}
			}
			if byID[at] == nil {
				byID[at] = &evidenceGroup{probe: e.Probe, state: e.State, answer: e.Message}
				groups = append(groups, byID[at])
			}
			g := byID[at]
			if g.answer != e.Message {
				g.answer = at.answer
			}
			g.evidence, g.pods = append(g.evidence, e), append(g.pods, p)
		}
	}
	slices.SortStableFunc(groups, func(a, b *evidenceGroup) int {
		return cmp.Or(cmp.Compare(staleness(a.state), staleness(b.state)), cmp.Compare(len(b.pods), len(a.pods)))
	})
	return groups
}

// told says that a finding has said it: the answer, of the same probe.
func told(c *report.Container, e report.Evidence) bool {
	answer := head(Escape(strings.TrimSpace(e.Message)), 80) // a finding leaves out the middle of long ones
	return answer != "" && slices.ContainsFunc(standing(c.Findings), func(f report.Finding) bool {
		return f.Probe == e.Probe && strings.Contains(f.Message+"\n"+f.Hint, answer)
	})
}

func staleness(s report.EvidenceState) int {
	return slices.Index([]report.EvidenceState{report.StateNow, report.StateStarting, report.StateRecovered, report.StatePast}, s)
}

func (v *view) answerGroup(c *report.Container, g *evidenceGroup) {
	where := pods(len(g.pods))
	if len(g.pods) == 1 {
		where = token(g.pods[0].Name)
	}
	v.evidenceLine(stateLabel(g.state, g.evidence), fmt.Sprintf("%s%s in %s", v.subject(c), g.probe, where), g.evidence, saturated(values(g.pods)))
	if g.answer != "" {
		v.answer(g.answer)
	}
}

func (v *view) answer(text string) {
	text = Escape(strings.TrimSpace(text))
	if !v.full {
		text = cutEnd(text, answerWidth)
	}
	v.page.say(cell{}, text)
}

// stateLabel is a word in the margin: errors count for nothing in the kubelet, so they are no failing.
func stateLabel(state report.EvidenceState, all []report.Evidence) cell {
	failed := slices.ContainsFunc(all, func(e report.Evidence) bool { return e.Failures > 0 })
	switch {
	case state == report.StateNow && failed:
		return cell{text: "failing", tint: red}
	case state == report.StateNow && slices.ContainsFunc(all, func(e report.Evidence) bool { return e.Errors > 0 }):
		return cell{text: "errored", tint: red}
	case state == report.StateNow:
		return cell{text: "warned", tint: yellow}
	case state == report.StateStarting:
		return cell{text: "start", tint: grey}
	case state == report.StateRecovered && failed: // whether it fails no more, a streak below the threshold does not tell
		return cell{text: "failed", tint: grey}
	case state == report.StateRecovered:
		return cell{text: "seen", tint: grey}
	default:
		return cell{text: "past", tint: grey}
	}
}

// evidenceLine is "app readiness in web-1: 154 failures, every check, since 13:39 UTC (5m), last 10s ago".
func (v *view) evidenceLine(label cell, subject string, all []report.Evidence, atLeast bool) {
	var failures, errs, warnings int64
	first, last := all[0].FirstSeen, all[0].LastSeen
	for _, e := range all {
		failures, errs, warnings = failures+e.Failures, errs+e.Errors, warnings+e.Warnings
		if e.FirstSeen.Before(&first) {
			first = e.FirstSeen
		}
		if last.Before(&e.LastSeen) {
			last = e.LastSeen
		}
	}
	parts := inWords(failures, errs, warnings)
	if atLeast && len(parts) > 0 {
		parts[0] = "at least " + parts[0]
	}
	if r := rates(all); r != "" {
		parts = append(parts, r)
	}
	if failures+errs+warnings > 1 {
		parts = append(parts, "since "+v.since(&first))
	}
	v.page.say(label, subject+": "+strings.Join(append(parts, v.last(last, atLeast)), ", "))
}

// last says of evidence that may lag only what is sure.
func (v *view) last(at metav1.Time, lags bool) string {
	if lags {
		return "last written " + age(at, v.asOf) + " ago"
	}
	return "last " + age(at, v.asOf) + " ago"
}

func inWords(failures, errs, warnings int64) []string {
	var parts []string
	if failures > 0 {
		parts = append(parts, plural(failures, "failure"))
	}
	if errs > 0 {
		parts = append(parts, plural(errs, "error")+" (the check could not run, which counts for nothing)")
	}
	if warnings > 0 {
		parts = append(parts, plural(warnings, "warning")+" (the check succeeded)")
	}
	return parts
}

// rates are the least and the most share of checks that failed in one Pod.
func rates(all []report.Evidence) string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, e := range all {
		if e.PerCheck != nil {
			least, most = min(least, *e.PerCheck), max(most, *e.PerCheck)
		}
	}
	switch {
	case math.IsInf(least, 1):
		return ""
	case rate(least) == rate(most):
		return rate(most)
	default:
		return rate(least) + " to " + rate(most)
	}
}

func rate(share float64) string {
	switch {
	case share >= everyCheck:
		return "every check"
	case share > halfOfChecks:
		return fmt.Sprintf("%.0f%% of checks", share*100)
	default:
		return fmt.Sprintf("1 in %.0f checks", 1/share)
	}
}
