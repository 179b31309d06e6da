// Package rules holds opinions about probes, apart from the facts. A rule is data and a pure function over
// facts of the Report; docs/rules.md is made from the data.
//
// What could not be read decides nothing: a rule speaks only when it knows, and Undecided names the rules
// that would have had to know more.
package rules

import (
	"cmp"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Rule is one opinion.
type Rule struct {
	ID       string
	Severity report.Severity
	Summary  string // one line: when it speaks
	Why      string // what is bad about that
	Hint     string // what to do, in general; a finding has the container's own numbers

	// kinds are the probes that it is about: without any of them it has nothing to decide.
	kinds []probe.Kind
	needs need
	// notOfJobs says that it never speaks of Jobs.
	notOfJobs bool
	check     func(facts) []found
}

// found is a finding before it is attributed.
type found struct {
	probe   probe.Kind
	message string
	hint    []string
	command string
}

// All lists the rules, the gravest first.
func All() []Rule {
	all := slices.Concat(evidenceRules(), brokenRules(), livenessRules(), startRules(), readinessRules(), timeoutRules())
	slices.SortStableFunc(all, func(a, b Rule) int { return cmp.Compare(rank(a.Severity), rank(b.Severity)) })
	return all
}

func rank(s report.Severity) int { return slices.Index(report.Severities(), s) }

// Options say how to evaluate.
type Options struct {
	// NoSuppress passes over the annotations that suppress: for the owner of the policy.
	NoSuppress bool
}

// Evaluate fills in the findings of all containers.
func Evaluate(r *report.Report, o Options) {
	all := All()
	for i := range r.Workloads {
		w := &r.Workloads[i]
		f, leave := newFacts(r, w), ignoredBy(w)
		for j := range w.Containers {
			c := &w.Containers[j]
			c.Findings = findings(all, f.of(c))
			if !o.NoSuppress {
				suppress(c, leave)
			}
		}
	}
}

// isAdvice says that the rule judges a configuration that works.
func (r Rule) isAdvice() bool {
	return !r.needs.has(needsEvents|needsTemplate) && r.Severity != report.SeverityError
}

func findings(all []Rule, f facts) []report.Finding {
	out := []report.Finding{}
	for _, rule := range all {
		if f.container.Injected && rule.isAdvice() {
			continue // every Pod of the cluster has it alike, and nobody can change it where it is found
		}
		for _, got := range rule.check(f) {
			out = append(out, report.Finding{
				Rule: rule.ID, Severity: rule.Severity, Probe: got.probe,
				Message: got.message, Hint: lines(got.hint), Command: got.command, Source: f.workload.Source,
			})
		}
	}
	return out
}
