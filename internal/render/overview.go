// Package render prints a Report as text. Only here are tables, colours and display widths.
//
// Standard output carries the table and nothing else, one line a row, so that it can be counted, sorted and
// searched; what a cell leaves open is said by Notes, on standard error.
package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// The row orders of Options.SortBy. Empty is SortByName.
const (
	SortByName      = "name"      // the Report's own order
	SortByDetection = "detection" // the longest undetected failure first
)

// Options say how to print.
type Options struct {
	Wide      bool
	NoHeaders bool
	Color     bool
	Width     int // columns of the terminal; 0 is no terminal: nothing is cut
	SortBy    string
}

// Overview prints one row a container. A Report without rows prints nothing, not even a header.
func Overview(w io.Writer, r *report.Report, o Options) error {
	rows := rowsOf(r)
	if err := sortRows(rows, o.SortBy); err != nil {
		return err
	}
	if len(rows) == 0 {
		return nil
	}
	t := newTable(columns(rows, o.Wide), rows, o.NoHeaders)
	t.fit(o.Width)
	if err := t.write(w, newPalette(o.Color)); err != nil {
		return fmt.Errorf("print the overview: %w", err)
	}
	return nil
}

// row is a container of a workload, and what its cells are made of.
type row struct {
	workload  *report.Workload
	container *report.Container
	observed  bool // there are facts of running Pods
}

func rowsOf(r *report.Report) []row {
	var rows []row
	running := observed(r)
	for i := range r.Workloads {
		w := &r.Workloads[i]
		for j := range w.Containers {
			rows = append(rows, row{w, &w.Containers[j], running})
		}
		if len(w.Containers) == 0 { // neither its template nor a Pod could be read: still a row
			unknown := &report.Container{Ready: w.Pods.Ready, Total: w.Pods.Total}
			rows = append(rows, row{w, unknown, running})
		}
	}
	return rows
}

func sortRows(rows []row, by string) error {
	switch by {
	case "", SortByName:
		return nil
	case SortByDetection:
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.detection(), a.detection()) })
		return nil
	default:
		return fmt.Errorf("unknown order %q, want %s or %s", by, SortByName, SortByDetection)
	}
}

// detection is the longest time in seconds that a failure of the running container goes unnoticed by a probe it has;
// -1 when it has neither a readiness nor a liveness probe, or their figures are unknown.
func (r row) detection() int64 {
	longest := int64(-1)
	for _, kind := range probe.Kinds() {
		if p := r.container.Probes.Get(kind); p != nil && p.Detection != nil {
			longest = max(longest, p.HeadlineSeconds())
		}
	}
	return longest
}
