package report

import (
	"slices"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestCompareSeverityPutsWhatNeedsAPersonFirst(t *testing.T) {
	failingPod := Pod{Phase: Live, Evidence: []Evidence{{Probe: probe.Liveness, State: StateNow}}}
	rows := []Container{
		{Name: "sound", Ready: 1, Total: 1},
		{Name: "restarted", Ready: 1, Total: 1, Restarts: 9},
		{Name: "info", Ready: 1, Total: 1, Findings: []Finding{{Severity: SeverityInfo}}},
		{Name: "suppressed", Ready: 1, Total: 1, Findings: []Finding{{Severity: SeverityError, Suppressed: true}}},
		{Name: "warning", Ready: 1, Total: 1, Findings: []Finding{{Severity: SeverityWarning}}},
		{Name: "error", Ready: 1, Total: 1, Findings: []Finding{{Severity: SeverityError}}},
		{Name: "error, kills", Total: 1, Kills: &Kills{Startup: 1}, Findings: []Finding{{Severity: SeverityError}}},
		{Name: "error, fails", Total: 1, Pods: []Pod{failingPod}, Findings: []Finding{{Severity: SeverityError}, {Severity: SeverityInfo}}},
		{Name: "error, kills more Pods", Total: 2, Kills: &Kills{Liveness: 1}, Findings: []Finding{{Severity: SeverityError}}},
		{Name: "two errors", Ready: 1, Total: 1, Findings: []Finding{{Severity: SeverityWarning}, {Severity: SeverityError}, {Severity: SeverityError}}},
		{Name: "failing", Ready: 1, Total: 1, Pods: []Pod{failingPod}},
		{Name: "down", Total: 1},
		{Name: "downer", Total: 3},
		{Name: "down and failing", Total: 1, Pods: []Pod{failingPod}},
	}
	w := &Workload{}
	slices.SortStableFunc(rows, func(a, b Container) int { return CompareSeverity(w, &a, w, &b) })
	var got []string
	for _, c := range rows {
		got = append(got, c.Name)
	}
	want := []string{"two errors", "error, kills more Pods", "error, kills", "error, fails", "down and failing", "downer", "down", "failing", "error", "warning", "info", "restarted", "sound", "suppressed"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFacts(t *testing.T) {
	restarted := runningPod("web")
	restarted.Containers[0].RestartCount = 1
	end := ended("Completed", 0, 10*time.Minute, 31*time.Minute)
	restarted.Containers[0].Last = &end
	bare := runningPod("web", snapshot.Container{Name: "app"})
	tests := []struct {
		name string
		in   *snapshot.Snapshot
		want []Fact
	}{
		{"sound", readSnapshot(pods(runningPod("web"))), []Fact{FactNoStartup}},
		{"restarted", readSnapshot(pods(restarted)), []Fact{FactRestarting, FactNoStartup}},
		{"not ready", readSnapshot(pods(unready(runningPod("web")))), []Fact{FactUnready, FactNoStartup}},
		{"no probes", readSnapshot(pods(bare)), []Fact{FactNoReadiness, FactNoLiveness, FactNoStartup}},
		{
			"failing", readSnapshot(pods(runningPod("web")), event(runningPod("web"), "Unhealthy", "Liveness probe failed: no", 5, 2*time.Minute, time.Minute)),
			[]Fact{FactFailing, FactNoStartup},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := build(t, test.in)
			w := &r.Workloads[0]
			var got []Fact
			for _, f := range Facts() {
				if r.Has(w, &w.Containers[0], f) {
					got = append(got, f)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

func TestKeepDropsWorkloadsWithoutRows(t *testing.T) {
	r := &Report{Workloads: []Workload{
		{Name: "a", Containers: []Container{{Name: "app"}, {Name: "proxy"}}},
		{Name: "b", Containers: []Container{{Name: "proxy"}}},
		{Name: "nothing known"},
	}}
	total := r.Keep(func(_ *Workload, c *Container) bool { return c.Name == "app" })
	if total != 3 || len(r.Workloads) != 1 || len(r.Workloads[0].Containers) != 1 {
		t.Errorf("of %d: %+v", total, r.Workloads)
	}
}
