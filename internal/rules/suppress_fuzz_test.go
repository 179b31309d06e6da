package rules

import (
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// FuzzSuppress: an entry suppresses its rule, of all containers or of the one it names, and nothing else; an entry that
// can suppress nothing is told.
func FuzzSuppress(f *testing.F) {
	for _, entry := range []string{"flapping", "app:flapping", "web:flapping", "app:", ":flapping", "a:b:c", "", "flaping", "\x1b[31m:flapping"} {
		f.Add(entry, "app")
	}
	f.Fuzz(func(t *testing.T, entry, name string) {
		c := report.Container{Name: name, Findings: []report.Finding{{Rule: "flapping"}, {Rule: "failing-now"}}}
		w := report.Workload{Ignore: []string{entry}, Containers: []report.Container{c}}
		suppress(&w.Containers[0], ignoredBy(&w))
		hit := 0
		for _, finding := range w.Containers[0].Findings {
			if finding.Suppressed {
				hit++
			}
		}
		told := len(Misspelled(&report.Report{Workloads: []report.Workload{w}})) > 0
		whole := entry == "flapping" || entry == "failing-now" || entry == ":flapping" || entry == ":failing-now"
		own := name != "" && (entry == name+":flapping" || entry == name+":failing-now")
		if want := 0; whole || own {
			want = 1
			if hit != want {
				t.Errorf("%q suppresses %d findings of %q", entry, hit, name)
			}
		} else if hit != 0 {
			t.Errorf("%q suppresses %d findings of %q", entry, hit, name)
		}
		if hit > 0 && told {
			t.Errorf("%q suppresses, and is told to be misspelled", entry)
		}
	})
}

// FuzzSelection reads --only and --fail-on: an error, or something that was asked for.
func FuzzSelection(f *testing.F) {
	for _, text := range []string{"error", "warning,flapping", "failing", "", ",", "error,,", "nonsense", " error", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ParseSelection(text); err == nil && s.Empty() {
			t.Errorf("--only=%q asks for nothing", text)
		}
		if s, err := ParseFailOn(text); err == nil && s.Empty() {
			t.Errorf("--fail-on=%q asks for nothing", text)
		}
	})
}
