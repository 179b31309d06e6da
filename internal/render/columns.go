package render

import (
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// cell is plain text, escaped and of one line, and its colour.
type cell struct {
	text string
	tint tint
}

// column is everything there is to a column: adding one is an entry in columns.
type column struct {
	header string
	cell   func(row) cell
	give   give
	min    int // how far it may be shortened
}

// columns are those of the overview, in their order. In wide, the handlers come last: they are as long as people's shell
// scripts and would push all that follows out of sight. Left of DRIFT every cell is one token.
func columns(rows []row, wide bool) []column {
	cs := []column{
		{"WORKLOAD", func(r row) cell { return named(r.workload.DisplayName) }, giveName, 10},
		{"CONTAINER", func(r row) cell { return named(r.container.Name) }, giveName, 6},
		{"READY", readyCell, giveNothing, 0},
		{"RESTARTS", restartsCell, giveNothing, 0},
	}
	if severalNamespaces(rows) {
		cs = slices.Insert(cs, 0, column{"NAMESPACE", func(r row) cell { return named(r.workload.Namespace) }, giveName, 6})
	}
	for _, kind := range probe.Kinds() {
		cs = append(cs, column{upper(kind), func(r row) cell { return probeCell(r, kind) }, giveNothing, 0})
	}
	if wide {
		cs = append(cs, wideColumns(rows)...)
	}
	return cs
}

// wideColumns leaves out what no row has.
func wideColumns(rows []row) []column {
	cs := []column{{"NODES", nodesCell, giveName, 8}}
	if slices.ContainsFunc(rows, func(r row) bool { return r.workload.RootOwner != nil }) {
		cs = append(cs, column{"ROOT-OWNER", rootOwnerCell, giveName, 10})
	}
	cs = append(cs, column{"DRIFT", driftCell, giveText, 21}) // "readiness: stale 2/3…"
	for _, kind := range probe.Kinds() {
		if slices.ContainsFunc(rows, func(r row) bool { return r.container.Probes.Get(kind) != nil }) {
			handler := func(r row) cell { return handlerCell(r.container.Probes.Get(kind)) }
			cs = append(cs, column{upper(kind) + "-HANDLER", handler, giveText, 12})
		}
	}
	return cs
}

func upper(kind probe.Kind) string { return strings.ToUpper(string(kind)) }

func severalNamespaces(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.workload.Namespace != rows[0].workload.Namespace })
}

// named is a name as one token.
func named(name string) cell {
	if name == "" {
		return none()
	}
	return cell{text: token(name)}
}

func none() cell { return cell{"-", grey} }

func rootOwnerCell(r row) cell {
	owner := r.workload.RootOwner
	if owner == nil {
		return none()
	}
	return named(ownerName(owner))
}

// ownerName is built as display names of kinds are that Kubernetes does not bring: kind.group/name.
func ownerName(o *report.OwnerRef) string {
	kind := strings.ToLower(o.Kind)
	if o.Group != "" {
		kind += "." + o.Group
	}
	return kind + "/" + o.Name
}
