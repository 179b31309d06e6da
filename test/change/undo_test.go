package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

const original = "kubectl-probes.github.io/original"

// TestUndo makes every sort of change on a running Pod, and has a shell run what was printed to undo it.
func TestUndo(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want map[string]string // what becomes of probes; empty: there is none
	}{
		"off": {[]string{"-c", "app", "--liveness-off"}, map[string]string{"app livenessProbe": ""}},
		"tune": {[]string{"--liveness=period=20s,failure=6"}, map[string]string{
			"app livenessProbe": `{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":20,"successThreshold":1,"failureThreshold":6,"terminationGracePeriodSeconds":5}`,
		}},
		"handler": {[]string{"-c", "app", "--readiness=tcp=:http"}, map[string]string{
			"app readinessProbe": `{"tcpSocket":{"port":"http"},"timeoutSeconds":1,"periodSeconds":5,"successThreshold":2,"failureThreshold":2}`,
		}},
		"add": {[]string{"-c", "helper", "--readiness=http=https://:8443,period=3", "--liveness=exec=cat '/tmp/a b'"}, map[string]string{
			"helper readinessProbe": `{"httpGet":{"path":"/","port":8443,"scheme":"HTTPS"},"timeoutSeconds":1,"periodSeconds":3,"successThreshold":1,"failureThreshold":3}`,
			"helper livenessProbe":  `{"exec":{"command":["cat","/tmp/a b"]},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`,
		}},
		"sidecar": {[]string{"-c", "mesh", "--startup=failure=60", "--readiness-off"}, map[string]string{
			"mesh startupProbe":   `{"exec":{"command":["sh","-c","echo 'a b' | grep $X \u0026\u0026\ntrue"]},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":60}`,
			"mesh readinessProbe": "",
		}},
		"whole": {[]string{"-c", "app", `--readiness={"httpGet":{"port":1,"httpHeaders":[{"name":"Host","value":"é"}]},"initialDelaySeconds":4}`}, map[string]string{
			"app readinessProbe": `{"httpGet":{"path":"/","port":1,"scheme":"HTTP","httpHeaders":[{"name":"Host","value":"é"}]},"initialDelaySeconds":4,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`,
		}},
		"grace": {[]string{"--liveness=grace="}, map[string]string{
			"app livenessProbe": `{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`,
		}},
		"all three of every container": {[]string{"-c", "*", "--startup=tcp=:1", "--readiness-off", "--liveness=grpc=:2/x,delay=1m"}, map[string]string{
			"app startupProbe": tcp1, "helper startupProbe": tcp1, "mesh startupProbe": strings.Replace(tcp1, "3}", "30}", 1),
			"app readinessProbe": "", "mesh readinessProbe": "",
			"app livenessProbe":    `{"grpc":{"port":2,"service":"x"},"initialDelaySeconds":60,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3,"terminationGracePeriodSeconds":5}`,
			"helper livenessProbe": grpc2, "mesh livenessProbe": grpc2,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, env.mutable)
			s.alone(t, "web-0", On(follows))
			before := s.probes(t, "web-0")
			got := s.must(t, append([]string{"pod/web-0"}, c.args...)...)
			has(t, got.Err, "in force: "+follows+" applied it ", "as:    field manager kubectl-probes")
			want := map[string]string{}
			for key, raw := range before {
				want[key] = raw
			}
			for key, raw := range c.want {
				if want[key] = raw; raw == "" {
					delete(want, key)
				}
			}
			if diff := cmp.Diff(want, s.probes(t, "web-0")); diff != "" {
				t.Errorf("changed (-want +got):\n%s", diff)
			}
			undone(t, got)
			s.same(t, "web-0", before)
			if value, kept := s.pod(t, "web-0").Annotations[original]; kept {
				t.Errorf("the annotation is still there: %s", value)
			}
		})
	}
}

const (
	tcp1  = `{"tcpSocket":{"port":1},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`
	grpc2 = `{"grpc":{"port":2,"service":"x"},"initialDelaySeconds":60,"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`
)

// same fails the test when a Pod's probes are not byte for byte these.
func (s *scene) same(t *testing.T, pod string, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, s.probes(t, pod)); diff != "" {
		t.Errorf("probes of %s (-want +got):\n%s", pod, diff)
	}
}

// TestUndoOfLaterChanges walks through several changes and back: each undo gives back what was before its change, and
// --restore what was before the first.
func TestUndoOfLaterChanges(t *testing.T) {
	s := newScene(t, env.mutable)
	s.alone(t, "web-0", On(follows))
	first := s.probes(t, "web-0")
	for _, args := range [][]string{
		{"-c", "app", "--liveness-off"},
		{"-c", "app", "--readiness=exec=sh -c 'it'\\''s; \"$HOME\"'"},
		{"-c", "app", "--liveness=tcp=:5"},
		{"-c", "app", "--readiness-off", "--liveness=period=7"},
		{"-c", "mesh", "--readiness=failure=9"},
		{"-c", "app", "-c", "helper", "--startup=http=:1/x"},
	} {
		before := s.probes(t, "web-0")
		got := s.must(t, append([]string{"pod/web-0"}, args...)...)
		undone(t, got)
		s.same(t, "web-0", before)
		s.must(t, append([]string{"pod/web-0"}, args...)...)
	}
	last := s.probes(t, "web-0")
	got := s.must(t, "pod/web-0", "--restore")
	s.same(t, "web-0", first)
	if value, kept := s.pod(t, "web-0").Annotations[original]; kept {
		t.Errorf("the annotation is still there: %s", value)
	}
	undone(t, got)
	s.same(t, "web-0", last)
	s.must(t, "pod/web-0", "--restore")
	s.same(t, "web-0", first)
}

// TestUndoOfAWorkload is 30 Pods of a Deployment at once, and one command that undoes it.
func TestUndoOfAWorkload(t *testing.T) {
	s := newScene(t, env.mutable)
	s.deployment(t, web(), 30, On(follows))
	before := map[string]map[string]string{}
	for i := range 30 {
		name := fmt.Sprintf("web-5555555555-%d", i)
		before[name] = s.probes(t, name)
	}
	p := s.through(t, nil)
	got := s.must(t, "deploy/web", "--pods", "--at-once", "-c", "app", "--liveness=failure=2", "--readiness=period=4")
	p.sent(t, 30)
	has(t, got.Err, "30 updated\n", "in force, as the nodes say: ")
	if n := len(lines(got.Out)); n != 30 {
		t.Errorf("%d lines for 30 Pods", n)
	}
	for name := range before {
		if raw := s.probes(t, name); raw["app livenessProbe"] == before[name]["app livenessProbe"] || raw["app readinessProbe"] == before[name]["app readinessProbe"] {
			t.Errorf("%s was not changed", name)
		}
	}
	if n := len(undo(got)); n != 1 {
		t.Errorf("%d undo commands", n)
	}
	undone(t, got)
	for name := range before {
		s.same(t, name, before[name])
	}
}
