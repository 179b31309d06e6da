package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestEveryKindButPodsMayBeMissing(t *testing.T) {
	paths := map[string]string{
		"deployments.apps": "/apis/apps/v1/namespaces/shop/deployments", "statefulsets.apps": "/apis/apps/v1/namespaces/shop/statefulsets",
		"daemonsets.apps": "/apis/apps/v1/namespaces/shop/daemonsets", "replicasets.apps": "/apis/apps/v1/namespaces/shop/replicasets",
		"jobs.batch": "/apis/batch/v1/namespaces/shop/jobs", "cronjobs.batch": "/apis/batch/v1/namespaces/shop/cronjobs",
		"replicationcontrollers": "/api/v1/namespaces/shop/replicationcontrollers", "services": "/api/v1/namespaces/shop/services",
		"events": "/api/v1/namespaces/shop/events", "nodes": "/api/v1/nodes",
	}
	statuses := map[int]snapshot.GapReason{
		http.StatusForbidden: snapshot.Forbidden, http.StatusNotFound: snapshot.Absent,
		http.StatusGatewayTimeout: snapshot.Timeout, http.StatusInternalServerError: snapshot.Failed,
	}
	for what, path := range paths {
		for status, reason := range statuses {
			t.Run(fmt.Sprintf("%s %d", what, status), func(t *testing.T) {
				s := fakeapi.New(t)
				web(s)
				s.Fail(fakeapi.Failure{Path: path, Status: status})
				opts := options()
				opts.Events = true
				got := mustRead(t, s, shop(), opts)
				gap := snapshot.Gap{What: what, Namespace: "shop", Reason: reason}
				if what == "nodes" {
					gap.Namespace = ""
				}
				want(t, "gaps", gapList(got), []snapshot.Gap{gap})
				want(t, "pods", podNames(got), []string{"shop/far", "shop/stranger", "shop/web-1-a"})
				if !strings.Contains(got.Gaps[0].Message, path) {
					t.Errorf("the server's words are lost: %q", got.Gaps[0].Message)
				}
			})
		}
	}
}

func TestReplicaSetsForbidden(t *testing.T) {
	for _, q := range []snapshot.Query{shop(), shop(named("deploy", "web"))} {
		t.Run(fmt.Sprint(q.Targets), func(t *testing.T) {
			s := fakeapi.New(t)
			p := pod("web-5d4f-a", "web", ownedBy("apps/v1", "ReplicaSet", "web-5d4f"))
			p.Labels["pod-template-hash"] = "5d4f"
			other := pod("web-77-a", "other", ownedBy("apps/v1", "ReplicaSet", "web-77"))
			other.Labels["pod-template-hash"] = "77"
			s.Add(deployment("web", "web"), p, other, node("node-1"))
			s.Fail(fakeapi.Failure{Path: "/apis/apps/v1/namespaces/shop/replicasets*", Status: http.StatusForbidden})
			got := mustRead(t, s, q, options())
			want(t, "objects", objectRefs(got), []string{"deploy/web", "rs/web-5d4f*"})
			want(t, "gaps", gapList(got), []snapshot.Gap{{What: "replicasets.apps", Namespace: "shop", Reason: snapshot.Forbidden}})
			if !slices.Contains(podNames(got), "shop/web-5d4f-a") {
				t.Errorf("the Deployment's own Pod is lost: %v", podNames(got))
			}
		})
	}
}

func TestPodsUnreadableIsAnError(t *testing.T) {
	tests := []struct {
		name  string
		query snapshot.Query
		path  string
	}{
		{"a namespace", shop(), "/api/v1/namespaces/shop/pods"},
		{"all namespaces", everywhere(), "/api/v1/pods"},
		{"a named workload", shop(named("deploy", "web")), "/api/v1/namespaces/shop/pods"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			web(s)
			s.Fail(fakeapi.Failure{Path: tt.path, Status: http.StatusForbidden})
			_, err := read(t, s, tt.query, options())
			var status *apierrors.StatusError
			if !errors.As(err, &status) || !apierrors.IsForbidden(status) {
				t.Fatalf("got %v, want the server's Forbidden", err)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

func TestAllNamespacesOneByOne(t *testing.T) {
	s := fakeapi.New(t)
	for _, ns := range []string{"bank", "mine", "shop"} {
		p, d := pod("web-a", "web"), deployment("web", "web")
		p.Namespace, p.UID = ns, types.UID("pod-"+ns)
		d.Namespace, d.UID = ns, types.UID("deployment-"+ns)
		s.Add(p, d)
	}
	s.Add(node("node-1"))
	s.Fail(fakeapi.Failure{Path: "/apis/apps/v1/deployments", Status: http.StatusForbidden})
	s.Fail(fakeapi.Failure{Path: "/apis/apps/v1/namespaces/bank/deployments", Status: http.StatusForbidden})
	s.Fail(fakeapi.Failure{Path: "/api/v1/events", Status: http.StatusForbidden})
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/bank/events", Status: http.StatusForbidden})
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/mine/events", Status: http.StatusForbidden})
	s.Fail(fakeapi.Failure{Path: "/api/v1/nodes", Status: http.StatusForbidden})
	s.Fail(fakeapi.Failure{Path: "/api/v1/services", Status: http.StatusGatewayTimeout})
	opts := options()
	opts.Events = true
	got := mustRead(t, s, everywhere(), opts)
	want(t, "gaps", gapList(got), []snapshot.Gap{
		{What: "deployments.apps", Namespace: "bank", Reason: snapshot.Forbidden},
		{What: "events", Namespace: "bank", Reason: snapshot.Forbidden},
		{What: "events", Namespace: "mine", Reason: snapshot.Forbidden},
		{What: "nodes", Reason: snapshot.Forbidden},
		{What: "services", Reason: snapshot.Timeout},
	})
	want(t, "pods", podNames(got), []string{"bank/web-a", "mine/web-a", "shop/web-a"})
	want(t, "objects", objectRefs(got), []string{"deploy/web", "deploy/web"})
	want(t, "requests for deployments", requestsTo(s, "deployments"), []string{
		"/apis/apps/v1/deployments?limit=500", "/apis/apps/v1/namespaces/bank/deployments?limit=500",
		"/apis/apps/v1/namespaces/mine/deployments?limit=500", "/apis/apps/v1/namespaces/shop/deployments?limit=500",
	})
}

func TestAllNamespacesRefusedWithoutPods(t *testing.T) {
	s := fakeapi.New(t)
	s.Fail(fakeapi.Failure{Path: "/apis/apps/v1/deployments", Status: http.StatusForbidden})
	got := mustRead(t, s, everywhere(), options())
	want(t, "gaps", gapList(got), []snapshot.Gap{{What: "deployments.apps", Reason: snapshot.Forbidden}})
}

func TestExpiredPage(t *testing.T) {
	tests := []struct {
		name     string
		path     string
		times    int
		wantErr  bool
		wantGaps []snapshot.Gap
	}{
		{"pods once", "/api/v1/namespaces/shop/pods", 1, false, nil},
		{"pods twice", "/api/v1/namespaces/shop/pods", 2, true, nil},
		{"services once", "/api/v1/namespaces/shop/services", 1, false, nil},
		{"services twice", "/api/v1/namespaces/shop/services", 2, false, []snapshot.Gap{{What: "services", Namespace: "shop", Reason: snapshot.Expired}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			for i := range 7 {
				s.Add(pod(fmt.Sprintf("p%d", i), "web"), service(fmt.Sprintf("s%d", i), "web"))
			}
			s.Fail(fakeapi.Failure{Path: tt.path, Contains: "continue=4", Times: tt.times, Status: http.StatusGone})
			opts := options()
			opts.ChunkSize = 2
			got, err := read(t, s, shop(), opts)
			if (err != nil) != tt.wantErr {
				t.Fatalf("error %v, want one: %v", err, tt.wantErr)
			}
			if err != nil {
				return
			}
			want(t, "gaps", gapList(got), tt.wantGaps)
			want(t, "pods", podNames(got), []string{"shop/p0", "shop/p1", "shop/p2", "shop/p3", "shop/p4", "shop/p5", "shop/p6"})
			if tt.wantGaps == nil {
				want(t, "services", len(got.Services), 7)
			} else {
				want(t, "services", len(got.Services), 0)
			}
		})
	}
}

func TestExpiredListDropsWhatItHadRead(t *testing.T) {
	s := fakeapi.New(t)
	for i := range 4 {
		s.Add(pod(fmt.Sprintf("p%d", i), "web"))
	}
	src := newReader(testClients(t, s), shop(), Options{ChunkSize: 2}).pods(nil)
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/pods", Continue: true, Times: 1, Status: http.StatusGone})
	src.opts.Limit = 2
	got, err := src.list(context.Background(), "shop", src.opts)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "pods", podNames(got), []string{"shop/p0", "shop/p1", "shop/p2", "shop/p3"})
}

func testClients(t *testing.T, s *fakeapi.Server) *Clients {
	t.Helper()
	c, err := NewClients(getter(t, s), options())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSlowAndBrokenAnswers(t *testing.T) {
	tests := []struct {
		name    string
		failure fakeapi.Failure
		reason  snapshot.GapReason
	}{
		{"the client's timeout", fakeapi.Failure{Hang: true}, snapshot.Timeout},
		{"a gateway's timeout", fakeapi.Failure{Status: http.StatusGatewayTimeout}, snapshot.Timeout},
		{"a cut body", fakeapi.Failure{Answer: fakeapi.Cut("application/json", `{"kind":`)}, snapshot.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			web(s)
			tt.failure.Path = "/api/v1/namespaces/shop/services"
			s.Fail(tt.failure)
			flags := getter(t, s)
			if tt.failure.Hang {
				flags.WithWrapConfigFn(func(c *rest.Config) *rest.Config {
					c.Timeout = 2 * time.Second // enough for all other answers, on a busy machine too
					return c
				})
			}
			clients, err := NewClients(flags, options())
			if err != nil {
				t.Fatal(err)
			}
			got, err := Read(context.Background(), clients, shop(), options())
			if err != nil {
				t.Fatal(err)
			}
			want(t, "gaps", gapList(got), []snapshot.Gap{{What: "services", Namespace: "shop", Reason: tt.reason}})
			want(t, "pods", len(got.Pods), 3)
		})
	}
}

func TestDistinctGaps(t *testing.T) {
	in := []snapshot.Gap{
		{What: "events", Namespace: "shop"},
		{What: "events", Namespace: "shop"},
		{What: "events", Namespace: "shop", Name: "x"},
		{What: "nodes"},
		{What: "nodes", Name: "node-1"},
		{What: "nodes", Namespace: "odd"},
		{What: "jobs.batch", Namespace: "shop", Name: "a"},
		{What: "jobs.batch", Namespace: "shop", Name: "b"},
	}
	want(t, "gaps", distinct(in), []snapshot.Gap{
		{What: "events", Namespace: "shop"},
		{What: "jobs.batch", Namespace: "shop", Name: "a"},
		{What: "jobs.batch", Namespace: "shop", Name: "b"},
		{What: "nodes"},
	})
}
