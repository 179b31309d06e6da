package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

const (
	bareDeployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: a}\n" +
		"spec: {selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: app, image: app}]}}}\n"
	serviceOfB = "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: b}\nspec: {selector: {app: s}}\n"
)

// A Service of one namespace says nothing about another, and all outputs say the same of what is not known.
func TestServicesOfAnotherNamespace(t *testing.T) {
	other := strings.ReplaceAll(serviceOfB, "namespace: b", "namespace: a")
	tests := []struct {
		name, in string
		known    bool
	}{
		{"no Service", bareDeployment, false},
		{"elsewhere", bareDeployment + serviceOfB, false},
		{"here", bareDeployment + other, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := ExitFindings
			if test.known {
				want = ExitOK
			}
			if r := terminal(t, 0, test.in, "-f", "-", "--fail-on=no-readiness-probe"); r.status != want || strings.Contains(r.out, "no-readiness-probe") == test.known {
				t.Errorf("status %d, want %d\n%s%s", r.status, want, r.out, r.err)
			}
			r := terminal(t, 0, test.in, "-f", "-", "deploy/x")
			if said := strings.Contains(r.out, "not in the files: services"); said == test.known {
				t.Errorf("the view of it says so: %t\n%s", said, r.out)
			}
			r = terminal(t, 0, test.in, "-f", "-", "--only=unknown", "-o", "name")
			if kept := strings.Contains(r.out, "deployment.apps/x"); kept == test.known {
				t.Errorf("--only=unknown keeps it: %t\n%s", kept, r.err)
			}
			file := write(t, "x.yaml", test.in)
			gaps := reportOf(t, "-f", file).Gaps
			if told := slices.ContainsFunc(gaps, func(g report.Gap) bool { return g.What == "services" }); told == test.known {
				t.Errorf("gaps %v", gaps)
			}
		})
	}
}
