package change

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// describe fills in what every probe would do before and after, and what the kubelet does about the change of a Pod.
func (p *ObjectPlan) describe() error {
	after := p.Spec.DeepCopy()
	changed := Subject{Spec: after}
	for _, c := range p.Changes {
		decoded, err := probe.Decode(c.after)
		if err != nil {
			return refuse(p.Ref, "container %s: %s", c.Container, err)
		}
		if sl, ok := changed.slot(c.Container); ok {
			setProbe(sl.Container, c.Kind, decoded)
		}
	}
	old, err := described(p.Spec)
	if err != nil {
		return err
	}
	now, err := described(after)
	if err != nil {
		return err
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		c.Before, c.After = old[c.Container].Get(c.Kind), now[c.Container].Get(c.Kind)
		// What a kubelet does about a change concerns running containers alone.
		if p.Pod != nil && !p.Manifest && !p.waitsForNode() {
			state := stateOf(p.Pod, c.Container)
			c.Effects, c.Risky = effects(*c, state), risky(*c, state)
			if c.Action == Added && c.Kind == probe.Startup && state == started && p.Node.withoutGate() {
				c.Effects = []string{p.Node.takesStartedAway()}
			}
		}
		if c.Action != Unchanged && neverActs(c.After) {
			c.Effects = append(c.Effects, c.After.WhyNot+": every check errors and none counts, so the probe can never act")
		}
	}
	return nil
}

// neverActs tells of a probe that no check can be made of, whatever follows from its numbers.
func neverActs(p *report.Probe) bool { return p != nil && !p.CanRun }

func setProbe(c *corev1.Container, kind probe.Kind, p *corev1.Probe) {
	switch kind {
	case probe.Startup:
		c.StartupProbe = p
	case probe.Readiness:
		c.ReadinessProbe = p
	default:
		c.LivenessProbe = p
	}
}

// described says what the probes in a Pod's spec would do, by container, in the words of the report.
func described(spec *corev1.PodSpec) (map[string]report.Probes, error) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod"}, Spec: *spec}
	s := &snapshot.Snapshot{Pods: []*snapshot.Pod{snapshot.NewConverter().Pod(pod)}}
	r, err := report.Build(s, report.Options{})
	if err != nil {
		return nil, err
	}
	out := map[string]report.Probes{}
	for _, w := range r.Workloads {
		for _, c := range w.Containers {
			out[c.Name] = c.Probes
		}
	}
	return out, nil
}
