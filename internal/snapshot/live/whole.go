package live

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// whole reads everything in the query's namespace, or in all.
func (r *reader) whole(ctx context.Context, targets []target) error {
	sources, err := r.wholeSources(ctx, targets)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var refused []refusal
	err = parallel(ctx, kindsAtOnce, sources, func(ctx context.Context, src source) error {
		f, err := r.readScope(ctx, src)
		if f != nil {
			mu.Lock()
			defer mu.Unlock()
			refused = append(refused, *f)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := r.readEach(ctx, refused, r.podNamespaces()); err != nil {
		return err
	}
	r.inferReplicaSets()
	if err := r.climb(ctx); err != nil {
		return err
	}
	return r.wholeReplicaSets(ctx)
}

// wholeSources puts Pods first: they are the longest list, and the one without which the others are for nothing.
func (r *reader) wholeSources(ctx context.Context, targets []target) ([]source, error) {
	sources := []source{
		r.pods(nil), r.replicaSetOwners(), r.deployments(), r.statefulSets(), r.daemonSets(), r.cronJobs(), r.jobs(),
		r.replicationControllers(), r.services(), r.nodes(),
	}
	if r.opts.Events {
		sources = append(sources, r.eventsByReason(podReasons()))
	}
	seen := map[snapshot.GroupKind]bool{}
	for _, t := range targets {
		if _, ok := r.builtin(t.kind); ok || t.kind == (snapshot.GroupKind{}) || seen[t.kind] {
			continue
		}
		seen[t.kind] = true
		src, err := r.custom(ctx, t.kind, true)
		if err != nil {
			return nil, fmt.Errorf("find where %s is served: %w", snapshot.ResourceName(t.kind), err)
		}
		sources = append(sources, src)
	}
	return sources, nil
}

// replicaSetOwners reads ReplicaSets as links of a chain: a Deployment keeps ten old ones, each with a template.
func (r *reader) replicaSetOwners() source { return r.builtinMetadata(replicaSetKind()) }

// wholeReplicaSets reads the few ReplicaSets whose template counts: those that no controller owns, since they are
// workloads, and those that still have Pods although their workload has gone on to another revision, since only
// the template a Pod was made from tells an older revision from what admission rewrote.
func (r *reader) wholeReplicaSets(ctx context.Context) error {
	withPods, graph, workloads := r.ownersOfPods(), r.graph(), map[types.UID]bool{}
	for _, p := range r.allPods() {
		if place := graph.Place(p); !place.Self {
			workloads[place.Workload.UID] = true
		}
	}
	wanted := map[string][]owner{}
	for _, o := range r.allObjects() {
		if o.MetadataOnly && kindOf(o) == replicaSetKind() && (o.Owner == nil || workloads[o.UID] || withPods[o.UID] && r.isOlder(o)) {
			wanted[o.Namespace] = append(wanted[o.Namespace], owner{ref: ref(o), namespace: o.Namespace})
		}
	}
	return parallel(ctx, namespacesAtOnce, slices.Sorted(maps.Keys(wanted)), func(ctx context.Context, ns string) error {
		return r.fetch(ctx, r.replicaSets(), wanted[ns])
	})
}

func (r *reader) ownersOfPods() map[types.UID]bool {
	owners := map[types.UID]bool{}
	for _, p := range r.allPods() {
		if p.Owner != nil {
			owners[p.Owner.UID] = true
		}
	}
	return owners
}

// isOlder says whether a ReplicaSet is known not to be the one of its owner's current revision: a Deployment and its
// ReplicaSets count revisions, a Rollout names the hash of the current one.
func (r *reader) isOlder(replicaSet *snapshot.Object) bool {
	above := r.object(replicaSet.Owner.UID)
	if above == nil || above.Revision == "" {
		return false
	}
	revision := replicaSet.Revision
	if hash := replicaSet.Labels["rollouts-pod-template-hash"]; hash != "" {
		revision = hash
	}
	return revision != "" && revision != above.Revision
}

// inferReplicaSets stands in for ReplicaSets that may not be read.
func (r *reader) inferReplicaSets() {
	refused := map[string]bool{}
	for _, ns := range r.podNamespaces() {
		refused[ns] = r.unreadable(snapshot.ResourceName(replicaSetKind()), ns)
	}
	deployments := map[string]*snapshot.Object{}
	for _, o := range r.allObjects() {
		if kindOf(o) == deploymentKind() && refused[o.Namespace] {
			deployments[o.Namespace+"/"+o.Name] = o
		}
	}
	for _, p := range r.allPods() {
		if p.Owner == nil || !refused[p.Namespace] {
			continue
		}
		name := strings.TrimSuffix(p.Owner.Name, "-"+p.Labels["pod-template-hash"])
		if d := deployments[p.Namespace+"/"+name]; d != nil {
			r.inferReplicaSet(d, p)
		}
	}
}

// inferReplicaSet adds the ReplicaSet between a Deployment and its Pod when ReplicaSets are a gap. A
// Deployment names its ReplicaSets after itself and the Pods' pod-template-hash
// (pkg/controller/deployment/sync.go getNewReplicaSet, v1.37), so with a matching selector there is no doubt.
func (r *reader) inferReplicaSet(d *snapshot.Object, p *snapshot.Pod) bool {
	hash := p.Labels["pod-template-hash"]
	if p.Owner == nil || ownerKind(p.Owner) != replicaSetKind() || hash == "" || p.Owner.Name != d.Name+"-"+hash {
		return false
	}
	selector := snapshot.LabelSelector(d.Selector)
	if selector == nil || !selector.Matches(labels.Set(p.Labels)) || !r.unreadable(snapshot.ResourceName(replicaSetKind()), p.Namespace) {
		return false
	}
	above := ref(d)
	r.add(&snapshot.Snapshot{Objects: []*snapshot.Object{{
		Group: "apps", Kind: "ReplicaSet", Namespace: p.Namespace, Name: p.Owner.Name, UID: p.Owner.UID,
		Owner: &above, MetadataOnly: true,
	}}})
	return true
}
