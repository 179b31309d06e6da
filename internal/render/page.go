package render

import (
	"io"
	"strings"
)

const (
	// defaultWidth is where sentences are wrapped when the width is unknown.
	defaultWidth = 80
	// leastWidth is where they are wrapped on a terminal that is narrower still.
	leastWidth = 40
	// labelWidth is that of the words in the margin: "warning  ".
	labelWidth = 9
)

// page is text of several sections: sentences, wrapped, and tables, which are cut on a terminal and never wrapped.
type page struct {
	out     strings.Builder
	palette palette
	width   int // of the terminal, 0 when unknown
	gap     bool
}

func newPage(o Options) *page { return &page{palette: newPalette(o.Color), width: o.Width} }

func (p *page) wrapAt() int {
	if p.width <= 0 {
		return defaultWidth
	}
	return max(p.width, leastWidth)
}

// section begins with a blank line unless it is the first, or turns out to be empty.
func (p *page) section() { p.gap = p.out.Len() > 0 }

// line prints cells next to each other.
func (p *page) line(cells ...cell) {
	if p.gap {
		p.out.WriteByte('\n')
		p.gap = false
	}
	text := ""
	for _, c := range cells {
		text += p.palette.paint(c)
	}
	p.out.WriteString(strings.TrimRight(text, " ") + "\n")
}

// say prints a sentence, wrapped, beside a label in the margin.
func (p *page) say(label cell, text string) { p.sayAt(labelWidth, label, cell{}, text) }

// sayAt has the text begin behind a lead on its first line, and all of it indented.
func (p *page) sayAt(indent int, label, lead cell, text string) {
	taken := 0
	margin := blanks(indent - displayWidth(label.text))
	if indent == 0 {
		margin = cell{}
	}
	if lead.text != "" {
		taken = displayWidth(lead.text) + len(between)
	}
	for i, line := range wrap(text, p.wrapAt()-indent, taken) {
		switch {
		case i > 0:
			p.line(cell{text: strings.Repeat(" ", indent) + line})
		case taken > 0:
			p.line(label, margin, lead, cell{text: between + line})
		default:
			p.line(label, margin, cell{text: line})
		}
	}
}

func blanks(n int) cell { return cell{text: strings.Repeat(" ", max(n, 1))} }

// items prints what belongs on one line, three blanks apart, and on more lines where they do not fit.
func (p *page) items(items ...cell) {
	const apart = "   "
	var line []cell
	used := 0
	for _, c := range items {
		if c.text == "" {
			continue
		}
		if used > 0 && used+len(apart)+displayWidth(c.text) > p.wrapAt() {
			p.line(line...)
			line, used = []cell{{text: "  "}}, 2
		} else if used > 0 {
			line, used = append(line, cell{text: apart}), used+len(apart)
		}
		line, used = append(line, c), used+displayWidth(c.text)
	}
	if len(line) > 0 {
		p.line(line...)
	}
}

// table prints a grid under its header.
func (p *page) table(columns []column, lines [][]cell) {
	t := newGrid(columns, lines)
	t.fit(p.width)
	for _, line := range t.lines {
		p.line(t.padded(line)...)
	}
}

// fits says that a grid has room on the terminal, with as much cut as may be.
func (p *page) fits(columns []column, lines [][]cell) bool {
	t := newGrid(columns, lines)
	return p.width <= 0 || t.width()-t.slack(t.floors(giveEnd, giveMiddle, giveLast)) <= p.width
}

func (p *page) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, p.out.String())
	return err
}

// wrap breaks text between words into lines of at most width columns, of which the first has some taken. A longer word
// has a line of its own: commands and paths stay whole.
func wrap(text string, width, taken int) []string {
	var lines []string
	line, used := "", taken
	for _, word := range strings.Fields(text) {
		switch w := displayWidth(word); {
		case line == "" && (used == 0 || used+w <= width):
			line, used = word, used+w
		case line != "" && used+1+w <= width:
			line, used = line+" "+word, used+1+w
		default:
			lines = append(lines, line)
			line, used = word, w
		}
	}
	return append(lines, line)
}
