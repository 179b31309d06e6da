package render

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// eachEvidence is a line for each Pod, probe and kind of Event.
func (v *view) eachEvidence(c *report.Container) {
	for i := range c.Pods {
		p := &c.Pods[i]
		where := v.where(p)
		for _, e := range p.Evidence {
			v.evidenceLine(stateLabel(e.State, []report.Evidence{e}), v.subject(c)+string(e.Probe)+where, []report.Evidence{e}, p.Saturated)
			if e.Messages > 1 {
				v.page.say(cell{}, fmt.Sprintf("%d different answers, the latest:", e.Messages))
			}
			v.answer(e.Message)
		}
		for _, k := range p.Kills {
			v.page.say(cell{text: "killed", tint: red}, fmt.Sprintf("%sby the %s probe%s at least %s, since %s, last %s ago",
				v.subject(c), k.Probe, where, times(k.Count), v.since(&k.FirstSeen), age(k.LastSeen, v.asOf)))
		}
		if b := p.BackOff; b != nil {
			v.page.say(cell{text: "backoff", tint: grey}, fmt.Sprintf("%sstart put off%s at least %s, last %s ago", v.subject(c), where, times(b.Count), age(b.LastSeen, v.asOf)))
		}
		for _, change := range p.ProbeChanges {
			v.page.say(cell{text: "changed", tint: yellow}, fmt.Sprintf("%s%s%s: in force since %s ago: %s", v.subject(c), changeText(change), where, age(change.LastSeen, v.asOf), sentence(change.Message)))
		}
		v.possibleKill(c, p)
	}
}

// where names the Pod, unless the view is about it.
func (v *view) where(p *report.Pod) string {
	if v.named != "" {
		return ""
	}
	return " in " + token(p.Name)
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func changeText(c report.ProbeChange) string {
	if c.Action == "" {
		return string(c.Probe) + " probe changed"
	}
	return string(c.Probe) + " probe " + token(c.Action)
}

func (v *view) possibleKill(c *report.Container, p *report.Pod) {
	if k := p.PossibleKill; k != nil {
		v.page.say(cell{text: "ended", tint: yellow}, fmt.Sprintf("%sstopped%s %s ago, perhaps by the %s probe: under this restart policy the Event does not say why",
			v.subject(c), v.where(p), age(k.At, v.asOf), k.Probe))
	}
}

// kills sums up what no finding has told.
func (v *view) kills(c *report.Container) {
	for _, kind := range probe.Kinds() {
		if slices.ContainsFunc(standing(c.Findings), func(f report.Finding) bool { return f.Rule == "killed-by-probe" && f.Probe == kind }) {
			continue
		}
		in, sum := 0, report.Kill{Probe: kind}
		for i := range c.Pods {
			for _, k := range c.Pods[i].Kills {
				if k.Probe == kind {
					in++
					sum = added(sum, k)
				}
			}
		}
		if in > 0 {
			v.page.say(cell{text: "killed", tint: red}, fmt.Sprintf("%sby the %s probe, %s: at least %s, since %s, last %s ago",
				v.subject(c), kind, pods(in), times(sum.Count), v.since(&sum.FirstSeen), age(sum.LastSeen, v.asOf)))
		}
	}
	for i := range c.Pods {
		v.possibleKill(c, &c.Pods[i])
	}
}

func added(sum, k report.Kill) report.Kill {
	if sum.Count == 0 || k.FirstSeen.Before(&sum.FirstSeen) {
		sum.FirstSeen = k.FirstSeen
	}
	if sum.LastSeen.Before(&k.LastSeen) {
		sum.LastSeen = k.LastSeen
	}
	sum.Count += k.Count
	return sum
}

// changes are those of running Pods' probes that are in force.
func (v *view) changes(c *report.Container) {
	type changed struct {
		pods   []string
		latest metav1.Time
	}
	byText := map[string]*changed{}
	var order []string
	for i := range c.Pods {
		p := &c.Pods[i]
		for _, change := range p.ProbeChanges {
			text := changeText(change)
			if byText[text] == nil {
				byText[text] = &changed{}
				order = append(order, text)
			}
			one := byText[text]
			one.pods = append(one.pods, token(p.Name))
			if one.latest.Before(&change.LastSeen) {
				one.latest = change.LastSeen
			}
		}
	}
	for _, text := range order {
		one := byText[text]
		v.page.say(cell{text: "changed", tint: yellow}, fmt.Sprintf("%s%s in %s (%s): in force, the last %s ago",
			v.subject(c), text, pods(len(one.pods)), some(one.pods), age(one.latest, v.asOf)))
	}
}

// mixed are combined Events, which the kubelet gives to whichever container came first.
func (v *view) mixed() {
	all := v.workload.Mixed
	for i, m := range all {
		if i == 3 && !v.full {
			v.page.say(cell{}, fmt.Sprintf("and such Events of %s more", pods(len(all)-i)))
			return
		}
		v.page.say(cell{text: "mixed", tint: yellow}, fmt.Sprintf("%s: %s which may be of any of its containers, last %s ago; the latest:",
			token(m.Pod), plural(m.Count, "combined Event"), age(m.LastSeen, v.asOf)))
		v.answer(m.Message)
	}
}

// limits are what could not be read, and what Events cannot tell.
func (v *view) limits() {
	v.page.section()
	var seen []report.Gap
	for _, g := range v.report.Gaps {
		if g.Namespace == "" || v.workload.Namespace == "" || g.Namespace == v.workload.Namespace {
			seen = append(seen, g)
		}
	}
	var absent []string
	for _, g := range seen {
		if !shown(g, isOfFiles(v.report)) {
			absent = append(absent, token(g.What))
		}
	}
	for _, note := range gapNotes(seen, isOfFiles(v.report)) {
		v.page.say(cell{text: "unknown", tint: yellow}, note)
	}
	if len(absent) > 0 {
		v.page.say(cell{text: "unknown", tint: grey}, "not in the files: "+strings.Join(absent, ", "))
	}
	if slices.ContainsFunc(v.workload.Containers, func(c report.Container) bool { return c.Failures != nil }) {
		v.page.sayAt(0, cell{}, cell{}, "Events reach back about an hour and lag by five minutes or more once a Pod has written 25; counts are lower bounds.")
	}
}
