package live

import (
	"context"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// servicesAtOnce keeps a label selector of up to 63 characters for each Service within what any proxy takes
// as a URL.
const servicesAtOnce = 50

// endpointSlicesOfPods reads what is behind the Services that select the Pods.
func (r *reader) endpointSlicesOfPods(ctx context.Context, servicesListed <-chan struct{}) error {
	select {
	case <-servicesListed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return parallel(ctx, kindsAtOnce, endpointSelectors(r.allServices(), r.allPods()), func(ctx context.Context, selector labels.Selector) error {
		got, err := r.list(ctx, r.endpointSlices(selector), r.scope)
		r.add(got)
		return err
	})
}

// endpointSelectors select the EndpointSlices of the Services that select any of the Pods.
func endpointSelectors(services []*snapshot.Service, pods []*snapshot.Pod) []labels.Selector {
	var names []string
	for _, v := range services {
		selector := labels.SelectorFromSet(v.Selector)
		if len(v.Selector) > 0 && slices.ContainsFunc(pods, func(p *snapshot.Pod) bool {
			return p.Namespace == v.Namespace && selector.Matches(labels.Set(p.Labels))
		}) {
			names = append(names, v.Name)
		}
	}
	slices.Sort(names)
	var out []labels.Selector
	for some := range slices.Chunk(names, servicesAtOnce) {
		if in, err := labels.NewRequirement(discoveryv1.LabelServiceName, selection.In, some); err == nil { // a Service's name is a label's value
			out = append(out, labels.NewSelector().Add(*in))
		}
	}
	return out
}

func (r *reader) endpointSlices(selector labels.Selector) source {
	src := typed(snapshot.GroupKind{Group: discoveryv1.GroupName, Kind: "EndpointSlice"}, r.clients.slices,
		func(ns string) objectGetter[*discoveryv1.EndpointSlice] {
			return r.clients.slices.EndpointSlices(ns)
		},
		func(l *discoveryv1.EndpointSliceList) []discoveryv1.EndpointSlice { return l.Items },
		func(got *snapshot.Snapshot, s *discoveryv1.EndpointSlice) {
			got.EndpointSlices = append(got.EndpointSlices, r.convert.EndpointSlice(s))
		})
	src.what = "endpointslices.discovery.k8s.io"
	return src.labelled(selector.String())
}
