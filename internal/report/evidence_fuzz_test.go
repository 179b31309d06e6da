package report

import (
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// An application writes most of a message. Whatever it writes, what is understood is of the container that the Event is
// about, and said in the message.
func FuzzUnderstand(f *testing.F) {
	for _, reason := range []string{"Unhealthy", "ProbeWarning", "Killing", "BackOff", "ContainerProbeChanged", "Other"} {
		for _, message := range []string{
			"Liveness probe failed: HTTP probe failed with statuscode: 503", "Readiness probe errored: rpc error", "Startup probe errored and resulted in unknown state: x",
			"Readiness probe warning: Probe terminated redirects", "Container app failed liveness probe, will be restarted", "Init container app definition changed",
			"Stopping container app", "Back-off restarting failed container app in pod web_shop(1)", "Container app: liveness probe added, startupProbe removed",
			"(combined from similar events): Liveness probe failed: a\x1b[2J\nLiveness probe failed: b", "Liveness probe failed:", " probe :", "",
		} {
			f.Add(reason, message, "spec.containers{app}")
		}
	}
	f.Add("Unhealthy", "Liveness probe failed: x", "spec.ephemeralContainers{debug}")
	f.Add("Unhealthy", "Liveness probe failed: x", "spec.containers{a{b}}")
	f.Fuzz(func(t *testing.T, reason, message, fieldPath string) {
		list, _, _ := strings.Cut(strings.TrimPrefix(fieldPath, "spec."), "{")
		combined := strings.HasPrefix(message, combinedPrefix)
		for _, s := range understand(&snapshot.Event{Reason: reason, Message: message, FieldPath: fieldPath}) {
			if s.verb < failed || s.verb > reconfigured {
				t.Errorf("no verb: %+v", s)
			}
			if known := s.probe == probe.Startup || s.probe == probe.Readiness || s.probe == probe.Liveness; !known && (s.probe != "" || s.verb <= killed) {
				t.Errorf("no probe: %+v", s)
			}
			if !strings.Contains(message, s.text) {
				t.Errorf("%q is not in %q", s.text, message)
			}
			if list == "ephemeralContainers" {
				t.Errorf("an ephemeral container has no probes: %+v", s)
			}
			if combined && s.container != "" {
				t.Errorf("of several containers one was named: %+v", s)
			}
			if !combined && !strings.Contains(fieldPath+message, s.container) {
				t.Errorf("nothing names %q", s.container)
			}
			_ = isTimeout(s.text)
		}
	})
}

// FuzzIgnored reads the annotation that suppresses findings.
func FuzzIgnored(f *testing.F) {
	for _, seed := range []string{"", "no-readiness-probe", "app:no-readiness-probe, flapping", ",,", " a\n,\tb ", "a:b:c", "\xff,\x1b[31m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := &workloadGroup{object: &snapshot.Object{Annotations: map[string]string{ignoreAnnotation: text}}}
		for _, entry := range g.ignored() {
			if entry == "" || strings.Contains(entry, ",") || entry != strings.TrimSpace(entry) || !strings.Contains(text, entry) {
				t.Errorf("%q gave %q", text, entry)
			}
		}
	})
}
