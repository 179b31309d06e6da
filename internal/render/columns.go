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
// scripts and would push all that follows out of sight.
func columns(rows []row, namespaces bool, o Options) []column {
	cs := []column{
		{header: "WORKLOAD", cell: func(r row) cell { return named(r.workload.DisplayName) }},
		{header: "CONTAINER", cell: func(r row) cell { return named(r.container.Name) }},
		{header: "READY", cell: readyCell},
		{header: "RESTARTS", cell: restartsCell},
		{header: "LAST", cell: lastCell},
		{header: "REASON", cell: reasonCell, give: giveLast, min: 12},
	}
	if namespaces {
		cs = slices.Insert(cs, 0, column{header: "NAMESPACE", cell: func(r row) cell { return named(r.workload.Namespace) }})
	}
	for _, kind := range probe.Kinds() {
		cs = append(cs, column{header: upper(kind), cell: func(r row) cell { return probeCell(r, kind) }})
	}
	if !o.NoFindings && asked(rows) {
		cs = append(cs, column{header: "FINDINGS", cell: findingsCell, give: giveLast, min: 12})
	}
	if o.Wide {
		cs = append(cs, wideColumns(rows)...)
	}
	return cs
}

// wideColumns leaves out what no row has.
func wideColumns(rows []row) []column {
	cs := []column{{header: "FAILURES", cell: failuresCell}}
	if slices.ContainsFunc(rows, func(r row) bool { return r.container.Errors != nil && r.errors() > 0 }) {
		cs = append(cs, column{header: "ERRORS", cell: errorsCell})
	}
	cs = append(cs, column{header: "KILLS", cell: killsCell}, column{header: "NODES", cell: nodesCell})
	if slices.ContainsFunc(rows, func(r row) bool { return r.workload.RootOwner != nil }) {
		cs = append(cs, column{header: "ROOT-OWNER", cell: rootOwnerCell, give: giveMiddle, min: 10})
	}
	cs = append(cs, column{header: "DRIFT", cell: driftCell, give: giveEnd, min: 21}) // "readiness: stale 2/3…"
	for _, kind := range probe.Kinds() {
		if slices.ContainsFunc(rows, func(r row) bool { return r.container.Probes.Get(kind) != nil }) {
			handler := func(r row) cell { return handlerCell(r.container.Probes.Get(kind)) }
			cs = append(cs, column{header: upper(kind) + "-HANDLER", cell: handler, give: giveEnd, min: 12})
		}
	}
	return cs
}

func upper(kind probe.Kind) string { return strings.ToUpper(string(kind)) }

// namespaces says whether rows need theirs told. In a cluster that is what was asked for, and in files what they hold, so
// that columns stay where they are whatever is found or left out.
func namespaces(r *report.Report, rows []row) bool {
	return r.Scope.AllNamespaces && len(r.Scope.Files) == 0 || len(r.Scope.Namespaces) > 1 || r.SeveralNamespaces ||
		slices.ContainsFunc(rows, func(r row) bool { return r.workload.Namespace != rows[0].workload.Namespace })
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
