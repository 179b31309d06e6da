package live

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// belowRoot reads what is under a custom resource without a selector for Pods: a Prometheus, a Kafka. Only the
// metadata of the workloads of the namespace tells, and when none is under it, that of the Pods.
func (r *reader) belowRoot(ctx context.Context, root *snapshot.Object) error {
	search := r.search(root)
	err := parallel(ctx, kindsAtOnce, workloadKinds(), func(ctx context.Context, kind snapshot.GroupKind) error {
		got, err := r.list(ctx, r.builtinMetadata(kind), r.scope)
		search.add(got)
		return err
	})
	if err != nil {
		return err
	}
	if err := r.climbIn(ctx, search); err != nil {
		return err
	}
	under := search.workloadsUnder(root.UID)
	if len(under) == 0 {
		return r.podsUnder(ctx, search, root)
	}
	return parallel(ctx, kindsAtOnce, slices.Collect(maps.Keys(under)), func(ctx context.Context, kind snapshot.GroupKind) error {
		src, _ := r.builtin(kind)
		if err := r.fetch(ctx, src, under[kind]); err != nil {
			return err
		}
		var found []*snapshot.Object
		for _, o := range under[kind] {
			if object := r.object(o.ref.UID); object != nil {
				found = append(found, object)
			}
		}
		return parallel(ctx, kindsAtOnce, found, r.belowObject)
	})
}

// search is a reader beside this one: it sees the whole namespace, and only chains matter in it.
func (r *reader) search(root *snapshot.Object) *reader {
	other := *r
	other.store, other.metadataOnly = newStore(), true
	other.add(&snapshot.Snapshot{Objects: []*snapshot.Object{root}})
	return &other
}

// climbIn reads the custom owners in a search; one that could not be read may hide something under the root.
func (r *reader) climbIn(ctx context.Context, search *reader) error {
	err := search.climb(ctx)
	for _, g := range search.gaps {
		if g.Reason != snapshot.Absent {
			r.addGap(g)
		}
	}
	search.gaps = nil
	return err
}

// workloadsUnder finds the highest built-in controller of each chain to the root.
func (r *reader) workloadsUnder(root types.UID) map[snapshot.GroupKind][]owner {
	graph, seen := r.graph(), map[types.UID]bool{}
	under := map[snapshot.GroupKind][]owner{}
	for _, o := range r.allObjects() {
		if !snapshot.IsBuiltinController(kindOf(o)) {
			continue
		}
		own := ref(o)
		chain := graph.Chain(&own)
		at := slices.IndexFunc(chain, func(l snapshot.Link) bool { return l.UID == root })
		for i := at - 1; i >= 0; i-- {
			top := chain[i]
			if kind := ownerKind(&top.OwnerRef); snapshot.IsBuiltinController(kind) {
				if !seen[top.UID] {
					seen[top.UID] = true
					under[kind] = append(under[kind], owner{ref: top.OwnerRef, namespace: o.Namespace})
				}
				break
			}
		}
	}
	return under
}

// podsUnder reads the Pods that the root owns, itself or through other custom resources.
func (r *reader) podsUnder(ctx context.Context, search *reader, root *snapshot.Object) error {
	got, err := r.list(ctx, r.pods(nil), r.scope)
	if err != nil {
		return err
	}
	search.add(got)
	if err := r.climbIn(ctx, search); err != nil {
		return err
	}
	graph := search.graph()
	got.Pods = slices.DeleteFunc(got.Pods, func(p *snapshot.Pod) bool {
		return !slices.ContainsFunc(graph.Chain(p.Owner), func(l snapshot.Link) bool { return l.UID == root.UID })
	})
	r.add(got)
	return nil
}
