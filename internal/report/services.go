package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// serviceBook holds the Services of a Snapshot, and what is behind them as far as it was read.
type serviceBook struct {
	known     func(namespace string) bool
	byLabel   map[namespacedLabel][]*alikeServices    // each under one label of its selector, the one that the fewest have
	endpoints map[[2]string][]*snapshot.EndpointSlice // by namespace and Service
}

// namespacedLabel is a label that Pods of a namespace may have.
type namespacedLabel struct{ namespace, key, value string }

// alikeServices are Services of a namespace with the same selector.
type alikeServices struct {
	selector map[string]string
	services []*snapshot.Service
}

func newServiceBook(s *snapshot.Snapshot) *serviceBook {
	unread := map[string]bool{}
	for _, g := range s.Gaps {
		if g.What == "services" {
			unread[g.Namespace] = true
		}
	}
	b := &serviceBook{
		known:     func(namespace string) bool { return !unread[""] && !unread[namespace] },
		byLabel:   map[namespacedLabel][]*alikeServices{},
		endpoints: map[[2]string][]*snapshot.EndpointSlice{},
	}
	b.file(alike(s.Services))
	for _, e := range s.EndpointSlices {
		at := [2]string{e.Namespace, e.Service}
		b.endpoints[at] = append(b.endpoints[at], e)
	}
	return b
}

// alike puts Services with the same selector together; without a selector they are in front of nothing.
func alike(services []*snapshot.Service) []*alikeServices {
	var all []*alikeServices
	bySelector := map[string]*alikeServices{}
	for _, v := range services {
		if len(v.Selector) == 0 {
			continue
		}
		key := fmt.Sprintf("%q %q", v.Namespace, v.Selector)
		if bySelector[key] == nil {
			bySelector[key] = &alikeServices{selector: v.Selector}
			all = append(all, bySelector[key])
		}
		bySelector[key].services = append(bySelector[key].services, v)
	}
	return all
}

func (a *alikeServices) label(key string) namespacedLabel {
	return namespacedLabel{a.services[0].Namespace, key, a.selector[key]}
}

// file puts selectors under labels, so that few are to be compared with a Pod.
func (b *serviceBook) file(all []*alikeServices) {
	having := map[namespacedLabel]int{}
	for _, a := range all {
		for key := range a.selector {
			having[a.label(key)]++
		}
	}
	for _, a := range all {
		rarest := slices.MinFunc(slices.Sorted(maps.Keys(a.selector)), func(x, y string) int {
			return cmp.Compare(having[a.label(x)], having[a.label(y)])
		})
		b.byLabel[a.label(rarest)] = append(b.byLabel[a.label(rarest)], a)
	}
}

// of are the Services in front of a workload; nil where Services were not read.
func (b *serviceBook) of(g *workloadGroup) []Service {
	if !b.known(g.ns) {
		return nil
	}
	found := []Service{}
	var uids map[string]types.UID
	for _, v := range b.selecting(g) {
		out := Service{Name: v.Name, PublishNotReadyAddresses: v.PublishNotReady}
		if slices := b.endpoints[[2]string{v.Namespace, v.Name}]; len(slices) > 0 {
			if uids == nil {
				uids = g.uids()
			}
			total, ready := endpoints(slices, uids)
			out.Endpoints, out.Ready = &total, &ready
		}
		found = append(found, out)
	}
	return found
}

// selecting are the Services that select live Pods of a workload; without any, those that would select what is to be
// made.
func (b *serviceBook) selecting(g *workloadGroup) []*snapshot.Service {
	found := map[*alikeServices]bool{}
	var all []*snapshot.Service
	look := func(labels map[string]string) {
		for key, value := range labels {
			for _, a := range b.byLabel[namespacedLabel{g.ns, key, value}] {
				if !found[a] && hasLabels(labels, a.selector) {
					found[a], all = true, append(all, a.services...)
				}
			}
		}
	}
	for _, p := range g.live {
		look(p.Labels)
	}
	if len(g.live) == 0 && g.object != nil && g.object.Template != nil {
		look(g.object.Template.Labels)
	}
	slices.SortFunc(all, func(a, b *snapshot.Service) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func hasLabels(labels, wanted map[string]string) bool {
	for key, value := range wanted {
		if got, ok := labels[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// uids are those of the live Pods by name.
func (g *workloadGroup) uids() map[string]types.UID {
	uids := map[string]types.UID{}
	for _, p := range g.live {
		uids[p.Name] = p.UID
	}
	return uids
}

// endpoints counts a workload's live Pods in EndpointSlices: each once, although it is there again in every
// address family, and in a slice of its own for ports of other numbers.
func endpoints(parts []*snapshot.EndpointSlice, uids map[string]types.UID) (total, ready int) {
	seen := map[string]bool{}
	for _, part := range parts {
		for _, e := range part.Endpoints {
			if uid, ours := uids[e.Pod]; ours && cmp.Or(e.PodUID, uid) == uid {
				seen[e.Pod] = seen[e.Pod] || e.Ready
			}
		}
	}
	for _, isReady := range seen {
		total++
		if isReady {
			ready++
		}
	}
	return total, ready
}
