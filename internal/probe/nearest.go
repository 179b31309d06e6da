package probe

import "strings"

// Nearest is the known word that was probably meant, by its letters whatever their case; empty when none is near
// enough to suggest.
func Nearest(word string, known []string) string {
	lower := strings.ToLower(word)
	best, distance := "", len(lower)/2+1
	for _, k := range known {
		if d := editDistance(lower, strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
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
