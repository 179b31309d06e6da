package rules

import (
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// didYouMean suggests the word that was meant, when one is near enough: by its letters, or as a part of it.
func didYouMean(word string, known []string) string {
	lower := strings.ToLower(strings.ReplaceAll(word, "_", "-"))
	best := probe.Nearest(lower, known)
	for _, k := range known {
		if best == "" && len(lower) > 2 && strings.Contains(k, lower) {
			best = k
		}
	}
	if best == "" {
		return ""
	}
	return ": did you mean " + best + "?"
}
