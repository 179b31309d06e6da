package demo

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/test/command"
)

// promise is a line of the README's table.
type promise struct {
	rule, where string // where is the workload, the container and the probe
	seen        string
	says        string
}

func (p promise) String() string { return p.rule + ": " + p.where }

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(at("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// promises are those seen at these times.
func promises(t *testing.T, seen ...string) []promise {
	t.Helper()
	var all []promise
	row := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (\\S+) \\| (\\S+) \\| (\\S+) \\| (\\S+) \\| `(.+)` \\|$")
	for _, cells := range row.FindAllStringSubmatch(readme(t), -1) {
		p := promise{rule: cells[1], where: strings.Join(cells[2:5], " "), seen: cells[5], says: cells[6]}
		if len(seen) == 0 || slices.Contains(seen, p.seen) {
			all = append(all, p)
		}
	}
	return all
}

func TestEveryRuleIsPromised(t *testing.T) {
	var want, got []string
	for _, rule := range rules.All() {
		want = append(want, rule.ID)
	}
	for _, p := range promises(t) {
		got = append(got, p.rule)
		if !slices.Contains([]string{"files", "draft", "up", "chaos"}, p.seen) {
			t.Errorf("%s is seen %q, which the README does not explain", p, p.seen)
		}
	}
	if diff := cmp.Diff(sorted(want), slices.Compact(sorted(got))); diff != "" {
		t.Errorf("rules (-all +in the README's table):\n%s", diff)
	}
	if rows := strings.Count(readme(t), "\n| `"); rows != len(got)+variables {
		t.Errorf("%d lines look like a promise or a variable, %d are read", rows, len(got)+variables)
	}
}

// variables are the lines of the README's other table.
const variables = 4

func sorted(all []string) []string { return slices.Sorted(slices.Values(all)) }

// kept holds the findings of a Report against the promises: these and no others, saying what was promised.
func kept(t *testing.T, got command.Result, want []promise) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("nothing is promised")
	}
	said := findings(t, got)
	for _, p := range want {
		if text, ok := said[p.String()]; ok && !strings.Contains(text, p.says) {
			t.Errorf("%s says, without %q:\n%s", p, p.says, text)
		}
	}
	var promised, found []string
	for _, p := range want {
		promised = append(promised, p.String())
	}
	for f := range said {
		found = append(found, f)
	}
	if diff := cmp.Diff(sorted(promised), sorted(found)); diff != "" {
		t.Errorf("findings (-promised +found):\n%s", diff)
	}
}

// findings are by rule and place, with what each says.
func findings(t *testing.T, got command.Result) map[string]string {
	t.Helper()
	var r report.Report
	if err := json.Unmarshal([]byte(got.Out), &r); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	all := map[string]string{}
	for _, w := range r.Workloads {
		for _, c := range w.Containers {
			for _, f := range c.Findings {
				p := promise{rule: f.Rule, where: strings.Join([]string{w.DisplayName, c.Name, string(f.Probe)}, " ")}
				if _, twice := all[p.String()]; twice {
					t.Errorf("%s is found twice", p)
				}
				all[p.String()] = f.Message + "\n" + f.Hint
			}
		}
	}
	return all
}
