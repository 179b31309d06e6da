package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

const (
	rolloutPath = "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts"
	promPath    = "/apis/monitoring.coreos.com/v1/namespaces/shop/prometheuses"
)

// withRollouts has n Rollouts with a ReplicaSet and a Pod each, and one Rollout with nothing.
func withRollouts(t *testing.T, n int) *fakeapi.Server {
	s := fakeapi.New(t)
	s.Serve(rollouts())
	s.Serve(prometheuses())
	s.Add(custom("argoproj.io/v1alpha1", "Rollout", "unused", "unused"))
	for i := range n {
		name := fmt.Sprintf("r%d", i)
		s.Add(custom("argoproj.io/v1alpha1", "Rollout", name, name), replicaSet(name+"-1", name, ownedBy("argoproj.io/v1alpha1", "Rollout", name)),
			pod(name+"-1-a", name, ownedBy("apps/v1", "ReplicaSet", name+"-1")))
	}
	return s
}

func TestCustomOwners(t *testing.T) {
	tests := []struct {
		name     string
		rollouts int
		requests []string
	}{
		{"few by name", 3, []string{rolloutPath + "/r0", rolloutPath + "/r1", rolloutPath + "/r2"}},
		{"many by one list", 4, []string{rolloutPath + "?limit=500"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := withRollouts(t, tt.rollouts)
			got := mustRead(t, s, shop(), options())
			want(t, "requests", requestsTo(s, "rollouts"), tt.requests)
			want(t, "gaps", got.Gaps, nil)
			var objects []string
			for i := range tt.rollouts {
				objects = append(objects, fmt.Sprintf("rollout.argoproj.io/r%d", i), fmt.Sprintf("rs/r%d-1*", i))
			}
			slices.Sort(objects)
			want(t, "objects", objectRefs(got), objects)
			for _, o := range got.Objects {
				if o.Kind == "Rollout" && (o.Template == nil || o.Selector == nil) {
					t.Errorf("%s was not read whole", o.Name)
				}
			}
		})
	}
}

func TestCustomOwnersOfOneNamespaceAmongAll(t *testing.T) {
	s := withRollouts(t, getAtMost+1)
	mustRead(t, s, everywhere(), options())
	want(t, "requests", requestsTo(s, "rollouts"), []string{rolloutPath + "?limit=500"})
}

func TestCustomOwnersOfManyNamespaces(t *testing.T) {
	s := withRollouts(t, 3)
	for i := range 2 {
		ns := fmt.Sprintf("ns-%d", i)
		r, p := custom("argoproj.io/v1alpha1", "Rollout", "r", "r"), pod("p", "r", ownedBy("argoproj.io/v1alpha1", "Rollout", "r"))
		r.SetNamespace(ns)
		r.SetUID(types.UID(ns + "-r"))
		p.Namespace, p.UID, p.OwnerReferences[0].UID = ns, types.UID(ns+"-p"), r.GetUID()
		s.Add(r, p)
	}
	s.Fail(fakeapi.Failure{Path: "/apis/argoproj.io/v1alpha1/rollouts", Status: 403})
	s.Fail(fakeapi.Failure{Path: "/apis/argoproj.io/v1alpha1/namespaces/ns-0/rollouts", Status: 403})
	got := mustRead(t, s, everywhere(), options())
	want(t, "requests", requestsTo(s, "rollouts"), []string{
		"/apis/argoproj.io/v1alpha1/namespaces/ns-0/rollouts?limit=500", "/apis/argoproj.io/v1alpha1/namespaces/ns-1/rollouts?limit=500",
		rolloutPath + "?limit=500", "/apis/argoproj.io/v1alpha1/rollouts?limit=500",
	})
	want(t, "gaps", gapList(got), []snapshot.Gap{
		{What: "rollout.argoproj.io", Namespace: "ns-0", Reason: snapshot.Forbidden},
	})
}

func TestOwnersAboveWorkloadsAreMetadata(t *testing.T) {
	s := fakeapi.New(t)
	s.Serve(prometheuses())
	s.Add(custom("monitoring.coreos.com/v1", "Prometheus", "k8s", "x"), statefulSet("prometheus", "p", ownedBy("monitoring.coreos.com/v1", "Prometheus", "k8s")),
		pod("prometheus-0", "p", ownedBy("apps/v1", "StatefulSet", "prometheus")))
	got := mustRead(t, s, shop(), options())
	want(t, "objects", objectRefs(got), []string{"prometheus.monitoring.coreos.com/k8s*", "sts/prometheus"})
	i := slices.IndexFunc(s.Requests(), func(r string) bool { return r == promPath+"/k8s" })
	if i < 0 {
		t.Fatalf("not asked for: %v", s.Requests())
	}
	for _, r := range s.Raw() {
		if r.URL.Path == promPath+"/k8s" && !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
			t.Errorf("read whole: %s", r.Header.Get("Accept"))
		}
	}
}

func TestClusterScopedOwner(t *testing.T) {
	s := fakeapi.New(t)
	s.Serve(fakeapi.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Fleet"}, Plural: "fleets", ClusterScoped: true})
	fleet := custom("example.com/v1", "Fleet", "all", "")
	fleet.SetNamespace("")
	s.Add(fleet, deployment("web", "web", ownedBy("example.com/v1", "Fleet", "all")), pod("a", "web"))
	got := mustRead(t, s, everywhere(), options())
	want(t, "requests", requestsTo(s, "fleets"), []string{"/apis/example.com/v1/fleets/all"})
	want(t, "gaps", got.Gaps, nil)
	got = mustRead(t, s, shop(named("fleet", "all")), options())
	want(t, "objects", objectRefs(got), []string{"deploy/web", "fleet.example.com/all"})
}

func TestCyclicOwners(t *testing.T) {
	s := fakeapi.New(t)
	s.Serve(rollouts())
	s.Serve(prometheuses())
	s.Add(custom("argoproj.io/v1alpha1", "Rollout", "a", "", ownedBy("monitoring.coreos.com/v1", "Prometheus", "b")),
		custom("monitoring.coreos.com/v1", "Prometheus", "b", "", ownedBy("argoproj.io/v1alpha1", "Rollout", "a")),
		pod("p", "p", ownedBy("argoproj.io/v1alpha1", "Rollout", "a")), node("node-1"))
	for _, q := range []snapshot.Query{shop(), everywhere(), shop(named("pod", "p")), shop(named("rollout", "a")), shop(named("prometheus", "b"))} {
		got := mustRead(t, s, q, options())
		want(t, "pods", podNames(got), []string{"shop/p"})
		want(t, "gaps", got.Gaps, nil)
	}
}

func TestLongOwnerChainEnds(t *testing.T) {
	s := fakeapi.New(t)
	s.Serve(rollouts())
	for i := range 2 * maxLevels {
		s.Add(custom("argoproj.io/v1alpha1", "Rollout", fmt.Sprintf("r%02d", i), "", ownedBy("argoproj.io/v1alpha1", "Rollout", fmt.Sprintf("r%02d", i+1))))
	}
	s.Add(pod("p", "p", ownedBy("argoproj.io/v1alpha1", "Rollout", "r00")))
	mustRead(t, s, shop(), options())
	want(t, "requests", len(requestsTo(s, "rollouts")), maxLevels)
}

func TestOwnersThatAreGone(t *testing.T) {
	recreated := replicaSet("web-1", "web")
	recreated.UID = "another"
	tests := []struct {
		name string
		add  func(*fakeapi.Server)
		want string // what the gap is about
	}{
		{"a deleted ReplicaSet", func(*fakeapi.Server) {}, "replicasets.apps"},
		{"a re-created ReplicaSet", func(s *fakeapi.Server) { s.Add(recreated) }, "replicasets.apps"},
	}
	for _, tt := range tests {
		for _, q := range []snapshot.Query{shop(), shop(named("pod", "web-1-a"))} {
			t.Run(tt.name+fmt.Sprint(q.Targets), func(t *testing.T) {
				s := fakeapi.New(t)
				s.Add(pod("web-1-a", "web", ownedBy("apps/v1", "ReplicaSet", "web-1")), node("node-1"))
				tt.add(s)
				got := mustRead(t, s, q, options())
				want(t, "gaps", gapList(got), []snapshot.Gap{{What: tt.want, Namespace: "shop", Reason: snapshot.Absent}})
				for _, o := range got.Objects {
					if o.UID == "web-1-uid" {
						t.Errorf("found an owner that is gone: %+v", o)
					}
				}
			})
		}
	}
}

func TestRecreatedCustomOwner(t *testing.T) {
	s := withRollouts(t, 0)
	s.Add(pod("p", "p", ownedBy("argoproj.io/v1alpha1", "Rollout", "r")))
	another := custom("argoproj.io/v1alpha1", "Rollout", "r", "r")
	another.SetUID("another")
	s.Add(another)
	got := mustRead(t, s, shop(), options())
	want(t, "objects", objectRefs(got), nil)
	want(t, "gaps", gapList(got), []snapshot.Gap{{What: "rollout.argoproj.io", Namespace: "shop", Reason: snapshot.Absent}})
}

func TestOwnerOfUnknownKind(t *testing.T) {
	s := fakeapi.New(t)
	for i := range 5 {
		s.Add(pod(fmt.Sprintf("p%d", i), "p", ownedBy("example.com/v1", "Gizmo", fmt.Sprintf("g%d", i))))
	}
	got := mustRead(t, s, shop(), options())
	want(t, "gaps", gapList(got), []snapshot.Gap{{What: "gizmo.example.com", Namespace: "shop", Reason: snapshot.Absent}})
	want(t, "pods", len(got.Pods), 5)
}

func TestCustomOwnerForbidden(t *testing.T) {
	for n, gap := range map[int]snapshot.Gap{
		1: {What: "rollout.argoproj.io", Namespace: "shop", Name: "r0", Reason: snapshot.Forbidden},
		4: {What: "rollout.argoproj.io", Namespace: "shop", Reason: snapshot.Forbidden},
	} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := withRollouts(t, n)
			s.Fail(fakeapi.Failure{Path: rolloutPath + "*", Status: 403})
			got := mustRead(t, s, shop(), options())
			want(t, "gaps", gapList(got), []snapshot.Gap{gap})
			want(t, "pods", len(got.Pods), n)
		})
	}
}

func TestPodOwnedByAPod(t *testing.T) { // a Spark executor and its driver
	s := fakeapi.New(t)
	s.Add(pod("driver", "spark"), pod("executor", "spark", ownedBy("v1", "Pod", "driver")))
	got := mustRead(t, s, shop(), options())
	want(t, "pods", podNames(got), []string{"shop/driver", "shop/executor"})
	want(t, "discovery", s.Discoveries(), 0)
}
