package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/restmapper"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// kinds is discovery that remembers the API groups that it could not read: a RESTMapper takes what is in them for not
// served.
type kinds struct {
	discovery.CachedDiscoveryInterfaceWithContext
	mu     sync.Mutex
	unread map[schema.GroupVersion]error
}

// mapper is getter's own RESTMapper, but for what is remembered.
func (k *kinds) mapper(getter genericclioptions.RESTClientGetter) (meta.RESTMapperWithContext, error) {
	client, err := getter.ToDiscoveryClient()
	if err != nil {
		return nil, err
	}
	k.CachedDiscoveryInterfaceWithContext = discovery.ToCachedDiscoveryInterfaceWithContext(client)
	return restmapper.NewShortcutExpanderWithContext(restmapper.NewDeferredDiscoveryRESTMapperWithContext(k), k, nil), nil
}

// ServerGroupsAndResourcesWithContext is what a RESTMapper is made of.
func (k *kinds) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	groups, resources, err := k.CachedDiscoveryInterfaceWithContext.ServerGroupsAndResourcesWithContext(ctx)
	if err == nil && !slices.ContainsFunc(groups, func(g *metav1.APIGroup) bool { return g.Name != "" }) {
		return nil, nil, errors.New("no API groups")
	}
	unread := unanswered(groups, resources)
	failed, _ := discovery.GroupDiscoveryFailedErrorGroups(err)
	for gv, why := range failed {
		unread[gv] = undiscovered("discovery of "+gv.String(), why)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.unread = unread
	return groups, resources, err
}

// unanswered are the groups that client-go takes for empty: an aggregated API whose server is away is there without
// versions, and anything at all is an answer without resources.
func unanswered(groups []*metav1.APIGroup, resources []*metav1.APIResourceList) map[schema.GroupVersion]error {
	answered := map[string]bool{}
	for _, r := range resources {
		answered[r.GroupVersion] = true
	}
	out := map[schema.GroupVersion]error{}
	for _, g := range groups {
		if len(g.Versions) == 0 {
			out[schema.GroupVersion{Group: g.Name}] = fmt.Errorf("the server of the API group %s is not available", g.Name)
		}
		for _, v := range g.Versions {
			if !answered[v.GroupVersion] {
				gv := schema.GroupVersion{Group: g.Name, Version: v.Version}
				out[gv] = undiscovered("discovery of "+gv.String(), errors.New("no list of resources"))
			}
		}
	}
	return out
}

// unreadIn is why one of these groups could not be read; nil: all were.
func (k *kinds) unreadIn(these func(group string) bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, gv := range slices.SortedFunc(maps.Keys(k.unread), func(a, b schema.GroupVersion) int { return cmp.Compare(a.String(), b.String()) }) {
		if these(gv.Group) {
			return k.unread[gv]
		}
	}
	return nil
}

// undiscovered has words for an answer to discovery, which client-go mostly loses: a refusal is then "unknown".
func undiscovered(what string, err error) error {
	var status *apierrors.StatusError
	var connection *url.Error
	switch {
	case errors.As(err, &status):
	case errors.As(err, &connection): // has the path
		return err
	default:
		return fmt.Errorf("%s: %w", what, understood(err))
	}
	told := status.ErrStatus
	told.Message = what + ": " + told.Message
	lost := metav1.StatusCause{Type: metav1.CauseTypeUnexpectedServerResponse, Message: "unknown"}
	if told.Details != nil && slices.Contains(told.Details.Causes, lost) {
		told.Message = fmt.Sprintf("%s answers %d %s", what, told.Code, http.StatusText(int(told.Code)))
	}
	return &apierrors.StatusError{ErrStatus: told}
}

// discovery has a client of cli-runtime's making, where a plugin that hangs knows no timeout: it comes when there are
// credentials, which client-go keeps for all clients of the process.
func (c *Clients) discovery(ctx context.Context) (meta.RESTMapperWithContext, error) {
	if c.plugin != nil && !c.plugin.gave() {
		if err := c.core.RESTClient().Get().AbsPath("/").Do(context.WithValue(ctx, notSent{}, true)).Error(); err != nil {
			return nil, err
		}
	}
	return c.mapper()
}

// served says of a kind that was not found whether it is known not to be served: these are the groups that it may be in.
func (c *Clients) served(err error, these func(group string) bool) error {
	switch {
	case err == nil, meta.IsAmbiguousError(err):
		return err
	case meta.IsNoMatchError(err):
		return cmp.Or(c.kinds.unreadIn(these), err)
	default:
		return undiscovered("discovery", err)
	}
}

// mapping finds where the API serves a kind, in the version the server prefers.
func (c *Clients) mapping(ctx context.Context, kind snapshot.GroupKind) (*meta.RESTMapping, error) {
	mapper, err := c.discovery(ctx)
	if err != nil {
		return nil, err
	}
	mapping, err := mapper.RESTMappingWithContext(ctx, schema.GroupKind{Group: kind.Group, Kind: kind.Kind})
	err = c.served(err, func(group string) bool { return group == kind.Group })
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) { // discovery is, and of the kind that is not known
		err = errors.New(err.Error())
	}
	return mapping, err
}

// kindOf resolves a type as typed, in every form kubectl takes: plural, singular, short name, with group,
// with version and group.
func (c *Clients) kindOf(ctx context.Context, word string) (snapshot.GroupKind, error) {
	mapper, err := c.discovery(ctx)
	if err != nil {
		return snapshot.GroupKind{}, err
	}
	versioned, resource := schema.ParseResourceArg(word)
	if versioned != nil {
		if gvk, err := mapper.KindForWithContext(ctx, *versioned); err == nil {
			return snapshot.GroupKind{Group: gvk.Group, Kind: gvk.Kind}, nil
		}
	}
	gvk, err := mapper.KindForWithContext(ctx, resource.WithVersion(""))
	return snapshot.GroupKind{Group: gvk.Group, Kind: gvk.Kind}, c.served(err, func(group string) bool {
		return strings.HasPrefix(group, resource.Group) && !fromKubernetes(group) // of metrics.k8s.io nothing is asked for here
	})
}
