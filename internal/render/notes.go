package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// caveat goes with whatever Events told, and with what they did not.
const caveat = "Events reach back about an hour and may lag by five minutes: none recently is not none ever."

// Notes explains, for standard error, those marks that Overview printed, and names what could not be read. Nothing needs
// a word: nothing is printed. Write errors are dropped: there is no place left to report them.
func Notes(w io.Writer, r *report.Report, o Options) {
	rows := rowsOf(r)
	notes := slices.Concat(probeNotes(rows, o.Wide), readyNotes(rows), reasonNotes(rows), findingNotes(rows, o), countNotes(rows, o), gapNotes(r.Gaps, isOfFiles(r)))
	said := o.Summary && r.Summary != nil && r.Summary.Failing != nil
	if !said && slices.ContainsFunc(rows, func(r row) bool { return r.fromEvents(o) }) {
		notes = append(notes, caveat)
	}
	for _, note := range notes {
		fmt.Fprintln(w, note)
	}
}

func probeNotes(rows []row, wide bool) []string {
	var drift, unread, never, nonsense bool
	for _, r := range rows {
		unread = unread || r.templateUnknown()
		for _, kind := range probe.Kinds() {
			drift = drift || r.drifted(kind)
			p := r.container.Probes.Get(kind)
			never = never || p != nil && p.WhyNot != ""
			nonsense = nonsense || p != nil && p.WhyNot == "" && !p.HasFigures()
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
	if unread {
		notes = append(notes, unknownMark+"  after a probe: its template could not be read, so drift is unknown")
	}
	if never {
		notes = append(notes, neverMark+"  in a probe: no check can be made (a port that does not exist, or no handler), so it never acts")
	}
	if nonsense {
		notes = append(notes, unknownMark+"  for the time of a probe: it has a number that no API server takes, and nothing follows from that")
	}
	return notes
}

func readyNotes(rows []row) []string {
	var seen [numberOfWhys]bool
	for _, r := range rows {
		if !r.unread {
			seen[r.readyCount().why] = true
		}
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

// reasonNotes tells a cause that Events have forgotten from one that could not be looked up.
func reasonNotes(rows []row) []string {
	var forgotten, unread bool
	for _, r := range rows {
		if c := r.container; len(c.Causes) > 0 && c.Causes[0].Cause == lost {
			forgotten = forgotten || c.Failures != nil
			unread = unread || c.Failures == nil
		}
	}
	switch {
	case forgotten && unread:
		return []string{"?  in REASON: restarted, and the Events do not say why, or could not be read"}
	case forgotten:
		return []string{"?  in REASON: restarted, and the Events do not say why any more"}
	case unread:
		return []string{"?  in REASON: restarted, and why is in Events that could not be read"}
	default:
		return nil
	}
}

func findingNotes(rows []row, o Options) []string {
	if o.NoFindings || !slices.ContainsFunc(rows, func(r row) bool { return r.container.Findings != nil && findingsCell(r).text == unknownMark }) {
		return nil
	}
	return []string{"?  in FINDINGS: nothing found, and rules about failures and kills could not be decided without Events"}
}

// countNotes explain the marks of the columns that only wide has.
func countNotes(rows []row, o Options) []string {
	if !o.Wide {
		return nil
	}
	ends := func(mark string, cells ...func(row) cell) bool {
		return slices.ContainsFunc(rows, func(r row) bool {
			return slices.ContainsFunc(cells, func(c func(row) cell) bool { return strings.HasSuffix(c(r).text, mark) })
		})
	}
	var notes []string
	if ends(atLeastMark, failuresCell) {
		notes = append(notes, "+  in FAILURES: at least; a kubelet writes 25 Events about a Pod, then one in five minutes")
	}
	if ends(atLeastMark, killsCell) {
		notes = append(notes, "+  in KILLS: at least; some kills were never written as Events, or are not kept any more")
	}
	if ends(unknownMark, failuresCell, killsCell) {
		notes = append(notes, "?  in FAILURES and KILLS: the Events were not read")
	}
	return notes
}

// fromEvents says that a cell printed what Events say.
func (r row) fromEvents(o Options) bool {
	if r.container.Failures == nil { // no Events were read
		return false
	}
	return o.Wide || slices.ContainsFunc(r.container.Causes, func(c report.Cause) bool {
		switch c.Cause {
		case lost, string(probe.Liveness), string(probe.Startup), "resize", "definition-changed", "FailedCreate":
			return true
		default: // that no probe was the reason is known from Events too
			return strings.HasPrefix(c.Cause, "exit-")
		}
	})
}
