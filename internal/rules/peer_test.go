package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// The tests here are named after faults that were found in another tool of this kind.

// There would be no gate for CI: no severity, no choice of rules, no suppression.
func TestPeerFault42FindingsCanGateCI(t *testing.T) {
	r := read(t, Options{}, deployment(`livenessProbe: {tcpSocket: {port: 80}, timeoutSeconds: 20}`)+service(), "-")
	for text, want := range map[string]bool{"warning": true, "error": false, "timeout-exceeds-period": true, "flapping": false, "no-readiness-probe,flapping": true} {
		s, err := ParseFailOn(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Any(r); got != want {
			t.Errorf("--fail-on=%s: %v, want %v", text, got, want)
		}
	}
}

// A finding for each probe that leaves its timeout at the default would be a finding on nearly every probe.
func TestPeerFault46NoNoise(t *testing.T) {
	r := read(t, Options{}, deployment(`
		startupProbe: {httpGet: {path: /started, port: 80}}
		readinessProbe: {httpGet: {path: /ready, port: 80}}
		livenessProbe: {httpGet: {path: /live, port: 80}}`)+service(), "-")
	if got := foundIn(r); len(got) > 0 {
		t.Errorf("defaults are no fault: %v", got)
	}
	r = read(t, Options{}, deployment(`
		startupProbe: {exec: {command: [started]}}
		readinessProbe: {exec: {command: [ready]}}
		livenessProbe: {exec: {command: [live]}}`)+service(), "-")
	if got := foundIn(r); len(got) != 1 || got[0] != "app liveness exec-timeout-default" {
		t.Errorf("once a container: %v", got)
	}
	if f := findingOf(t, r, "exec-timeout-default"); !strings.Contains(f.Hint, "also readiness, startup") {
		t.Errorf("hint %q", f.Hint)
	}
}

// The rows that fail, or lack a probe, could not be picked out.
func TestPeerFault54RowsCanBeChosen(t *testing.T) {
	for text, want := range map[string][]string{
		"failing":      {"deploy/live", "pod/sidecar-ready", "pod/sidecar-startup"},
		"unready":      {"pod/sidecar-ready", "pod/sidecar-startup", "deploy/live"},
		"no-liveness":  {"pod/sidecar-ready", "pod/sidecar-startup", "deploy/live"},
		"no-readiness": {"pod/sidecar-ready", "pod/sidecar-startup", "deploy/live"},
	} {
		r := capture(t, "sidecar")
		if parse(t, text).Keep(r); len(r.Workloads) == 0 {
			t.Errorf("--only=%s keeps nothing", text)
		}
		for _, w := range r.Workloads {
			if !slices.Contains(want, w.DisplayName) {
				t.Errorf("--only=%s keeps %s", text, w.DisplayName)
			}
			for _, c := range w.Containers {
				if !r.Has(&w, &c, report.Fact(text)) {
					t.Errorf("--only=%s keeps %s of %s", text, c.Name, w.DisplayName)
				}
			}
		}
	}
}

// Findings would say what is wrong and never what to try, and observed starts would be used for nothing.
func TestPeerFault56HintsCarryTheContainersOwnNumbers(t *testing.T) {
	r := cluster([]report.Pod{started(readyPod("web-1"), 42), started(readyPod("web-2"), 71)})
	f := findingOf(t, r, "restart-loop-on-start")
	for _, want := range []string{"its 2 starts took at least 42s to 1m11s", "only 20s is sure"} {
		if !strings.Contains(f.Message, want) {
			t.Errorf("says %q, want %q in it", f.Message, want)
		}
	}
	if want := "with period=10,failure=16, would allow 2m30s"; !strings.Contains(f.Hint, want) {
		t.Errorf("hint %q, want %q in it", f.Hint, want)
	}
	if want := "kubectl probes set deploy/web -n shop -c app --pod-template --startup=period=10,failure=16,http=:8080/live --dry-run=server"; f.Command != want {
		t.Errorf("command %q, want %q", f.Command, want)
	}
	for _, rule := range All() {
		if rule.Hint == "" || rule.Why == "" {
			t.Errorf("%s has no hint or no why", rule.ID)
		}
	}
}

// There would be no rule for a port of nobody, for another host, for a startup budget that is too small.
func TestPeerFault57WhatWasNeverLookedAt(t *testing.T) {
	for rule, fields := range map[string]string{
		"probe-cannot-run":         `readinessProbe: {httpGet: {port: htpp}}`,
		"probe-host-loopback":      `readinessProbe: {httpGet: {port: 80, host: 127.0.0.1}}`,
		"liveness-without-startup": `livenessProbe: {httpGet: {port: 80}, initialDelaySeconds: 120}`,
		"invalid-probe":            `livenessProbe: {httpGet: {port: 80}, successThreshold: 2}`,
		"timeout-exceeds-period":   `readinessProbe: {httpGet: {port: 80}, timeoutSeconds: 11}`,
	} {
		findingOf(t, read(t, Options{}, deployment(fields), "-"), rule)
	}
}

func TestInvalidProbesAreToldInTheServersWords(t *testing.T) {
	const job = `apiVersion: batch/v1
kind: CronJob
metadata: {name: backup}
spec:
  jobTemplate:
    spec:
      template:
        spec:
          initContainers: [{name: setup, readinessProbe: {tcpSocket: {port: 80}}}]
          containers: [{name: app, livenessProbe: {tcpSocket: {port: 0}}}]
`
	want := []string{
		"spec.jobTemplate.spec.template.spec.containers[0].livenessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive",
		"spec.jobTemplate.spec.template.spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
	}
	var got []string
	for _, f := range read(t, Options{}, job, "-").Workloads[0].Containers[0].Findings {
		if f.Rule == "invalid-probe" {
			got = append(got, f.Message)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	misspelled := findingOf(t, read(t, Options{}, deployment(`livenessProbe: {tcpSocket: {port: 80}, PeriodSeconds: 3}`), "-"), "invalid-probe")
	if want := `strict decoding error: unknown field "spec.template.spec.containers[0].livenessProbe.PeriodSeconds"`; misspelled.Message != want {
		t.Errorf("says %q, want %q", misspelled.Message, want)
	}
	if want := "did you mean periodSeconds?"; !strings.Contains(misspelled.Hint, want) {
		t.Errorf("hint %q, want %q in it", misspelled.Hint, want)
	}
}
