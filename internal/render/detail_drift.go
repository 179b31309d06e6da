package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// mostFields is how many fields of a difference are named.
const mostFields = 4

// drift says in what running Pods are not what the template says, and what admission made of it.
func (v *view) drift() {
	v.page.section()
	for _, c := range v.told {
		v.driftOf(c)
	}
	for _, c := range v.brief {
		v.driftOf(c)
	}
	if v.workload.Template == report.TemplateUnknown {
		v.page.say(cell{text: "drift", tint: yellow}, "unknown: the template could not be read")
	}
}

func (v *view) driftOf(c *report.Container) {
	for _, d := range c.Drift {
		text := fmt.Sprintf("%s%s %s, %d of %s", v.subject(c), d.Probe, token(string(d.Kind)), d.Pods, pods(c.Total))
		if len(d.PodNames) > 0 {
			text += " (" + firstOf(d.PodNames, d.Pods) + ")"
		}
		if d.By != "" {
			text += ", by " + token(d.By)
		}
		if at := v.since(d.At); at != "" {
			text += " at " + at
		}
		v.page.say(cell{text: "drift", tint: yellow}, text+": "+differences(d.Change, d.Fields, "the template"))
	}
	for _, w := range c.Rewritten {
		how := "rewritten by admission"
		if w.OrChanged {
			how += " or changed since"
		}
		v.page.say(cell{text: "note"}, fmt.Sprintf("%s%s %s, %d of %s: %s", v.subject(c), w.Probe, how, w.Pods, pods(c.Total), differences(w.Change, w.Fields, "the template")))
	}
}

// differences are both sides of each field.
func differences(change report.Change, fields []report.Field, other string) string {
	switch change {
	case report.Added:
		return "they have it, " + other + " has not"
	case report.Removed:
		return other + " has it, they have not"
	}
	var parts []string
	for i, f := range fields {
		if i == mostFields {
			parts = append(parts, fmt.Sprintf("and %d more fields", len(fields)-mostFields))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s: %s)", token(f.Field), side(f.Pod), other, side(f.Template)))
	}
	return strings.Join(parts, ", ")
}

func side(value string) string {
	if value == "" {
		return "unset"
	}
	return cutEnd(Escape(value), 60)
}
