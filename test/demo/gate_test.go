package demo

import (
	"context"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestWithTheGate types what the README tells of a cluster whose server lets the probes of running Pods change.
func TestWithTheGate(t *testing.T) {
	mutable, err := controlplane.Start(controlplane.Mutable)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := mutable.Stop(); err != nil {
			t.Error(err)
		}
	})
	c := fixture.New(context.Background(), mutable.Config)
	c.Node(node)
	d, s := realDesk(t, mutable), newShop(t, mutable)
	d.installKubectl(t, mutable, "rollout status")
	line := command.Line{Kubeconfig: d.kubeconfig, CacheDir: t.TempDir(), Arguments: []string{"--context", demoContext}}
	must := func(target string, plays map[string]play) {
		if out, ok := d.make(t, target); !ok {
			t.Fatal(out)
		}
		s.run(plays)
	}
	must("up", s.everyday())
	must("chaos", s.badDay())

	_, text, _ := strings.Cut(readme(t), withGate)
	var got [][]bool
	for _, typed := range commands(text) {
		line.Must(t, append(strings.Fields(typed)[2:], "--wait=false")...) // no kubelet says that it is in force
		got = append(got, haveLiveness(s.pods("cart")))
	}
	if want := [][]bool{{false, false}, {true, true}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("whether cart's Pods have a liveness probe, after each command: %v, want %v", got, want)
	}

	line.Must(t, "set", "deploy/checkout", "-n", "shop", "--pods", "--liveness-off", "--wait=false")
	changed, agent, left := s.pods("checkout")[0].UID, s.pods("agent")[0].UID, s.pods("db")[0].UID
	if out, ok := d.make(t, "heal"); !ok {
		t.Fatal(out)
	}
	for name, want := range map[string]bool{"checkout": false, "agent": false, "db": true} {
		uid := map[string]types.UID{"checkout": changed, "agent": agent, "db": left}[name]
		there := slices.ContainsFunc(s.pods(name), func(p corev1.Pod) bool { return p.UID == uid && p.DeletionTimestamp == nil })
		if there != want {
			t.Errorf("after heal the Pod of %s is there as before: %v, want %v", name, there, want)
		}
	}
}

func haveLiveness(pods []corev1.Pod) []bool {
	var all []bool
	for _, p := range pods {
		all = append(all, p.Spec.Containers[0].LivenessProbe != nil)
	}
	return all
}
