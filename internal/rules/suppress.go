package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// suppress marks the findings that the workload's annotation asks to leave be.
func suppress(w *report.Workload, c *report.Container) {
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Suppressed = slices.ContainsFunc(w.Ignore, func(entry string) bool {
			container, rule := splitEntry(entry)
			return rule == f.Rule && (container == "" || container == c.Name)
		})
	}
}

// splitEntry reads RULE or CONTAINER:RULE.
func splitEntry(entry string) (container, rule string) {
	if before, after, ok := strings.Cut(entry, ":"); ok {
		return before, after
	}
	return "", entry
}

// Misspelled says which annotations suppress nothing because they name no rule, or no container.
func Misspelled(r *report.Report) []string {
	var all []string
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for _, entry := range w.Ignore {
			container, rule := splitEntry(entry)
			named := func(c report.Container) bool { return c.Name == container }
			switch {
			case !slices.Contains(ids(), rule):
				all = append(all, fmt.Sprintf("%s in %s: its annotation ignores the rule %q, which does not exist%s", w.DisplayName, w.Namespace, rule, didYouMean(rule, ids())))
			case container != "" && !slices.ContainsFunc(w.Containers, named) && len(r.Scope.Containers) == 0:
				all = append(all, fmt.Sprintf("%s in %s: its annotation ignores %s of the container %q, which does not exist", w.DisplayName, w.Namespace, rule, container))
			}
		}
	}
	return all
}

func ids() []string {
	var all []string
	for _, rule := range All() {
		all = append(all, rule.ID)
	}
	return all
}
