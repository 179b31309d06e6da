package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Selection is what --only and --fail-on ask for: any of its words. The zero value asks for nothing.
type Selection struct {
	severity report.Severity // and above; empty: none
	rules    []string
	facts    []report.Fact
}

// ParseSelection reads a list of severities, rules and facts, separated by commas, as --only takes it.
func ParseSelection(text string) (Selection, error) {
	var s Selection
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		switch {
		case word == "":
			return Selection{}, fmt.Errorf("a severity, a rule or a fact is missing: one of %s", strings.Join(Words(), ", "))
		case slices.Contains(report.Severities(), report.Severity(word)):
			if s.severity == "" || rank(report.Severity(word)) > rank(s.severity) {
				s.severity = report.Severity(word)
			}
		case slices.Contains(ids(), word):
			s.rules = append(s.rules, word)
		case slices.Contains(report.Facts(), report.Fact(word)):
			s.facts = append(s.facts, report.Fact(word))
		default:
			return Selection{}, unknownWord(word, Words())
		}
	}
	return s, nil
}

// ParseFailOn reads what --fail-on takes: severities and rules.
func ParseFailOn(text string) (Selection, error) {
	known := FailOnWords()
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		switch {
		case slices.Contains(report.Facts(), report.Fact(word)):
			return Selection{}, fmt.Errorf("%q is a fact, which --only takes: want a severity or a rule, one of %s", word, strings.Join(known, ", "))
		case word == "":
			return Selection{}, fmt.Errorf("a severity or a rule is missing: one of %s", strings.Join(known, ", "))
		case !slices.Contains(known, word):
			return Selection{}, unknownWord(word, known)
		}
	}
	return ParseSelection(text)
}

// Words are what --only takes, for errors and shell completion.
func Words() []string {
	var all []string
	for _, s := range report.Severities() {
		all = append(all, string(s))
	}
	for _, f := range report.Facts() {
		all = append(all, string(f))
	}
	return append(all, ids()...)
}

// FailOnWords are what --fail-on takes.
func FailOnWords() []string {
	return slices.DeleteFunc(Words(), func(w string) bool { return slices.Contains(report.Facts(), report.Fact(w)) })
}

// Empty says that nothing is asked for.
func (s Selection) Empty() bool { return s.severity == "" && len(s.rules)+len(s.facts) == 0 }

// NeedsFindings says that rules have to speak for it: it asks for more than facts.
func (s Selection) NeedsFindings() bool { return s.severity != "" || len(s.rules) > 0 }

// Matches says whether a row is asked for. Suppressed findings do not count.
func (s Selection) Matches(r *report.Report, w *report.Workload, c *report.Container) bool {
	return slices.ContainsFunc(s.facts, func(f report.Fact) bool { return r.Has(w, c, f) }) ||
		slices.ContainsFunc(c.Findings, func(f report.Finding) bool { return !f.Suppressed && s.asksFor(f.Rule, f.Severity) })
}

// Any says whether any row is asked for: with --fail-on that is exit status 2.
func (s Selection) Any(r *report.Report) bool {
	for i := range r.Workloads {
		for j := range r.Workloads[i].Containers {
			if s.Matches(r, &r.Workloads[i], &r.Workloads[i].Containers[j]) {
				return true
			}
		}
	}
	return false
}

func (s Selection) asksFor(id string, severity report.Severity) bool {
	return slices.Contains(s.rules, id) || s.severity != "" && rank(severity) <= rank(s.severity)
}

// Keep drops the rows that are not asked for, and says how many there were.
func (s Selection) Keep(r *report.Report) (total int) {
	return r.Keep(func(w *report.Workload, c *report.Container) bool { return s.Matches(r, w, c) })
}

// NothingLeft is the line for when Keep has left no row: "0 of 214 containers failing (events since 02:10 UTC)".
// It must not be said where Undecided has something to say.
func (s Selection) NothingLeft(r *report.Report, total int) string {
	text := fmt.Sprintf("0 of %s %s", plural(int64(total), "container", "containers"), strings.Join(s.predicates(), " or "))
	if s.usesEvents() && r.Running {
		f := newFacts(r, &report.Workload{})
		text += fmt.Sprintf(" (events since %s UTC)", f.asOf.Add(-eventRetention).UTC().Format("15:04"))
	}
	return text
}

func (s Selection) predicates() []string {
	var all []string
	for _, f := range s.facts {
		all = append(all, predicate(f))
	}
	if s.severity != "" {
		text := "with a finding"
		if s.severity != report.SeverityInfo {
			text = fmt.Sprintf("with %s", map[report.Severity]string{report.SeverityError: "an error", report.SeverityWarning: "a warning or an error"}[s.severity])
		}
		all = append(all, text)
	}
	for _, id := range s.rules {
		all = append(all, "with "+id)
	}
	return all
}

func predicate(f report.Fact) string {
	switch f {
	case report.FactUnready:
		return "not ready"
	case report.FactUnknown:
		return "with something unknown"
	case report.FactNoReadiness, report.FactNoLiveness, report.FactNoStartup:
		return "without a " + strings.TrimPrefix(string(f), "no-") + " probe"
	default:
		return string(f)
	}
}

func (s Selection) usesEvents() bool {
	if slices.Contains(s.facts, report.FactFailing) {
		return true
	}
	return slices.ContainsFunc(All(), func(r Rule) bool { return r.needs.has(needsEvents) && s.asksFor(r.ID, r.Severity) })
}

func unknownWord(word string, known []string) error {
	return fmt.Errorf("%q is none of %s%s", word, strings.Join(known, ", "), didYouMean(word, known))
}
