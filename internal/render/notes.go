package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Notes explains, for standard error, those marks that Overview printed, and names what could not be read. Nothing needs
// a word: nothing is printed. Write errors are dropped: there is no place left to report them.
func Notes(w io.Writer, r *report.Report, o Options) {
	rows := rowsOf(r)
	for _, note := range slices.Concat(probeNotes(rows, o.Wide), readyNotes(rows), gapNotes(r.Gaps)) {
		fmt.Fprintln(w, note)
	}
}

func probeNotes(rows []row, wide bool) []string {
	var drift, unknown, noHandler bool
	for _, r := range rows {
		unknown = unknown || r.templateUnknown()
		for _, kind := range probe.Kinds() {
			drift = drift || r.drifted(kind)
			p := r.container.Probes.Get(kind)
			noHandler = noHandler || p != nil && p.Handler.Type == ""
		}
	}
	var notes []string
	if drift {
		how := "-o wide shows how"
		if wide {
			how = "see DRIFT"
		}
		notes = append(notes, driftMark+"  some running Pods have another probe than the template ("+how+")")
	}
	if unknown {
		notes = append(notes, unknownMark+"  after a probe: its template could not be read, so drift is unknown")
	}
	if noHandler {
		notes = append(notes, unknownMark+":  a probe without a handler")
	}
	return notes
}

func readyNotes(rows []row) []string {
	var seen [numberOfWhys]bool
	for _, r := range rows {
		seen[r.readyCount().why] = true
	}
	var reasons []string
	for y, yes := range seen {
		if text := why(y).explanation(); yes && text != "" {
			reasons = append(reasons, text)
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	return []string{"-  in READY: " + strings.Join(reasons, "; ")}
}
