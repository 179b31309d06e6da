package report

import (
	"strings"
	"testing"
)

// The hint of a glob that matches nothing is one that can help.
func TestGlobThatMatchesNothing(t *testing.T) {
	for glob, want := range map[string]bool{"w": true, "*w*": false} {
		err := (&Report{Workloads: []Workload{{Containers: []Container{{Name: "app"}}}}}).keepContainers([]string{glob})
		if err == nil || strings.Contains(err.Error(), "would match more") != want {
			t.Errorf("%s: %v", glob, err)
		}
	}
}
