package live

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// store collects what was read, each thing once, from several goroutines.
type store struct {
	mu            sync.Mutex
	podByName     map[types.NamespacedName]*snapshot.Pod
	objectByUID   map[types.UID]*snapshot.Object
	serviceByName map[string]*snapshot.Service
	nodeByName    map[string]*snapshot.Node
	eventByUID    map[types.UID]*snapshot.Event
	sliceByName   map[string]*snapshot.EndpointSlice
	gaps          []snapshot.Gap
	asked         map[types.UID]bool // owners that were looked for, found or not
	below         map[types.UID]bool // objects whose Pods were looked for
}

func newStore() *store {
	return &store{
		podByName: map[types.NamespacedName]*snapshot.Pod{}, objectByUID: map[types.UID]*snapshot.Object{},
		serviceByName: map[string]*snapshot.Service{}, nodeByName: map[string]*snapshot.Node{}, eventByUID: map[types.UID]*snapshot.Event{},
		sliceByName: map[string]*snapshot.EndpointSlice{},
		asked:       map[types.UID]bool{}, below: map[types.UID]bool{},
	}
}

func (s *store) add(got *snapshot.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range got.Pods {
		s.addPod(p)
	}
	for _, o := range got.Objects {
		s.addObject(o)
	}
	for _, v := range got.Services {
		s.serviceByName[v.Namespace+"/"+v.Name] = v
	}
	for _, e := range got.EndpointSlices {
		s.sliceByName[e.Namespace+"/"+e.Name] = e
	}
	for _, n := range got.Nodes {
		s.nodeByName[n.Name] = n
	}
	for _, e := range got.Events {
		s.eventByUID[e.UID] = e
	}
}

// addPod goes by the name: two lists may hold a Pod and the one that has replaced it meanwhile.
func (s *store) addPod(p *snapshot.Pod) {
	name := types.NamespacedName{Namespace: p.Namespace, Name: p.Name}
	if known := s.podByName[name]; known == nil || known.UID == p.UID || !known.Created.After(p.Created) {
		s.podByName[name] = p
	}
}

func (s *store) addObject(o *snapshot.Object) {
	known := s.objectByUID[o.UID]
	switch {
	case known != nil && known.Name != o.Name: // owners are told by the UID, so one of them has to go
		s.gaps = append(s.gaps, snapshot.Gap{
			What: snapshot.ResourceName(kindOf(o)), Namespace: o.Namespace, Name: o.Name, Reason: snapshot.Failed,
			Message: fmt.Sprintf("metadata.uid %s is also that of %s", o.UID, snapshot.DisplayName(known.Group, known.Kind, known.Name)),
		})
	case known == nil || known.MetadataOnly:
		s.objectByUID[o.UID] = o
	}
}

// hasPod is asked of the rare Pods that own something.
func (s *store) hasPod(uid types.UID) bool {
	for _, p := range s.podByName {
		if p.UID == uid {
			return true
		}
	}
	return false
}

// first says whether this is the first call for the object, so that it is expanded once.
func (s *store) first(uid types.UID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.below[uid] {
		return false
	}
	s.below[uid] = true
	return true
}

func (s *store) object(uid types.UID) *snapshot.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objectByUID[uid]
}

func (s *store) allPods() []*snapshot.Pod {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.podByName))
}

func (s *store) allObjects() []*snapshot.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.objectByUID))
}

func (s *store) allServices() []*snapshot.Service {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.serviceByName))
}

// podNamespaces are the namespaces that have Pods, sorted.
func (s *store) podNamespaces() []string {
	seen := map[string]bool{}
	for _, p := range s.allPods() {
		seen[p.Namespace] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func (s *store) graph() *snapshot.Graph { return snapshot.NewGraph(s.allObjects()) }

// snapshot returns what was read; nothing may be added after.
func (s *store) snapshot() *snapshot.Snapshot {
	return &snapshot.Snapshot{
		Pods:           slices.Collect(maps.Values(s.podByName)),
		Objects:        slices.Collect(maps.Values(s.objectByUID)),
		Services:       slices.Collect(maps.Values(s.serviceByName)),
		EndpointSlices: slices.Collect(maps.Values(s.sliceByName)),
		Nodes:          slices.Collect(maps.Values(s.nodeByName)),
		Events:         slices.Collect(maps.Values(s.eventByUID)),
		Gaps:           distinct(s.gaps),
	}
}
