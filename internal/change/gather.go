package change

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Asked is a Pod to change.
type Asked struct {
	Namespace, Name string
	Named           bool // by the user, not found through a workload, a selector or --all
}

// Gather reads the Pods and what is to be known about each: its node, the template it was made from, the workload above
// and its template. Only the Pods must be readable. Every object is read once.
func Gather(ctx context.Context, api API, pods []Asked, r Request) ([]Target, error) {
	g := &gatherer{api: api, seen: map[Ref]*read{}}
	out := make([]Target, len(pods))
	errs := make([]error, len(pods))
	group := errgroup.Group{}
	group.SetLimit(atOnce)
	for i, ask := range pods {
		group.Go(func() error {
			out[i], errs[i] = g.target(ctx, ask, r)
			return nil
		})
	}
	_ = group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

// AskedWorkload is a workload whose template is to change.
type AskedWorkload struct {
	Ref
	Pods int // its live Pods
}

// GatherWorkloads reads workloads. All of them must be readable.
func GatherWorkloads(ctx context.Context, api API, workloads []AskedWorkload) ([]Target, error) {
	out := make([]Target, len(workloads))
	errs := make([]error, len(workloads))
	group := errgroup.Group{}
	group.SetLimit(atOnce)
	for i, ask := range workloads {
		group.Go(func() error {
			data, err := api.Get(ctx, ask.Ref)
			if err != nil {
				errs[i] = fmt.Errorf("read %s in namespace %s: %w", ask.Ref, ask.Namespace, err)
				return nil
			}
			out[i] = Target{Named: true, Workload: ask.String(), Pods: ask.Pods}
			out[i].Subject, errs[i] = WorkloadFromJSON(data)
			return nil
		})
	}
	_ = group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

type gatherer struct {
	api  API
	mu   sync.Mutex
	seen map[Ref]*read
}

// read is one object, read once.
type read struct {
	once sync.Once
	data []byte
	err  error
}

func (g *gatherer) get(ctx context.Context, ref Ref) ([]byte, error) {
	g.mu.Lock()
	r, ok := g.seen[ref]
	if !ok {
		r = &read{}
		g.seen[ref] = r
	}
	g.mu.Unlock()
	r.once.Do(func() { r.data, r.err = g.api.Get(ctx, ref) })
	return r.data, r.err
}

func (g *gatherer) target(ctx context.Context, ask Asked, r Request) (Target, error) {
	data, err := g.api.Get(ctx, Ref{Kind: "Pod", Namespace: ask.Namespace, Name: ask.Name})
	if err != nil {
		return Target{}, fmt.Errorf("read pod/%s in namespace %s: %w", ask.Name, ask.Namespace, err)
	}
	s, err := PodFromJSON(data)
	if err != nil {
		return Target{}, err
	}
	t := Target{Subject: s, Named: ask.Named, Node: g.node(ctx, s.Spec.NodeName)}
	owner := metav1.GetControllerOfNoCopy(&s.Meta)
	if owner == nil || isStatic(s.Pod) {
		return t, nil
	}
	g.owners(ctx, &t, owner)
	if _, kept := s.Meta.Annotations[snapshot.OriginalAnnotation]; r.Restore && !kept {
		t.MadeFrom = g.madeFrom(ctx, s, owner)
	}
	return t, nil
}

// node reads a node's kubelet version; who may not read nodes does not know it.
func (g *gatherer) node(ctx context.Context, name string) Node {
	node := Node{Name: name}
	if name == "" {
		return node
	}
	data, err := g.get(ctx, Ref{Kind: "Node", Name: name})
	if err != nil {
		return node
	}
	var object corev1.Node
	if json.Unmarshal(data, &object) == nil {
		node.KubeletVersion = object.Status.NodeInfo.KubeletVersion
		node.Virtual = object.Labels["type"] == "virtual-kubelet"
	}
	return node
}

func refOf(namespace string, owner *metav1.OwnerReference) Ref {
	gv, _ := schema.ParseGroupVersion(owner.APIVersion)
	return Ref{Group: gv.Group, Kind: owner.Kind, Namespace: namespace, Name: owner.Name, UID: owner.UID}
}

// owners finds the workload above a Pod and its template now.
func (g *gatherer) owners(ctx context.Context, t *Target, owner *metav1.OwnerReference) {
	ref := refOf(t.Namespace, owner)
	t.Workload = ref.String()
	data, err := g.get(ctx, ref)
	if err != nil {
		return
	}
	s, err := WorkloadFromJSON(data)
	if err != nil || s.UID != ref.UID {
		return
	}
	if above := metav1.GetControllerOfNoCopy(&s.Meta); above != nil && (ref.Kind == "ReplicaSet" || ref.Kind == "Job") {
		g.owners(ctx, t, above)
		return
	}
	if s.workload.known && s.workload.workloadRef == "" {
		t.Current = &Template{Holder: ref.String(), Spec: s.Spec, raw: s.raw}
	}
}

// madeFrom reads the template a Pod was made from: its ReplicaSet's or Job's, which never changes, or that in its
// ControllerRevision. What a controller without revisions says now need not be what it said then.
func (g *gatherer) madeFrom(ctx context.Context, s *Subject, owner *metav1.OwnerReference) *Template {
	ref := refOf(s.Namespace, owner)
	var template *Template
	var err error
	selector := ""
	switch {
	case ref.Group == "apps" && ref.Kind == "ReplicaSet":
		template, err = g.ofOwner(ctx, ref)
		selector = labelSelector(s, "pod-template-hash")
	case ref.Group == "batch" && ref.Kind == "Job":
		template, err = g.ofOwner(ctx, ref)
		selector = labelSelector(s, "batch.kubernetes.io/controller-uid")
	case ref.Group == "apps" && (ref.Kind == "StatefulSet" || ref.Kind == "DaemonSet"):
		template, err = g.ofRevision(ctx, s, ref)
		selector = labelSelector(s, "controller-revision-hash")
	default:
		err = fmt.Errorf("%s keeps no revisions", ref)
	}
	if err != nil {
		return &Template{Err: err}
	}
	template.Siblings = g.siblings(ctx, s, owner, selector)
	return template
}

func labelSelector(s *Subject, key string) string {
	if value := s.Meta.Labels[key]; value != "" {
		return key + "=" + value
	}
	return ""
}

func (g *gatherer) ofOwner(ctx context.Context, ref Ref) (*Template, error) {
	data, err := g.get(ctx, ref)
	if err != nil {
		return nil, err
	}
	s, err := WorkloadFromJSON(data)
	if err != nil {
		return nil, err
	}
	if s.UID != ref.UID {
		return nil, fmt.Errorf("%s is another one of that name now", ref)
	}
	return &Template{Holder: ref.String(), Spec: s.Spec, raw: s.raw}, nil
}

// ofRevision: the Pod's label is the revision's name in a StatefulSet, and the end of it in a DaemonSet
// (pkg/controller/statefulset/stateful_set_utils.go setPodRevision, pkg/controller/daemon/util, v1.37).
func (g *gatherer) ofRevision(ctx context.Context, s *Subject, owner Ref) (*Template, error) {
	hash := s.Meta.Labels["controller-revision-hash"]
	if hash == "" {
		return nil, errors.New("the Pod has no label controller-revision-hash")
	}
	name := hash
	if !strings.HasPrefix(hash, owner.Name+"-") || owner.Kind == "DaemonSet" {
		name = owner.Name + "-" + hash
	}
	ref := Ref{Group: "apps", Kind: "ControllerRevision", Namespace: s.Namespace, Name: name}
	data, err := g.get(ctx, ref)
	if err != nil {
		return nil, err
	}
	var revision struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Data     json.RawMessage   `json:"data"`
	}
	if err := json.Unmarshal(data, &revision); err != nil {
		return nil, fmt.Errorf("decode %s: %w", ref, err)
	}
	if holder := metav1.GetControllerOfNoCopy(&revision.Metadata); holder == nil || holder.UID != owner.UID {
		return nil, fmt.Errorf("controllerrevision/%s is not of %s", name, owner)
	}
	template, err := at(revision.Data, "spec", "template")
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", ref, err)
	}
	return TemplateFromJSON("controllerrevision/"+name, orNull(template))
}

// siblings are Pods of the same revision that nobody has changed, a few of them: all are rewritten alike.
func (g *gatherer) siblings(ctx context.Context, s *Subject, owner *metav1.OwnerReference, selector string) []*Subject {
	if selector == "" {
		return nil
	}
	list, err := g.api.ListPods(ctx, s.Namespace, selector)
	if err != nil {
		return nil
	}
	var out []*Subject
	for _, data := range list {
		other, err := PodFromJSON(data)
		if err != nil || other.UID == s.UID || other.Meta.Generation != 1 {
			continue
		}
		if above := metav1.GetControllerOfNoCopy(&other.Meta); above != nil && above.UID == owner.UID {
			out = append(out, other)
		}
		if len(out) == 3 {
			break
		}
	}
	return out
}
