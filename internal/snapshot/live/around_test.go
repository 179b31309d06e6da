package live

import (
	"fmt"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestNodesOfManyPods(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(statefulSet("db", "db"), node("idle"))
	for i := range nodesByName + 1 {
		p := pod(fmt.Sprintf("db-%d", i), "db", ownedBy("apps/v1", "StatefulSet", "db"))
		p.Spec.NodeName = fmt.Sprintf("node-%d", i)
		s.Add(p, node(p.Spec.NodeName))
	}
	got := mustRead(t, s, shop(named("sts", "db")), options())
	want(t, "requests", requestsTo(s, "nodes"), []string{"/api/v1/nodes?limit=500"})
	want(t, "nodes", len(got.Nodes), nodesByName+1)
}

func TestNodesForbidden(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(statefulSet("db", "db"))
	for i := range 3 {
		p := pod(fmt.Sprintf("db-%d", i), "db", ownedBy("apps/v1", "StatefulSet", "db"))
		p.Spec.NodeName = fmt.Sprintf("node-%d", i)
		s.Add(p)
	}
	s.Fail(fakeapi.Failure{Path: "/api/v1/nodes*", Status: 403})
	got := mustRead(t, s, shop(named("sts", "db")), options())
	want(t, "gaps", gapList(got), []snapshot.Gap{{What: "nodes", Reason: snapshot.Forbidden}})
}

func TestNamedEvents(t *testing.T) {
	const events = "/api/v1/namespaces/shop/events?fieldSelector="
	var byReason []string
	for _, reason := range []string{"BackOff", "ContainerProbeChanged", "FailedMount", "FailedScheduling", "Killing", "ProbeWarning", "Unhealthy"} {
		byReason = append(byReason, events+"involvedObject.kind=Pod,reason="+reason+"&limit=500")
	}
	byReason = append(byReason, events+"reason=FailedCreate&limit=500")
	tests := []struct {
		name    string
		targets []snapshot.Target
		want    []string
	}{
		{"a Pod", []snapshot.Target{named("pod", "web-1-a")}, []string{events + "involvedObject.uid=web-1-a-uid&limit=500"}},
		{"a static Pod", []snapshot.Target{named("pod", "etcd-node-1")}, []string{events + "involvedObject.uid=mirror-uid&limit=500"}},
		{"a Pod twice", []snapshot.Target{named("pod", "far"), named("po", "far")}, []string{events + "involvedObject.uid=far-uid&limit=500"}},
		{"two Pods", []snapshot.Target{named("pod", "web-1-a"), named("pod", "far")}, []string{
			events + "involvedObject.uid=far-uid&limit=500", events + "involvedObject.uid=web-1-a-uid&limit=500",
		}},
		{"four Pods", []snapshot.Target{named("pod", "web-1-a"), named("pod", "far"), named("pod", "stranger"), named("pod", "db-0")}, byReason},
		{"a workload", []snapshot.Target{named("deploy", "web")}, byReason},
		{"a Pod and a workload", []snapshot.Target{named("pod", "far"), named("deploy", "web")}, byReason},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := everything(t)
			opts := options()
			opts.Events = true
			got := mustRead(t, s, shop(tt.targets...), opts)
			want(t, "requests", requestsTo(s, "events"), tt.want)
			if tt.name == "a Pod" {
				want(t, "events", len(got.Events), 2)
			}
		})
	}
}
