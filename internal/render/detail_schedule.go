package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// virtual marks Pods for which no figure holds.
func (v *view) virtual() {
	all, n := v.livePods(), 0
	nodes := map[string]bool{}
	for _, p := range all {
		if p.VirtualKubelet {
			n++
			nodes[token(p.Node)] = true
		}
	}
	if n > 0 {
		v.page.say(cell{text: "note", tint: yellow}, fmt.Sprintf("%d of %s on a virtual kubelet (%s): its schedule is its own: the figures do not apply",
			n, pods(len(all)), some(keysOf(nodes))))
	}
}

// schedules has the other figures where kubelets wait a period after the end of a check, or may.
func (v *view) schedules(c *report.Container) {
	figures := endOfCheck(c)
	if figures == "" {
		return
	}
	for _, one := range []struct {
		schedule report.Schedule
		text     string
	}{
		{report.ScheduleEndOfCheck, ", which waits a period after the end of each check (ContainerProbeChanged proves it)"},
		{report.ScheduleUnproven, ": nothing tells whether it waits a period after the end of each check (MutableContainerProbes); if so"},
	} {
		versions := map[string]bool{}
		n := 0
		for _, p := range c.Pods {
			if p.Phase == report.Live && p.Schedule == one.schedule {
				n++
				versions[token(p.KubeletVersion)] = true
			}
		}
		if n > 0 {
			v.page.say(cell{text: "note"}, fmt.Sprintf("%d of %s on kubelet %s%s: %s", n, pods(c.Total), some(keysOf(versions)), one.text, figures))
		}
	}
}

// nodeCell marks nodes on which no figure holds.
func nodeCell(p *report.Pod) cell {
	c := named(p.Node)
	if p.VirtualKubelet {
		c.text += " (virtual)"
	}
	return c
}

// endOfCheck are the figures of that schedule, probe by probe.
func endOfCheck(c *report.Container) string {
	var parts []string
	said := map[string]bool{}
	for _, s := range settings(c) {
		if s.probe == nil || s.probe.EndOfCheck == nil || s.probe.WhyNot != "" {
			continue
		}
		e, text := s.probe.EndOfCheck, ""
		switch {
		case e.Allowance != nil:
			text = fmt.Sprintf("%s %s surely, %s at most", s.kind, probe.FormatSeconds(e.Allowance.GuaranteedSeconds), probe.FormatSeconds(e.Allowance.LongestSeconds))
		case e.Detection != nil:
			text = fmt.Sprintf("%s %s at once, %s hanging", s.kind, probe.FormatSeconds(e.Detection.AtOnceSeconds), probe.FormatSeconds(e.Detection.HangSeconds))
		}
		if text != "" && !said[text] {
			said[text], parts = true, append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}
