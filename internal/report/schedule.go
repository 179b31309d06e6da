package report

import (
	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// firstMutable is the kubelet from which on MutableContainerProbes may be on (KEP-6318).
const firstMutable = 38

// schedule is when the checks of a node's kubelet follow each other.
func (b *eventBook) schedule(n *snapshot.Node) Schedule {
	switch {
	case n == nil:
		return ""
	case n.Virtual:
		return ScheduleOwn
	case b.mutable[n.Name]:
		return ScheduleEndOfCheck
	case n.KubeletVersion == "":
		return ""
	case minorVersion(n.KubeletVersion) >= firstMutable:
		return ScheduleUnproven
	default:
		return ScheduleTicks
	}
}

// tellNode adds to a Pod's entry what its node is.
func (j *judge) tellNode(entry *Pod) {
	n := j.book.nodes[j.pod.Node]
	if n == nil {
		return
	}
	entry.KubeletVersion, entry.VirtualKubelet, entry.Schedule = n.KubeletVersion, n.Virtual, j.book.schedule(n)
	if j.nodeNotReady() {
		entry.NodeNotReady = condition(n.Conditions, "Ready", n.Ready)
		if entry.NodeNotReady == nil {
			entry.NodeNotReady = &Condition{}
		}
	}
}

// endOfCheck adds the figures of the other schedule to the probes of which some Pods run, or may run, on it.
func endOfCheck(variants []*variantGroup) {
	for _, v := range variants {
		if !v.mutable {
			continue
		}
		for _, kind := range probe.Kinds() {
			p := inRange(v.container.Probe(kind))
			if p == nil || !v.Probes.Get(kind).CanRun {
				continue
			}
			figures := &EndOfCheck{}
			if kind == probe.Startup {
				a := p.StartupAllowance(probe.EndOfCheck)
				figures.Allowance = &Allowance{a.GuaranteedSeconds, a.LongestSeconds}
			} else {
				d := p.Detection(probe.EndOfCheck)
				figures.Detection = &Detection{d.AtOnceSeconds, d.HangSeconds}
			}
			v.Probes.Get(kind).EndOfCheck = figures
		}
	}
}

func (g *workloadGroup) mayBeMutable(p *snapshot.Pod) bool {
	schedule := g.book.schedule(g.book.nodes[p.Node])
	return schedule == ScheduleEndOfCheck || schedule == ScheduleUnproven
}
