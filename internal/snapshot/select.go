package snapshot

import (
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// ErrNotFound marks what a user named and does not exist.
var ErrNotFound = errors.New("not found")

// Select keeps what the query asks for, and adds a Gap for every owner that is needed and was not read.
// Both doors end here, so that arguments, -n and -l mean the same for a cluster and for files. A target
// that does not exist is an error that wraps ErrNotFound; all of them are named.
func (s *Snapshot) Select(q Query, resolve ResolveFunc) (*Snapshot, error) {
	sel := &selection{all: s, in: s.inNamespace(q.Namespace), resolve: resolve}
	sel.graph = NewGraph(sel.in.Objects)
	if err := sel.targets(q); err != nil {
		return nil, err
	}
	sel.selector(q.Selector)
	out := sel.result()
	out.Targeted = len(q.Targets) > 0 || q.Selector != nil && !q.Selector.Empty()
	return out, nil
}

func (s *Snapshot) inNamespace(namespace string) *Snapshot {
	out := *s
	if namespace == "" {
		return &out
	}
	out.Pods = keep(s.Pods, func(p *Pod) bool { return p.Namespace == namespace })
	out.Objects = keep(s.Objects, func(o *Object) bool { return o.Namespace == namespace || o.Namespace == "" })
	out.Services = keep(s.Services, func(v *Service) bool { return v.Namespace == namespace })
	out.EndpointSlices = keep(s.EndpointSlices, func(e *EndpointSlice) bool { return e.Namespace == namespace })
	out.Events = keep(s.Events, func(e *Event) bool { return e.Namespace == namespace })
	out.Gaps = keep(s.Gaps, func(g Gap) bool { return g.Namespace == namespace || g.Namespace == "" })
	return &out
}

func keep[T any](in []T, want func(T) bool) []T {
	var out []T
	for _, v := range in {
		if want(v) {
			out = append(out, v)
		}
	}
	return out
}

// selection is one run of Select.
type selection struct {
	all     *Snapshot
	in      *Snapshot
	graph   *Graph
	resolve ResolveFunc

	pods     map[*Pod]bool
	asked    map[*Pod]bool      // Pods that were named
	objects  map[types.UID]bool // workloads that are listed even without Pods
	narrowed map[types.UID]bool

	byWorkload map[types.UID][]*Pod // made when it is first asked for
}

func (sel *selection) targets(q Query) error {
	sel.pods, sel.asked = map[*Pod]bool{}, map[*Pod]bool{}
	sel.objects, sel.narrowed = map[types.UID]bool{}, map[types.UID]bool{}
	if len(q.Targets) == 0 {
		for _, p := range sel.in.Pods {
			sel.pods[p] = true
		}
		for _, o := range sel.in.Objects {
			sel.objects[o.UID] = true
		}
		return nil
	}
	var errs []error
	whole := map[types.UID]bool{}
	for _, t := range q.Targets {
		if err := sel.target(t, whole); err != nil {
			errs = append(errs, err)
		}
	}
	for uid := range whole {
		delete(sel.narrowed, uid)
	}
	return errors.Join(errs...)
}

// target adds what one target names; workloads of which all Pods were asked for go into whole.
func (sel *selection) target(t Target, whole map[types.UID]bool) error {
	gk, name, err := sel.meaning(t)
	if err != nil {
		return err
	}
	switch gk {
	case GroupKind{"", "Pod"}:
		return sel.podTarget(name)
	case GroupKind{"", "Service"}:
		return sel.serviceTarget(name, whole)
	default:
		return sel.ownerTarget(gk, name, whole)
	}
}

func (sel *selection) podTarget(name string) error {
	found := name == ""
	for _, p := range sel.in.Pods {
		if name != "" && p.Name != name {
			continue
		}
		found = true
		sel.pods[p], sel.asked[p] = true, name != ""
		if place := sel.graph.Place(p); name != "" && !place.Self {
			sel.narrowed[place.Workload.UID] = true
		}
	}
	if !found {
		return notFound(GroupKind{"", "Pod"}, name)
	}
	return nil
}

func (sel *selection) serviceTarget(name string, whole map[types.UID]bool) error {
	found := name == ""
	for _, svc := range sel.in.Services {
		if name != "" && svc.Name != name {
			continue
		}
		found = true
		if len(svc.Selector) == 0 {
			continue
		}
		match := labels.SelectorFromSet(svc.Selector)
		for _, p := range sel.in.Pods {
			if p.Namespace == svc.Namespace && match.Matches(labels.Set(p.Labels)) {
				sel.wholeWorkload(p, whole)
			}
		}
		for _, o := range sel.in.Objects {
			if o.Namespace == svc.Namespace && o.Template != nil && match.Matches(labels.Set(o.Template.Labels)) {
				place := sel.graph.PlaceObject(o)
				sel.objects[place.Workload.UID] = true
				whole[place.Workload.UID] = true
			}
		}
	}
	if !found {
		return notFound(GroupKind{"", "Service"}, name)
	}
	return nil
}

// wholeWorkload adds a Pod and all others of its workload.
func (sel *selection) wholeWorkload(p *Pod, whole map[types.UID]bool) {
	place := sel.graph.Place(p)
	if place.Self {
		sel.pods[p] = true
		return
	}
	uid := place.Workload.UID
	if whole[uid] && sel.objects[uid] && sel.pods[p] {
		return
	}
	whole[uid], sel.objects[uid] = true, true
	for _, other := range sel.podsOf(uid) {
		sel.pods[other] = true
	}
}

// podsOf are the Pods of a workload.
func (sel *selection) podsOf(workload types.UID) []*Pod {
	if sel.byWorkload == nil {
		sel.byWorkload = map[types.UID][]*Pod{}
		for _, p := range sel.in.Pods {
			if place := sel.graph.Place(p); !place.Self {
				sel.byWorkload[place.Workload.UID] = append(sel.byWorkload[place.Workload.UID], p)
			}
		}
	}
	return sel.byWorkload[workload]
}

// ownerTarget adds the Pods that have the named owner somewhere above them, and what is listed without Pods.
func (sel *selection) ownerTarget(gk GroupKind, name string, whole map[types.UID]bool) error {
	there := sel.exists(gk, name)
	names := func(l OwnerRef) bool {
		return l.Group == gk.Group && l.Kind == gk.Kind && (name == "" || l.Name == name && (!there || sel.graph.byUID[l.UID] != nil))
	}
	found := name == ""
	for _, p := range sel.in.Pods {
		if p.Owner == nil || !slices.ContainsFunc(sel.graph.Chain(p.Owner), func(l Link) bool { return names(l.OwnerRef) }) {
			continue
		}
		found = true
		sel.pods[p] = true
		sel.markWhole(sel.graph.Place(p), names, name == "", whole)
	}
	for _, o := range sel.in.Objects {
		own := OwnerRef{Group: o.Group, Kind: o.Kind, Name: o.Name, UID: o.UID}
		if !slices.ContainsFunc(sel.graph.Chain(&own), func(l Link) bool { return names(l.OwnerRef) }) {
			continue
		}
		found = true
		place := sel.graph.PlaceObject(o)
		if name == "" && place.Workload.UID != o.UID && names(own) {
			continue // "rs": a ReplicaSet without Pods is no reason to list its Deployment
		}
		sel.objects[place.Workload.UID] = true
		sel.markWhole(place, names, name == "", whole)
	}
	if !found {
		return notFound(gk, name)
	}
	return nil
}

// markWhole tells a workload that was asked for as a whole from one of which only something below was named.
func (sel *selection) markWhole(place Place, names func(OwnerRef) bool, allOfType bool, whole map[types.UID]bool) {
	below := slices.ContainsFunc(place.Between, func(l Link) bool { return names(l.OwnerRef) })
	if below && !allOfType {
		sel.narrowed[place.Workload.UID] = true
		return
	}
	whole[place.Workload.UID] = true
}

func notFound(gk GroupKind, name string) error {
	return fmt.Errorf("%s %q %w", ResourceName(gk), name, ErrNotFound)
}

// selector drops Pods by label; a workload without Pods is judged by its template's labels, and one that
// may have other Pods is narrowed.
func (sel *selection) selector(selector labels.Selector) {
	if selector == nil || selector.Empty() {
		return
	}
	for p := range sel.pods {
		if !selector.Matches(labels.Set(p.Labels)) {
			delete(sel.pods, p)
		}
	}
	for _, o := range sel.in.Objects {
		if o.Template != nil && selector.Matches(labels.Set(o.Template.Labels)) {
			continue
		}
		delete(sel.objects, o.UID)
		sel.narrowed[o.UID] = true
	}
}

// result is the Snapshot of what was selected: its Pods, the owners above them, the workloads listed without Pods.
func (sel *selection) result() *Snapshot {
	out := *sel.in
	out.Pods = keep(sel.in.Pods, func(p *Pod) bool { return sel.pods[p] })
	for i, p := range out.Pods {
		if sel.asked[p] {
			asked := *p
			asked.Asked = true
			out.Pods[i] = &asked
		}
	}
	wanted := map[types.UID]bool{}
	for _, p := range out.Pods {
		for _, link := range sel.graph.Chain(p.Owner) {
			wanted[link.UID] = true
		}
	}
	for _, o := range sel.in.Objects {
		place := sel.graph.PlaceObject(o)
		if sel.objects[place.Workload.UID] || wanted[place.Workload.UID] {
			wanted[o.UID] = true
			for _, link := range sel.graph.Chain(o.Owner) {
				wanted[link.UID] = true
			}
		}
	}
	out.Objects = nil
	for _, o := range sel.in.Objects {
		if !wanted[o.UID] {
			continue
		}
		if sel.narrowed[o.UID] {
			narrowed := *o
			narrowed.Narrowed = true
			o = &narrowed
		}
		out.Objects = append(out.Objects, o)
	}
	out.Gaps = append(slices.Clone(sel.in.Gaps), absentOwners(&out)...)
	return &out
}

// LabelSelector turns a controller's selector into one for Pods; nil when it has none or it is invalid.
func LabelSelector(s *metav1.LabelSelector) labels.Selector {
	if s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return nil
	}
	return selector
}
