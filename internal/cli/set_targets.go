package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/change"
	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

// gather finds the objects that are meant and reads what a plan needs of them.
func (o *setOptions) gather(ctx context.Context, reading *progress) (change.API, []change.Target, error) {
	if err := o.complete(ctx, reading); err != nil {
		return nil, nil, err
	}
	options := live.Options{
		ChunkSize: live.DefaultChunkSize, AsOf: o.streams.Now(), Version: version(), ErrOut: o.streams.ErrOut, Escape: render.Escape, Progress: reading.list,
	}
	clients, err := live.NewClients(o.connection, options)
	if err != nil {
		return nil, nil, err
	}
	reading.await(o.connection)
	s, err := live.Read(ctx, clients, o.query, options)
	if err != nil {
		return nil, nil, err
	}
	config, err := o.connection.ToRESTConfig()
	if err != nil {
		return nil, nil, err
	}
	api, err := change.NewClient(live.Configure(config, options))
	if err != nil {
		return nil, nil, err
	}
	if o.template {
		workloads, err := templatesOf(s, o.query.Targets)
		if err != nil {
			return nil, nil, err
		}
		targets, err := change.GatherWorkloads(ctx, api, workloads)
		return api, targets, err
	}
	pods, err := podsOf(s, o.query.Targets, o.selector)
	if err != nil {
		return nil, nil, err
	}
	targets, err := change.Gather(ctx, api, pods, o.request)
	return api, targets, err
}

// complete settles targets and namespace. What a workload means is asked before anything is read of a cluster.
func (o *setOptions) complete(ctx context.Context, reading *progress) error {
	if len(o.filenames) == 0 {
		if err := o.sayWhich(); err != nil {
			return err
		}
	}
	namespace, given, err := o.connection.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return err
	}
	o.query.Namespace = namespace
	if len(o.filenames) == 0 {
		return nil
	}
	if err := o.fromFiles(ctx, reading); err != nil {
		return err
	}
	if given && o.query.Namespace != namespace {
		return fmt.Errorf("the files name objects in namespace %s, and -n says %s", o.query.Namespace, namespace)
	}
	return o.sayWhich()
}

// fromFiles are the Pods and workloads that the files name, in the one namespace they are all in.
func (o *setOptions) fromFiles(ctx context.Context, reading *progress) error {
	client, err := downloader(o.connection)
	if err != nil {
		return err
	}
	s, _, err := files.Read(ctx, files.Options{
		Filenames: o.filenames, Recursive: o.recursive, Stdin: o.streams.In, DefaultNamespace: o.query.Namespace,
		Progress: reading.file, HTTPClient: client,
	})
	if err != nil {
		return err
	}
	namespaces := map[string]bool{}
	add := func(kind snapshot.GroupKind, namespace, name string) {
		word, _, _ := strings.Cut(snapshot.DisplayName(kind.Group, kind.Kind, name), "/")
		o.query.Targets = append(o.query.Targets, snapshot.Target{Type: word, Name: name})
		o.query.Namespace, namespaces[namespace] = namespace, true
	}
	for _, p := range s.Pods {
		add(snapshot.GroupKind{Kind: "Pod"}, p.Namespace, p.Name)
	}
	for _, object := range s.Objects {
		add(snapshot.GroupKind{Group: object.Group, Kind: object.Kind}, object.Namespace, object.Name)
	}
	switch len(namespaces) {
	case 0:
		return errors.New("the files name no Pods and no workloads")
	case 1:
		return nil
	default:
		return errors.New("the files name objects in several namespaces: give them one namespace at a time")
	}
}

// sayWhich refuses to guess what a workload means: its Pods or its template.
func (o *setOptions) sayWhich() error {
	for _, t := range o.query.Targets {
		switch pod := isPod(t); {
		case isNode(t):
			return aNode(t)
		case pod && o.template:
			return noTemplate(t)
		case !isKnown(t) && !o.pods && !o.template:
			return fmt.Errorf("%q is no type of Pods or workloads that Kubernetes brings: for several Pods write pod NAME NAME; for a custom workload add --pods or --pod-template", t.Type)
		case isService(t) && !o.pods && !o.template:
			return fmt.Errorf("%s: say what is to be changed of the workloads behind it: --pods for their running Pods, now, lost when one is replaced; "+
				"--pod-template for their templates, which starts rollouts and works on every server", t)
		case !pod && !o.pods && !o.template:
			return fmt.Errorf("%s: say what is to be changed: --pods for its running Pods, now, lost when one is replaced; "+
				"--pod-template for its template, which starts a rollout and works on every server", t)
		}
	}
	if len(o.query.Targets) == 0 && o.template {
		return errors.New("--pod-template needs the workloads' names or type: deploy/web, or deploy -l app=web")
	}
	return nil
}

func aNode(t snapshot.Target) error {
	return fmt.Errorf("%s: name Pods or workloads, a node is neither", t)
}

func noTemplate(t snapshot.Target) error {
	return fmt.Errorf("%s has no template: name the workload above it, or leave --pod-template away", t)
}

func isPod(t snapshot.Target) bool {
	kind, ok := snapshot.BuiltinKind(t.Type)
	return ok && kind == snapshot.GroupKind{Kind: "Pod"}
}

func isNode(t snapshot.Target) bool {
	kind, ok := snapshot.BuiltinKind(t.Type)
	return ok && kind == snapshot.GroupKind{Kind: "Node"}
}

func isService(t snapshot.Target) bool {
	kind, ok := snapshot.BuiltinKind(t.Type)
	return ok && kind == snapshot.GroupKind{Kind: "Service"}
}

func isKnown(t snapshot.Target) bool {
	_, ok := snapshot.BuiltinKind(t.Type)
	return ok
}

// podsOf are the Pods that were found. A workload that was named and has none is an error.
func podsOf(s *snapshot.Snapshot, targets []snapshot.Target, selector string) ([]change.Asked, error) {
	graph := snapshot.NewGraph(s.Objects)
	var pods []change.Asked
	owners := map[string]bool{}
	for _, p := range s.Pods {
		pods = append(pods, change.Asked{Namespace: p.Namespace, Name: p.Name, Named: p.Asked})
		for _, link := range graph.Chain(p.Owner) {
			owners[link.Kind+"/"+link.Name] = true
		}
	}
	slices.SortFunc(pods, func(a, b change.Asked) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range targets {
		kind, builtin := snapshot.BuiltinKind(t.Type)
		if t.Name != "" && builtin && snapshot.IsBuiltinController(kind) && !owners[kind.Kind+"/"+t.Name] {
			if selector != "" {
				return nil, fmt.Errorf("no Pod of %s has the labels %s", t, selector)
			}
			if kind.Kind == "Job" {
				return nil, fmt.Errorf("%s has no Pods, and the template of a Job cannot change once it exists", t)
			}
			return nil, fmt.Errorf("%s has no Pods; --pod-template changes its template", t)
		}
	}
	if len(pods) == 0 {
		return nil, errors.New("no Pods were found")
	}
	return pods, nil
}

// templatesOf are the workloads that were named, or those behind what was named.
func templatesOf(s *snapshot.Snapshot, targets []snapshot.Target) ([]change.AskedWorkload, error) {
	graph := snapshot.NewGraph(s.Objects)
	pods := map[change.Ref]int{}
	for _, p := range s.Pods {
		if !p.Deleted.IsZero() || p.Phase == corev1.PodSucceeded || p.Phase == corev1.PodFailed {
			continue
		}
		for _, link := range graph.Chain(p.Owner) {
			pods[change.Ref{Group: link.Group, Kind: link.Kind, Namespace: p.Namespace, Name: link.Name}]++
		}
	}
	var out []change.AskedWorkload
	for _, object := range s.Objects {
		if slices.ContainsFunc(targets, func(t snapshot.Target) bool { return means(t, object, graph) }) {
			ref := change.Ref{Group: object.Group, Kind: object.Kind, Namespace: object.Namespace, Name: object.Name}
			out = append(out, change.AskedWorkload{Ref: ref, Pods: pods[ref]})
		}
	}
	slices.SortFunc(out, func(a, b change.AskedWorkload) int { return strings.Compare(a.String(), b.String()) })
	if len(out) == 0 {
		return nil, errors.New("no workloads were found")
	}
	return out, nil
}

// means tells whether a target is this object; a Service means the workloads behind it.
func means(t snapshot.Target, object *snapshot.Object, graph *snapshot.Graph) bool {
	kind, builtin := snapshot.BuiltinKind(t.Type)
	if builtin && kind.Kind == "Service" {
		return graph.PlaceObject(object).Workload.UID == object.UID
	}
	if t.Name != "" && t.Name != object.Name {
		return false
	}
	return isOfType(t, object.Group, object.Kind)
}

// isOfType tells whether a target's type is this kind; one that Kubernetes does not bring may be written in plural too.
func isOfType(t snapshot.Target, group, kind string) bool {
	if builtin, ok := snapshot.BuiltinKind(t.Type); ok {
		return builtin == snapshot.GroupKind{Group: group, Kind: kind}
	}
	word, _, _ := strings.Cut(strings.ToLower(t.Type), ".")
	lower := strings.ToLower(kind)
	return word == lower || word == lower+"s"
}
