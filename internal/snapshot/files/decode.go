package files

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// decode reads an object as the API server does: names of fields are case-sensitive, and unknown ones are
// passed over. It fills in what a manifest leaves out: the namespace, and a UID to tell owners by.
func decode[T any, P pointer[T]](r *reader, it item) (P, identity, error) {
	typed, id, _, err := decodeStrict[T, P](r, it)
	return typed, id, err
}

// decodeStrict returns a manifest's unknown fields too.
func decodeStrict[T any, P pointer[T]](r *reader, it item) (P, identity, strict, error) {
	typed := P(new(T))
	var target any = typed
	if u, ok := target.(*unstructured.Unstructured); ok {
		target = &u.Object // its own decoder wants a known version
	}
	faults, err := kjson.UnmarshalStrict(it.raw, target, kjson.DisallowDuplicateFields, kjson.DisallowUnknownFields)
	unknown, repeated := sortStrict(faults)
	if err == nil {
		err = errors.Join(repeated...)
	}
	if err != nil {
		return nil, identity{}, nil, fmt.Errorf("%s: %w", describe(it.kind, typed), fieldError(err))
	}
	id, err := r.identify(typed, it)
	if err != nil {
		return nil, identity{}, nil, fmt.Errorf("%s: %w", describe(it.kind, typed), err)
	}
	if id.uid != "" {
		unknown = nil
	}
	return typed, id, unknown, nil
}

// describe names an object in an error, as far as it could be read.
func describe(kind snapshot.GroupKind, o metav1.Object) string {
	switch {
	case o.GetName() == "":
		return kind.Kind
	case o.GetNamespace() == "":
		return kind.Kind + " " + o.GetName()
	default:
		return kind.Kind + " " + o.GetNamespace() + "/" + o.GetName()
	}
}

// identity is what makes two objects the same.
type identity struct {
	snapshot.GroupKind
	namespace, name string
	// uid is empty in a manifest: its name is what makes it the same. unique is set instead where
	// a name is yet to be generated.
	uid    types.UID
	unique types.UID
	at     place
}

func (r *reader) identify(o metav1.Object, it item) (identity, error) {
	if o.GetName() == "" && o.GetGenerateName() == "" {
		return identity{}, errors.New("metadata.name is missing")
	}
	kind := it.kind
	if kind.Kind == "Event" { // one object, served by two groups
		kind.Group = ""
	}
	id := identity{GroupKind: kind, uid: o.GetUID(), at: it.at}
	synthetic := types.UID(fmt.Sprintf("%s:%d:%d", it.at.File, it.at.Document, *it.at.objects))
	if o.GetName() == "" {
		o.SetName(o.GetGenerateName())
		id.unique = synthetic
	}
	if o.GetNamespace() == "" && isNamespaced(it.kind, o) {
		o.SetNamespace(r.namespace)
	}
	if o.GetUID() == "" {
		o.SetUID(synthetic)
	}
	id.namespace, id.name = o.GetNamespace(), o.GetName()
	if covered := r.collected.covered[resourceOf(kind)]; covered != nil {
		covered.namespaces[id.namespace] = true
	}
	if it.at.list != nil {
		it.at.list.add(id)
	}
	return id, nil
}

// isNamespaced guesses for kinds that only a cluster knows: what a cluster gave a UID and no namespace has
// none; a manifest may just leave it out.
func isNamespaced(kind snapshot.GroupKind, o metav1.Object) bool {
	if kind.Group == metav1.GroupName || !isBuiltinGroup(kind.Group) {
		return o.GetUID() == ""
	}
	return kind.Kind != "Node"
}
