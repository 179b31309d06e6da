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
	if len(found) == 0 {
		return none()
	}
	c := cell{text: token(found[0].Rule), tint: yellow}
	if more := len(found) - 1; more > 0 {
		c.text += fmt.Sprintf(" +%d", more)
	}
	return c
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
