package render

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// many is a Report of n rows.
func many(n int) *report.Report {
	r := onCluster()
	for i := range n {
		c := on(container(fmt.Sprintf("container-%d", i%7), i%4, 3, report.Probes{
			Readiness: acting("http", "GET :8080/readyz", int64(i%90)),
			Liveness:  acting("exec", "exec sh -c 'a b c'", int64(i%4000)),
		}), "node-1", "node-2", "node-3")
		r.Workloads = append(r.Workloads, deploy(fmt.Sprintf("team-%d", i%20), fmt.Sprintf("workload-%d", i), 3, live(i%4, 3), c))
	}
	return r
}

// hostile is a Report in which everything that somebody else wrote is made of what breaks tables.
func hostile(rnd *rand.Rand, rows int) *report.Report {
	pieces := []string{
		"a", "web", "-", " ", "  ", "\n", "\r\n", "\t", "\x00", "\x1b[31m", "\x1b]0;x\x07", "\u009b2J", "\u202e", "\u200b",
		"\u2028", "\ufeff", "\xff", "\xc3", "日本", "漢", "ｗ", "e\u0301", "\u0301", "😀", "\\", `\n`, "…", "%s", "|", "\u00ad", "한글", "ด้",
		"\u1112\u1161\u11ab", "🇩🇪", "👍🏽", "\u20dd",
	}
	text := func() string {
		var b strings.Builder
		for range rnd.IntN(12) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		return b.String()
	}
	r := onCluster()
	for range rows {
		c := on(container(text(), rnd.IntN(3), 2, report.Probes{Startup: starting(text(), text(), 9), Liveness: acting("exec", text(), 3)}), text())
		c.Drift = []report.Drift{{Probe: "liveness", Kind: report.DriftKind(text()), Change: report.Fields, Pods: 1, Fields: []report.Field{{Field: text()}}}}
		c.Restarts = int64(rnd.IntN(2))
		w := deploy(text(), text(), 2, live(1, 2), c)
		w.DisplayName = text()
		w.RootOwner = &report.OwnerRef{Kind: text(), Group: text(), Name: text()}
		r.Workloads = append(r.Workloads, w)
	}
	return r
}

// narrow measures by another library than the one under test.
func narrow(s string) int {
	c := &runewidth.Condition{StrictEmojiNeutral: true}
	n := 0
	for _, r := range s {
		if !unicode.In(r, unicode.Mn, unicode.Me) { // of which it knows only the common ones
			n += c.RuneWidth(r)
		}
	}
	return n
}

func TestOneAlignedLineARowWhateverItHolds(t *testing.T) {
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		r := hostile(rnd, 1+rnd.IntN(8))
		o := Options{Wide: rnd.IntN(2) == 0, NoHeaders: rnd.IntN(2) == 0, Width: rnd.IntN(3) * 70}
		got := overview(t, r, o)

		rows := rowsOf(r)
		grid := newTable(columns(rows, namespaces(r, rows), o), rows, o.NoHeaders)
		grid.fit(o.Width)
		lines := linesOf(got)
		if len(lines) != len(grid.lines) {
			t.Fatalf("seed %d: %d lines, want %d:\n%s", seed, len(lines), len(grid.lines), got)
		}
		for i, line := range lines {
			checkAligned(t, line, grid.lines[i], grid)
		}
		if strings.ContainsAny(got, "\x1b\r\t\x00\u009b\u202e\u2028") {
			t.Errorf("seed %d: unescaped:\n%q", seed, got)
		}
	}
}

// checkAligned finds each cell at the column that is the sum of the widths before it.
func checkAligned(t *testing.T, line string, cells []cell, grid *table) {
	t.Helper()
	if line != strings.TrimRight(line, " ") {
		t.Errorf("trailing blanks: %q", line)
	}
	column := 0
	for i, c := range cells {
		at := byteAt(line, column)
		if at < 0 || !strings.HasPrefix(line[at:]+strings.Repeat(" ", len(c.text)), c.text) {
			t.Errorf("no %q at column %d of %q", c.text, column, line)
		}
		width := 0
		for _, l := range grid.lines {
			width = max(width, narrow(l[i].text))
		}
		column += width + 2
	}
}

// byteAt is where a display column begins, -1 when none begins there.
func byteAt(line string, column int) int {
	n := 0
	for i, r := range line {
		width := narrow(string(r))
		if n == column && width > 0 {
			return i
		}
		n += width
	}
	if n <= column {
		return len(line)
	}
	return -1
}

func TestBothWritersPrintTheSameBytes(t *testing.T) {
	reports := map[string]*report.Report{"shop": shop(), "everywhere": everywhere(), "many": many(300)}
	for seed := range uint64(50) {
		reports[fmt.Sprint("hostile ", seed)] = hostile(rand.New(rand.NewPCG(seed, 2)), 5)
	}
	for name, r := range reports {
		for _, o := range []Options{{}, {NoHeaders: true}, {Wide: true}, {Wide: true, Width: 100}} {
			rows := rowsOf(r)
			grid := newTable(columns(rows, namespaces(r, rows), o), rows, o.NoHeaders)
			grid.fit(o.Width)
			for _, p := range []palette{newPalette(false), newPalette(true)} {
				byTablewriter, ok := grid.paintedByTablewriter(p)
				if !ok {
					t.Errorf("%s %+v: tablewriter laid the lines out otherwise", name, o)
				}
				var padded bytes.Buffer
				if err := grid.writePadded(&padded, p); err != nil {
					t.Fatal(err)
				}
				if padded.String() != string(byTablewriter) {
					t.Errorf("%s %+v:\ntablewriter\n%q\npadded\n%q", name, o, byTablewriter, padded.String())
				}
			}
		}
	}
}

func TestALocaleChangesNoWidths(t *testing.T) {
	twwidth.SetEastAsian(true) // as LANG=ja_JP does
	defer twwidth.SetEastAsian(false)
	rows := rowsOf(shop())
	grid := newTable(columns(rows, false, Options{Wide: true}), rows, false)
	grid.fit(100)
	if _, ok := grid.paintedByTablewriter(newPalette(false)); !ok {
		t.Error("tablewriter measures otherwise")
	}
}

func TestAnotherLayoutOfTablewriterLosesNothing(t *testing.T) {
	rows := rowsOf(shop())
	grid := newTable(columns(rows, false, Options{}), rows, false)
	for i := range grid.widths {
		grid.widths[i]++ // so that tablewriter's lines are not the expected ones
	}
	if _, ok := grid.paintedByTablewriter(newPalette(true)); ok {
		t.Fatal("not noticed")
	}
	var got, want bytes.Buffer
	if err := grid.writeTablewriter(&got, newPalette(true)); err != nil {
		t.Fatal(err)
	}
	if err := grid.writePadded(&want, newPalette(true)); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want.String())
	}
}

func TestManyRowsLookLikeFew(t *testing.T) {
	few, lots := many(maxTablewriterRows), many(maxTablewriterRows+1)
	a, b := linesOf(overview(t, few, Options{})), linesOf(overview(t, lots, Options{}))
	if len(a) != maxTablewriterRows+1 || len(b) != maxTablewriterRows+2 {
		t.Fatalf("%d and %d lines", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("line %d: %q and %q", i, a[i], b[i])
		}
	}
}

func TestColourChangesNothingElse(t *testing.T) {
	t.Setenv("NO_COLOR", "1") // what counts is the option
	reports := []*report.Report{shop(), everywhere(), hostile(rand.New(rand.NewPCG(3, 3)), 20), many(maxTablewriterRows + 1)}
	for i, r := range reports {
		for _, o := range []Options{{}, {Wide: true}, {Wide: true, Width: 90}} {
			plain := overview(t, r, o)
			o.Color = true
			coloured := overview(t, r, o)
			if !strings.Contains(coloured, "\x1b[31m") {
				t.Errorf("%d %+v: no colour", i, o)
			}
			if withoutColor(coloured) != plain {
				t.Errorf("%d %+v:\nplain\n%s\ncoloured\n%s", i, o, plain, coloured)
			}
		}
	}
}

func BenchmarkTable20000Rows(b *testing.B) {
	rows := rowsOf(many(20_000))
	grid := newTable(columns(rows, false, Options{}), rows, false)
	b.Run("padded", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := grid.writePadded(io.Discard, newPalette(false)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tablewriter", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := grid.writeTablewriter(io.Discard, newPalette(false)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkOverview20000Rows(b *testing.B) {
	r := many(20_000)
	for _, o := range []Options{{}, {Wide: true, Color: true, Width: 160}} {
		b.Run(fmt.Sprintf("wide=%t", o.Wide), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Overview(io.Discard, r, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
