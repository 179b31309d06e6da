package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// one is the row of a Deployment of that container.
func one(c report.Container) row {
	r := onCluster(deploy("shop", "x", int32(c.Total), live(c.Ready, c.Total), c))
	return rowsOf(r)[0]
}

func TestLastCell(t *testing.T) {
	c := container("c", 1, 1, report.Probes{})
	if got := lastCell(one(c)); got != (cell{"-", grey}) {
		t.Errorf("none: %+v", got)
	}
	for in, want := range map[string]string{"0s": "0s", "-3s": "0s", "90s": "90s", "5m3s": "5m3s", "26h": "26h", "240h": "10d"} {
		c.LastEnd = before(in)
		if got := lastCell(one(c)).text; got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}

func TestReasonCell(t *testing.T) {
	unready, ready := container("c", 1, 3, report.Probes{}), container("c", 3, 3, report.Probes{})
	held := on(ready, "node-1")
	held.Pods[0].PodReady = false
	with := func(c report.Container, causes ...report.Cause) row {
		c.Causes = causes
		return one(c)
	}
	unread := with(unready)
	unread.unread = true
	for _, tt := range []struct {
		name string
		in   row
		want cell
	}{
		{"none", with(ready), cell{"-", grey}},
		{"down", with(unready, report.Cause{Cause: "readiness", Pods: 2}), cell{"readiness:2", red}},
		{"several", with(unready, report.Cause{Cause: "OOMKilled", Pods: 1}, report.Cause{Cause: "exit-1", Pods: 1}, report.Cause{Cause: "?", Pods: 1}), cell{"OOMKilled:1 +2", red}},
		{"restarted and well again", with(ready, report.Cause{Cause: "liveness", Pods: 1}), cell{"liveness:1", yellow}},
		{"ready in a Pod that is not", with(held, report.Cause{Cause: "gate", Pods: 1}), cell{"gate:1", red}},
		{"forgotten", with(ready, report.Cause{Cause: "?", Pods: 1}), cell{"?:1", yellow}},
		{"Pods that could not be read", unread, cell{"?", uncoloured}},
	} {
		if got := reasonCell(tt.in); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestCounts(t *testing.T) {
	counted := container("c", 1, 1, report.Probes{})
	count(&counted, 25, 3)
	unknownEvents := report.Container{Name: "c", Ready: 1, Total: 1}
	full := on(counted, "node-1")
	full.Pods[0].Saturated = true
	now := on(counted, "node-1")
	now.Pods[0].Evidence = []report.Evidence{{Probe: probe.Readiness, Failures: 25, State: report.StateNow}}
	lostSome := counted
	lostSome.RestartCauses = []report.RestartCause{{Cause: "liveness", Restarts: 3}, {Cause: lost, Restarts: 1}}
	notYet := counted
	notYet.OnlyIn = report.OnlyInTemplate
	manifest := one(counted)
	manifest.observed = false
	maybe := container("c", 1, 1, report.Probes{})
	maybe.Pods = []report.Pod{{Phase: report.Finished, PossibleKill: &report.PossibleKill{Probe: probe.Liveness}}}
	ended := container("c", 1, 1, report.Probes{})
	ended.Pods = []report.Pod{{Phase: report.Finished, Evidence: []report.Evidence{{Failures: 9}}, Kills: []report.Kill{{Count: 2}}}}
	for _, tt := range []struct {
		name            string
		in              row
		failures, kills string
	}{
		{"counted", one(counted), "25", "3+"},
		{"a Pod that has finished", one(ended), "9", "2+"},
		{"perhaps killed", one(maybe), "0", "0+"},
		{"none", one(container("c", 1, 1, report.Probes{})), "0", "0"},
		{"unknown is not zero", one(unknownEvents), "?", "?"},
		{"a kubelet that has no room for more", one(full), "25+", "3+"},
		{"going on", one(now), "25", "3+"},
		{"restarts that nothing explains", one(lostSome), "25", "3+"},
		{"in no Pod yet", one(notYet), "-", "-"},
		{"manifest", manifest, "-", "-"},
	} {
		if got := failuresCell(tt.in).text; got != tt.failures {
			t.Errorf("%s: FAILURES %q, want %q", tt.name, got, tt.failures)
		}
		if got := killsCell(tt.in).text; got != tt.kills {
			t.Errorf("%s: KILLS %q, want %q", tt.name, got, tt.kills)
		}
	}
	if failuresCell(one(now)).tint != red || failuresCell(one(counted)).tint != uncoloured || killsCell(one(counted)).tint != red {
		t.Error("red is what goes on, and what was killed")
	}
}

// Errors count for nothing in the kubelet: they have a column of their own, where there are some.
func TestErrorsAreNoFailures(t *testing.T) {
	c := container("c", 0, 1, report.Probes{})
	if got := overview(t, onCluster(deploy("a", "x", 1, live(0, 1), c)), Options{Wide: true}); strings.Contains(got, "ERRORS") {
		t.Error(got)
	}
	c.Errors, c.Pods = number(140), []report.Pod{{Phase: report.Finished, Evidence: []report.Evidence{{Errors: 10}}}}
	if got := linesOf(overview(t, onCluster(deploy("a", "x", 1, live(0, 1), c)), Options{Wide: true})); !strings.Contains(got[0], "FAILURES  ERRORS  KILLS") || !strings.Contains(got[1], "  0         150     0 ") {
		t.Errorf("%q", got)
	}
}

func TestFindingsCell(t *testing.T) {
	c := container("c", 1, 1, report.Probes{})
	if got := findingsCell(one(c)); got != (cell{"-", grey}) {
		t.Errorf("none: %+v", got)
	}
	find(&c, report.SeverityInfo, "info-rule", probe.Liveness, "", "")
	find(&c, report.SeverityError, "suppressed-rule", probe.Liveness, "", "")
	find(&c, report.SeverityWarning, "warning-rule", probe.Liveness, "", "")
	c.Findings[1].Suppressed = true
	if got := findingsCell(one(c)); got != (cell{"warning-rule +1", yellow}) {
		t.Errorf("the gravest that stands, and how many more: %+v", got)
	}
}

func TestReasonNotes(t *testing.T) {
	forgotten := container("c", 1, 1, report.Probes{})
	forgotten.Causes = []report.Cause{{Cause: lost, Pods: 1}}
	unread := forgotten
	unread.Failures = nil
	oom := container("c", 1, 1, report.Probes{})
	oom.Causes = []report.Cause{{Cause: "OOMKilled", Pods: 1}}
	exit := container("c", 1, 1, report.Probes{})
	exit.Causes = []report.Cause{{Cause: "exit-1", Pods: 1}}
	of := func(cs ...report.Container) *report.Report { return onCluster(deploy("a", "x", 1, live(1, 1), cs...)) }
	for _, tt := range []struct {
		name string
		in   *report.Report
		want string
	}{
		{"forgotten", of(forgotten), "?  in REASON: restarted, and the Events do not say why any more\n" + caveat + "\n"},
		{"unread", of(unread), "?  in REASON: restarted, and why is in Events that could not be read\n"},
		{"both", of(forgotten, unread), "?  in REASON: restarted, and the Events do not say why, or could not be read\n" + caveat + "\n"},
		{"the status says so", of(oom), ""},
		{"no Event named a probe", of(exit), caveat + "\n"},
		{"once", of(exit, exit), caveat + "\n"},
	} {
		if diff := cmp.Diff(tt.want, notes(tt.in, Options{})); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
