package rules

import "strings"

// didYouMean suggests the word that was meant, when one is near enough: by its letters, or as a part of it.
func didYouMean(word string, known []string) string {
	lower := strings.ToLower(strings.ReplaceAll(word, "_", "-"))
	best, distance := "", len(lower)/2+1
	for _, k := range known {
		if d := editDistance(lower, k); d < distance {
			best, distance = k, d
		}
	}
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

// editDistance is Levenshtein's, bytewise.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
