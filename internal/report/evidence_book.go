package report

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// eventBook holds the Events of a Snapshot by what they are about.
type eventBook struct {
	finder
	asOf     time.Time
	unknown  map[string]bool // namespaces whose Events could not be read; "" is all of them
	facts    map[*snapshot.Pod]*podFacts
	creation map[types.UID]*tally // Pods that a controller could not create
	nodes    map[string]*snapshot.Node
	mutable  map[string]bool               // nodes whose kubelet has put a change of a probe in force
	strays   map[goneKey][]*snapshot.Event // about no Pod of the Snapshot
}

// goneKey names a Pod that is known from Events alone.
type goneKey struct {
	namespace, name string
	uid             types.UID
}

func newEventBook(s *snapshot.Snapshot, o Options) *eventBook {
	b := &eventBook{
		finder: newFinder(cmp.Or(o.few, few)), asOf: s.AsOf, unknown: map[string]bool{},
		facts: map[*snapshot.Pod]*podFacts{}, creation: map[types.UID]*tally{},
		nodes: map[string]*snapshot.Node{}, mutable: map[string]bool{}, strays: map[goneKey][]*snapshot.Event{},
	}
	if b.asOf.IsZero() {
		b.asOf = o.Now
	}
	if !s.Running {
		b.unknown[""] = true
	}
	for _, g := range s.Gaps {
		if g.What == "events" {
			b.unknown[g.Namespace] = true
		}
	}
	for _, n := range s.Nodes {
		b.nodes[n.Name] = n
	}
	b.file(s)
	return b
}

// known says whether the Events of a namespace were read: without, nothing in it is zero.
func (b *eventBook) known(namespace string) bool {
	return !b.unknown[""] && !b.unknown[namespace]
}

// file puts each Event to what it is about.
func (b *eventBook) file(s *snapshot.Snapshot) {
	pods := indexPods(s.Pods)
	events := map[*snapshot.Pod][]*snapshot.Event{}
	for _, e := range once(s.Events) {
		switch {
		case e.Kind != "Pod":
			b.fileCreation(e)
		case pods.about(e) != nil:
			p := pods.about(e)
			events[p] = append(events[p], e)
		default:
			key := goneKey{e.Namespace, e.ObjectName, e.ObjectUID}
			b.strays[key] = append(b.strays[key], e)
		}
	}
	for p, about := range events {
		b.facts[p] = foldPod(p.Name, p.Node, about, probedIn(p.Spec))
		for _, c := range b.facts[p].containers {
			if len(c.changes) > 0 {
				b.mutable[p.Node] = true
			}
		}
	}
}

func (b *eventBook) fileCreation(e *snapshot.Event) {
	if e.Reason != "FailedCreate" {
		return
	}
	if b.creation[e.ObjectUID] == nil {
		b.creation[e.ObjectUID] = &tally{}
	}
	b.creation[e.ObjectUID].add(e, e.Message)
}

func probedIn(spec *snapshot.PodSpec) []string {
	var names []string
	for i := range spec.Containers {
		names = append(names, spec.Containers[i].Name)
	}
	return names
}

// once drops the second reading of an Event: a dump has each in both API forms, under one UID. Of two states
// of an Event the later counts, since its count only grows.
func once(events []*snapshot.Event) []*snapshot.Event {
	var kept []*snapshot.Event
	at := map[types.UID]int{}
	for _, e := range events {
		i, seen := at[e.UID]
		switch {
		case e.UID == "" || !seen:
			at[e.UID] = len(kept)
			kept = append(kept, e)
		case e.Count > kept[i].Count || e.Count == kept[i].Count && e.Last.After(kept[i].Last):
			kept[i] = e
		}
	}
	return kept
}

// podIndex finds the Pod that an Event is about.
type podIndex struct {
	byUID  map[types.UID]*snapshot.Pod
	byName map[[2]string]*snapshot.Pod
}

func indexPods(pods []*snapshot.Pod) podIndex {
	x := podIndex{map[types.UID]*snapshot.Pod{}, map[[2]string]*snapshot.Pod{}}
	for _, p := range pods {
		x.byName[[2]string{p.Namespace, p.Name}] = p
		// The kubelet reports a static Pod under the UID of its manifest, not under the mirror Pod's.
		for _, uid := range []types.UID{p.UID, p.MirrorUID} {
			if uid != "" {
				x.byUID[uid] = p
			}
		}
	}
	return x
}

// about goes by UID: a Pod of the same name under another UID is another Pod.
func (x podIndex) about(e *snapshot.Event) *snapshot.Pod {
	if e.ObjectUID == "" {
		return x.byName[[2]string{e.Namespace, e.ObjectName}]
	}
	return x.byUID[e.ObjectUID]
}

// rowNames are the workload's containers, then those that only Pods which are not live any more had, of which
// Events name a probe.
func (g *workloadGroup) rowNames() []string {
	var past []string
	for _, pods := range [][]*snapshot.Pod{g.terminating, g.finished} {
		for _, p := range pods {
			past = append(past, g.book.facts[p].names()...)
		}
	}
	for _, p := range g.gone {
		past = append(past, p.facts.names()...)
	}
	slices.Sort(past)
	names := slices.Clone(g.at.names)
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for _, name := range slices.Compact(past) {
		if !known[name] {
			names = append(names, name)
		}
	}
	return names
}
