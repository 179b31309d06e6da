package live

import (
	"context"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

const (
	maxLevels = 10 // of an owner chain, as in snapshot.Graph
	getAtMost = 3  // objects of one kind; more are read by one list
)

// owner is an object that stands above another and was not read yet.
type owner struct {
	ref       snapshot.OwnerRef
	namespace string // of what it owns: its own too, unless it is cluster-scoped
	whole     bool   // directly above Pods or ReplicaSets: its template and selector count
}

func kindOf(o *snapshot.Object) snapshot.GroupKind {
	return snapshot.GroupKind{Group: o.Group, Kind: o.Kind}
}

func ownerKind(o *snapshot.OwnerRef) snapshot.GroupKind {
	return snapshot.GroupKind{Group: o.Group, Kind: o.Kind}
}

func ref(o *snapshot.Object) snapshot.OwnerRef {
	return snapshot.OwnerRef{Group: o.Group, Kind: o.Kind, Name: o.Name, UID: o.UID}
}

// climb reads the owners that are still unknown, level by level to the top of every chain. Built-in kinds
// are asked for again too: lists of different kinds are of different instants, and an owner that was made
// between two of them would seem gone.
func (r *reader) climb(ctx context.Context) error {
	for range maxLevels {
		unread := r.unread()
		if len(unread) == 0 {
			return nil
		}
		err := parallel(ctx, kindsAtOnce, slices.Collect(maps.Keys(unread)), func(ctx context.Context, kind snapshot.GroupKind) error {
			return r.readOwners(ctx, kind, unread[kind])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unread finds the owners to ask for, and marks them as asked: none is asked for twice, whatever the answer.
func (r *reader) unread() map[snapshot.GroupKind][]owner {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := map[types.UID]*owner{}
	note := func(above *snapshot.OwnerRef, namespace string, whole bool) {
		if above == nil || r.asked[above.UID] || r.objectByUID[above.UID] != nil || ownerKind(above) == nodeKind() || ownerKind(above) == podKind() && r.hasPod(above.UID) {
			return
		}
		if r.metadataOnly && snapshot.IsBuiltinController(ownerKind(above)) {
			return // all of them were listed
		}
		if found[above.UID] == nil {
			found[above.UID] = &owner{ref: *above, namespace: namespace}
		}
		found[above.UID].whole = found[above.UID].whole || whole && !r.metadataOnly
	}
	for _, p := range r.podByName {
		note(p.Owner, p.Namespace, true)
	}
	for _, o := range r.objectByUID {
		note(o.Owner, o.Namespace, kindOf(o) == replicaSetKind())
	}
	byKind := map[snapshot.GroupKind][]owner{}
	for uid, o := range found {
		r.asked[uid] = true
		byKind[ownerKind(&o.ref)] = append(byKind[ownerKind(&o.ref)], *o)
	}
	return byKind
}

func (r *reader) readOwners(ctx context.Context, kind snapshot.GroupKind, owners []owner) error {
	owners = slices.DeleteFunc(owners, func(o owner) bool {
		return r.unreadable(snapshot.ResourceName(kind), o.namespace)
	})
	if len(owners) == 0 {
		return nil
	}
	src, err := r.ownerSource(ctx, kind, slices.ContainsFunc(owners, func(o owner) bool { return o.whole }))
	if meta.IsNoMatchError(err) {
		return nil // not served: snapshot.Select says which owners are missing
	}
	if err != nil {
		return r.failed(ctx, source{what: snapshot.ResourceName(kind)}, r.scope, "", err)
	}
	return r.fetch(ctx, src, owners)
}

func (r *reader) ownerSource(ctx context.Context, kind snapshot.GroupKind, whole bool) (source, error) {
	if kind == replicaSetKind() && !r.single {
		return r.replicaSetOwners(), nil
	}
	if snapshot.IsBuiltinController(kind) {
		src, _ := r.builtin(kind)
		return src, nil
	}
	return r.custom(ctx, kind, whole)
}

// fetch reads these owners and no others: a few by name, many by one list. One that is not found by its UID
// does not exist any more, even if another has its name; snapshot.Select tells when that matters.
func (r *reader) fetch(ctx context.Context, src source, owners []owner) error {
	if len(owners) <= getAtMost {
		return parallel(ctx, getAtMost, owners, func(ctx context.Context, o owner) error { return r.fetchOne(ctx, src, o) })
	}
	wanted, seen := map[types.UID]bool{}, map[string]bool{}
	for _, o := range owners {
		wanted[o.ref.UID], seen[o.namespace] = true, true
	}
	src = src.only(func(o *snapshot.Object) bool { return wanted[o.UID] })
	namespaces := slices.Sorted(maps.Keys(seen))
	if len(namespaces) == 1 {
		got, err := r.list(ctx, src, namespaces[0])
		r.add(got)
		return err
	}
	refused, err := r.readScope(ctx, src)
	if err != nil || refused == nil {
		return err
	}
	return r.readEach(ctx, []refusal{*refused}, namespaces)
}

func (r *reader) fetchOne(ctx context.Context, src source, o owner) error {
	got, err := src.get(ctx, src.in(o.namespace), o.ref.Name)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return r.failed(ctx, src, o.namespace, o.ref.Name, err)
	}
	got.Objects = slices.DeleteFunc(got.Objects, func(found *snapshot.Object) bool { return found.UID != o.ref.UID })
	r.add(got)
	return nil
}
