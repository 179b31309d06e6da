package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// The marks of a probe cell. Notes explains those that were printed.
const (
	driftMark   = "*"
	unknownMark = "?"
	neverMark   = "!" // no check can be made
)

// probeCell is handler:headline and the marks, one token: "http:31s", "-", "exec:2m*", "-?".
func probeCell(r row, kind probe.Kind) cell {
	p := r.container.Probes.Get(kind)
	c := cell{text: "-"}
	switch {
	case r.drifted(kind):
		c.tint = yellow
	case p == nil:
		c.tint = grey
	case p.WhyNot != "":
		c.tint = yellow
	}
	if p != nil {
		c.text = handlerType(p) + ":" + headline(p)
	}
	if r.drifted(kind) {
		c.text += driftMark
	}
	if r.templateUnknown() {
		c.text += unknownMark
	}
	return c
}

// drifted holds for a container without the probe too: some Pods, or the template, have it.
func (r row) drifted(kind probe.Kind) bool {
	for _, d := range r.container.Drift {
		if d.Probe == kind {
			return true
		}
	}
	return false
}

func (r row) templateUnknown() bool { return r.workload.Template == report.TemplateUnknown }

func handlerType(p *report.Probe) string {
	if p.Handler.Type == "" {
		return unknownMark
	}
	return token(p.Handler.Type)
}

func headline(p *report.Probe) string {
	if p.WhyNot != "" {
		return neverMark
	}
	if !p.HasFigures() {
		return unknownMark
	}
	return probe.FormatSeconds(p.HeadlineSeconds())
}

func handlerCell(p *report.Probe) cell {
	if p == nil {
		return none()
	}
	text := strings.Trim(p.Handler.Text, " ") // blanks at the end of a line are lost anyway
	if text == "" {
		return none()
	}
	return cell{text: Escape(text)}
}

// nodesCell is the node when all live Pods are on one, since that is where to look, else the number of nodes.
func nodesCell(r row) cell {
	nodes := map[string]bool{}
	last := ""
	for _, p := range r.container.Pods {
		if p.Phase == report.Live && p.Node != "" {
			nodes[p.Node], last = true, p.Node
		}
	}
	switch len(nodes) {
	case 0:
		return none()
	case 1:
		return named(last)
	default:
		return cell{text: strconv.Itoa(len(nodes))}
	}
}

// driftCell says what the marks of the probe cells mean here, each as "readiness: stale 2/3 httpGet.path +1"; of what
// admission rewrote, and where a container is that is not everywhere.
func driftCell(r row) cell {
	var parts []string
	t := uncoloured
	switch r.container.OnlyIn {
	case report.OnlyInPods:
		parts = append(parts, "only in Pods")
	case report.OnlyInTemplate:
		parts = append(parts, "only in template")
	}
	for _, d := range r.container.Drift {
		t = yellow
		parts = append(parts, r.difference(d.Probe, string(d.Kind), d.Pods, what(d.Change, d.Fields)))
	}
	for _, w := range r.container.Rewritten {
		parts = append(parts, r.difference(w.Probe, "rewritten", w.Pods, what(w.Change, w.Fields)))
	}
	if r.templateUnknown() {
		parts = append(parts, unknownDrift(len(r.container.Variants)))
	}
	if len(parts) == 0 {
		return none()
	}
	return cell{strings.Join(parts, "; "), t}
}

func (r row) difference(kind probe.Kind, how string, pods int, what string) string {
	s := fmt.Sprintf("%s: %s %d/%d %s", kind, how, pods, r.container.Total, what)
	return Escape(strings.TrimRight(s, " "))
}

// what names the first field only: the column is to be scanned, and the JSON has both sides of every field.
func what(c report.Change, fields []report.Field) string {
	switch {
	case c != report.Fields:
		return string(c)
	case len(fields) == 0:
		return ""
	case len(fields) == 1:
		return fields[0].Field
	default:
		return fmt.Sprintf("%s +%d", fields[0].Field, len(fields)-1)
	}
}

// unknownDrift at least tells whether the Pods agree with each other.
func unknownDrift(variants int) string {
	if variants > 1 {
		return fmt.Sprintf("%s (%d variants)", unknownMark, variants)
	}
	return unknownMark
}
