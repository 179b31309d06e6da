package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

const (
	maxGapNotes  = 6
	maxGapPlaces = 3
	maxGapWords  = 160 // columns of a server's own words
)

// gapGroup is what one line tells: the same could not be read for the same reason, in several places.
type gapGroup struct {
	what, reason, message string
	named                 bool // single objects, not all of a resource
	places                []string
}

// gapNotes names the gaps that bear on what was printed, one line a resource and reason.
func gapNotes(gaps []report.Gap) []string {
	groups := groupGaps(slices.DeleteFunc(slices.Clone(gaps), func(g report.Gap) bool { return !shown(g) }))
	var notes []string
	rest := 0
	for _, g := range groups {
		if len(notes) < maxGapNotes {
			notes = append(notes, g.String())
		} else {
			rest += len(g.places)
		}
	}
	if rest > 0 {
		notes = append(notes, fmt.Sprintf("and %d more (-o json lists them)", rest))
	}
	return notes
}

// shown is not true of what files need not hold: no column is made of it.
func shown(g report.Gap) bool {
	switch g.What {
	case "services", "nodes", "endpointslices.discovery.k8s.io":
		return g.Reason != "absent" || g.Name != ""
	default:
		return true
	}
}

// groupGaps keeps the order of the first of each group.
func groupGaps(gaps []report.Gap) []gapGroup {
	var groups []gapGroup
	for _, g := range gaps {
		key := gapGroup{what: g.What, reason: g.Reason, named: g.Name != ""}
		if g.Reason == "error" { // the other reasons say it all
			key.message = g.Message
		}
		i := slices.IndexFunc(groups, key.same)
		if i < 0 {
			i = len(groups)
			groups = append(groups, key)
		}
		groups[i].places = append(groups[i].places, place(g))
	}
	return groups
}

func (g gapGroup) same(o gapGroup) bool {
	return g.what == o.what && g.reason == o.reason && g.named == o.named && g.message == o.message
}

func place(g report.Gap) string {
	switch {
	case g.Name == "":
		return cmp.Or(token(g.Namespace), "all namespaces")
	case g.Namespace == "":
		return token(g.Name)
	default:
		return token(g.Namespace) + "/" + token(g.Name)
	}
}

// String is "deployments.apps in shop, pay: forbidden (templates and drift unknown)".
func (g gapGroup) String() string {
	var b strings.Builder
	b.WriteString(token(g.what))
	if g.named {
		b.WriteString(" ")
	} else {
		b.WriteString(" in ")
	}
	if n := len(g.places) - maxGapPlaces; n > 0 {
		fmt.Fprintf(&b, "%s and %d more", strings.Join(g.places[:maxGapPlaces], ", "), n)
	} else {
		b.WriteString(strings.Join(g.places, ", "))
	}
	b.WriteString(": " + token(g.reason))
	if g.message != "" {
		b.WriteString(": " + cutEnd(Escape(g.message), maxGapWords))
	}
	if c := consequence(g.what); c != "" {
		b.WriteString(" (" + c + ")")
	}
	return b.String()
}

// consequence is what the overview cannot tell without the resource.
func consequence(what string) string {
	switch what {
	case "pods":
		return "their rows are missing or count too little"
	case "events":
		return "why containers were restarted, and failures of probes, unknown"
	case "services", "endpointslices.discovery.k8s.io":
		return ""
	case "nodes":
		return "whether Pods are down with their node unknown"
	case "replicasets.apps", "controllerrevisions.apps":
		return "revisions and drift unknown"
	default:
		return "templates and drift unknown"
	}
}
