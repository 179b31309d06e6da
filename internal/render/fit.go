package render

import (
	"slices"
	"unicode/utf8"
)

// give says what a column gives up on a terminal that is too narrow. Names and numbers are never cut: names are pasted
// back as arguments.
type give int

const (
	giveNothing give = iota
	giveEnd          // the ends of long texts
	giveMiddle       // the middle of an owner's name
	giveLast         // the middle, and only when the others have given all they can
)

const ellipsis = "…"

// fit shortens cells until the table is no wider than width, where that can be; 0 is any width. The widest column gives
// first, so that short ones stay whole. A table that cannot fit overflows, and the terminal breaks its rows: nothing is
// cut that does not spare it a line.
func (t *table) fit(width int) {
	if width <= 0 {
		return
	}
	all := t.floors(giveEnd, giveMiddle, giveLast)
	lines := max(1, (t.width()-t.slack(all)+width-1)/width)
	excess := t.width() - lines*width
	if excess <= 0 {
		return
	}
	excess -= t.narrow(t.floors(giveEnd, giveMiddle), excess)
	t.narrow(all, excess)
	t.shorten()
}

// floors are how narrow each column may become when those that give so give.
func (t *table) floors(giving ...give) []int {
	floors := make([]int, len(t.columns))
	for i, c := range t.columns {
		floors[i] = t.widths[i]
		if slices.Contains(giving, c.give) {
			floors[i] = min(floors[i], c.min)
		}
	}
	return floors
}

func (t *table) slack(floors []int) int {
	sum := 0
	for i := range floors {
		sum += t.widths[i] - floors[i]
	}
	return sum
}

// narrow takes up to excess from the columns, down to floors, and says how much it got.
func (t *table) narrow(floors []int, excess int) int {
	taken := 0
	for i := t.widest(floors); i >= 0 && taken < excess; i = t.widest(floors) {
		t.widths[i]--
		taken++
	}
	return taken
}

func (t *table) width() int {
	sum := len(between) * (len(t.widths) - 1)
	for _, w := range t.widths {
		sum += w
	}
	return sum
}

// widest is the widest column that can still give, -1 if none can.
func (t *table) widest(floors []int) int {
	found := -1
	for i, w := range t.widths {
		if w > floors[i] && (found < 0 || w > t.widths[found]) {
			found = i
		}
	}
	return found
}

func (t *table) shorten() {
	for n, line := range t.lines {
		header := t.header && n == 0
		for i := range line {
			switch give := t.columns[i].give; {
			case give == giveNothing:
			case give == giveEnd || header:
				line[i].text = cutEnd(line[i].text, t.widths[i])
			default:
				line[i].text = cutMiddle(line[i].text, t.widths[i])
			}
		}
	}
	t.measure() // a wide character that did not fit leaves a column narrower still
}

func cutEnd(s string, width int) string {
	if displayWidth(s) <= width {
		return s
	}
	return head(s, width-1) + ellipsis
}

// cutMiddle keeps both ends, by which names of one family are told apart.
func cutMiddle(s string, width int) string {
	if displayWidth(s) <= width {
		return s
	}
	end := tail(s, (width-1)/2)
	return head(s, width-1-displayWidth(end)) + ellipsis + end
}

// head is the longest beginning of s that is no wider than width.
func head(s string, width int) string {
	for i, r := range s {
		if width -= displayWidth(string(r)); width < 0 {
			return s[:i]
		}
	}
	return s
}

// tail is the longest end of s that is no wider than width and does not begin with a mark of what was cut off.
func tail(s string, width int) string {
	start := len(s)
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		w := displayWidth(string(r))
		if width -= w; width < 0 {
			break
		}
		i -= size
		if w > 0 {
			start = i
		}
	}
	return s[start:]
}
