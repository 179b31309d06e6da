package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

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

// eventsOfShop is the request for all Events of a namespace but those that come by where nothing is wrong.
const eventsOfShop = "/api/v1/namespaces/shop/events?fieldSelector=reason!=Scheduled,reason!=Pulling,reason!=Pulled," +
	"reason!=Created,reason!=Started,reason!=SuccessfulCreate,reason!=SuccessfulDelete,reason!=ScalingReplicaSet," +
	"reason!=SawCompletedJob,reason!=Completed,reason!=LeaderElection&limit=5000"

func TestNamedEvents(t *testing.T) {
	const events = "/api/v1/namespaces/shop/events?fieldSelector="
	byReason := []string{eventsOfShop}
	tests := []struct {
		name    string
		targets []snapshot.Target
		want    []string
	}{
		{"a Pod", []snapshot.Target{named("pod", "web-1-a")}, []string{events + "involvedObject.uid=web-1-a-uid&limit=5000"}},
		{"a static Pod", []snapshot.Target{named("pod", "etcd-node-1")}, []string{events + "involvedObject.uid=mirror-uid&limit=5000"}},
		{"a Pod twice", []snapshot.Target{named("pod", "far"), named("po", "far")}, []string{events + "involvedObject.uid=far-uid&limit=5000"}},
		{"two Pods", []snapshot.Target{named("pod", "web-1-a"), named("pod", "far")}, []string{
			events + "involvedObject.uid=far-uid&limit=5000", events + "involvedObject.uid=web-1-a-uid&limit=5000",
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

func TestOnlyEventsThatTellSomething(t *testing.T) {
	of := func(e *corev1.Event, kind string) *corev1.Event {
		e.InvolvedObject.Kind = kind
		return e
	}
	tests := []struct {
		name  string
		query snapshot.Query
		want  []string
	}{
		{"a namespace", shop(), []string{"create", "kill", "unhealthy"}},
		{"a workload", shop(named("deploy", "web")), []string{"create", "kill", "mount", "unhealthy"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			s.Add(
				deployment("web", "web"),
				event("unhealthy", "Unhealthy", "web-1-a"), event("kill", "Killing", "web-1-a"), event("mount", "FailedMount", "web-1-a"),
				event("pull", "Pulled", "web-1-a"), event("stranger", "Reconciled", "web-1-a"),
				of(event("create", "FailedCreate", "web-1"), "ReplicaSet"), of(event("other", "Unhealthy", "web"), "Widget"),
			)
			opts := options()
			opts.Events = true
			got := mustRead(t, s, tt.query, opts)
			var names []string
			for _, e := range got.Events {
				names = append(names, strings.TrimSuffix(string(e.UID), "-uid"))
			}
			slices.Sort(names)
			want(t, "events", names, tt.want)
		})
	}
}
