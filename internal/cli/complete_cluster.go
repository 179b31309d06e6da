package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

// patience is how long the cluster may take. A shell hangs on the key for so long, and for the start of kubectl and of
// two more processes besides: two seconds in all.
const patience = time.Second

// completer proposes what a cluster holds. Whatever goes wrong, there is nothing to propose.
type completer struct {
	connection *genericclioptions.ConfigFlags
	now        func() time.Time
}

// scope is where names are looked for, and for what.
type scope struct {
	files    bool // the cluster is not asked
	reading  files.Options
	all      bool // all namespaces
	selector string
	targets  []snapshot.Target
	err      error
}

// ask gives the cluster until patience ends. What does not listen to the context (a credential plugin, discovery) is
// left behind.
func ask[T any](cmd *cobra.Command, question func(context.Context) (T, error)) (T, bool) {
	ctx, cancel := context.WithTimeout(cmd.Context(), patience)
	defer cancel()
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := question(ctx)
		answers <- answer{value, err}
	}()
	select {
	case a := <-answers:
		return a.value, a.err == nil
	case <-ctx.Done():
		var none T
		return none, false
	}
}

func nothing() ([]string, cobra.ShellCompDirective) { return nil, cobra.ShellCompDirectiveNoFileComp }

// targets proposes types and names in the forms that kubectl takes. Where a lone name is that of a Pod, those come first.
func (c *completer) targets(scopeOf func([]string) scope, loneIsPod bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		where := scopeOf(nil)
		kind, _, slashed := strings.Cut(typed, "/")
		switch {
		case slashed:
			return propose(typed, without(args, c.names(cmd, where, kind, kind+"/")))
		case len(args) == 0 && loneIsPod:
			return propose(typed, append(c.names(cmd, where, "pods", ""), changeable(typeWords("/"))...))
		case len(args) == 0:
			return propose(typed, afterComma(typed, typeWords("")))
		case strings.Contains(args[0], "/") && loneIsPod:
			return propose(typed, changeable(typeWords("/")))
		case strings.Contains(args[0], "/"):
			return propose(typed, typeWords("/"))
		}
		var all []string
		for _, kind := range strings.Split(args[0], ",") {
			all = append(all, c.names(cmd, where, kind, "")...)
		}
		return propose(typed, without(args[1:], all))
	}
}

// changeable leaves out nodes, which set refuses.
func changeable(types []string) []string {
	return slices.DeleteFunc(types, func(word string) bool { return strings.HasSuffix(word, "\tNode") })
}

func without(given, all []string) []string {
	return slices.DeleteFunc(all, func(name string) bool { return slices.Contains(given, name) })
}

// names are those of a type, where the command line looks.
func (c *completer) names(cmd *cobra.Command, where scope, kind, prefix string) []string {
	switch {
	case where.files:
		return prefixed(prefix, c.namesInFiles(cmd, where, kind))
	case where.all:
		return nil
	}
	names, _ := ask(cmd, func(ctx context.Context) ([]string, error) {
		resource, namespaced, err := c.resource(kind)
		if err != nil {
			return nil, err
		}
		namespace := ""
		if namespaced {
			if namespace, _, err = c.connection.ToRawKubeConfigLoader().Namespace(); err != nil {
				return nil, err
			}
		}
		return c.list(ctx, resource, namespace, where.selector)
	})
	return prefixed(prefix, names)
}

func prefixed(prefix string, names []string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// resource is where a type is served. It takes discovery for what Kubernetes does not bring.
func (c *completer) resource(word string) (resource schema.GroupVersionResource, namespaced bool, err error) {
	if kind, ok := snapshot.BuiltinKind(word); ok {
		return schema.ParseGroupResource(snapshot.ResourceName(kind)).WithVersion("v1"), kind.Kind != "Node", nil
	}
	mapper, err := c.connection.ToRESTMapper()
	if err != nil {
		return schema.GroupVersionResource{}, false, err
	}
	kind, err := mapper.KindFor(schema.ParseGroupResource(word).WithVersion(""))
	if err != nil {
		return schema.GroupVersionResource{}, false, err
	}
	mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return schema.GroupVersionResource{}, false, err
	}
	return mapping.Resource, mapping.Scope.Name() == apimeta.RESTScopeNameNamespace, nil
}

// list reads names, and of the objects no more than their metadata. A selector on Pods says nothing about other types.
func (c *completer) list(ctx context.Context, resource schema.GroupVersionResource, namespace, selector string) ([]string, error) {
	config, err := c.config()
	if err != nil {
		return nil, err
	}
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	options := metav1.ListOptions{Limit: live.DefaultChunkSize}
	if resource.Resource == "pods" {
		options.LabelSelector = selector
	}
	var names []string
	for {
		page, err := client.Resource(resource).Namespace(namespace).List(ctx, options)
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			names = append(names, page.Items[i].Name)
		}
		if options.Continue = page.Continue; options.Continue == "" {
			return names, nil
		}
	}
}

// config has nothing written to the terminal that is being typed on.
func (c *completer) config() (*rest.Config, error) {
	config, err := c.connection.ToRESTConfig()
	if err != nil {
		return nil, err
	}
	return live.Configure(config, live.Options{Version: version()}), nil
}

func (c *completer) namespaces(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	names, _ := ask(cmd, func(ctx context.Context) ([]string, error) {
		return c.list(ctx, schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}, "", "")
	})
	return propose(typed, names)
}

func contexts(c *clientcmdapi.Config) []string { return slices.Sorted(maps.Keys(c.Contexts)) }
func clusters(c *clientcmdapi.Config) []string { return slices.Sorted(maps.Keys(c.Clusters)) }
func users(c *clientcmdapi.Config) []string    { return slices.Sorted(maps.Keys(c.AuthInfos)) }

// fromKubeconfig proposes names that the kubeconfig has; no cluster is asked.
func (c *completer) fromKubeconfig(names func(*clientcmdapi.Config) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		config, err := c.connection.ToRawKubeConfigLoader().RawConfig()
		if err != nil {
			return nothing()
		}
		return propose(typed, names(&config))
	}
}

// containerNames proposes the containers of what was named, or of the namespace.
func (c *completer) containerNames(scopeOf func([]string) scope) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, container := range c.containers(cmd, scopeOf(args)) {
			names = append(names, container.Name)
		}
		slices.Sort(names)
		return propose(typed, afterComma(typed, slices.Compact(names)))
	}
}

// containers are those that can have probes.
func (c *completer) containers(cmd *cobra.Command, where scope) []snapshot.Container {
	if where.files {
		return nil
	}
	containers, _ := ask(cmd, func(ctx context.Context) ([]snapshot.Container, error) {
		pods, err := c.pods(ctx, where)
		var all []snapshot.Container
		for _, pod := range pods {
			all = append(all, pod.Spec.Containers...)
		}
		return all, err
	})
	return containers
}

// pods are those of what was named; without a name a page of them is enough.
func (c *completer) pods(ctx context.Context, where scope) ([]*snapshot.Pod, error) {
	selector, err := labels.Parse(where.selector)
	if err = errors.Join(err, where.err); err != nil {
		return nil, err
	}
	query := snapshot.Query{AllNamespaces: where.all, Selector: selector, Targets: where.targets}
	if !where.all {
		if query.Namespace, _, err = c.connection.ToRawKubeConfigLoader().Namespace(); err != nil {
			return nil, err
		}
	}
	if len(where.targets) == 0 {
		return c.somePods(ctx, query.Namespace, where.selector)
	}
	options := live.Options{ChunkSize: live.DefaultChunkSize, AsOf: c.now(), Version: version()}
	clients, err := live.NewClients(c.connection, options)
	if err != nil {
		return nil, err
	}
	s, err := live.Read(ctx, clients, query, options)
	if err != nil {
		return nil, err
	}
	return s.Pods, nil
}

func (c *completer) somePods(ctx context.Context, namespace, selector string) ([]*snapshot.Pod, error) {
	config, err := c.config()
	if err != nil {
		return nil, err
	}
	client, err := corev1client.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	page, err := client.Pods(namespace).List(ctx, metav1.ListOptions{Limit: live.DefaultChunkSize, LabelSelector: selector})
	if err != nil {
		return nil, err
	}
	var pods []*snapshot.Pod
	converter := snapshot.NewConverter()
	for i := range page.Items {
		pods = append(pods, converter.Pod(&page.Items[i]))
	}
	return pods, nil
}
