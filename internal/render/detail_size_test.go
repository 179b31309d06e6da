package render

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// about40 is how long the view of one workload may become.
const about40 = 42

// However many Pods there are, the view does not grow with them.
func TestPeerFault48LengthDoesNotGrowWithPods(t *testing.T) {
	for _, width := range []int{0, 80, 160} {
		few := strings.Count(detail(t, checkout(40), Options{Width: width}), "\n")
		for _, n := range []int{500, 4000} {
			got := detail(t, checkout(n), Options{Width: width})
			if lines := strings.Count(got, "\n"); lines > about40 || lines > few+2 {
				t.Errorf("%d Pods, width %d: %d lines, of 40 Pods %d", n, width, lines, few)
			}
			if !strings.Contains(got, fmt.Sprintf("%d Pods, 2 ready", n)) || !strings.Contains(got, "\n2     ready ") {
				t.Errorf("%d Pods are not counted:\n%s", n, got)
			}
		}
	}
}

// Pods that all end and answer otherwise do not flood it either.
func TestDetailOfPodsThatAllDiffer(t *testing.T) {
	r := checkout(500)
	app := &r.Workloads[0].Containers[0]
	app.Findings = []report.Finding{}
	for i := range app.Pods {
		p := &app.Pods[i]
		p.Reason = fmt.Sprint("Reason", i)
		p.State, p.Ready, p.PodReady = "waiting", false, false
		if p.LastTermination != nil {
			p.LastTermination.ExitCode = int32(i)
		}
		for j := range p.Evidence {
			p.Evidence[j].Message = fmt.Sprintf("request %d-%d failed: %s", i, j, strings.Repeat("long ", 200))
		}
	}
	got := detail(t, r, Options{Width: 80})
	if lines := strings.Count(got, "\n"); lines > 70 {
		t.Errorf("%d lines:\n%s", lines, got)
	}
	if !strings.Contains(got, "other states") || !strings.Contains(got, "other answers (-o wide tells them)") {
		t.Errorf("the rest is not named:\n%s", got)
	}
}

// Who asks for every Pod and Event gets them.
func TestDetailWideHasEveryPodAndEvent(t *testing.T) {
	r := checkout(50)
	got := detail(t, r, Options{Wide: true})
	for _, p := range r.Workloads[0].Containers[0].Pods {
		if !strings.Contains(got, p.Name+" ") {
			t.Errorf("no %s", p.Name)
		}
		for _, e := range p.Evidence {
			if !strings.Contains(flat(got), flat(e.Message)) {
				t.Errorf("%s: no %q", p.Name, e.Message)
			}
		}
	}
}

// Sentences are wrapped at the width, 80 where it is unknown; only what must stay whole may be longer.
func TestPeerFault47SentencesWrap(t *testing.T) {
	for _, width := range []int{0, 60, 80, 120, 200} {
		limit := width
		if width == 0 {
			limit = 80
		}
		for _, r := range []*report.Report{checkout(40), troubles(), canary()} {
			for _, wide := range []bool{false, true} {
				for _, line := range linesOf(detail(t, r, Options{Width: width, Wide: wide})) {
					isTable := strings.Contains(strings.TrimSpace(line), "   ") || strings.Contains(line, "  node-") || strings.Contains(line, "PERIOD") || strings.Contains(line, atOnce)
					isCommand := strings.Contains(line, "kubectl probes set")
					if displayWidth(line) > limit && !isTable && !isCommand {
						t.Errorf("width %d: %d columns: %q", width, displayWidth(line), line)
					}
				}
			}
		}
	}
	if got := detail(t, checkout(4), Options{Wide: true}); strings.Contains(got, "m0s") {
		t.Errorf("durations are not those of the tables:\n%s", got)
	}
}

// A probe's answer, a name and a message are others' words.
func TestPeerFault53DetailEscapes(t *testing.T) {
	evil := "\x1b[2J\u202egnp.exe\r\n\u009b31m\x07\t"
	r := troubles()
	w := &r.Workloads[0]
	poison(w, evil)
	r.Scope.Arguments = []string{evil}
	r.Gaps = []report.Gap{{What: evil, Namespace: evil, Reason: "error", Message: evil}}
	for _, narrowed := range []bool{false, true} {
		w.Narrowed = narrowed
		for _, o := range []Options{{}, {Wide: true}, {Width: 80}, {Wide: true, Width: 2000}} {
			got := detail(t, r, o)
			if strings.ContainsAny(got, "\x1b\r\a\t\u202e\u009b") {
				t.Errorf("%+v: %q", o, got)
			}
			if !strings.Contains(got, `\x1b[2J\u202egnp.exe\r\n`) {
				t.Errorf("%+v: it is not shown", o)
			}
		}
	}
}

// poison writes that wherever others' words can be.
func poison(w *report.Workload, evil string) {
	w.DisplayName, w.Name, w.Namespace, w.Revision, w.InitContainers = "deploy/"+evil, evil, evil, evil, []string{evil}
	w.RootOwner = &report.OwnerRef{Kind: evil, Group: evil, Name: evil}
	w.Services = []report.Service{{Name: evil}}
	w.Rollout = &report.Rollout{State: report.RolloutStalled, Reason: evil, Message: evil, NewRevision: evil, OldRevisions: []string{evil}, NotReady: []string{evil}}
	w.FailedCreate = &report.FailedCreate{Pods: 1, Message: evil}
	w.Mixed[0].Pod, w.Mixed[0].Message = evil, evil
	for i := range w.Containers {
		c := &w.Containers[i]
		c.Name = evil
		c.Causes = append([]report.Cause{{Cause: evil, Pods: 1}, {Cause: "exit-" + evil, Pods: 1}}, c.Causes...)
		c.RestartCauses = []report.RestartCause{{Cause: evil, Restarts: 1}, {Cause: "exit-" + evil, Restarts: 1}}
		c.Drift = []report.Drift{{Probe: probe.Liveness, Kind: report.Changed, Change: report.Fields, By: evil, PodNames: []string{evil}, Fields: []report.Field{{Field: evil, Pod: evil, Template: evil}}}}
		c.Probes.Readiness = httpReadiness(evil)
		c.Probes.Readiness.Then = evil
		c.Probes.Readiness.EndOfCheck = &report.EndOfCheck{Detection: &report.Detection{}}
		c.Findings = append(c.Findings, report.Finding{Rule: evil, Severity: report.Severity(evil), Message: evil, Hint: evil, Command: evil})
		for j := range c.Pods {
			p := &c.Pods[j]
			p.Name, p.Node, p.Reason, p.Revision = evil, evil, evil, evil+fmt.Sprint(j)
			p.Evidence = []report.Evidence{{Probe: probe.Liveness, Failures: 3, State: report.StateNow, Message: evil}}
			p.ProbeChanges = []report.ProbeChange{{Probe: probe.Liveness, Action: evil, Message: evil}}
			p.Cause, p.Message, p.KubeletVersion, p.VirtualKubelet, p.FalseGates = evil, evil, evil, true, []string{evil}
			p.Schedule = []report.Schedule{report.ScheduleUnproven, report.ScheduleEndOfCheck, report.Schedule(evil)}[j%3]
			p.NodeNotReady, p.ResizePending, p.ResizeInProgress = &report.Condition{Reason: evil, Message: evil}, &report.Condition{Reason: evil}, &report.Condition{Message: evil}
			if p.LastTermination != nil {
				p.LastTermination.Reason, p.LastTermination.Cause = evil, evil+"!"
			}
		}
	}
}

// Whatever a Report holds or lacks, the view prints it.
func TestDetailNeverPanics(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		r := hostile(rnd, 1)
		r.Workloads = r.Workloads[:1]
		r.Running = rnd.IntN(4) > 0
		if rnd.IntN(2) == 0 {
			r.AsOf = nil
		}
		w := &r.Workloads[0]
		w.Narrowed = rnd.IntN(2) == 0
		for i := range w.Containers {
			w.Containers[i].Pods = append(w.Containers[i].Pods, troubles().Workloads[0].Containers[0].Pods...)
		}
		got := detail(t, r, Options{Wide: rnd.IntN(2) == 0, Width: rnd.IntN(3) * 70, Color: false})
		if strings.ContainsAny(got, "\x1b\r\t\x00\u009b\u202e\u2028") {
			t.Fatalf("seed %d: unescaped:\n%q", seed, got)
		}
		for _, line := range linesOf(got) {
			if line != strings.TrimRight(line, " ") {
				t.Errorf("seed %d: trailing blanks: %q", seed, line)
			}
		}
	}
}
