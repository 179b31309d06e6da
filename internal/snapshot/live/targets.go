package live

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// target is a snapshot.Target whose type is known.
type target struct {
	kind snapshot.GroupKind // zero for a bare name
	name string             // empty: all of the kind
	why  error              // why discovery could not say whether a bare name is a type
}

// errAcross is kubectl's wording.
var errAcross = errors.New("a resource cannot be retrieved by name across all namespaces")

// notFound keeps the server's words and says that what is missing was named by the user.
type notFound struct{ error }

func (e notFound) Is(target error) bool { return target == snapshot.ErrNotFound }
func (e notFound) Unwrap() error        { return e.error }

// resolve finds the type of every target. It takes discovery only for types that Kubernetes does not bring.
func (r *reader) resolve(ctx context.Context) ([]target, error) {
	for _, t := range r.query.Targets {
		if t.Name != "" && r.scope == "" {
			return nil, errAcross
		}
	}
	var targets []target
	var errs []error
	for _, t := range r.query.Targets {
		one, err := r.target(ctx, t)
		if err != nil {
			errs = append(errs, err)
		}
		targets = append(targets, one)
	}
	return targets, joined(errs)
}

func (r *reader) target(ctx context.Context, t snapshot.Target) (target, error) {
	word := t.Type + t.Word // never both
	if word == "" {
		return target{name: t.Name}, nil
	}
	kind, err := r.typeOf(ctx, word)
	switch {
	case err == nil:
		return target{kind: kind, name: t.Name}, nil
	case t.Word == "" && meta.IsNoMatchError(err):
		return target{}, fmt.Errorf("the server doesn't have a resource type %q", word)
	case t.Word == "":
		return target{}, err
	case r.scope == "":
		return target{}, errAcross
	case meta.IsNoMatchError(err) || errors.Is(err, errOwnsNoPods):
		return target{name: word}, nil
	default:
		return target{name: word, why: err}, nil
	}
}

var errOwnsNoPods = errors.New("can have no pods below it: name a workload, a pod or a service")

func (r *reader) typeOf(ctx context.Context, word string) (snapshot.GroupKind, error) {
	if kind, ok := snapshot.BuiltinKind(word); ok {
		return kind, nil
	}
	kind, err := r.clients.kindOf(ctx, word)
	switch {
	case err != nil:
		return kind, fmt.Errorf("find the resource type %q: %w", word, err)
	case fromKubernetes(kind.Group):
		return kind, fmt.Errorf("%s %w", word, errOwnsNoPods)
	}
	r.types[word] = kind
	return kind, nil
}

// fromKubernetes says whether Kubernetes itself brings an API group: of those only the known kinds own Pods,
// and "secrets" must not read all of them. Kinds under x-k8s.io are custom ones.
func fromKubernetes(group string) bool {
	return !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io")
}

// find gets every named object; all that cannot be had are named at once. Bare names get their type in the
// query, so that Select does not have to look for it again.
func (r *reader) find(ctx context.Context, targets []target) ([]*snapshot.Snapshot, error) {
	found := make([]*snapshot.Snapshot, len(targets))
	errs := make([]error, len(targets))
	resolved := make([]snapshot.Target, len(targets))
	indexes := make([]int, len(targets))
	for i := range targets {
		indexes[i] = i
	}
	err := parallel(ctx, kindsAtOnce, indexes, func(ctx context.Context, i int) error {
		resolved[i] = r.query.Targets[i]
		if targets[i].kind != (snapshot.GroupKind{}) {
			found[i], errs[i] = r.getNamed(ctx, targets[i].kind, targets[i].name)
			return ctx.Err()
		}
		var kind snapshot.GroupKind
		found[i], kind, errs[i] = r.bareName(ctx, targets[i])
		resolved[i] = snapshot.Target{Type: snapshot.ResourceName(kind), Name: targets[i].name}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	r.query.Targets = resolved
	return found, joined(errs)
}

func (r *reader) getNamed(ctx context.Context, kind snapshot.GroupKind, name string) (*snapshot.Snapshot, error) {
	src, ok := r.builtin(kind)
	if !ok {
		var err error
		if src, err = r.custom(ctx, kind, true); err != nil {
			return nil, fmt.Errorf("find where %s is served: %w", snapshot.ResourceName(kind), err)
		}
	}
	got, err := src.get(ctx, src.in(r.scope), name)
	switch {
	case apierrors.IsNotFound(err):
		return nil, notFound{err}
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", snapshot.DisplayName(kind.Group, kind.Kind, name), err)
	}
	return got, nil
}

// bareName looks a name up among the kinds that a user would mean by it.
func (r *reader) bareName(ctx context.Context, t target) (*snapshot.Snapshot, snapshot.GroupKind, error) {
	kinds := snapshot.BareNameKinds()
	got := make([]*snapshot.Snapshot, len(kinds))
	errs := make([]error, len(kinds))
	indexes := make([]int, len(kinds))
	for i := range kinds {
		indexes[i] = i
	}
	_ = parallel(ctx, len(kinds), indexes, func(ctx context.Context, i int) error {
		got[i], errs[i] = r.getNamed(ctx, kinds[i], t.name)
		return nil
	})
	var found []snapshot.GroupKind
	var one *snapshot.Snapshot
	for i, kind := range kinds {
		if errs[i] == nil {
			found, one = append(found, kind), got[i]
		}
	}
	switch len(found) {
	case 1:
		return one, found[0], nil
	case 0:
		return nil, snapshot.GroupKind{}, noSuchName(t, kinds, errs)
	default:
		return nil, snapshot.GroupKind{}, snapshot.AmbiguousError(t.name, found)
	}
}

// noSuchName tells where a name was looked for, and where it could not be. If the server answered nowhere,
// that is the news and not the name.
func noSuchName(t target, kinds []snapshot.GroupKind, errs []error) error {
	var tried []string
	var unknown []error
	for i, kind := range kinds {
		if errors.Is(errs[i], snapshot.ErrNotFound) {
			tried = append(tried, snapshot.ResourceName(kind))
		} else {
			unknown = append(unknown, errs[i])
		}
	}
	if len(tried) == 0 {
		return errs[0]
	}
	if t.why != nil {
		unknown = append(unknown, t.why)
	}
	err := fmt.Errorf("%q %w: it is neither a type of workloads nor the name of one of %s", t.name, snapshot.ErrNotFound, strings.Join(tried, ", "))
	for _, u := range unknown {
		err = fmt.Errorf("%w; could not %w", err, u)
	}
	return err
}

func joined(errs []error) error {
	var some []error
	for _, err := range errs {
		if err != nil {
			some = append(some, err)
		}
	}
	if len(some) == 1 {
		return some[0] // as it is: no list of one
	}
	return errors.Join(some...)
}
