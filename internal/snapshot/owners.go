package snapshot

import (
	"k8s.io/apimachinery/pkg/types"
)

// maxOwnerDepth bounds a walk up ownerReferences, which may be cyclic.
const maxOwnerDepth = 10

// Graph finds what stands above Pods. Owners are matched by UID: an object of the same name but another
// UID was re-created and is not the owner.
type Graph struct {
	byUID map[types.UID]*Object
}

// NewGraph indexes objects.
func NewGraph(objects []*Object) *Graph {
	g := &Graph{byUID: make(map[types.UID]*Object, len(objects))}
	for _, o := range objects {
		g.byUID[o.UID] = o
	}
	return g
}

// Link is one owner in a chain; Object is nil when it was not read.
type Link struct {
	OwnerRef
	Object *Object
}

// Chain walks up from an owner to the top, nearest first. It ends at an owner that was not read, at a
// cycle, and after ten links.
func (g *Graph) Chain(owner *OwnerRef) []Link {
	var chain []Link
	seen := map[types.UID]bool{}
	for owner != nil && !seen[owner.UID] && len(chain) < maxOwnerDepth {
		seen[owner.UID] = true
		object := g.byUID[owner.UID]
		chain = append(chain, Link{*owner, object})
		if object == nil {
			break
		}
		owner = object.Owner
	}
	return chain
}

// Place says where a Pod or an object belongs.
type Place struct {
	// Workload is what a person would name; its Object is nil when it was not read, and Self says that
	// a Pod stands for itself (bare and static Pods).
	Workload Link
	Self     bool
	// Between are the owners below the workload, nearest to the Pod first: a ReplicaSet, a Job.
	Between []Link
	// Root is the highest owner above the workload, nil when there is none.
	Root *OwnerRef
}

// Place finds a Pod's workload: the highest built-in controller above it; when there is none, the custom
// controller directly above Pods or ReplicaSets; a Pod without owner, a static Pod and one that another Pod made
// (a Spark executor) stand for themselves.
func (g *Graph) Place(p *Pod) Place {
	if p.Owner == nil {
		return Place{Self: true}
	}
	if p.Owner.Group == "" && (p.Owner.Kind == "Node" || p.Owner.Kind == "Pod") {
		return Place{Self: true, Root: p.Owner}
	}
	return place(g.Chain(p.Owner))
}

// PlaceObject is Place for a controller that may have no Pods.
func (g *Graph) PlaceObject(o *Object) Place {
	own := OwnerRef{Group: o.Group, Kind: o.Kind, Name: o.Name, UID: o.UID}
	return place(g.Chain(&own))
}

func place(chain []Link) Place {
	at := workloadIndex(chain)
	p := Place{Workload: chain[at], Between: chain[:at]}
	if top := len(chain) - 1; top > at {
		p.Root = &chain[top].OwnerRef
	}
	return p
}

func workloadIndex(chain []Link) int {
	at := -1
	for i, link := range chain {
		gk := GroupKind{link.Group, link.Kind}
		if IsBuiltinController(gk) {
			at = i
			continue
		}
		below := GroupKind{}
		if i > 0 {
			below = GroupKind{chain[i-1].Group, chain[i-1].Kind}
		}
		if i == 0 || below == (GroupKind{"apps", "ReplicaSet"}) && at == i-1 {
			at = i
		}
	}
	return at
}
