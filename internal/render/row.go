package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// The row orders of Options.SortBy. Empty is SortByName.
const (
	SortByName      = "name"      // the Report's own order
	SortBySeverity  = "severity"  // what needs a person first
	SortByDetection = "detection" // the longest undetected failure first
)

// row is a container of a workload, and what its cells are made of.
type row struct {
	workload  *report.Workload
	container *report.Container
	observed  bool      // there are facts of running Pods
	unread    bool      // its Pods could not be read: nothing is known of them, and nothing is not none
	asOf      time.Time // ages are counted from here
}

func rowsOf(r *report.Report) []row {
	var rows []row
	unread := podsUnread(r.Gaps)
	for i := range r.Workloads {
		w := &r.Workloads[i]
		in := row{workload: w, observed: r.Running, unread: w.Pods.Total == 0 && unread(w.Namespace)}
		if r.AsOf != nil {
			in.asOf = r.AsOf.Time
		}
		for j := range w.Containers {
			in.container = &w.Containers[j]
			rows = append(rows, in)
		}
		if len(w.Containers) == 0 { // neither its template nor a Pod could be read: still a row
			in.container = &report.Container{Ready: w.Pods.Ready, Total: w.Pods.Total}
			rows = append(rows, in)
		}
	}
	return rows
}

// podsUnread says of which namespaces the Pods could not be listed; single ones that are gone are no such thing.
func podsUnread(gaps []report.Gap) func(namespace string) bool {
	unread := map[string]bool{}
	for _, g := range gaps {
		if g.What == "pods" && g.Name == "" {
			unread[g.Namespace] = true
		}
	}
	return func(namespace string) bool { return unread[""] || unread[namespace] }
}

func sortRows(rows []row, by string) error {
	switch by {
	case "", SortByName:
		return nil
	case SortBySeverity:
		slices.SortStableFunc(rows, func(a, b row) int {
			return report.CompareSeverity(a.workload, a.container, b.workload, b.container)
		})
		return nil
	case SortByDetection:
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.detection(), a.detection()) })
		return nil
	default:
		return fmt.Errorf("unknown order %q, want %s, %s or %s", by, SortByName, SortBySeverity, SortByDetection)
	}
}

// detection is the longest time in seconds that a failure of the running container goes unnoticed by a probe it has: longer
// than any by one that never acts; -1 when it has neither a readiness nor a liveness probe, or their figures are unknown.
func (r row) detection() int64 {
	longest := int64(-1)
	for _, kind := range []probe.Kind{probe.Readiness, probe.Liveness} {
		p := r.container.Probes.Get(kind)
		switch {
		case p == nil:
		case p.WhyNot != "":
			return math.MaxInt64
		case p.HasFigures():
			longest = max(longest, p.HeadlineSeconds())
		}
	}
	return longest
}
