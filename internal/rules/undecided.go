package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// need is what a rule or a fact has to know, beside the Pods; it may be several things.
type need int

const (
	needsEvents need = 1 << iota
	needsTemplate
	// needsWorkloads is for what can be told of a workload without Pods: it is found only where its kind is listed.
	needsWorkloads
)

func (n need) has(one need) bool { return n&one != 0 }

// question is one word of a selection: what it is about, and what it needs.
type question struct {
	word  string
	kinds []probe.Kind // empty: any container
	needs need
	// notOfJobs says that it is never true of Jobs.
	notOfJobs bool
}

// questions are what the words of a selection ask; a severity asks for all its rules.
func (s Selection) questions() []question {
	var all []question
	for _, f := range s.facts {
		q := question{word: string(f)}
		switch f {
		case report.FactFailing:
			q.needs, q.kinds = needsEvents, probe.Kinds()
		case report.FactDrifted:
			q.needs = needsTemplate
		case report.FactUnready, report.FactNoReadiness, report.FactNoLiveness, report.FactNoStartup:
			q.needs, q.notOfJobs = needsWorkloads, f == report.FactUnready || f == report.FactNoReadiness
		}
		all = append(all, q)
	}
	for _, r := range All() {
		if s.asksFor(r.ID, r.Severity) {
			all = append(all, question{r.ID, r.kinds, r.needs, r.notOfJobs})
		}
	}
	return all
}

// Undecided says which words of a selection a gap keeps from being decided, a line for each gap: "cannot decide
// killed-by-probe: events forbidden in shop". What matched elsewhere still counts.
func Undecided(r *report.Report, s Selection) []string {
	var order []string
	asked := map[string][]string{}
	add := func(why, word string) {
		if asked[why] == nil {
			order = append(order, why)
		}
		if !slices.Contains(asked[why], word) {
			asked[why] = append(asked[why], word)
		}
	}
	templates := newTemplateGaps(r)
	for _, q := range s.questions() {
		concerned := concerned(r, q.kinds)
		for _, g := range r.Gaps {
			if q.isOpenedBy(r, g, concerned) {
				add(gapText(g), q.word)
			}
		}
		if q.needs.has(needsTemplate) {
			for i := range r.Workloads {
				if w := &r.Workloads[i]; w.Template == report.TemplateUnknown && w.Pods.Total > 0 && hasAny(w, q.kinds) {
					add(templates.text(w), q.word)
				}
			}
		}
	}
	var all []string
	for _, why := range order {
		all = append(all, fmt.Sprintf("cannot decide %s: %s", strings.Join(asked[why], ", "), why))
	}
	return all
}

// isOpenedBy says that a gap may hide what the question asks for.
func (q question) isOpenedBy(r *report.Report, g report.Gap, concerned map[string]bool) bool {
	switch {
	case g.What == "files":
		return true
	case g.Name != "" || g.What == "pods":
		return g.Name == ""
	case g.What == "events":
		return q.needs.has(needsEvents) && concerned[g.Namespace]
	case g.What == "jobs.batch" || g.What == "cronjobs.batch":
		return !q.notOfJobs && q.needs.has(needsWorkloads) && hidesWorkloads(r, g)
	default:
		return q.needs.has(needsWorkloads) && isController(g.What) && hidesWorkloads(r, g)
	}
}

// hidesWorkloads is not true where all that was asked for was found by its name, nor where a cluster, or files,
// have no such kind.
func hidesWorkloads(r *report.Report, g report.Gap) bool {
	return len(r.Scope.Arguments) == 0 && g.Reason != "absent"
}

func isController(resource string) bool {
	switch resource {
	case "deployments.apps", "statefulsets.apps", "daemonsets.apps", "replicasets.apps", "replicationcontrollers":
		return true
	default:
		return false
	}
}

// concerned are the namespaces (empty: any) that have a container with such a probe.
func concerned(r *report.Report, kinds []probe.Kind) map[string]bool {
	namespaces := map[string]bool{}
	for i := range r.Workloads {
		if w := &r.Workloads[i]; !namespaces[w.Namespace] && hasAny(w, kinds) {
			namespaces[w.Namespace], namespaces[""] = true, true
		}
	}
	return namespaces
}

func hasAny(w *report.Workload, kinds []probe.Kind) bool {
	if len(kinds) == 0 || len(w.Containers) == 0 { // of no known container anything may be true
		return true
	}
	for _, c := range w.Containers {
		for _, v := range c.Variants {
			for _, kind := range kinds {
				if v.Probes.Get(kind) != nil {
					return true
				}
			}
		}
	}
	return false
}

func gapText(g report.Gap) string {
	if g.What == "files" && g.Name != "" {
		return report.FileName(g.Name) + " could not be read whole"
	}
	text := g.What + " " + reasonText(g.Reason)
	if g.Namespace != "" {
		return text + " in " + g.Namespace
	}
	return text
}

func reasonText(reason string) string {
	switch reason {
	case "timeout":
		return "timed out"
	case "error":
		return "could not be read"
	default:
		return reason
	}
}

// templateGaps find why a template is not known.
type templateGaps struct {
	all   []report.Gap
	first map[templateGap]int // of those, by what it is about
}

// templateGap is what a gap is about: all namespaces and all names where these are empty.
type templateGap struct{ resource, namespace, name string }

func newTemplateGaps(r *report.Report) templateGaps {
	gaps := templateGaps{r.Gaps, map[templateGap]int{}}
	for i, g := range r.Gaps {
		resource, _, _ := strings.Cut(g.What, ".")
		at := templateGap{resource, g.Namespace, g.Name}
		if _, known := gaps.first[at]; !known {
			gaps.first[at] = i
		}
	}
	return gaps
}

// text says which template is not known, and why if a gap tells: the first that does.
func (gaps templateGaps) text(w *report.Workload) string {
	kind, best := strings.ToLower(w.Kind), len(gaps.all)
	for _, resource := range []string{kind, kind + "s"} {
		for _, namespace := range []string{"", w.Namespace} {
			for _, name := range []string{"", w.Name} {
				if i, known := gaps.first[templateGap{resource, namespace, name}]; known {
					best = min(best, i)
				}
			}
		}
	}
	if best < len(gaps.all) {
		return gapText(gaps.all[best])
	}
	return fmt.Sprintf("the template of %s in %s is unknown", w.DisplayName, w.Namespace)
}
