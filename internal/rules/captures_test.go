package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCaptures(t *testing.T) {
	for name, want := range map[string][]string{
		"exec-timeout": {
			"deploy/worker app liveness killed-by-probe", "deploy/worker app liveness exec-timeout-default",
			"pod/exec-exit1 app readiness failing-now", "pod/exec-exit1 app readiness exec-timeout-default",
			"pod/exec-missing-command app readiness probe-cannot-run",
		},
		"grpc-failing": {
			"deploy/api app liveness killed-by-probe",
			"pod/grpc-hang app readiness failing-now", "pod/grpc-not-grpc app readiness failing-now",
			"pod/grpc-refused app readiness failing-now", "pod/grpc-unknown-service app readiness failing-now",
		},
		"jobs":        {"cj/report app liveness killed-by-probe", "cj/report app readiness failing-now"},
		"kube-system": {"pod/static-web-node-1 app liveness killed-by-probe"},
		"liveness-404": {
			"deploy/stubborn app liveness killed-by-probe", "deploy/stubborn app readiness no-readiness-probe",
			"deploy/web app liveness killed-by-probe",
		},
		"rollout-stall": {"deploy/web app readiness rollout-stalled"},
		"sets":          {"ds/agent app readiness failing-now", "sts/db app readiness failing-now"},
		"sidecar": {
			"deploy/live proxy liveness killed-by-probe",
			"pod/sidecar-ready app readiness no-readiness-probe", "pod/sidecar-ready proxy readiness failing-now",
			"pod/sidecar-startup app readiness no-readiness-probe",
			"pod/sidecar-startup proxy startup killed-by-probe",
		},
		"startup-failing": {
			"deploy/slow app startup killed-by-probe", "deploy/slow app liveness liveness-same-as-readiness",
			"pod/startup-404 app startup killed-by-probe", "pod/startup-404 app readiness no-readiness-probe",
		},
		"tcp-refused": {
			"deploy/db app readiness failing-now",
			"pod/tcp-live app liveness killed-by-probe", "pod/tcp-live app readiness no-readiness-probe",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, w := range capture(t, name).Workloads {
				for _, c := range w.Containers {
					for _, f := range c.Findings {
						got = append(got, w.DisplayName+" "+c.Name+" "+string(f.Probe)+" "+f.Rule)
					}
				}
			}
			if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCaptureRolloutStallNamesBothSidesAndTheWayBack(t *testing.T) {
	f := findingOf(t, capture(t, "rollout-stall"), "rollout-stalled")
	if want := "1 Pod of the latest template (bbdb5d966) not ready since 13:39 UTC (8m36s), at least 154 failures, every check; 3 Pods of the previous revision keep serving"; f.Message != want {
		t.Errorf("says %q, want %q", f.Message, want)
	}
	if want := "kubectl rollout undo deploy/web -n rollout-stall"; f.Command != want {
		t.Errorf("command %q, want %q", f.Command, want)
	}
	if want := "the template changed the probe: httpGet.path was /healthz, is /ready-v2"; !strings.Contains(f.Hint, want) {
		t.Errorf("hint %q, want %q in it", f.Hint, want)
	}
}

func TestCaptureMissingCommandCanNeverAct(t *testing.T) {
	f := findingOf(t, capture(t, "exec-timeout"), "probe-cannot-run")
	for _, want := range []string{"can never act", "at least 150"} {
		if !strings.Contains(f.Message, want) {
			t.Errorf("says %q, want %q in it", f.Message, want)
		}
	}
	if !strings.Contains(f.Hint, "no such file or directory") {
		t.Errorf("hint %q, want the reason", f.Hint)
	}
}
