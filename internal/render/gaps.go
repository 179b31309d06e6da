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

// gapGroup is what one line tells: what could not be read for the same reason, in the same places.
type gapGroup struct {
	whats           []string
	reason, message string
	named           bool // single objects, not all of a resource
	places          []string
}

// isOfFiles says that the Report is of files and not of a cluster.
func isOfFiles(r *report.Report) bool { return len(r.Scope.Files) > 0 }

// gapNotes names the gaps that bear on what was printed, one line a reason and set of places.
func gapNotes(gaps []report.Gap, fromFiles bool) []string {
	groups := alikePlaces(groupGaps(slices.DeleteFunc(slices.Clone(gaps), func(g report.Gap) bool { return !shown(g, fromFiles) })))
	var notes []string
	rest := 0
	for _, g := range groups {
		if len(notes) < maxGapNotes {
			notes = append(notes, g.String())
		} else {
			rest += len(g.whats) * len(g.places)
		}
	}
	if rest > 0 {
		notes = append(notes, fmt.Sprintf("and %d more (-o json lists them)", rest))
	}
	return notes
}

// shown is not true of what files need not hold: no column is made of it. What could not be read of the files ends the
// run with an error that says so.
func shown(g report.Gap, fromFiles bool) bool {
	switch g.What {
	case "files":
		return false
	case "services", "nodes", "endpointslices.discovery.k8s.io":
		return !fromFiles || g.Reason != "absent" || g.Name != ""
	default:
		return true
	}
}

// groupGaps keeps the order of the first of each group.
func groupGaps(gaps []report.Gap) []gapGroup {
	var groups []gapGroup
	for _, g := range gaps {
		key := gapGroup{whats: []string{g.What}, reason: g.Reason, named: g.Name != ""}
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

// alikePlaces joins resources that could not be read in the same places.
func alikePlaces(groups []gapGroup) []gapGroup {
	var joined []gapGroup
	for _, g := range groups {
		i := slices.IndexFunc(joined, func(o gapGroup) bool {
			return !g.named && !o.named && g.reason == o.reason && g.message == o.message && slices.Equal(g.places, o.places)
		})
		if i < 0 {
			joined = append(joined, g)
		} else {
			joined[i].whats = append(joined[i].whats, g.whats...)
		}
	}
	return joined
}

func (g gapGroup) same(o gapGroup) bool {
	return slices.Equal(g.whats, o.whats) && g.reason == o.reason && g.named == o.named && g.message == o.message
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

// String is "forbidden in shop, pay: deployments.apps, services (templates and drift unknown)", or of single objects
// "replicasets.apps shop/web-1: absent (revisions and drift unknown)".
func (g gapGroup) String() string {
	places := strings.Join(g.places, ", ")
	if n := len(g.places) - maxGapPlaces; n > 0 {
		places = fmt.Sprintf("%s and %d more", strings.Join(g.places[:maxGapPlaces], ", "), n)
	}
	var whats, missing []string
	for _, what := range g.whats {
		whats = append(whats, token(what))
		if c := consequence(what); c != "" && !slices.Contains(missing, c) {
			missing = append(missing, c)
		}
	}
	text := token(g.reason) + " in " + places + ": " + strings.Join(whats, ", ")
	if g.named {
		text = strings.Join(whats, ", ") + " " + places + ": " + token(g.reason)
	}
	if g.message != "" {
		text += ": " + cutEnd(Escape(g.message), maxGapWords)
	}
	if len(missing) > 0 {
		text += " (" + strings.Join(missing, "; ") + ")"
	}
	return text
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
