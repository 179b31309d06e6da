package rules

import (
	"path/filepath"
	"testing"
)

// A rule that speaks of a sensible configuration is a fault: these follow what widely used charts do.
func TestSensibleConfigurationsHaveNoFindings(t *testing.T) {
	charts, err := filepath.Glob("testdata/charts/*.yaml")
	if err != nil || len(charts) == 0 {
		t.Fatalf("no charts: %v", err)
	}
	for _, chart := range charts {
		t.Run(filepath.Base(chart), func(t *testing.T) {
			for _, w := range read(t, Options{}, "", chart).Workloads {
				for _, c := range w.Containers {
					for _, f := range c.Findings {
						t.Errorf("%s %s: %s %s: %s", w.DisplayName, c.Name, f.Rule, f.Probe, f.Message)
					}
				}
			}
		})
	}
}

// The Pod is the same whichever of its containers is looked at.
func TestWhatIsShownChangesNoOpinion(t *testing.T) {
	r := readContainers(t, Options{}, []string{"metrics"}, "", "testdata/charts/postgres.yaml")
	if got := foundIn(r); len(got) > 0 {
		t.Errorf("with -c metrics: %v", got)
	}
}
