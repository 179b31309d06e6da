package render

import (
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// mostFindings is how many are told whole; of the others the names are.
const mostFindings = 5

// finding is one of a container.
type finding struct {
	*report.Finding
	container string
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
				f := finding{&c.Findings[j], c.Name}
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
	return all, suppressed
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
	for _, line := range strings.Split(f.Hint, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			v.page.say(cell{}, visible(line))
		}
	}
	if f.Command != "" {
		v.page.line(cell{text: strings.Repeat(" ", labelWidth) + visible(f.Command)})
	}
}
