package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// findingsCell names the gravest, and how many others there are.
func findingsCell(r row) cell {
	if r.container.Findings == nil {
		return unknown()
	}
	found := standing(r.container.Findings)
	switch {
	case len(found) == 0 && r.undecided():
		return unknown()
	case len(found) == 0:
		return none()
	}
	c := cell{text: token(found[0].Rule), tint: yellow}
	if more := len(found) - 1; more > 0 {
		c.text += fmt.Sprintf(" +%d", more)
	}
	return c
}

// undecided says that rules about what the probes of a container do lack the Events: they found nothing, and that is not
// that there is nothing.
func (r row) undecided() bool {
	p := r.container.Probes
	return r.observed && r.container.Total > 0 && r.container.Failures == nil && (p.Startup != nil || p.Readiness != nil || p.Liveness != nil)
}

// asked says that rules were applied to some row.
func asked(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.container.Findings != nil })
}

// standing are the findings that nobody asked to leave be, the gravest first.
func standing(findings []report.Finding) []report.Finding {
	found := slices.DeleteFunc(slices.Clone(findings), func(f report.Finding) bool { return f.Suppressed })
	slices.SortStableFunc(found, func(a, b report.Finding) int { return cmp.Compare(rank(a.Severity), rank(b.Severity)) })
	return found
}

// rank is 0 for what is gravest.
func rank(s report.Severity) int {
	if i := slices.Index(report.Severities(), s); i >= 0 {
		return i
	}
	return len(report.Severities())
}
