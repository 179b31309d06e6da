package render

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// maxTablewriterRows is where tablewriter, at some 250 allocations a row, begins to be felt.
const maxTablewriterRows = 2000

// between is what stands between two columns.
const between = "  "

// table is a grid of cells; with a header it is the first line.
type table struct {
	columns []column
	header  bool
	lines   [][]cell
	widths  []int // of the columns
}

func newTable(columns []column, rows []row, noHeader bool) *table {
	t := &table{columns: columns, header: !noHeader}
	if t.header {
		line := make([]cell, 0, len(columns))
		for _, c := range columns {
			line = append(line, cell{text: c.header})
		}
		t.lines = append(t.lines, line)
	}
	for _, r := range rows {
		line := make([]cell, 0, len(columns))
		for _, c := range columns {
			line = append(line, c.cell(r))
		}
		t.lines = append(t.lines, line)
	}
	t.measure()
	return t
}

// newGrid is a table of cells that are made already; columns need no cell function.
func newGrid(columns []column, lines [][]cell) *table {
	t := &table{columns: columns, header: true}
	header := make([]cell, 0, len(columns))
	for _, c := range columns {
		header = append(header, cell{text: c.header})
	}
	t.lines = append([][]cell{header}, lines...)
	t.measure()
	return t
}

// padded are the cells of a line with the blanks between them.
func (t *table) padded(line []cell) []cell {
	out := make([]cell, 0, 2*len(line))
	for i, c := range line {
		out = append(out, c, cell{text: strings.Repeat(" ", t.widths[i]-displayWidth(c.text)+len(between))})
	}
	return out
}

func (t *table) measure() {
	t.widths = make([]int, len(t.columns))
	for _, line := range t.lines {
		for i, c := range line {
			t.widths[i] = max(t.widths[i], displayWidth(c.text))
		}
	}
}

// write prints the lines, left aligned, without trailing blanks.
func (t *table) write(w io.Writer, p palette) error {
	rows := len(t.lines)
	if t.header {
		rows--
	}
	if rows > maxTablewriterRows {
		return t.writePadded(w, p)
	}
	return t.writeTablewriter(w, p)
}

// writePadded is the writer for many rows. Widths come from the plain text, colour is added to it.
func (t *table) writePadded(w io.Writer, p palette) error {
	b := bufio.NewWriter(w)
	for _, line := range t.lines {
		pending := 0
		for i, c := range line {
			writeBlanks(b, pending)
			b.WriteString(p.paint(c))
			pending = t.widths[i] - displayWidth(c.text) + len(between)
		}
		b.WriteByte('\n')
	}
	return b.Flush() // and the first error of any write before
}

func writeBlanks(b *bufio.Writer, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

// writeTablewriter prints into memory first: tablewriter drops write errors, pads the last column and has its own mind
// about coloured cells. Should it ever lay lines out otherwise, the other writer prints them: no row is lost to it.
func (t *table) writeTablewriter(w io.Writer, p palette) error {
	painted, ok := t.paintedByTablewriter(p)
	if !ok {
		return t.writePadded(w, p)
	}
	_, err := w.Write(painted)
	return err
}

func (t *table) paintedByTablewriter(p palette) ([]byte, bool) {
	lines, err := t.tablewriterLines()
	if err != nil || len(lines) != len(t.lines) {
		return nil, false
	}
	var b bytes.Buffer
	for i, line := range lines {
		painted, ok := t.paintLine(line, t.lines[i], p)
		if !ok {
			return nil, false
		}
		b.WriteString(painted)
		b.WriteByte('\n')
	}
	return b.Bytes(), true
}

// tablewriterLines are the plain lines.
func (t *table) tablewriterLines() ([]string, error) {
	var out bytes.Buffer
	writer := tablewriter.NewTable(&out, tablewriterOptions()...)
	for i, line := range t.lines {
		texts := make([]string, 0, len(line)) // a new one each: Append keeps it
		for _, c := range line {
			texts = append(texts, c.text)
		}
		if i == 0 && t.header {
			writer.Header(texts)
		} else if err := writer.Append(texts); err != nil {
			return nil, err
		}
	}
	if err := writer.Render(); err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), nil
}

func tablewriterOptions() []tablewriter.Option {
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    tw.CellPadding{Global: tw.Padding{Left: tw.Empty, Right: between, Overwrite: true}},
	}
	return []tablewriter.Option{
		tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Settings: tw.Settings{
				Lines:      tw.LinesNone,
				Separators: tw.SeparatorsNone,
			},
		})),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithEastAsian(tw.Off), // else it looks at LANG
	}
}

// paintLine colours the cells of a finished plain line. Not ok: the line is not what the cells say.
func (t *table) paintLine(line string, cells []cell, p palette) (string, bool) {
	var b strings.Builder
	for i, c := range cells {
		rest, ok := strings.CutPrefix(line, c.text)
		if !ok {
			return "", false
		}
		b.WriteString(p.paint(c))
		if i == len(cells)-1 {
			return b.String(), strings.Trim(rest, " ") == ""
		}
		blanks := strings.Repeat(" ", t.widths[i]-displayWidth(c.text)+len(between))
		if line, ok = strings.CutPrefix(rest, blanks); !ok {
			return "", false
		}
		b.WriteString(blanks)
	}
	return b.String(), true
}

// DisplayWidth is how many columns of a terminal an escaped text takes.
func DisplayWidth(s string) int { return displayWidth(s) }

// displayWidth is the number of columns that s takes, by the measure of tablewriter, so that both writers agree.
// Characters of ambiguous width take one.
func displayWidth(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return twwidth.WidthWithOptions(s, twwidth.Options{})
		}
	}
	return len(s)
}
