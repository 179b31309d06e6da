package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// tell adds to a Pod's entry what Events say about the container.
func (b *eventBook) tell(entry *Pod, p *snapshot.Pod, container string) {
	j := b.judge(p, container)
	entry.Saturated = j.warnings >= burst
	b.tellFacts(entry, p.Namespace, j.facts, func(kind probe.Kind, e *Evidence, f *probeFacts) {
		e.State = j.state(kind, e.LastSeen.Time)
		if f.failed.count+f.errored.count == 0 && e.State != StatePast {
			e.State = StateRecovered // a warning is a success
		}
		if j.spec != nil {
			e.PerCheck = perCheck(inRange(j.spec.Probe(kind)), f.failed)
		}
	})
	entry.PossibleKill = j.possibleKill()
	entry.ReadySince, entry.StartSeconds = timeOrNil(readySince(p)), j.startSeconds()
	j.explain(entry)
	j.tellNode(entry)
}

func (b *eventBook) tellFacts(entry *Pod, namespace string, f *containerFacts, judged func(probe.Kind, *Evidence, *probeFacts)) {
	if b.known(namespace) {
		entry.Evidence, entry.Kills = []Evidence{}, []Kill{}
	}
	if f == nil {
		return
	}
	for _, kind := range probe.Kinds() {
		facts := f.of(kind)
		if e := evidenceOf(kind, facts); e != nil {
			judged(kind, e, facts)
			entry.Evidence = append(entry.Evidence, *e)
		}
		if k := facts.killed; k.count > 0 {
			entry.Kills = append(entry.Kills, Kill{Probe: kind, Count: k.count, FirstSeen: instant(k.first), LastSeen: instant(k.last)})
		}
	}
	if f.backedOff.count > 0 {
		entry.BackOff = &BackOff{Count: f.backedOff.count, LastSeen: instant(f.backedOff.last)}
	}
	entry.ProbeChanges = f.changes
}

// evidenceOf sums failed and errored checks; warnings tell the times only where there is nothing else.
func evidenceOf(kind probe.Kind, f *probeFacts) *Evidence {
	e := &Evidence{
		Probe: kind, Failures: f.failed.count, Errors: f.errored.count, Warnings: f.warned.count,
		Messages: f.failed.messages + f.errored.messages,
	}
	from := []tally{f.failed, f.errored}
	if e.Failures+e.Errors == 0 {
		from, e.Messages = []tally{f.warned}, f.warned.messages
	}
	var first, last time.Time
	for _, t := range from {
		if t.count == 0 {
			continue
		}
		if first.IsZero() || t.first.Before(first) {
			first = t.first
		}
		if last.IsZero() || !t.last.Before(last) {
			last, e.Message = t.last, t.message
		}
	}
	if e.Messages == 0 {
		return nil
	}
	if e.Failures > 0 {
		e.Message = f.failed.message // an errored check counts for nothing, and has a word only where it is all there is
	}
	e.FirstSeen, e.LastSeen = instant(first), instant(last)
	return e
}

// possibleKill is a container that was stopped without a word of why, in a Pod that nobody had told to go,
// after as many failures as a probe needs: with restartPolicy Never the whole Pod is ended by the same
// message as a deletion (pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions and SyncPod).
func (j *judge) possibleKill() *PossibleKill {
	if j.facts == nil || j.spec == nil || j.facts.stopped.count == 0 || !j.pod.Deleted.IsZero() || j.pod.Spec.RestartPolicy != corev1.RestartPolicyNever {
		return nil
	}
	at := j.facts.stopped.first
	for _, kind := range []probe.Kind{probe.Startup, probe.Liveness} {
		p, f := inRange(j.spec.Probe(kind)), j.facts.of(kind).failed
		if p == nil || f.count < int64(p.FailureThreshold) {
			continue
		}
		if near := at.Sub(f.last); near.Abs() <= seconds(int64(max(p.PeriodSeconds, p.TimeoutSeconds))) {
			return &PossibleKill{Probe: kind, At: instant(at)}
		}
	}
	return nil
}

// goneEntries adds the Pods that are gone and left evidence about the container.
func (g *workloadGroup) goneEntries(c *Container) {
	for _, p := range g.at.gone[c.Name] {
		entry := Pod{Name: p.name, Phase: Gone, Node: p.facts.node, Saturated: p.facts.warnings >= burst}
		g.book.tellFacts(&entry, p.namespace, p.facts.container(c.Name), func(_ probe.Kind, e *Evidence, _ *probeFacts) { e.State = StatePast })
		c.Pods = append(c.Pods, entry)
	}
}

// countEvidence sums a container's evidence over its Pods; finished ones do not count.
func (g *workloadGroup) countEvidence(c *Container) {
	if !g.book.known(g.ns) {
		return
	}
	failures, errors, kills := int64(0), int64(0), Kills{}
	for _, p := range c.Pods {
		if p.Phase == Finished {
			continue
		}
		for _, e := range p.Evidence {
			failures += e.Failures
			errors += e.Errors
		}
		for _, k := range p.Kills {
			if k.Probe == probe.Startup {
				kills.Startup += k.Count
			} else {
				kills.Liveness += k.Count
			}
		}
	}
	c.Failures, c.Errors, c.Kills = &failures, &errors, &kills
}

// mixed lists what cannot be given to one container, Pod by Pod.
func (g *workloadGroup) mixed() []Mixed {
	var all []Mixed
	for _, pods := range [][]*snapshot.Pod{g.live, g.terminating, g.finished} {
		for _, p := range pods {
			if f := g.book.facts[p]; f != nil {
				all = append(all, f.mixed...)
			}
		}
	}
	for _, p := range g.gone {
		all = append(all, p.facts.mixed...)
	}
	slices.SortStableFunc(all, func(a, b Mixed) int {
		return cmp.Or(comparePodNames(a.Pod, b.Pod), b.LastSeen.Compare(a.LastSeen.Time), strings.Compare(a.Message, b.Message))
	})
	return all
}
