package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// tally sums Events that say the same.
type tally struct {
	count       int64
	first, last time.Time
	message     string // the latest
	messages    int    // different ones
	timeouts    int64  // of count
}

// add takes Events in the order of their last time.
func (t *tally) add(e *snapshot.Event, text string) {
	first := e.First
	if first.After(e.Last) { // of two clocks
		first = e.Last
	}
	if t.count == 0 || first.Before(t.first) {
		t.first = first
	}
	if t.count == 0 || !e.Last.Before(t.last) {
		t.last, t.message = e.Last, text
	}
	t.count += int64(e.Count)
	t.messages++
	if isTimeout(text) {
		t.timeouts += int64(e.Count)
	}
}

// probeFacts are what Events say about one probe of a container.
type probeFacts struct{ failed, errored, warned, killed tally }

func (f *probeFacts) empty() bool {
	return f == nil || f.failed.count+f.errored.count+f.warned.count+f.killed.count == 0
}

// containerFacts are what Events say about one container in one Pod.
type containerFacts struct {
	probes                                 map[probe.Kind]*probeFacts
	stopped, redefined, resized, backedOff tally
	changes                                []ProbeChange
}

func (f *containerFacts) of(kind probe.Kind) *probeFacts {
	if f == nil || f.probes[kind] == nil {
		return &probeFacts{}
	}
	return f.probes[kind]
}

// empty says that Events name no probe of this container.
func (f *containerFacts) empty() bool {
	if f == nil {
		return true
	}
	for _, p := range f.probes {
		if !p.empty() {
			return false
		}
	}
	return len(f.changes) == 0
}

// podFacts are what Events say about one Pod.
type podFacts struct {
	containers map[string]*containerFacts
	mixed      []Mixed
	// warnings and normals are how often the kubelet wrote at most: a count also takes in writes that were dropped.
	warnings, normals int64
	node              string
}

func (f *podFacts) container(name string) *containerFacts {
	if f == nil {
		return nil
	}
	return f.containers[name]
}

// names are the containers of which Events name a probe.
func (f *podFacts) names() []string {
	var names []string
	if f != nil {
		for name, c := range f.containers {
			if !c.empty() {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// foldPod sums the Events of one Pod. Probed are its containers that can have probes, nil when unknown: what
// does not name its container is given to the only one, and to none of several.
func foldPod(pod, node string, events []*snapshot.Event, probed []string) *podFacts {
	slices.SortFunc(events, compareEvents)
	f := &podFacts{containers: map[string]*containerFacts{}, node: node}
	for _, e := range events {
		if node == "" || e.Node == "" || e.Node == node { // the scheduler and controllers have an account of their own
			f.count(e)
		}
		for _, s := range understand(e) {
			if f.node == "" {
				f.node = e.Node
			}
			if s.container == "" && len(probed) == 1 {
				s.container = probed[0]
			}
			if s.container == "" {
				f.addMixed(pod, e)
				break
			}
			f.at(s.container).add(e, s)
		}
	}
	return f
}

func compareEvents(a, b *snapshot.Event) int {
	return cmp.Or(a.Last.Compare(b.Last), a.First.Compare(b.First), strings.Compare(a.Name, b.Name), strings.Compare(a.Message, b.Message))
}

func (f *podFacts) count(e *snapshot.Event) {
	if e.Type == "Warning" {
		f.warnings += int64(e.Count)
	} else {
		f.normals += int64(e.Count)
	}
}

func (f *podFacts) at(container string) *containerFacts {
	c := f.containers[container]
	if c == nil {
		c = &containerFacts{probes: map[probe.Kind]*probeFacts{}}
		f.containers[container] = c
	}
	return c
}

func (f *podFacts) addMixed(pod string, e *snapshot.Event) {
	message := strings.TrimPrefix(e.Message, combinedPrefix)
	f.mixed = append(f.mixed, Mixed{Pod: pod, Count: int64(e.Count), LastSeen: instant(e.Last), Message: message})
}

func (f *containerFacts) add(e *snapshot.Event, s signal) {
	if s.probe != "" && f.probes[s.probe] == nil {
		f.probes[s.probe] = &probeFacts{}
	}
	p := f.probes[s.probe]
	switch s.verb {
	case failed:
		p.failed.add(e, s.text)
	case errored:
		p.errored.add(e, s.text)
	case warned:
		p.warned.add(e, s.text)
	case killed:
		p.killed.add(e, s.text)
	case stopped:
		f.stopped.add(e, s.text)
	case redefined:
		f.redefined.add(e, s.text)
	case resized:
		f.resized.add(e, s.text)
	case backedOff:
		f.backedOff.add(e, s.text)
	case reconfigured:
		f.changes = append(f.changes, ProbeChange{
			Probe: s.probe, Action: s.action, Count: int64(e.Count), LastSeen: instant(e.Last), Message: s.text,
		})
	}
}

func instant(t time.Time) metav1.Time { return metav1.NewTime(t.UTC()) }
