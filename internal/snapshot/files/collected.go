package files

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// collected is all that was read, each object once.
type collected struct {
	pods      shelf[*snapshot.Pod]
	objects   shelf[*snapshot.Object]
	services  shelf[*snapshot.Service]
	endpoints shelf[*snapshot.EndpointSlice]
	nodes     shelf[*snapshot.Node]
	events    shelf[*snapshot.Event]
	metadata  []foundMetadata
	covered   map[string]*coverage // of the resources events and services

	nodesListed bool // if by an empty list
}

type foundMetadata struct {
	metav1.ObjectMeta
	id    identity
	stamp time.Time
}

func newCollected() collected {
	return collected{
		pods:      newShelf(later[*snapshot.Pod]),
		objects:   newShelf(fuller),
		services:  newShelf(later[*snapshot.Service]),
		endpoints: newShelf(later[*snapshot.EndpointSlice]),
		nodes:     newShelf(later[*snapshot.Node]),
		events:    newShelf(further),
		covered:   map[string]*coverage{"events": newCoverage(), "services": newCoverage()},
	}
}

func (r *reader) addController(o *snapshot.Object, id identity, stamp time.Time) {
	o.Source = id.at.Source
	r.collected.objects.put(id, o, newest(stamp, o.Created, newestCondition(o.Conditions)))
}

func (r *reader) addEvent(e *snapshot.Event, id identity, stamp time.Time) {
	r.collected.events.put(id, e, newest(stamp, e.Last))
}

// entry is an object, where it was found, and the newest time in it.
type entry[T any] struct {
	value T
	id    identity
	stamp time.Time
}

// shelf keeps objects of a sort in the order of reading, the same one once.
type shelf[T any] struct {
	all      []entry[T]
	byID     map[identity]int
	replaced replacements
	// replaces says which of two readings of an object is kept; manifests are kept as kubectl apply
	// would: the last one wins.
	replaces func(before, after entry[T]) bool
}

type replaced struct{ by, what identity }

// replacements are the first of them, since nobody reads a million, and a count of all.
type replacements struct {
	listed []replaced
	all    int
}

func (r *replacements) add(by, what identity) {
	r.all++
	if len(r.listed) < maxProblems {
		r.listed = append(r.listed, replaced{by: by, what: what})
	}
}

func newShelf[T any](replaces func(before, after entry[T]) bool) shelf[T] {
	return shelf[T]{byID: map[identity]int{}, replaces: replaces}
}

func (s *shelf[T]) put(id identity, value T, stamp time.Time) {
	key := id
	key.at = place{}
	next := entry[T]{value, id, stamp}
	i, again := s.byID[key]
	switch {
	case !again:
		s.byID[key] = len(s.all)
		s.all = append(s.all, next)
	case id.uid == "":
		s.replaced.add(id, s.all[i].id)
		s.all[i] = next
	case s.replaces(s.all[i], next):
		s.all[i] = next
	}
}

// withoutManifests leaves out manifests of objects that were also read from a cluster: as rows of their own
// they would be the same workload twice, once without its Pods.
func (s *shelf[T]) withoutManifests() []entry[T] {
	live := map[identity]identity{}
	for _, f := range s.all {
		if f.id.uid != "" {
			live[f.id.named()] = f.id
		}
	}
	var kept []entry[T]
	for _, f := range s.all {
		by, twice := live[f.id.named()]
		if f.id.uid == "" && twice {
			s.replaced.add(by, f.id)
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

func (id identity) named() identity {
	id.uid, id.at = "", place{}
	return id
}

// String is the note about it.
func (r replaced) String() string {
	why := "the last one counts"
	if r.by.uid != "" {
		why = "what is from a cluster counts"
	}
	name := snapshot.DisplayName(r.what.Group, r.what.Kind, r.what.name)
	if r.what.namespace != "" {
		name += " in " + r.what.namespace
	}
	return fmt.Sprintf("%s is in document %d of %s and in document %d of %s: %s",
		name, r.what.at.Document, snapshot.FileName(r.what.at.File), r.by.at.Document, snapshot.FileName(r.by.at.File), why)
}

func later[T any](before, after entry[T]) bool { return !after.stamp.Before(before.stamp) }

// fuller prefers a whole object to its metadata.
func fuller(before, after entry[*snapshot.Object]) bool {
	if before.value.MetadataOnly != after.value.MetadataOnly {
		return before.value.MetadataOnly
	}
	return later(before, after)
}

// further prefers the later reading of an Event: its count only grows.
func further(before, after entry[*snapshot.Event]) bool {
	if !after.value.Last.Equal(before.value.Last) {
		return after.value.Last.After(before.value.Last)
	}
	return after.value.Count > before.value.Count
}
