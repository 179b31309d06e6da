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
	found := newDifferences()
	if g.template() != nil && g.self == nil {
		for _, pods := range g.byRevision(g.at.live[name]) {
			for _, kind := range probe.Kinds() {
				g.revisionDrift(found, pods, name, kind)
			}
		}
	}
	return found.drift(), found.rewritten()
}

// byRevision puts Pods of a revision together.
func (g *workloadGroup) byRevision(pods []*snapshot.Pod) [][]*snapshot.Pod {
	if len(g.revisions) == 1 && len(pods) > 0 {
		return [][]*snapshot.Pod{pods}
	}
	var all [][]*snapshot.Pod
	at := map[*revision]int{}
	for _, p := range pods {
		rev := g.revisionOf[p]
		i, seen := at[rev]
		if !seen {
			i = len(all)
			at[rev], all = i, append(all, nil)
		}
		all[i] = append(all[i], p)
	}
	return all
}

// revisionDrift adds what differs in those Pods of one revision that have the container.
func (g *workloadGroup) revisionDrift(found *differences, pods []*snapshot.Pod, name string, kind probe.Kind) {
	rev := g.revisionOf[pods[0]]
	current := g.book.container(g.template(), name)
	made := g.book.container(rev.madeFrom, name)
	if made == nil {
		if rev.madeFrom == nil && !rev.current && current != nil {
			for _, p := range pods { // the template they were made from is not known: judge by the Pod
				found.add(Stale, kind, compare(g.book.container(p.Spec, name), current, kind), p, nil)
			}
		}
		return
	}
	differing, written := map[*snapshot.Pod]difference{}, map[*snapshot.Pod]*snapshot.ProbeWrite{}
	having, asCreated := 0, 0
	for _, p := range pods {
		c := g.book.container(p.Spec, name)
		if !rev.current && current != nil {
			found.add(Stale, kind, compare(made, current, kind), p, nil)
		}
		if written[p] = g.book.writeAfterCreation(p, probeName{name, kind}); written[p] != nil {
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

// writeAfterCreation is the latest change of a probe that came after the Pod was made, nil when there is none.
func (f finder) writeAfterCreation(p *snapshot.Pod, probe probeName) *snapshot.ProbeWrite {
	if len(p.ProbeWrites) == 0 {
		return nil
	}
	return remember(f.writes, p, true, func() map[probeName]*snapshot.ProbeWrite {
		latest := map[probeName]*snapshot.ProbeWrite{}
		for i := range p.ProbeWrites {
			w := &p.ProbeWrites[i]
			at := probeName{w.Container, w.Probe}
			if w.AfterCreation && (latest[at] == nil || !w.Time.Before(latest[at].Time)) {
				latest[at] = w
			}
		}
		return latest
	})[probe]
}

// differences counts Pods by how they differ.
type differences struct {
	drifts      []Drift
	rewritings  []Rewritten
	driftAt     map[differenceName]int
	rewritingAt map[differenceName]int
}

// differenceName is the same of what is told as one.
type differenceName struct {
	drift DriftKind
	probe probe.Kind
	key   string
}

func newDifferences() *differences {
	return &differences{driftAt: map[differenceName]int{}, rewritingAt: map[differenceName]int{}}
}

func (f *differences) add(kind DriftKind, p probe.Kind, d difference, pod *snapshot.Pod, write *snapshot.ProbeWrite) {
	if !d.differs() {
		return
	}
	name := differenceName{kind, p, d.key()}
	i, known := f.driftAt[name]
	if !known {
		i = len(f.drifts)
		f.driftAt[name], f.drifts = i, append(f.drifts, Drift{Probe: p, Kind: kind, Change: d.change, Fields: d.fields})
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
	name := differenceName{probe: p, key: d.key()}
	i, known := f.rewritingAt[name]
	if !known {
		i = len(f.rewritings)
		f.rewritingAt[name], f.rewritings = i, append(f.rewritings, Rewritten{Probe: p, Change: d.change, Fields: d.fields, OrChanged: true})
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
