package rules

import (
	"fmt"
	"strings"
)

// Page is docs/rules.md.
func Page() string {
	var b strings.Builder
	b.WriteString(`# Rules

Findings are opinions, kept apart from the facts. Each has a rule with a stable id, a severity and a hint that carries
the container's own numbers. A rule that would need what could not be read says nothing; asked for with ` + "`--fail-on` or\n`--only`" + `, that is an error (exit status 1).

- ` + "`--fail-on=warning`, `--fail-on=killed-by-probe,failing-now`" + `: exit status 2 when there is such a finding. A severity means
  itself and what is graver.
- ` + "`--only=error`, `--only=flapping`" + `: only such rows. ` + "`--no-findings`" + `: no rules at all.
- ` + "`--sort-by=severity`" + `: the gravest severity first, then the most findings of it, what a probe killed, what is not ready, what
  fails, the most Pods concerned. What is not ready or fails is no less than an error, whether a rule says so or not.
- To suppress: the annotation ` + "`kubectl-probes.github.io/ignore: RULE[,CONTAINER:RULE...]`" + ` on the Pod template or the workload.
  A suppressed finding stays in ` + "`-o json`" + ` with ` + "`suppressed: true`" + ` and counts for nothing; ` + "`--no-suppress`" + ` passes over the annotation.

| rule | severity | when |
|---|---|---|
`)
	for _, r := range All() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Summary)
	}
	for _, r := range All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s: %s.\n\n%s\n\n%s\n", r.ID, capital(string(r.Severity)), r.Summary, r.Why, r.Hint)
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
