package report

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func labelled(p *snapshot.Pod, app string) *snapshot.Pod {
	p.Labels = map[string]string{"app": app}
	return p
}

func service(name, app string) *snapshot.Service {
	return &snapshot.Service{Namespace: "shop", Name: name, Selector: map[string]string{"app": app}}
}

func endpointSlice(service string, endpoints ...snapshot.Endpoint) *snapshot.EndpointSlice {
	return &snapshot.EndpointSlice{Namespace: "shop", Name: service + "-x", Service: service, Endpoints: endpoints}
}

func endpoint(pod string, ready bool) snapshot.Endpoint {
	return snapshot.Endpoint{Pod: pod, PodUID: types.UID("uid-" + pod), Ready: ready}
}

func TestServices(t *testing.T) {
	counted := func(name string, endpoints, ready int) Service {
		return Service{Name: name, Endpoints: &endpoints, Ready: &ready}
	}
	elsewhere := service("web", "web")
	elsewhere.Namespace = "bank"
	byHand := &snapshot.Service{Namespace: "shop", Name: "by-hand"}
	all := service("all", "web")
	all.PublishNotReady = true
	tests := []struct {
		name     string
		services []*snapshot.Service
		slices   []*snapshot.EndpointSlice
		gaps     []snapshot.Gap
		want     []Service
	}{
		{"none", nil, nil, nil, []Service{}},
		{"not of these Pods", []*snapshot.Service{service("db", "db"), elsewhere, byHand}, nil, nil, []Service{}},
		{"endpoints not read", []*snapshot.Service{service("web", "web"), all}, nil, nil, []Service{{Name: "all", PublishNotReadyAddresses: true}, {Name: "web"}}},
		{"no endpoint", []*snapshot.Service{service("web", "web")}, []*snapshot.EndpointSlice{endpointSlice("web")}, nil, []Service{counted("web", 0, 0)}},
		{"some ready", []*snapshot.Service{service("web", "web")}, []*snapshot.EndpointSlice{endpointSlice("web", endpoint("web-1", true), endpoint("web-2", false))}, nil, []Service{counted("web", 2, 1)}},
		{
			"both address families",
			[]*snapshot.Service{service("web", "web")},
			[]*snapshot.EndpointSlice{endpointSlice("web", endpoint("web-1", true)), endpointSlice("web", endpoint("web-1", true), endpoint("web-2", true))},
			nil,
			[]Service{counted("web", 2, 2)},
		},
		{
			"another workload behind it, a Pod that is gone, and one made again",
			[]*snapshot.Service{service("web", "web")},
			[]*snapshot.EndpointSlice{endpointSlice("web", endpoint("other-1", true), endpoint("web-9", true), snapshot.Endpoint{Pod: "web-1", PodUID: "before", Ready: true}, snapshot.Endpoint{Pod: "web-2", Ready: true})},
			nil,
			[]Service{counted("web", 1, 1)},
		},
		{"another Service's endpoints", []*snapshot.Service{service("web", "web")}, []*snapshot.EndpointSlice{endpointSlice("db", endpoint("web-1", true))}, nil, []Service{{Name: "web"}}},
		{"Services forbidden", nil, nil, []snapshot.Gap{{What: "services", Namespace: "shop"}}, nil},
		{"Services forbidden elsewhere", nil, nil, []snapshot.Gap{{What: "services", Namespace: "bank"}}, []Service{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := readSnapshot(pods(labelled(runningPod("web-1"), "web"), labelled(runningPod("web-2"), "web"), labelled(runningPod("other-1"), "web")))
			s.Objects = deployment("web", 2, s.Pods[:2]...)
			s.Services, s.EndpointSlices, s.Gaps = tt.services, tt.slices, tt.gaps
			got := workloadNamed(t, build(t, s), "deploy/web").Services
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestServicesOfManifests(t *testing.T) {
	deploy := deployment("web", 2)
	deploy[0].Template.Labels = map[string]string{"app": "web", "tier": "front"}
	s := &snapshot.Snapshot{Objects: deploy[:1], Gaps: []snapshot.Gap{{What: "services", Reason: snapshot.Absent}}}
	if got := workloadNamed(t, build(t, s), "deploy/web").Services; got != nil {
		t.Errorf("without any Service in the manifests %v, want unknown", got)
	}
	s.Services, s.Gaps = []*snapshot.Service{service("web", "web"), service("db", "db")}, nil
	if diff := cmp.Diff([]Service{{Name: "web"}}, workloadNamed(t, build(t, s), "deploy/web").Services); diff != "" {
		t.Error(diff)
	}
}

func TestServicesOfCaptures(t *testing.T) {
	r := readCapture(t, "sets")
	want := []Service{{Name: "db", Endpoints: new(1), Ready: new(0)}}
	if diff := cmp.Diff(want, workloadNamed(t, r, "sts/db").Services); diff != "" {
		t.Error(diff)
	}
	if got := workloadNamed(t, r, "ds/agent").Services; got == nil || len(got) != 0 {
		t.Errorf("ds/agent is behind %v", got)
	}
	if got := workloadNamed(t, readCapture(t, "rollout-stall"), "deploy/web").Services; got != nil {
		t.Errorf("a capture without Services tells %v, want unknown", got)
	}
}

// Services are found by one label of their selector: the same ones that a look at each of them finds.
func TestSelectingServices(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	draw := func(most int) map[string]string {
		set := map[string]string{}
		for range rnd.IntN(most + 1) {
			set[string(rune('a'+rnd.IntN(4)))] = string(rune('x' + rnd.IntN(2)))
		}
		return set
	}
	for range 300 {
		s := &snapshot.Snapshot{}
		for i := range 12 {
			s.Services = append(s.Services, &snapshot.Service{Namespace: []string{"shop", "bank"}[rnd.IntN(2)], Name: fmt.Sprintf("s%02d", i), Selector: draw(3)})
		}
		g := &workloadGroup{ns: "shop", live: pods(&snapshot.Pod{Labels: draw(5)}, &snapshot.Pod{Labels: draw(5)})}
		var want, got []string
		for _, v := range s.Services {
			if v.Namespace == "shop" && len(v.Selector) > 0 && (hasLabels(g.live[0].Labels, v.Selector) || hasLabels(g.live[1].Labels, v.Selector)) {
				want = append(want, v.Name)
			}
		}
		for _, v := range newServiceBook(s).selecting(g) {
			got = append(got, v.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}
