package render

import (
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// mostFindings is how many are told whole; of the others the names are.
const mostFindings = 5

// finding is one of a container.
type finding struct {
	*report.Finding
	container string
	also      []*report.Finding // that refer to this one for what to do
}

// findings come with what to look at and what to try.
func (v *view) findings() {
	if v.noRules {
		return
	}
	all, suppressed := v.allFindings()
	v.page.section()
	var rest []string
	for i, f := range all {
		if i < mostFindings || v.full {
			v.finding(f)
		} else {
			rest = append(rest, token(f.container)+" "+token(f.Rule))
		}
	}
	if len(rest) > 0 {
		v.page.say(cell{text: "and", tint: yellow}, strings.Join(rest, ", ")+" (-o wide tells them)")
	}
	if len(suppressed) > 0 {
		v.page.say(cell{text: "ignored", tint: grey}, strings.Join(suppressed, ", ")+" (by annotation)")
	}
}

// allFindings are those of all containers, the gravest first, and the names of those to be left be.
func (v *view) allFindings() (all []finding, suppressed []string) {
	for _, severity := range append(report.Severities(), "") {
		for i := range v.workload.Containers {
			c := &v.workload.Containers[i]
			for j := range c.Findings {
				f := finding{Finding: &c.Findings[j], container: c.Name}
				known := rank(f.Severity) < len(report.Severities())
				switch {
				case f.Severity != severity && (known || severity != ""):
				case f.Suppressed:
					suppressed = append(suppressed, token(c.Name)+" "+token(f.Rule))
				default:
					all = append(all, f)
				}
			}
		}
	}
	return folding(all), suppressed
}

// folding puts a finding whose hint is to look at another, of the same probe, under that one.
func folding(all []finding) []finding {
	type name struct {
		container string
		probe     probe.Kind
		rule      string
	}
	first := map[name]int{}
	for i, f := range all {
		at := name{f.container, f.Probe, f.Rule}
		if _, known := first[at]; !known {
			first[at] = i
		}
	}
	folded := map[*report.Finding]bool{}
	for i, f := range all {
		rule, _, more := strings.Cut(f.Hint, " ")
		if at, known := first[name{f.container, f.Probe, rule}]; more && known && at != i {
			all[at].also = append(all[at].also, f.Finding)
			folded[f.Finding] = true
		}
	}
	return slices.DeleteFunc(all, func(f finding) bool { return folded[f.Finding] })
}

func (v *view) finding(f finding) {
	label := cell{text: token(string(f.Severity)), tint: yellow}
	if f.Severity == report.SeverityError {
		label.tint = red
	}
	subject := token(f.container)
	if f.Probe != "" {
		subject += " " + token(string(f.Probe))
	}
	v.page.sayAt(labelWidth, label, cell{text: token(f.Rule), tint: label.tint}, subject+": "+visible(f.Message))
	for _, other := range f.also {
		v.page.say(cell{}, token(other.Rule)+" too: "+visible(other.Message))
	}
	for _, line := range strings.Split(f.Hint, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			v.page.say(cell{}, visible(line))
		}
	}
	if f.Command != "" {
		v.page.line(cell{text: strings.Repeat(" ", labelWidth) + visible(f.Command)})
	}
}
