package change

import (
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

func TestInForce(t *testing.T) {
	yes, no := "true", "false"
	const unknown = "unknown"
	tests := []struct {
		name      string
		node      Node
		container string
		kind      probe.Kind
		value     string
		original  string
		want      string
		says      string
	}{
		{"v1.37 changed", Node{Name: "n", KubeletVersion: "v1.37.2"}, "web", probe.Liveness, "period=5", "", no, "n runs kubelet v1.37.2, which keeps the old probe until it restarts"},
		{"v1.37 removed", Node{Name: "n", KubeletVersion: "v1.37.2"}, "web", probe.Liveness, "-off", "", no, "keeps the old probe"},
		{"v1.37 added behind none", Node{Name: "n", KubeletVersion: "v1.37.2"}, "worker", probe.Liveness, "tcp=:1", "", yes, "starts added probes"},
		{"v1.37 added in front", Node{Name: "n", KubeletVersion: "v1.37.2"}, "web", probe.Startup, "tcp=:1", "", yes, "starts added probes"},
		{"v1.36 added behind another container", Node{Name: "n", KubeletVersion: "v1.36.0"}, "worker", probe.Liveness, "tcp=:1", "", no, "ignores this probe until it restarts"},
		{"v1.36 added in front of all", Node{Name: "n", KubeletVersion: "v1.36.0"}, "web", probe.Startup, "tcp=:1", "", yes, "starts added probes"},
		{"v1.37 added behind its own", Node{Name: "n", KubeletVersion: "v1.37.2"}, "proxy", probe.Liveness, "tcp=:1", "", no, "ignores this probe"},
		{"v1.37 added behind one that went", Node{Name: "n", KubeletVersion: "v1.37.2"}, "worker", probe.Liveness, "tcp=:1", `{"worker":{"readiness":{"tcpSocket":{"port":1}}}}`, no, "ignores this probe"},
		{"v1.37 back to the first", Node{Name: "n", KubeletVersion: "v1.37.2"}, "worker", probe.Liveness, "tcp=:1", `{"worker":{"liveness":{"tcpSocket":{"port":1}}}}`, unknown, "may never have left"},
		{"v1.37 grace alone", Node{Name: "n", KubeletVersion: "v1.37.2"}, "web", probe.Liveness, "grace=5", "", yes, "when it kills"},
		{"v1.37 grace and more", Node{Name: "n", KubeletVersion: "v1.37.2"}, "web", probe.Liveness, "grace=5,period=5", "", no, "keeps the old probe"},
		{"v1.38", Node{Name: "n", KubeletVersion: "v1.38.0-beta.0"}, "web", probe.Liveness, "period=5", "", unknown, "did not say"},
		{"v1.30", Node{Name: "n", KubeletVersion: "v1.30.1"}, "web", probe.Liveness, "period=5", "", unknown, "restarts the container"},
		{"a virtual node", Node{Name: "n", KubeletVersion: "v1.30.1", Virtual: true}, "web", probe.Liveness, "period=5", "", unknown, "virtual node"},
		{"not read", Node{Name: "n"}, "web", probe.Liveness, "period=5", "", unknown, "version of n is not known"},
		{"no node", Node{}, "web", probe.Liveness, "period=5", "", yes, "no node has the Pod yet"},
		{"a distribution's version", Node{Name: "n", KubeletVersion: "v1.35.4-eks-1"}, "web", probe.Liveness, "period=5", "", no, "keeps the old probe"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var replace []string
			if tt.original != "" {
				replace = []string{"{team: shop}", "{kubectl-probes.github.io/original: '" + tt.original + "'}"}
			}
			target := pod(t, webPod, replace...)
			target.Node = tt.node
			p := planned(t, Request{Edits: edits(t, tt.kind, tt.value), Containers: []string{tt.container}}, target)
			got, why := inForce(&p.Objects[0], p.Objects[0].Changes[0])
			text := unknown
			if got != nil && *got {
				text = yes
			} else if got != nil {
				text = no
			}
			if text != tt.want || !strings.Contains(why, tt.says) {
				t.Errorf("in force %s (%s), want %s (%s)", text, why, tt.want, tt.says)
			}
		})
	}
}

func TestEffects(t *testing.T) {
	tests := []struct {
		name  string
		kind  probe.Kind
		value string
		phase phase
		want  string // part of the effects, joined
		risky bool
	}{
		{"period", probe.Liveness, "period=30", started, "counts are kept; the next check comes a new period", false},
		{"tighter period", probe.Liveness, "period=5", started, "counts are kept", true},
		{"thresholds", probe.Liveness, "failure=5", started, "goes on and is the first to count", false},
		{"the strongest wins", probe.Liveness, "failure=5,period=30,timeout=2", started, "the check in flight is cancelled", false},
		{"handler", probe.Liveness, "http=:8080/x", started, "cancelled", true},
		{"grace", probe.Liveness, "grace=5", started, "the next kill", false},
		{"delay", probe.Liveness, "delay=5", started, "from the next start", false},
		{"success", probe.Readiness, "success=2", started, "counts start again", true},
		{"removed readiness", probe.Readiness, "-off", started, "ready as soon as it has started", false},
		{"added startup", probe.Startup, "tcp=:1", started, "waits for the next start", true},
		{"added startup, starting", probe.Startup, "tcp=:1", starting, "its other probes wait", true},
		{"may restart", probe.Liveness, "failure=2", started, "it may restart the container later", true},
		{"looser", probe.Liveness, "failure=5", started, "count\na restart already decided goes on", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var replace []string
			if tt.phase == starting {
				replace = []string{"started: true", "started: false"}
			}
			p := planned(t, Request{Edits: edits(t, tt.kind, tt.value), Containers: []string{"web"}}, pod(t, webPod, replace...))
			c := p.Objects[0].Changes[0]
			if text := strings.Join(c.Effects, "\n"); !strings.Contains(text, tt.want) || c.Risky != tt.risky {
				t.Errorf("risky %v, effects\n%s", c.Risky, text)
			}
		})
	}
}

func TestEveryAspectHasItsRow(t *testing.T) {
	for _, kind := range probe.Kinds() {
		for a := aspectAdded; a <= aspectGrace; a++ {
			found := 0
			for _, e := range effectTable() {
				if e.aspect == a && e.phase == anyPhase && (len(e.kinds) == 0 || e.kinds[0] == kind) {
					found++
				}
			}
			if found != 1 {
				t.Errorf("%s, aspect %d: %d rows that always fit, want 1", kind, a, found)
			}
		}
	}
}
