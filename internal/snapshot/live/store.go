package live

import (
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// store collects what was read, each thing once, from several goroutines.
type store struct {
	mu            sync.Mutex
	podByUID      map[types.UID]*snapshot.Pod
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
		podByUID: map[types.UID]*snapshot.Pod{}, objectByUID: map[types.UID]*snapshot.Object{},
		serviceByName: map[string]*snapshot.Service{}, nodeByName: map[string]*snapshot.Node{}, eventByUID: map[types.UID]*snapshot.Event{},
		sliceByName: map[string]*snapshot.EndpointSlice{},
		asked:       map[types.UID]bool{}, below: map[types.UID]bool{},
	}
}

func (s *store) add(got *snapshot.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range got.Pods {
		s.podByUID[p.UID] = p
	}
	for _, o := range got.Objects {
		if known := s.objectByUID[o.UID]; known == nil || known.MetadataOnly {
			s.objectByUID[o.UID] = o
		}
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
	return slices.Collect(maps.Values(s.podByUID))
}

func (s *store) allObjects() []*snapshot.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.objectByUID))
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
		Pods:           slices.Collect(maps.Values(s.podByUID)),
		Objects:        slices.Collect(maps.Values(s.objectByUID)),
		Services:       slices.Collect(maps.Values(s.serviceByName)),
		EndpointSlices: slices.Collect(maps.Values(s.sliceByName)),
		Nodes:          slices.Collect(maps.Values(s.nodeByName)),
		Events:         slices.Collect(maps.Values(s.eventByUID)),
		Gaps:           distinct(s.gaps),
	}
}
