package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Static Pods: the kubelet reports them under the UID of their manifest, not under the mirror Pod's.
func TestPeerFault07StaticPodsShowFailures(t *testing.T) {
	c := containerNamed(t, workloadNamed(t, readCapture(t, "kube-system"), "pod/static-web-node-1"), "app")
	if *c.Failures != 21 || c.Kills.Liveness != 6 {
		t.Errorf("%d failures and %d kills, want 21 and 6", *c.Failures, c.Kills.Liveness)
	}
}

// Age: a failure of yesterday is not "now" on a Pod that is Ready and started.
func TestPeerFault08YesterdayIsNotNow(t *testing.T) {
	sidecar := appContainer("app")
	sidecar.Startup, sidecar.Sidecar = httpProbe(), true
	p := runningPod("web", sidecar)
	p.Containers[0].Running, p.Conditions[0].LastTransition = ago(26*time.Hour), ago(26*time.Hour)
	r := build(t, readSnapshot(pods(p),
		atPath("spec.initContainers{app}", event(p, "Unhealthy", "Startup probe failed: x", 2, 26*time.Hour, 26*time.Hour)),
		atPath("spec.initContainers{app}", event(p, "Unhealthy", "Readiness probe failed: x", 2, 25*time.Hour, 25*time.Hour)),
	))
	if got := onlyEvidence(t, r, probe.Startup).State; got != StateStarting {
		t.Errorf("startup is %s, want starting", got)
	}
	if got := onlyEvidence(t, r, probe.Readiness).State; got != StateRecovered {
		t.Errorf("readiness is %s, want recovered", got)
	}
	if causes := r.Workloads[0].Containers[0].Causes; len(causes) > 0 {
		t.Errorf("causes %v of a healthy Pod", causes)
	}
}

// Starts: checks that fail before the application is up belong to every start.
func TestPeerFault09NormalStartIsNotFailing(t *testing.T) {
	c := appContainer("app")
	c.Startup = httpProbe()
	p := runningPod("web", c)
	p.Containers[0].Running, p.Conditions[0].LastTransition = ago(4*time.Minute), ago(3*time.Minute)
	r := build(t, readSnapshot(pods(p), event(p, "Unhealthy", "Startup probe failed: x", 2, 230*time.Second, 220*time.Second)))
	if got := onlyEvidence(t, r, probe.Startup).State; got != StateStarting {
		t.Errorf("startup is %s, want starting", got)
	}
}

// Lower bounds: after 25 writes counts lag, and a newer kind of failure may be missing.
func TestPeerFault10CountsAreMarkedAsLowerBounds(t *testing.T) {
	p := unready(runningPod("web"))
	for count, want := range map[int32]bool{24: false, 25: true} {
		r := build(t, readSnapshot(pods(p), event(p, "Unhealthy", "Readiness probe failed: x", count, 20*time.Minute, time.Minute)))
		if got := r.Workloads[0].Containers[0].Pods[0].Saturated; got != want {
			t.Errorf("%d writes: saturated %v, want %v", count, got, want)
		}
	}
}

// Combined events: they count as evidence, and never for a container that only their fieldPath names.
func TestPeerFault11CombinedEventsKeepTheirPlace(t *testing.T) {
	const message = "(combined from similar events): Liveness probe failed: x"
	alone := unready(runningPod("web"))
	r := build(t, readSnapshot(pods(alone), event(alone, "Unhealthy", message, 7, 20*time.Minute, time.Minute)))
	if e := onlyEvidence(t, r, probe.Liveness); e.Failures != 7 || e.Message != "x" {
		t.Errorf("one container: %+v", *e)
	}
	two := unready(runningPod("web", appContainer("app"), appContainer("proxy")))
	w := build(t, readSnapshot(pods(two), event(two, "Unhealthy", message, 7, 20*time.Minute, time.Minute))).Workloads[0]
	if len(w.Mixed) != 1 || w.Mixed[0].Pod != "web" || w.Mixed[0].Count != 7 || w.Mixed[0].Message != "Liveness probe failed: x" {
		t.Errorf("two containers: mixed %+v", w.Mixed)
	}
	for _, c := range w.Containers {
		if *c.Failures != 0 {
			t.Errorf("%s has %d failures of a message that names no container", c.Name, *c.Failures)
		}
	}
}

// Errors: a check that could not run counts for nothing in the kubelet, so it is no failure.
func TestPeerFault12ErrorsAreNotFailures(t *testing.T) {
	c := containerNamed(t, workloadNamed(t, readCapture(t, "exec-timeout"), "pod/exec-missing-command"), "app")
	if *c.Failures != 0 || *c.Errors != 9+141 {
		t.Errorf("%d failures and %d errors, want 0 and 150", *c.Failures, *c.Errors)
	}
}

// Proof: a Killing event says that a probe killed, even when the application then ended well.
func TestPeerFault13KillingProvesTheProbe(t *testing.T) {
	w := workloadNamed(t, readCapture(t, "liveness-404"), "deploy/web")
	c := containerNamed(t, w, "app")
	if got := restartsText(*c); got != "liveness:12 ?:2" || c.Restarts != 14 {
		t.Errorf("of %d restarts %s, want 12 of 14 proven", c.Restarts, got)
	}
	for _, p := range c.Pods {
		if p.LastTermination == nil || p.LastTermination.Reason != "Completed" {
			t.Errorf("%s ended %+v: the capture no longer shows the point", p.Name, p.LastTermination)
		}
	}
}

// Gaps: one namespace whose Events are forbidden does not blank the others.
func TestPeerFault27OneGapDoesNotBlankTheRest(t *testing.T) {
	known, dark := unready(runningPod("web")), inBackOff(runningPod("web"), 3, ended("Error", 143, 40*time.Second, time.Minute))
	dark.Namespace, dark.UID = "dark", "uid-dark"
	s := readSnapshot(pods(known, dark), event(known, "Unhealthy", "Readiness probe failed: x", 3, 20*time.Minute, time.Minute))
	s.Gaps = []snapshot.Gap{{What: "events", Namespace: "dark", Reason: snapshot.Forbidden}}
	for _, w := range build(t, s).Workloads {
		c := w.Containers[0]
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if w.Namespace == "dark" {
			for _, key := range []string{`"failures"`, `"errors"`, `"kills"`, `"evidence"`} {
				if strings.Contains(string(text), key) {
					t.Errorf("%s is there although Events are unknown: %s", key, text)
				}
			}
			if causesText(c) != "?:1" {
				t.Errorf("causes %q, want ?", causesText(c))
			}
			continue
		}
		if c.Failures == nil || *c.Failures != 3 || causesText(c) != "readiness:1" {
			t.Errorf("failures %v, causes %q", c.Failures, causesText(c))
		}
	}
}

// Deleted Pods: what Events say about them is told as past, not dropped.
func TestPeerFault32GonePodsArePast(t *testing.T) {
	web := runningPod("web-7d9f8c6b5-bbbbb")
	s := readSnapshot(pods(web), goneEvent("web-5c9d8b7f6-x2x4v", 9))
	s.Objects = deployment("web", 1, web)
	w := workloadNamed(t, build(t, s), "deploy/web")
	c := containerNamed(t, w, "app")
	p := podNamed(t, c, "web-5c9d8b7f6-x2x4v")
	if w.Pods.Gone != 1 || *c.Failures != 9 || p.Phase != Gone || p.Evidence[0].State != StatePast {
		t.Errorf("%+v of %+v", *p, w.Pods)
	}
	if causesText(*c) != "" {
		t.Errorf("causes %q of live Pods", causesText(*c))
	}
}

// Pod rows: phase, state, its reason, start and revision are there, and what keeps a Pod from being ready.
func TestPeerFault40PodRowsTellTheirState(t *testing.T) {
	running := unready(runningPod("web-1"))
	running.Labels = map[string]string{"pod-template-hash": "7d9f8c6b5"}
	waiting := inBackOff(runningPod("web-2"), 4, ended("OOMKilled", 137, time.Minute, time.Minute))
	waiting.Deleted = ago(-time.Minute)
	waiting.Asked = true
	r := build(t, readSnapshot(pods(running, waiting)))
	one := r.Workloads[0].Containers[0].Pods[0]
	if one.Phase != Live || one.State != "running" || one.StartedAt == nil || one.Revision != "7d9f8c6b5" || one.PodReady || one.Node != "node-1" {
		t.Errorf("running: %+v", one)
	}
	two := r.Workloads[1].Containers[0].Pods[0]
	if two.Phase != Terminating || two.State != "waiting" || two.Reason != "CrashLoopBackOff" || two.LastTermination.Reason != "OOMKilled" {
		t.Errorf("waiting: %+v", two)
	}
}
