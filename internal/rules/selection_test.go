package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func parse(t *testing.T, text string) Selection {
	t.Helper()
	s, err := ParseSelection(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParseSelectionErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "is missing"},
		{"error,", "is missing"},
		{"errors", "did you mean error?"},
		{"killed_by_probe", "did you mean killed-by-probe?"},
		{"no-readines-probe", "did you mean no-readiness-probe?"},
		{"flap", "did you mean flapping?"},
		{"Failing", "did you mean failing?"},
		{"xyzzy", "is none of error, warning, info, failing"},
	}
	for _, test := range tests {
		if _, err := ParseSelection(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
	if _, err := ParseFailOn("failing"); err == nil || !strings.Contains(err.Error(), "--only") {
		t.Errorf("--fail-on=failing: %v", err)
	}
	if _, err := ParseFailOn("unready,error"); err == nil {
		t.Error("--fail-on=unready,error is taken")
	}
	for _, text := range []string{"", "error,"} {
		_, err := ParseFailOn(text)
		if err == nil || !strings.Contains(err.Error(), "a severity or a rule is missing: one of error, warning, info, killed-by-probe") || strings.Contains(err.Error(), "unready") {
			t.Errorf("--fail-on=%s: %v", text, err)
		}
	}
	for _, text := range []string{"error", "warning,killed-by-probe", "info"} {
		if _, err := ParseFailOn(text); err != nil {
			t.Errorf("--fail-on=%s: %v", text, err)
		}
	}
}

func TestNeedsFindings(t *testing.T) {
	for text, want := range map[string]bool{"failing,unready": false, "error": true, "failing,flapping": true} {
		if got := parse(t, text).NeedsFindings(); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if (Selection{}).NeedsFindings() {
		t.Error("nothing needs findings")
	}
}

func TestSelections(t *testing.T) {
	dying := cluster(beingKilled())
	sound := cluster([]report.Pod{readyPod("web-1")})
	hidden := cluster(beingKilled(), func(_ *report.Report, w *report.Workload, _ *report.Container) {
		w.Ignore = []string{"killed-by-probe"}
	})
	shadowed := cluster(beingKilled(), func(_ *report.Report, w *report.Workload, _ *report.Container) {
		w.Ignore = []string{"other:killed-by-probe"}
	})
	for _, test := range []struct {
		text string
		in   *report.Report
		want bool
	}{
		{"error", dying, true},
		{"info", dying, true},
		{"killed-by-probe", dying, true},
		{"flapping", dying, false},
		{"flapping,failing", dying, true},
		{"restarting", dying, false},
		{"unready", dying, false},
		{"no-startup", dying, true},
		{"no-liveness", dying, false},
		{"info", sound, false},
		{"failing,unready,drifted,no-readiness", sound, false},
		{"error", hidden, false},
		{"failing", hidden, true},
		{"error", shadowed, true},
	} {
		if got := parse(t, test.text).Any(test.in); got != test.want {
			t.Errorf("%s: %v, want %v; findings %v", test.text, got, test.want, foundIn(test.in))
		}
	}
}

func TestKeepAndNothingLeft(t *testing.T) {
	r := capture(t, "sidecar")
	if total := parse(t, "failing").Keep(r); total != 6 || len(r.Workloads) != 3 || len(r.Workloads[0].Containers) != 1 {
		t.Errorf("of %d, %d workloads are left: %v", total, len(r.Workloads), foundIn(r))
	}
	for text, want := range map[string]string{
		"failing":            "0 of 214 containers failing (events since 11:00 UTC)",
		"restarting,unready": "0 of 214 containers restarting or not ready",
		"no-startup":         "0 of 214 containers without a startup probe",
		"killed-by-probe":    "0 of 214 containers with killed-by-probe (events since 11:00 UTC)",
		"warning":            "0 of 214 containers with a warning or an error (events since 11:00 UTC)",
		"timeout-exceeds-period,exec-timeout-default": "0 of 214 containers with timeout-exceeds-period or with exec-timeout-default",
	} {
		if got := parse(t, text).NothingLeft(cluster(nil), 214); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func forbidEvents(r *report.Report, _ *report.Workload, c *report.Container) {
	r.Gaps = append(r.Gaps, report.Gap{What: "events", Namespace: "shop", Reason: "forbidden"})
	for i := range c.Pods {
		c.Pods[i].Evidence, c.Pods[i].Kills = nil, nil
	}
}

func TestUndecided(t *testing.T) {
	unread := cluster([]report.Pod{readyPod("web-1")}, forbidEvents)
	other := cluster([]report.Pod{readyPod("web-1")}, func(r *report.Report, _ *report.Workload, _ *report.Container) {
		r.Gaps = []report.Gap{{What: "events", Namespace: "elsewhere", Reason: "forbidden"}, {What: "services", Reason: "forbidden"}, {What: "nodes", Reason: "forbidden"}}
	})
	noProbe := cluster([]report.Pod{readyPod("web-1")}, forbidEvents, hasProbes(report.Probes{Readiness: httpProbe("/")}))
	noTemplate := cluster([]report.Pod{readyPod("web-1")}, func(r *report.Report, w *report.Workload, _ *report.Container) {
		w.Template = report.TemplateUnknown
		r.Gaps = []report.Gap{{What: "deployments.apps", Reason: "timeout"}}
	})
	noPods := cluster(nil, func(r *report.Report, _ *report.Workload, _ *report.Container) {
		r.Gaps = []report.Gap{{What: "pods", Namespace: "shop", Reason: "forbidden"}}
	})
	hidden := func(what, reason, name string) *report.Report {
		return cluster([]report.Pod{readyPod("web-1")}, func(r *report.Report, _ *report.Workload, _ *report.Container) {
			r.Gaps = []report.Gap{{What: what, Namespace: "shop", Name: name, Reason: reason}}
		})
	}
	named := hidden("replicasets.apps", "forbidden", "")
	named.Scope.Arguments = []string{"deploy/web"}
	for _, test := range []struct {
		name, text string
		in         *report.Report
		want       []string
	}{
		{"one rule", "killed-by-probe", unread, []string{"cannot decide killed-by-probe: events forbidden in shop"}},
		{"a fact", "failing", unread, []string{"cannot decide failing: events forbidden in shop"}},
		{"a severity", "error", unread, []string{"cannot decide killed-by-probe, failing-now, probe-cannot-run: events forbidden in shop"}},
		{"needs no Events", "timeout-exceeds-period,no-readiness-probe,unready,rollout-stalled", unread, nil},
		{"another namespace, and what the rules do without", "info,failing", other, nil},
		{"nothing that could kill", "killed-by-probe", noProbe, nil},
		{"nothing that could kill, but fail", "failing-now", noProbe, []string{"cannot decide failing-now: events forbidden in shop"}},
		{"template", "drifted,rollout-stalled", noTemplate, []string{"cannot decide drifted, rollout-stalled: deployments.apps timed out"}},
		{"Pods", "unready", noPods, []string{"cannot decide unready: pods forbidden in shop"}},
		{
			"a kind that could not be listed", "no-readiness-probe,killed-by-probe,no-liveness,restarting,unready,restart-loop-on-start", hidden("deployments.apps", "forbidden", ""),
			[]string{"cannot decide no-liveness, unready, no-readiness-probe: deployments.apps forbidden in shop"},
		},
		{"Jobs", "no-readiness-probe,no-liveness,no-readiness,unready", hidden("cronjobs.batch", "timeout", ""), []string{"cannot decide no-liveness: cronjobs.batch timed out in shop"}},
		{"a kind that is not there", "no-readiness-probe", hidden("deployments.apps", "absent", ""), nil},
		{"one object", "no-readiness-probe", hidden("deployments.apps", "forbidden", "web"), nil},
		{"a custom kind", "no-readiness-probe", hidden("rollout.argoproj.io", "forbidden", ""), nil},
		{"what was named was found", "no-readiness-probe", named, nil},
		{"a file", "restarting,flapping", hidden("files", "error", "x.yaml"), []string{"cannot decide restarting, flapping: x.yaml could not be read whole"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Undecided(test.in, parse(t, test.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownEventsAreNoFinding(t *testing.T) {
	r := cluster([]report.Pod{down(readyPod("web-1"))}, forbidEvents, func(_ *report.Report, _ *report.Workload, c *report.Container) {
		c.Causes = []report.Cause{{Cause: string(probe.Readiness), Pods: 1}}
	})
	if got := foundIn(r); len(got) > 0 {
		t.Errorf("on nothing known: %v", got)
	}
}

func TestSuppression(t *testing.T) {
	const annotated = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, annotations: {kubectl-probes.github.io/ignore: "no-readiness-probe"}}
spec:
  template:
    metadata: {annotations: {kubectl-probes.github.io/ignore: "app:exec-timeout-default, app:exec-timeouts-default"}}
    spec:
      containers:
      - {name: app, livenessProbe: {exec: {command: [a]}}}
      - {name: other, livenessProbe: {exec: {command: [a]}}}
`
	r := read(t, Options{}, annotated, "-")
	want := []string{
		"app readiness no-readiness-probe suppressed", "app liveness exec-timeout-default suppressed",
		"other readiness no-readiness-probe suppressed", "other liveness exec-timeout-default",
	}
	if diff := cmp.Diff(want, foundIn(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`deploy/web in shop: its annotation ignores the rule "exec-timeouts-default", which does not exist: did you mean exec-timeout-default?`}, Misspelled(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, f := range foundIn(read(t, Options{NoSuppress: true}, annotated, "-")) {
		if strings.HasSuffix(f, "suppressed") {
			t.Errorf("with NoSuppress: %s", f)
		}
	}
	if f := findingOf(t, r, "exec-timeout-default"); f.Source == nil || f.Source.Document != 1 {
		t.Errorf("source %v", f.Source)
	}
}
