package report

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// serviceBook holds the Services of a Snapshot by namespace, and what is behind them as far as it was read.
type serviceBook struct {
	known     func(namespace string) bool
	services  map[string][]*snapshot.Service
	endpoints map[[2]string][]*snapshot.EndpointSlice // by namespace and Service
}

func newServiceBook(s *snapshot.Snapshot) *serviceBook {
	unread := map[string]bool{}
	for _, g := range s.Gaps {
		if g.What == "services" {
			unread[g.Namespace] = true
		}
	}
	b := &serviceBook{
		known:    func(namespace string) bool { return !unread[""] && !unread[namespace] },
		services: map[string][]*snapshot.Service{}, endpoints: map[[2]string][]*snapshot.EndpointSlice{},
	}
	for _, v := range s.Services {
		if len(v.Selector) > 0 {
			b.services[v.Namespace] = append(b.services[v.Namespace], v)
		}
	}
	for _, all := range b.services {
		slices.SortFunc(all, func(a, b *snapshot.Service) int { return strings.Compare(a.Name, b.Name) })
	}
	for _, e := range s.EndpointSlices {
		at := [2]string{e.Namespace, e.Service}
		b.endpoints[at] = append(b.endpoints[at], e)
	}
	return b
}

// of are the Services in front of a workload; nil where Services were not read.
func (b *serviceBook) of(g *workloadGroup) []Service {
	if !b.known(g.ns) {
		return nil
	}
	found := []Service{}
	for _, v := range b.services[g.ns] {
		if !g.selectedBy(v.Selector) {
			continue
		}
		out := Service{Name: v.Name, PublishNotReadyAddresses: v.PublishNotReady}
		if slices := b.endpoints[[2]string{v.Namespace, v.Name}]; len(slices) > 0 {
			total, ready := g.endpoints(slices)
			out.Endpoints, out.Ready = &total, &ready
		}
		found = append(found, out)
	}
	return found
}

// selectedBy says whether a Service selects live Pods; without any, whether it would select those to be made.
func (g *workloadGroup) selectedBy(selector map[string]string) bool {
	if len(g.live) > 0 {
		return slices.ContainsFunc(g.live, func(p *snapshot.Pod) bool { return hasLabels(p.Labels, selector) })
	}
	return g.object != nil && g.object.Template != nil && hasLabels(g.object.Template.Labels, selector)
}

func hasLabels(labels, wanted map[string]string) bool {
	for key, value := range wanted {
		if got, ok := labels[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// endpoints counts the workload's live Pods in EndpointSlices: each once, although it is there again in every
// address family, and in a slice of its own for ports of other numbers.
func (g *workloadGroup) endpoints(parts []*snapshot.EndpointSlice) (total, ready int) {
	uids := map[string]types.UID{}
	for _, p := range g.live {
		uids[p.Name] = p.UID
	}
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
