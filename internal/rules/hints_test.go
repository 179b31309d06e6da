package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func TestRefusedPorts(t *testing.T) {
	const now, then = "nothing listens on port 8080", "nothing listened on port 8080"
	refused := failures(probe.Liveness, 9, report.StateNow, 10*time.Minute, time.Minute)
	refused.Message = "dial tcp 10.0.0.1:8080: connect: connection refused"
	two := refused
	two.Messages = 2
	kill := func(p report.Pod, e ...report.Evidence) report.Pod {
		return killed(with(down(p), e...), probe.Liveness, 3, 9*time.Minute, time.Minute)
	}
	ready := kill(readyPod("web-1"), refused)
	ready.Ready = true
	otherIP := refused
	otherIP.Message = "dial tcp 10.0.0.2:8080: connect: connection refused"
	for _, test := range []struct {
		name string
		pods []report.Pod
		want string
	}{
		{"refused", []report.Pod{kill(readyPod("web-1"), refused)}, now},
		{"two Pods", []report.Pod{kill(readyPod("web-1"), refused), kill(readyPod("web-2"), otherIP)}, now},
		{"beside a Pod that is ready", []report.Pod{kill(readyPod("web-1"), refused), readyPod("web-2")}, now},
		{"another answer", []report.Pod{kill(readyPod("web-1"), two)}, ""},
		{"another answer of readiness", []report.Pod{kill(readyPod("web-1"), refused, failures(probe.Readiness, 3, report.StateNow, time.Minute, time.Second))}, ""},
		{"ready by that port", []report.Pod{ready}, ""},
		{"gone", []report.Pod{readyPod("web-2"), gone(kill(readyPod("web-1"), refused))}, then},
	} {
		t.Run(test.name, func(t *testing.T) {
			hint := findingOf(t, cluster(test.pods), "killed-by-probe").Hint
			for _, text := range []string{now, then} {
				if strings.Contains(hint, text) != (text == test.want) {
					t.Errorf("hint:\n%s\nwant %q in it", hint, test.want)
				}
			}
		})
	}
}

// Two numbers for one field would leave nobody knowing which to take.
func TestLivenessFindingsAgreeOnOneNumber(t *testing.T) {
	r := read(t, Options{}, deployment(`
		readinessProbe: {httpGet: {port: 80}}
		livenessProbe: {httpGet: {port: 80}, periodSeconds: 5}`), "-")
	before, same := findingOf(t, r, "liveness-before-readiness"), findingOf(t, r, "liveness-same-as-readiness")
	if before.Command != same.Command || !strings.HasSuffix(same.Command, "--liveness=failure=13") {
		t.Errorf("%q and %q", before.Command, same.Command)
	}
	if !strings.Contains(before.Hint, "with failure=13 it would act within") {
		t.Errorf("hint %q", before.Hint)
	}
}

func TestServicesAreNamedOnlyWhereOneIsKnown(t *testing.T) {
	same := hasProbes(report.Probes{Readiness: httpProbe("/"), Liveness: httpProbe("/")})
	for name, services := range map[string][]report.Service{"one": {{Name: "web"}}, "none": {}, "unknown": nil, "of all Pods": {{Name: "web", PublishNotReadyAddresses: true}}} {
		f := findingOf(t, cluster(beingKilled(), same, func(_ *report.Report, w *report.Workload, _ *report.Container) { w.Services = services }), "killed-by-probe")
		if got := strings.Contains(f.Hint, "out of its Services"); got != (name == "one") || !strings.Contains(f.Hint, "which readiness checks too") {
			t.Errorf("%s: %q", name, f.Hint)
		}
	}
}

func TestPatienceSaysWhatItsNumberDoes(t *testing.T) {
	if f, want := findingOf(t, cluster(beingKilled()), "killed-by-probe"), "with failure=30 it would kill after 5m of failures, not 30s: time to look for the reason"; !strings.Contains(f.Hint, want) {
		t.Errorf("hint %q, want %q in it", f.Hint, want)
	}
	pods := []report.Pod{killed(readyPod("web-1"), probe.Startup, 3, 9*time.Minute, time.Minute)}
	f := findingOf(t, cluster(pods, hasProbes(report.Probes{Startup: described(probe.Startup, httpProbe("/"))})), "killed-by-probe")
	if want := "with failure=6 a start would have 50s for sure, not 20s"; !strings.Contains(f.Hint, want) {
		t.Errorf("hint %q, want %q in it", f.Hint, want)
	}
}

func TestWhatEndsATimeoutAbovePeriodIsToldByItsFigures(t *testing.T) {
	f := findingOf(t, read(t, Options{}, deployment(`
		startupProbe: {tcpSocket: {port: 80}, timeoutSeconds: 20}
		livenessProbe: {tcpSocket: {port: 80}, timeoutSeconds: 20}`), "-"), "timeout-exceeds-period")
	for _, want := range []string{
		"also startup (timeout 20s, period 10s: ",
		"with timeout=10 liveness would act within 40s of a hang (now 1m20s), 30s of a failure at once (now 30s); an answer that takes longer then fails",
		"where answers need their time, period=20: 1m20s of a hang (now 1m20s), 1m of a failure at once (now 30s)",
	} {
		if !strings.Contains(f.Hint, want) {
			t.Errorf("hint:\n%s\nwant %q in it", f.Hint, want)
		}
	}
	if !strings.HasSuffix(f.Command, "--liveness=timeout=10") {
		t.Errorf("command %q: a start that may take longer than it seems harms nobody", f.Command)
	}
}
