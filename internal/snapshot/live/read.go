// Package live reads a cluster into a Snapshot: in parallel by kind, page by page, and only what the query
// needs. What cannot be read becomes a Gap; only unreadable Pods and named objects are errors.
package live

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

const (
	kindsAtOnce      = 6 // lists of different kinds
	namespacesAtOnce = 8 // lists of one kind in different namespaces
)

// Read reads what q asks for. The error for Pods that cannot be read, and for named objects that do not
// exist, keeps the server's *errors.StatusError reachable by errors.As; the latter are snapshot.ErrNotFound too.
func Read(ctx context.Context, c *Clients, q snapshot.Query, opts Options) (*snapshot.Snapshot, error) {
	r := newReader(c, q, opts)
	version := r.askVersion(ctx)
	err := r.read(ctx)
	serverVersion := version()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	s := r.snapshot()
	s.AsOf, s.Running, s.ServerVersion = opts.AsOf, true, serverVersion
	return s.Select(r.query, func(word string) (snapshot.GroupKind, bool) {
		kind, ok := r.types[word]
		return kind, ok
	})
}

// reader is one run of Read.
type reader struct {
	clients *Clients
	opts    Options
	query   snapshot.Query
	scope   string // the namespace; empty is all
	convert *snapshot.Converter
	types   map[string]snapshot.GroupKind // types as typed, that took discovery
	// single is set when objects were named: their ReplicaSets are read whole.
	single bool
	// metadataOnly is set while searching what is under a root owner: nothing but chains counts then.
	metadataOnly bool
	*store
}

func newReader(c *Clients, q snapshot.Query, opts Options) *reader {
	if q.AllNamespaces {
		q.Namespace = ""
	}
	return &reader{
		clients: c, opts: opts, query: q, scope: q.Namespace,
		convert: snapshot.NewConverter(), types: map[string]snapshot.GroupKind{}, store: newStore(),
	}
}

func (r *reader) read(ctx context.Context) error {
	targets, err := r.resolve(ctx)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if t.name == "" {
			return r.whole(ctx, targets)
		}
	}
	if len(targets) == 0 {
		return r.whole(ctx, targets)
	}
	return r.named(ctx, targets)
}

// list reads all of a source in one namespace. What cannot be read is a gap, and the result empty.
func (r *reader) list(ctx context.Context, src source, namespace string) (*snapshot.Snapshot, error) {
	got, err := r.tryList(ctx, src, namespace)
	if err != nil {
		return &snapshot.Snapshot{}, r.failed(ctx, src, namespace, "", err)
	}
	return got, nil
}

func (r *reader) tryList(ctx context.Context, src source, namespace string) (*snapshot.Snapshot, error) {
	opts := src.opts
	opts.Limit = src.pageSize(r.opts.ChunkSize)
	ctx, done := r.observed(ctx, src.what)
	defer done()
	ctx, cancel := context.WithCancel(ctx) // for pages that were asked for ahead
	defer cancel()
	return src.list(ctx, src.in(namespace), opts)
}

// failed turns what went wrong with a source into a gap, or into an error if the run cannot go on.
func (r *reader) failed(ctx context.Context, src source, namespace, name string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case src.essential:
		return fmt.Errorf("read %s in %s: %w", src.what, namespaceOrAll(namespace), err)
	default:
		r.gap(src.what, src.in(namespace), name, err)
		return nil
	}
}

// refusal is a source that may not be read in all namespaces at once.
type refusal struct {
	source
	err error
}

// readScope reads a source wherever the query looks. A user who may not read all namespaces at once may
// still read each: that is tried later, in the namespaces that matter.
func (r *reader) readScope(ctx context.Context, src source) (*refusal, error) {
	got, err := r.tryList(ctx, src, r.scope)
	switch {
	case err == nil:
		r.add(got)
		return nil, nil
	case r.scope == "" && !src.clusterScoped && !src.essential && apierrors.IsForbidden(err):
		return &refusal{src, err}, nil
	default:
		return nil, r.failed(ctx, src, r.scope, "", err)
	}
}

// readEach reads what was refused in each namespace by itself.
func (r *reader) readEach(ctx context.Context, refused []refusal, namespaces []string) error {
	type task struct {
		src       source
		namespace string
	}
	var tasks []task
	for _, f := range refused {
		if len(namespaces) == 0 {
			r.gap(f.what, "", "", f.err)
		}
		for _, ns := range namespaces {
			tasks = append(tasks, task{f.source, ns})
		}
	}
	return parallel(ctx, namespacesAtOnce, tasks, func(ctx context.Context, t task) error {
		got, err := r.list(ctx, t.src, t.namespace)
		r.add(got)
		return err
	})
}

// parallel does something with every item, a few at once; the first error stops the others.
func parallel[T any](ctx context.Context, atOnce int, items []T, do func(context.Context, T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, item := range items {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return do(ctx, item)
		})
	}
	return group.Wait()
}

func uids(objects []*snapshot.Object) map[types.UID]bool {
	out := make(map[types.UID]bool, len(objects))
	for _, o := range objects {
		out[o.UID] = true
	}
	return out
}
