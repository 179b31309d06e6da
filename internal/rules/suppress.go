package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// ignored is a rule that a workload's annotation asks to leave be, of one container or of all.
type ignored struct{ container, rule string }

func ignoredBy(w *report.Workload) map[ignored]bool {
	all := map[ignored]bool{}
	for _, entry := range w.Ignore {
		container, rule := splitEntry(entry)
		all[ignored{container, rule}] = true
	}
	return all
}

// suppress marks the findings to be left be.
func suppress(c *report.Container, all map[ignored]bool) {
	for i := range c.Findings {
		f := &c.Findings[i]
		f.Suppressed = all[ignored{"", f.Rule}] || all[ignored{c.Name, f.Rule}]
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
	known := ids()
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if len(w.Ignore) == 0 {
			continue
		}
		containers := map[string]bool{}
		for _, c := range w.Containers {
			containers[c.Name] = true
		}
		for _, entry := range w.Ignore {
			container, rule := splitEntry(entry)
			switch {
			case !slices.Contains(known, rule):
				all = append(all, fmt.Sprintf("%s in %s: its annotation ignores the rule %q, which does not exist%s", w.DisplayName, w.Namespace, rule, didYouMean(rule, known)))
			case container != "" && !containers[container] && len(r.Scope.Containers) == 0:
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
