// Package render prints a Report as text. Only here are tables, colours and display widths.
//
// The overview is a table and nothing else, one line a row, so that it can be counted, sorted and searched; what a cell
// leaves open is said by Notes, for standard error. The view of one workload, Detail, is to be read: it says itself
// what it does not know.
package render

import (
	"fmt"
	"io"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Options say how to print.
type Options struct {
	Wide       bool
	NoHeaders  bool
	NoFindings bool // the rules were not asked: no column may claim that they found nothing
	Color      bool
	Width      int // columns of the terminal; 0 is no terminal: nothing is cut
	SortBy     string
	Summary    bool // the summary is printed too, which says for itself what Events cannot tell
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
	t := newTable(columns(rows, namespaces(r, rows), o), rows, o.NoHeaders)
	t.fit(o.Width)
	if err := t.write(w, newPalette(o.Color)); err != nil {
		return fmt.Errorf("print the overview: %w", err)
	}
	return nil
}
