package change

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

func TestConfirm(t *testing.T) {
	observe := func(s *server) {
		s.set("web-0", func(o map[string]any) { o["status"].(map[string]any)["observedGeneration"] = 2 })
	}
	tests := []struct {
		name     string
		version  string
		edits    map[probe.Kind]string
		happens  func(s *server) // half a second after the patch
		inForce  []string
		says     string
		event    bool
		observed bool
		waited   time.Duration
		ok       bool
	}{
		{"the node says so", "v1.38.0", map[probe.Kind]string{"liveness": "-off"}, func(s *server) {
			s.events = append(s.events, event("e1", "web", `Container web: liveness probe removed`))
		}, []string{"true"}, "node-1 applied it after 500ms", true, true, pollEvery, true},
		{"the node speaks of another probe", "v1.38.0", map[probe.Kind]string{"liveness": "-off"}, func(s *server) {
			s.events = append(s.events, event("e1", "web", `Container web: readiness probe removed`))
			observe(s)
		}, []string{"unknown"}, "did not say that it applied the change", false, true, 10 * time.Second, true},
		{
			"a kubelet without the gate", "v1.37.2",
			map[probe.Kind]string{"liveness": "-off"},
			observe,
			[]string{"false"},
			"node-1 runs kubelet v1.37.2, which keeps the old probe until it restarts", false, true, pollEvery + eventGrace, false,
		},
		{"a kubelet that has more than its version", "v1.37.2", map[probe.Kind]string{"liveness": "-off"}, func(s *server) {
			observe(s)
			s.events = append(s.events, event("e1", "", `liveness probe of container "web" removed`))
		}, []string{"true"}, "applied it", true, true, pollEvery, true},
		{
			"silence of a new kubelet", "v1.38.0",
			map[probe.Kind]string{"liveness": "-off"},
			func(*server) {},
			[]string{"unknown"},
			"no answer from node-1 within 10s", false, false, 10 * time.Second, true,
		},
		{
			"silence of an old kubelet", "v1.37.2",
			map[probe.Kind]string{"liveness": "-off"},
			func(*server) {},
			[]string{"false"},
			"no answer from node-1 within 10s", false, false, 10 * time.Second, false,
		},
		{
			"two of which one is in force", "v1.37.2",
			map[probe.Kind]string{"startup": "tcp=:1", "liveness": "period=5"},
			observe,
			[]string{"true", "false"},
			"", false, true, pollEvery + eventGrace, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, targets := replicas(t, 1)
			targets[0].Node.KubeletVersion = tt.version
			s.now.tick = func(time.Time) {
				s.mu.Lock()
				defer s.mu.Unlock()
				if tt.happens != nil {
					tt.happens(s)
					tt.happens = nil
				}
			}
			a := s.applier()
			a.Wait = 10 * time.Second
			r := Request{Containers: []string{"web"}}
			for _, kind := range probe.Kinds() {
				if value, ok := tt.edits[kind]; ok {
					r.Edits = append(r.Edits, edits(t, kind, value)...)
				}
			}
			result := apply(t, a, r, targets)[0]
			var texts []string
			for i, c := range result.Confirms {
				got := "unknown"
				if c.InForce != nil {
					got = map[bool]string{true: "true", false: "false"}[*c.InForce]
				}
				if got != tt.inForce[i] {
					t.Errorf("change %d in force: %s, want %s", i, got, tt.inForce[i])
				}
				if c.Event != tt.event || c.ObservedGeneration != tt.observed {
					t.Errorf("confirmed %+v", c.Confirmed)
				}
				texts = append(texts, c.Text)
			}
			if text := strings.Join(texts, "\n"); !strings.Contains(text, tt.says) {
				t.Errorf("text %q, want %q", text, tt.says)
			}
			if s.now.slept != tt.waited || result.Ok() != tt.ok {
				t.Errorf("waited %s, want %s; ok %v, want %v", s.now.slept, tt.waited, result.Ok(), tt.ok)
			}
		})
	}
}

func TestConfirmKnowsOldEvents(t *testing.T) {
	s, targets := replicas(t, 1)
	old := event("e1", "web", "Container web: liveness probe updated")
	s.events = append(s.events, old)
	s.set("web-0", func(o map[string]any) { o["metadata"].(map[string]any)["generation"] = 3 })
	targets[0].Meta.Generation = 3
	counted := false
	s.now.tick = func(now time.Time) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if now.Sub(time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)) >= 2*time.Second && !counted {
			counted = true
			s.events[0].Count++
		}
	}
	a := s.applier()
	a.Wait = 10 * time.Second
	result := apply(t, a, Request{Edits: edits(t, "liveness", "-off")}, targets)[0]
	if !result.Confirms[0].Event || result.Confirms[0].Text != "node-1 applied it after 2s" {
		t.Errorf("%+v", result.Confirms)
	}
}
