package live

import (
	"context"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// source is one resource of the API: how to list it and to get one of it, projected to Snapshot values.
type source struct {
	what          string // the resource as gaps name it
	clusterScoped bool
	essential     bool // without it the run cannot go on
	small         bool // an object takes a tenth of what a Pod does
	opts          metav1.ListOptions
	list          func(ctx context.Context, namespace string, opts metav1.ListOptions) (*snapshot.Snapshot, error)
	get           func(ctx context.Context, namespace, name string) (*snapshot.Snapshot, error)
}

// labelled narrows the list of a source to objects with these labels.
func (s source) labelled(selector string) source {
	s.opts.LabelSelector = selector
	return s
}

// fielded narrows the list of a source by a field selector.
func (s source) fielded(selector string) source {
	s.opts.FieldSelector = selector
	return s
}

// only narrows the list of a source to the objects that are wanted.
func (s source) only(wanted func(*snapshot.Object) bool) source {
	list := s.list
	s.list = func(ctx context.Context, namespace string, opts metav1.ListOptions) (*snapshot.Snapshot, error) {
		got, err := list(ctx, namespace, opts)
		if err == nil {
			got.Objects = slices.DeleteFunc(got.Objects, func(o *snapshot.Object) bool { return !wanted(o) })
		}
		return got, err
	}
	return s
}

// in is the namespace to ask a source in.
func (s source) in(namespace string) string {
	if s.clusterScoped {
		return ""
	}
	return namespace
}

// smallTimes is how many times more small objects than others a page has: pages come one after the other.
const smallTimes = 10

// pageSize is how many objects to ask for at once. Who wants another size than kubectl's gets it for all.
func (s source) pageSize(chunkSize int64) int64 {
	if s.small && chunkSize == DefaultChunkSize {
		return smallTimes * chunkSize
	}
	return chunkSize
}

// pages reads a list page by page and drops each after take. A continue token lives about five minutes;
// when one expired the list starts again, once, after reset has dropped what was read of it: it goes on at another
// resourceVersion, and pages of two instants may hold an object twice, or not at all.
func pages[L metav1.ListInterface](ctx context.Context, opts metav1.ListOptions, list func(context.Context, metav1.ListOptions) (L, error), take func(L), reset func()) error {
	restarted, read, seen := false, 0, newListing()
	for {
		page, err := list(ctx, opts)
		if err == nil {
			err = seen.page(page)
		}
		switch {
		case err == nil:
			take(page)
			n := itemsOf(page)
			read += n
			pageRead(ctx, n)
			if opts.Continue = page.GetContinue(); opts.Continue == "" {
				return nil
			}
		case opts.Continue != "" && !restarted && (isExpired(err) || errors.Is(err, errChanged)):
			restarted, opts.Continue, seen = true, "", newListing()
			pageRead(ctx, -read)
			reset()
		default:
			return understood(err)
		}
	}
}

func isExpired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// group is the typed client of an API group.
type group interface{ RESTClient() rest.Interface }

// objectGetter is the part of a typed client of a resource that is used: its lists are read with pagesAhead.
type objectGetter[P metav1.Object] interface {
	Get(ctx context.Context, name string, opts metav1.GetOptions) (P, error)
}

// typed makes the source of a kind with a typed client, which speaks protobuf.
func typed[T, L any, P interface {
	*T
	metav1.Object
}, Q interface {
	*L
	metav1.ListInterface
}](kind snapshot.GroupKind, group group, api func(namespace string) objectGetter[P], items func(Q) []T, add func(*snapshot.Snapshot, P)) source {
	plural, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: kind.Kind}) // right for all that Kubernetes brings
	return source{
		what: snapshot.ResourceName(kind),
		list: func(ctx context.Context, namespace string, opts metav1.ListOptions) (*snapshot.Snapshot, error) {
			got := &snapshot.Snapshot{}
			ahead := &pagesAhead[L]{client: group.RESTClient(), resource: plural.Resource, namespace: namespace}
			err := pages(ctx, opts, func(ctx context.Context, opts metav1.ListOptions) (Q, error) { return ahead.List(ctx, opts) }, func(page Q) {
				all := items(page)
				for i := range all {
					add(got, identified(kind, P(&all[i])))
				}
			}, func() { *got = snapshot.Snapshot{} })
			return got, err
		},
		get: func(ctx context.Context, namespace, name string) (*snapshot.Snapshot, error) {
			one, err := api(namespace).Get(ctx, name, metav1.GetOptions{})
			if err := is(name, one, err); err != nil {
				return nil, err
			}
			got := &snapshot.Snapshot{}
			add(got, identified(kind, one))
			return got, nil
		},
	}
}

// metadataOf makes a source that reads only the metadata of a kind: enough for an owner's own owner.
func (r *reader) metadataOf(kind snapshot.GroupKind, resource schema.GroupVersionResource) source {
	api := r.clients.metadata.Resource(resource)
	add := func(got *snapshot.Snapshot, m *metav1.ObjectMeta) {
		got.Objects = append(got.Objects, r.convert.Metadata(schema.GroupKind{Group: kind.Group, Kind: kind.Kind}, identified(kind, m)))
	}
	return source{
		what:  snapshot.ResourceName(kind),
		small: true,
		list: func(ctx context.Context, namespace string, opts metav1.ListOptions) (*snapshot.Snapshot, error) {
			got := &snapshot.Snapshot{}
			err := pages(ctx, opts, api.Namespace(namespace).List, func(page *metav1.PartialObjectMetadataList) {
				for i := range page.Items {
					add(got, &page.Items[i].ObjectMeta)
				}
			}, func() { *got = snapshot.Snapshot{} })
			return got, err
		},
		get: func(ctx context.Context, namespace, name string) (*snapshot.Snapshot, error) {
			one, err := api.Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
			if err := is(name, one, err); err != nil {
				return nil, err
			}
			got := &snapshot.Snapshot{}
			add(got, &one.ObjectMeta)
			return got, nil
		},
	}
}

// wholeOf makes a source that reads a custom kind whole, for its template and selector.
func (r *reader) wholeOf(kind snapshot.GroupKind, resource schema.GroupVersionResource) source {
	api := r.clients.dynamic.Resource(resource)
	return source{
		what: snapshot.ResourceName(kind),
		list: func(ctx context.Context, namespace string, opts metav1.ListOptions) (*snapshot.Snapshot, error) {
			got := &snapshot.Snapshot{}
			err := pages(ctx, opts, api.Namespace(namespace).List, func(page *unstructured.UnstructuredList) {
				for i := range page.Items {
					got.Objects = append(got.Objects, r.convert.Custom(identified(kind, &page.Items[i])))
				}
			}, func() { *got = snapshot.Snapshot{} })
			return got, err
		},
		get: func(ctx context.Context, namespace, name string) (*snapshot.Snapshot, error) {
			one, err := api.Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
			if err := is(name, one, err); err != nil {
				return nil, err
			}
			return &snapshot.Snapshot{Objects: []*snapshot.Object{r.convert.Custom(identified(kind, one))}}, nil
		},
	}
}

// custom makes the source of a kind that Kubernetes does not bring, which takes discovery.
func (r *reader) custom(ctx context.Context, kind snapshot.GroupKind, whole bool) (source, error) {
	mapping, err := r.clients.mapping(ctx, kind)
	if err != nil {
		return source{}, err
	}
	src := r.metadataOf(kind, mapping.Resource)
	if whole {
		src = r.wholeOf(kind, mapping.Resource)
	}
	src.clusterScoped = mapping.Scope.Name() == meta.RESTScopeNameRoot
	return src, nil
}

func namespaceOrAll(namespace string) string {
	if namespace == corev1.NamespaceAll {
		return "all namespaces"
	}
	return "namespace " + namespace
}
