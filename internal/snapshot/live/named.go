package live

import (
	"context"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// nodesByName is how many nodes are read one by one, all at once, before their list is cheaper.
const nodesByName = 10

// named reads the named objects, what is below them and what is above that, and nothing else of the
// namespace where a selector can tell.
func (r *reader) named(ctx context.Context, targets []target) error {
	r.single = true
	found, err := r.find(ctx, targets)
	if err != nil {
		return err
	}
	services, listed := r.listServices()
	tasks := append([]task{services}, r.eventsAbout(found)...)
	return parallel(ctx, kindsAtOnce, append(tasks, func(ctx context.Context) error { return r.belowAndAround(ctx, found, listed) }), do)
}

type task = func(context.Context) error

func do(ctx context.Context, t task) error { return t(ctx) }

// listServices reads the Services, which need nothing of all the rest; listed is closed when they are there, or a gap.
func (r *reader) listServices() (read task, listed <-chan struct{}) {
	done := make(chan struct{})
	return func(ctx context.Context) error {
		defer close(done)
		got, err := r.list(ctx, r.services(), r.scope)
		r.add(got)
		return err
	}, done
}

// eventsAbout read the Events about what was found. In a large namespace they take longer than all the rest, and need
// nothing of it.
func (r *reader) eventsAbout(found []*snapshot.Snapshot) []task {
	if !r.opts.Events {
		return nil
	}
	var tasks []task
	for _, src := range r.namedEvents(found) {
		tasks = append(tasks, func(ctx context.Context) error {
			got, err := r.list(ctx, src, r.scope)
			r.add(got)
			return err
		})
	}
	return tasks
}

// belowAndAround reads what is below and above what was found, then what stands beside those Pods.
func (r *reader) belowAndAround(ctx context.Context, found []*snapshot.Snapshot, servicesListed <-chan struct{}) error {
	if err := parallel(ctx, kindsAtOnce, found, r.below); err != nil {
		return err
	}
	if err := r.behindServices(ctx, found); err != nil {
		return err
	}
	if err := r.climb(ctx); err != nil {
		return err
	}
	slices := func(ctx context.Context) error { return r.endpointSlicesOfPods(ctx, servicesListed) }
	return parallel(ctx, kindsAtOnce, []task{r.nodesOfPods, slices}, do)
}

// below reads the Pods below one thing that was named.
func (r *reader) below(ctx context.Context, got *snapshot.Snapshot) error {
	r.add(got)
	switch {
	case len(got.Objects) > 0:
		return r.belowObject(ctx, got.Objects[0])
	case len(got.Services) > 0:
		return r.belowService(ctx, got.Services[0])
	case len(got.Nodes) > 0:
		return r.belowNode(ctx, got.Nodes[0])
	default:
		return nil
	}
}

func (r *reader) belowObject(ctx context.Context, o *snapshot.Object) error {
	if !r.first(o.UID) {
		return nil
	}
	if kindOf(o) == cronJobKind() {
		return r.belowCronJob(ctx, o)
	}
	builtin, found := snapshot.IsBuiltinController(kindOf(o)), false
	if selector := snapshot.LabelSelector(o.Selector); selector != nil {
		var err error
		if found, err = r.selected(ctx, o, selector); err != nil {
			return err
		}
		if found || o.Template != nil {
			return nil
		}
	}
	if builtin {
		return nil
	}
	return r.belowRoot(ctx, o)
}

// selected reads the Pods that a controller's selector matches, and keeps those it owns, itself or by a
// ReplicaSet: a selector may match the Pods of others.
func (r *reader) selected(ctx context.Context, o *snapshot.Object, selector labels.Selector) (bool, error) {
	var pods, sets *snapshot.Snapshot
	listPods := r.listInto(&pods, r.pods(selector))
	listSets := r.listInto(&sets, r.replicaSets().labelled(selector.String()))
	var err error
	switch {
	case kindOf(o) == deploymentKind():
		err = parallel(ctx, kindsAtOnce, []task{listPods, listSets}, do)
	default:
		if err = listPods(ctx); err == nil && mayOwnReplicaSets(o, pods.Pods) {
			err = listSets(ctx)
		}
	}
	if err != nil {
		return false, err
	}
	owners := map[types.UID]bool{o.UID: true}
	if sets != nil {
		sets.Objects = slices.DeleteFunc(sets.Objects, func(s *snapshot.Object) bool { return s.Owner == nil || s.Owner.UID != o.UID })
		maps.Copy(owners, uids(sets.Objects))
		r.add(sets)
	}
	pods.Pods = slices.DeleteFunc(pods.Pods, func(p *snapshot.Pod) bool {
		return p.Owner == nil || !owners[p.Owner.UID] && !r.inferReplicaSet(o, p)
	})
	r.add(pods)
	return len(pods.Pods) > 0, nil
}

// listInto is the task to list what is there of a source where the query looks.
func (r *reader) listInto(got **snapshot.Snapshot, src source) task {
	return func(ctx context.Context) (err error) {
		*got, err = r.list(ctx, src, r.scope)
		return err
	}
}

// mayOwnReplicaSets tells of a custom kind (Argo Rollout) by its Pods.
func mayOwnReplicaSets(o *snapshot.Object, pods []*snapshot.Pod) bool {
	return !snapshot.IsBuiltinController(kindOf(o)) && slices.ContainsFunc(pods, func(p *snapshot.Pod) bool {
		return p.Owner != nil && ownerKind(p.Owner) == replicaSetKind()
	})
}

// belowNode reads the static Pods of a node: it is their root owner.
func (r *reader) belowNode(ctx context.Context, n *snapshot.Node) error {
	got, err := r.list(ctx, r.pods(nil).fielded(fields.OneTermEqualSelector("spec.nodeName", n.Name).String()), r.scope)
	got.Pods = slices.DeleteFunc(got.Pods, func(p *snapshot.Pod) bool { return p.Owner == nil || ownerKind(p.Owner) != nodeKind() })
	r.add(got)
	return err
}

// nodesOfPods reads the nodes that run the Pods: some by name, many by one list.
func (r *reader) nodesOfPods(ctx context.Context) error {
	seen := map[string]bool{}
	for _, p := range r.allPods() {
		if p.Node != "" {
			seen[p.Node] = true
		}
	}
	src := r.nodes()
	if len(seen) > nodesByName {
		got, err := r.list(ctx, src, "")
		got.Nodes = slices.DeleteFunc(got.Nodes, func(n *snapshot.Node) bool { return !seen[n.Name] })
		r.add(got)
		return err
	}
	return parallel(ctx, nodesByName, slices.Sorted(maps.Keys(seen)), func(ctx context.Context, name string) error {
		got, err := src.get(ctx, "", name)
		switch {
		case err == nil:
			r.add(got)
			return nil
		case apierrors.IsNotFound(err):
			return r.failed(ctx, src, "", name, err)
		default: // what keeps one from being read keeps all
			return r.failed(ctx, src, "", "", err)
		}
	})
}
