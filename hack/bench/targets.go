package main

import (
	"fmt"
	"strings"
)

// target is something the project wants to hold, and what was measured.
type target struct {
	what            string
	measured, limit float64
	unit            string
	detail          string
}

func (t target) String() string {
	verdict := "met"
	if t.measured > t.limit {
		verdict = "**not met**"
	}
	detail := t.detail
	if detail != "" {
		detail = " (" + detail + ")"
	}
	return fmt.Sprintf("| %s | at most %s%s | %s%s%s | %s |", t.what, number(t.limit), t.unit, number(t.measured), t.unit, detail, verdict)
}

// number has the digits that a comparison takes.
func number(f float64) string {
	if f >= 10 {
		return fmt.Sprintf("%.0f", f)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.2f", f), ".00")
}

func (b *bench) targetsText() string {
	var out strings.Builder
	out.WriteString("| what | target | measured | |\n|---|---|---|---|\n")
	for _, t := range b.targets() {
		out.WriteString(t.String() + "\n")
	}
	return out.String()
}

func (b *bench) targets() []target {
	var all []target
	for _, s := range b.results.sizes {
		if s.pods == targetPods {
			all = append(all, liveTargets(s)...)
		}
	}
	if n := b.results.named; n != nil {
		all = append(all, ratio("one workload among 10 000 Pods: wall, of the same alone", n[inCrowd], n[alone], 2, wall))
	}
	if w := b.results.weight; w != nil {
		t := ratio("`-A`: peak RSS with Pods four times as large, of the same as they are", w[loaded], w[asTheyAre], 1.1, rss)
		t.detail = fmt.Sprintf("%.0f MB, %.0f MB", megabytes(w[loaded].RSS), megabytes(w[asTheyAre].RSS))
		all = append(all, t)
	}
	if o := b.results.overview; o != nil {
		all = append(all, target{
			what: "an overview of " + spaced(o.Rows) + " rows: CPU", measured: o.Pipe.Seconds(), limit: 0.3, unit: " s",
			detail: fmt.Sprintf("%.2f s with -o wide in colour on a terminal", o.Wide.Seconds()),
		})
	}
	if f := b.results.files; f != nil {
		all = append(all, fileTargets(f)...)
	}
	return all
}

func liveTargets(s sizeResult) []target {
	ours := s.figures[probes]
	all := []target{ratio("`-A`: wall, of the floor's", ours, s.figures[theFloor], 1.25, wall)}
	all = append(all, ratio("`-A`: wall, of `kubectl get pods -A`", ours, s.figures[getPods], 1.0/3, wall))
	if json := s.figures[getPodsJSON]; json != nil {
		all = append(all, ratio("`-A`: wall, of `kubectl get pods -A -o json`", ours, json, 0.1, wall))
	}
	return append(all,
		target{what: "`-A`: peak RSS", measured: megabytes(ours.RSS), limit: 120, unit: " MB"},
		target{what: "`-A`: requests", measured: float64(ours.requests), limit: 60})
}

func fileTargets(f *filesResult) []target {
	table := f.figures[tableOfFile]
	all := []target{
		{what: "`-f`: peak RSS, of the file's size", measured: float64(table.RSS) / float64(f.fileBytes), limit: 4},
		ratio("`-f`: CPU for the table, of `-o json`", table, f.figures[jsonOfFile], 1, cpu),
	}
	if python := f.figures[pythonLoads]; python != nil {
		all = append(all, ratio("`-f`: wall, of Python's json.loads", table, python, 6, wall))
	}
	return all
}

func wall(f *figures) float64 { return f.Wall.Seconds() }
func cpu(f *figures) float64  { return f.CPU.Seconds() }
func rss(f *figures) float64  { return float64(f.RSS) }

func ratio(what string, ours, theirs *figures, limit float64, of func(*figures) float64) target {
	return target{
		what: what, measured: of(ours) / of(theirs), limit: limit,
		detail: fmt.Sprintf("%.3f s, %.3f s", of(ours), of(theirs)),
	}
}
