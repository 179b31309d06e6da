package live

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func endpointSlice(name, service, pod string) *discoveryv1.EndpointSlice {
	e := &discoveryv1.EndpointSlice{ObjectMeta: object(name), AddressType: discoveryv1.AddressTypeIPv4}
	e.Labels = map[string]string{discoveryv1.LabelServiceName: service}
	e.Endpoints = []discoveryv1.Endpoint{{TargetRef: &corev1.ObjectReference{Kind: "Pod", Name: pod, UID: types.UID(pod + "-uid")}}}
	return e
}

func TestEndpointsOfNamedTargets(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	s.Add(endpointSlice("web-a", "web", "web-1-a"), endpointSlice("web-b", "web", "stranger"), endpointSlice("db-a", "db", "db-0"), service("db", "db"))
	got := mustRead(t, s, shop(named("deploy", "web")), options())
	endpoints := map[string][]snapshot.Endpoint{}
	for _, e := range got.EndpointSlices {
		endpoints[e.Service+" "+e.Name] = e.Endpoints
	}
	want(t, "endpoints", endpoints, map[string][]snapshot.Endpoint{
		"web web-a": {{Pod: "web-1-a", PodUID: "web-1-a-uid", Ready: true}},
		"web web-b": {{Pod: "stranger", PodUID: "stranger-uid", Ready: true}},
	})
	want(t, "gaps", got.Gaps, nil)
}

func TestEndpointsForbidden(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	s.Fail(fakeapi.Failure{Path: "/apis/discovery.k8s.io/*", Status: 403})
	got := mustRead(t, s, shop(named("deploy", "web")), options())
	want(t, "gaps", gapList(got), []snapshot.Gap{{What: "endpointslices.discovery.k8s.io", Namespace: "shop", Reason: snapshot.Forbidden}})
	want(t, "services", len(got.Services), 1)
}

func TestEndpointsAreNotReadOfANamespace(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	s.Add(endpointSlice("web-a", "web", "web-1-a"))
	got := mustRead(t, s, shop(), options())
	want(t, "requests", len(requestsTo(s, "endpointslices")), 0)
	want(t, "endpoints", len(got.EndpointSlices), 0)
}

func TestEndpointSelectors(t *testing.T) {
	pods := []*snapshot.Pod{{Namespace: "shop", Labels: map[string]string{"app": "web"}}}
	behind := func(name, namespace string, selector map[string]string) *snapshot.Service {
		return &snapshot.Service{Namespace: namespace, Name: name, Selector: selector}
	}
	web := map[string]string{"app": "web"}
	var many []*snapshot.Service
	for i := range servicesAtOnce + 1 {
		many = append(many, behind(fmt.Sprintf("s%02d", i), "shop", web))
	}
	tests := []struct {
		name     string
		services []*snapshot.Service
		want     []string
	}{
		{"none", nil, nil},
		{"of other Pods", []*snapshot.Service{behind("db", "shop", map[string]string{"app": "db"}), behind("web", "bank", web), behind("all", "shop", nil)}, nil},
		{"sorted", []*snapshot.Service{behind("b", "shop", web), behind("a", "shop", web)}, []string{"kubernetes.io/service-name in (a,b)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range endpointSelectors(tt.services, pods) {
				got = append(got, s.String())
			}
			want(t, "selectors", got, tt.want)
		})
	}
	want(t, "selectors of many", len(endpointSelectors(many, pods)), 2)
}
