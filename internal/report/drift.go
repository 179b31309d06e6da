package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// drift compares the live Pods' probes of one container with the template they were made from and with the
// current one. A container that the template does not have is not drift: there is nothing to differ from.
func (g *workloadGroup) drift(name string) ([]Drift, []Rewritten) {
	found := &differences{}
	if g.template() != nil && g.self == nil {
		for _, revision := range g.revisions {
			for _, kind := range probe.Kinds() {
				g.revisionDrift(found, revision, name, kind)
			}
		}
	}
	return found.drift(), found.rewritten()
}

// revisionDrift adds what differs in the Pods of one revision.
func (g *workloadGroup) revisionDrift(found *differences, rev *revision, name string, kind probe.Kind) {
	current := g.template().Container(name)
	made := rev.madeFrom.Container(name)
	if made == nil {
		if rev.madeFrom == nil && !rev.current && current != nil {
			for _, p := range rev.pods { // the template they were made from is not known: judge by the Pod
				if c := p.Spec.Container(name); c != nil {
					found.add(Stale, kind, compare(c, current, kind), p, nil)
				}
			}
		}
		return
	}
	differing, written := map[*snapshot.Pod]difference{}, map[*snapshot.Pod]*snapshot.ProbeWrite{}
	having, asCreated := 0, 0
	for _, p := range rev.pods {
		c := p.Spec.Container(name)
		if c == nil {
			continue
		}
		if !rev.current && current != nil {
			found.add(Stale, kind, compare(made, current, kind), p, nil)
		}
		if written[p] = probeWriteAfterCreation(p, name, kind); written[p] != nil {
			found.add(Changed, kind, compare(c, made, kind), p, written[p])
			continue
		}
		having++
		if d := compare(c, made, kind); d.differs() {
			differing[p] = d
			if p.Generation <= 1 {
				asCreated++
			}
		}
	}
	alike := len(differing) == having && allAlike(differing)
	for p, d := range differing {
		if alike {
			found.addRewritten(kind, d, asCreated > 0)
		} else {
			found.add(Changed, kind, d, p, nil)
		}
	}
}

// difference is how a probe of a Pod differs from a template's.
type difference struct {
	change Change
	fields []Field
}

func (d difference) differs() bool { return len(d.fields) > 0 }

func (d difference) key() string { return fmt.Sprintf("%s%q", d.change, d.fields) }

func compare(pod, template *snapshot.Container, kind probe.Kind) difference {
	a, b := pod.Probe(kind), template.Probe(kind)
	d := difference{change: Fields}
	switch {
	case b == nil:
		d.change = Added
	case a == nil:
		d.change = Removed
	}
	for _, f := range probe.Diff(a, b, pod.Ports, template.Ports) {
		d.fields = append(d.fields, Field{f.Field, f.Pod, f.Template})
	}
	return d
}

func allAlike(differing map[*snapshot.Pod]difference) bool {
	first := ""
	for _, d := range differing {
		if first == "" {
			first = d.key()
		}
		if d.key() != first {
			return false
		}
	}
	return true
}

// probeWriteAfterCreation is the latest change of a container's probe that came after the Pod was made.
func probeWriteAfterCreation(p *snapshot.Pod, container string, kind probe.Kind) *snapshot.ProbeWrite {
	var latest *snapshot.ProbeWrite
	for i := range p.ProbeWrites {
		w := &p.ProbeWrites[i]
		if w.Container == container && w.Probe == kind && w.AfterCreation && (latest == nil || !w.Time.Before(latest.Time)) {
			latest = w
		}
	}
	return latest
}

// differences counts Pods by how they differ.
type differences struct {
	drifts     []Drift
	rewritings []Rewritten
}

func (f *differences) add(kind DriftKind, p probe.Kind, d difference, pod *snapshot.Pod, write *snapshot.ProbeWrite) {
	if !d.differs() {
		return
	}
	i := slices.IndexFunc(f.drifts, func(o Drift) bool {
		return o.Kind == kind && o.Probe == p && difference{o.Change, o.Fields}.key() == d.key()
	})
	if i < 0 {
		f.drifts = append(f.drifts, Drift{Probe: p, Kind: kind, Change: d.change, Fields: d.fields})
		i = len(f.drifts) - 1
	}
	drift := &f.drifts[i]
	drift.Pods++
	if kind == Changed {
		drift.PodNames = append(drift.PodNames, pod.Name)
	}
	if write != nil && (drift.At == nil || laterWrite(write, drift)) {
		drift.By, drift.At = write.Manager, timeOrNil(write.Time)
	}
}

func laterWrite(w *snapshot.ProbeWrite, d *Drift) bool {
	return cmp.Or(w.Time.Truncate(time.Second).Compare(d.At.Time), strings.Compare(w.Manager, d.By)) > 0
}

// addRewritten counts a Pod of a revision whose Pods all differ in the same way; proven says that one of them is as it
// was made, so that admission did it.
func (f *differences) addRewritten(p probe.Kind, d difference, proven bool) {
	i := slices.IndexFunc(f.rewritings, func(o Rewritten) bool {
		return o.Probe == p && difference{o.Change, o.Fields}.key() == d.key()
	})
	if i < 0 {
		f.rewritings = append(f.rewritings, Rewritten{Probe: p, Change: d.change, Fields: d.fields, OrChanged: true})
		i = len(f.rewritings) - 1
	}
	f.rewritings[i].Pods++
	f.rewritings[i].OrChanged = f.rewritings[i].OrChanged && !proven
}

// mostNames is how many Pods of a drift are named.
const mostNames = 3

func (f *differences) drift() []Drift {
	for i := range f.drifts {
		names := f.drifts[i].PodNames
		slices.SortFunc(names, comparePodNames)
		f.drifts[i].PodNames = names[:min(len(names), mostNames)]
	}
	slices.SortFunc(f.drifts, func(a, b Drift) int {
		return cmp.Or(order(a.Probe, b.Probe), -strings.Compare(string(a.Kind), string(b.Kind)), cmp.Compare(b.Pods, a.Pods),
			strings.Compare(difference{a.Change, a.Fields}.key(), difference{b.Change, b.Fields}.key()))
	})
	return append([]Drift{}, f.drifts...)
}

func (f *differences) rewritten() []Rewritten {
	slices.SortFunc(f.rewritings, func(a, b Rewritten) int {
		return cmp.Or(order(a.Probe, b.Probe), cmp.Compare(b.Pods, a.Pods),
			strings.Compare(difference{a.Change, a.Fields}.key(), difference{b.Change, b.Fields}.key()))
	})
	return append([]Rewritten{}, f.rewritings...)
}

func order(a, b probe.Kind) int {
	kinds := probe.Kinds()
	return cmp.Compare(slices.Index(kinds, a), slices.Index(kinds, b))
}
