package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestReadNamespace(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	elsewhere := pod("elsewhere", "web")
	elsewhere.Namespace = "bank"
	s.Add(elsewhere)
	opts := options()
	opts.Events = true
	got := mustRead(t, s, shop(), opts)

	want(t, "requests", s.Requests(), []string{
		eventsOfShop,
		"/api/v1/namespaces/shop/pods?limit=500",
		"/api/v1/namespaces/shop/replicationcontrollers?limit=500",
		"/api/v1/namespaces/shop/services?limit=5000",
		"/api/v1/nodes?limit=500",
		"/apis/apps/v1/namespaces/shop/daemonsets?limit=500",
		"/apis/apps/v1/namespaces/shop/deployments?limit=500",
		"/apis/apps/v1/namespaces/shop/replicasets?limit=5000",
		"/apis/apps/v1/namespaces/shop/statefulsets?limit=500",
		"/apis/batch/v1/namespaces/shop/cronjobs?limit=500",
		"/apis/batch/v1/namespaces/shop/jobs?limit=500",
	})
	want(t, "discovery", s.Discoveries(), 0)
	want(t, "pods", podNames(got), []string{"shop/far", "shop/stranger", "shop/web-1-a"})
	want(t, "objects", objectRefs(got), []string{"deploy/other", "deploy/web", "rs/other-1*", "rs/web-1*"})
	want(t, "gaps", got.Gaps, nil)
	want(t, "services", len(got.Services), 1)
	want(t, "nodes", len(got.Nodes), 1)
	want(t, "events", len(got.Events), 2)
	want(t, "asOf", got.AsOf, opts.AsOf)
	want(t, "running", got.Running, true)
}

func TestPages(t *testing.T) {
	tests := []struct {
		name  string
		chunk int64
		want  int
	}{{"pages of 3", 3, 4}, {"no pages", 0, 1}, {"one page", 10, 1}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			for i := range 10 {
				s.Add(pod(fmt.Sprintf("p%d", i), "web"))
			}
			opts := options()
			opts.ChunkSize = tt.chunk
			got := mustRead(t, s, shop(), opts)
			want(t, "pods", len(got.Pods), 10)
			want(t, "requests", countRequests(s, "/api/v1/namespaces/shop/pods"), tt.want)
		})
	}
}

func countRequests(s *fakeapi.Server, path string) int {
	n := 0
	for _, r := range s.Raw() {
		if r.URL.Path == path {
			n++
		}
	}
	return n
}

func TestSelectorOfTheUser(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	q := shop()
	q.Selector = labels.SelectorFromSet(labels.Set{"app": "far"})
	got := mustRead(t, s, q, options())
	want(t, "pods", podNames(got), []string{"shop/far"})
	if !slices.Contains(s.Requests(), "/api/v1/namespaces/shop/pods?labelSelector=app=far&limit=500") {
		t.Errorf("the selector was not sent: %v", s.Requests())
	}

	s = fakeapi.New(t)
	web(s)
	q = shop(named("deploy", "web"))
	q.Selector = labels.SelectorFromSet(labels.Set{"tier": "x"})
	got = mustRead(t, s, q, options())
	want(t, "pods of a named target", podNames(got), nil)
	if !slices.Contains(s.Requests(), "/api/v1/namespaces/shop/pods?labelSelector=app=web,tier=x&limit=500") {
		t.Errorf("the selectors were not sent together: %v", s.Requests())
	}
}

func TestSelectorOfNothing(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	q := shop()
	q.Selector = labels.Nothing()
	want(t, "pods", podNames(mustRead(t, s, q, options())), nil)
}

func TestOlderReplicaSetsWithPodsAreReadWhole(t *testing.T) {
	s := fakeapi.New(t)
	d := deployment("web", "web")
	d.Annotations = map[string]string{"deployment.kubernetes.io/revision": "3"}
	s.Add(d)
	for i := range 3 {
		rs := replicaSet(fmt.Sprintf("web-%d", i+1), "web", ownedBy("apps/v1", "Deployment", "web"))
		rs.Annotations = map[string]string{"deployment.kubernetes.io/revision": fmt.Sprint(i + 1)}
		s.Add(rs)
		if i > 0 { // the first one has no Pods left
			s.Add(pod("p-"+rs.Name, "web", ownedBy("apps/v1", "ReplicaSet", rs.Name)))
		}
	}
	got := mustRead(t, s, shop(), options())
	want(t, "objects", objectRefs(got), []string{"deploy/web", "rs/web-1*", "rs/web-2", "rs/web-3*"})
}

func TestBareReplicaSetsAreReadWhole(t *testing.T) {
	few := []string{
		"/apis/apps/v1/namespaces/shop/replicasets/bare-0", "/apis/apps/v1/namespaces/shop/replicasets?limit=5000",
	}
	many := []string{"/apis/apps/v1/namespaces/shop/replicasets?limit=500", "/apis/apps/v1/namespaces/shop/replicasets?limit=5000"}
	for n, wantRequests := range map[int][]string{1: few, 4: many} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := fakeapi.New(t)
			s.Add(deployment("web", "web"), replicaSet("web-1", "web", ownedBy("apps/v1", "Deployment", "web")))
			wantObjects := []string{"deploy/web", "rs/web-1*"}
			for i := range n {
				name := fmt.Sprintf("bare-%d", i)
				s.Add(replicaSet(name, name))
				wantObjects = append(wantObjects, "rs/"+name)
			}
			slices.Sort(wantObjects)
			got := mustRead(t, s, shop(), options())
			want(t, "objects", objectRefs(got), wantObjects)
			want(t, "requests", requestsTo(s, "replicasets"), wantRequests)
		})
	}
}

// requestsTo are the requests for one resource.
func requestsTo(s *fakeapi.Server, resource string) []string {
	return slices.DeleteFunc(s.Requests(), func(r string) bool {
		path, _, _ := strings.Cut(r, "?")
		return !slices.Contains(strings.Split(path, "/"), resource)
	})
}

func TestTypes(t *testing.T) {
	tests := []struct {
		name    string
		target  snapshot.Target
		pods    []string
		objects []string
	}{
		{"a built-in word", word("deploy"), []string{"shop/web-1-a"}, []string{"deploy/web", "rs/web-1*"}},
		{"a built-in type", snapshot.Target{Type: "deployments.apps"}, []string{"shop/web-1-a"}, []string{"deploy/web", "rs/web-1*"}},
		{"a custom word", word("ro"), []string{"shop/canary-1-a"}, []string{"rollout.argoproj.io/canary", "rollout.argoproj.io/empty", "rs/canary-1*"}},
		{"a custom type", snapshot.Target{Type: "rollouts.argoproj.io"}, []string{"shop/canary-1-a"}, []string{"rollout.argoproj.io/canary", "rollout.argoproj.io/empty", "rs/canary-1*"}},
		{"with its version", snapshot.Target{Type: "rollouts.v1alpha1.argoproj.io"}, []string{"shop/canary-1-a"}, []string{"rollout.argoproj.io/canary", "rollout.argoproj.io/empty", "rs/canary-1*"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			s.Serve(rollouts())
			s.Add(deployment("web", "web"), replicaSet("web-1", "web", ownedBy("apps/v1", "Deployment", "web")),
				pod("web-1-a", "web", ownedBy("apps/v1", "ReplicaSet", "web-1")),
				custom("argoproj.io/v1alpha1", "Rollout", "canary", "canary"), custom("argoproj.io/v1alpha1", "Rollout", "empty", "empty"),
				replicaSet("canary-1", "canary", ownedBy("argoproj.io/v1alpha1", "Rollout", "canary")),
				pod("canary-1-a", "canary", ownedBy("apps/v1", "ReplicaSet", "canary-1")))
			got := mustRead(t, s, shop(tt.target), options())
			want(t, "pods", podNames(got), tt.pods)
			want(t, "objects", objectRefs(got), tt.objects)
		})
	}
}

func TestOwnerMadeBetweenTwoLists(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(deployment("web", "web"), replicaSet("web-1", "web", ownedBy("apps/v1", "Deployment", "web")),
		pod("web-1-a", "web", ownedBy("apps/v1", "ReplicaSet", "web-1")),
		pod("web-2-a", "web", ownedBy("apps/v1", "ReplicaSet", "web-2")))
	s.Later("/apis/apps/v1/namespaces/shop/replicasets", replicaSet("web-2", "web", ownedBy("apps/v1", "Deployment", "web")))
	got := mustRead(t, s, shop(), options())
	want(t, "gaps", got.Gaps, nil)
	want(t, "objects", objectRefs(got), []string{"deploy/web", "rs/web-1*", "rs/web-2*"})
}

func TestSharedSpecs(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(pod("a", "web"), pod("b", "web"))
	got := mustRead(t, s, shop(), options())
	if got.Pods[0].Spec != got.Pods[1].Spec {
		t.Error("equal Pod specs are not shared")
	}
}

func TestStaticPodsNeedNoNodeAsOwner(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(staticPod(), node("node-1"))
	got := mustRead(t, s, shop(), options())
	want(t, "gaps", got.Gaps, nil)
	want(t, "requests for nodes", requestsTo(s, "nodes"), []string{"/api/v1/nodes?limit=500"})
}

func staticPod() *corev1.Pod {
	p := pod("etcd-node-1", "etcd", ownedBy("v1", "Node", "node-1"))
	p.Annotations = map[string]string{"kubernetes.io/config.mirror": "mirror-uid"}
	return p
}
