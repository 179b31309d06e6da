package inspect

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

// requests are what a reading asked the server for.
type requests struct {
	next http.RoundTripper
	mu   sync.Mutex
	all  []string
}

func (r *requests) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	query.Del("limit")
	text := request.URL.Path
	if narrowed := query.Encode(); narrowed != "" {
		text += "?" + narrowed
	}
	r.mu.Lock()
	r.all = append(r.all, text)
	r.mu.Unlock()
	return r.next.RoundTrip(request)
}

// read reads a target of the namespace crowd and returns what it took, without Events, discovery and limits.
func read(t *testing.T, target snapshot.Target) (*snapshot.Snapshot, []string) {
	t.Helper()
	asked := &requests{}
	config := rest.CopyConfig(server.Config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		asked.next = next
		return asked
	})
	options := live.Options{ChunkSize: live.DefaultChunkSize, AsOf: time.Now()}
	clients, err := live.NewClientsForConfig(config, mapper, options)
	if err != nil {
		t.Fatal(err)
	}
	got, err := live.Read(context.Background(), clients, snapshot.Query{Namespace: "crowd", Targets: []snapshot.Target{target}}, options)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(asked.all)
	return got, asked.all
}

func mapper() (meta.RESTMapper, error) {
	client, err := discovery.NewDiscoveryClientForConfig(server.Config)
	if err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(client)
	return restmapper.NewDiscoveryRESTMapper(groups), err
}

// TestNamedTargetsReadTheirOwn in a namespace where others have hundreds of Pods.
func TestNamedTargetsReadTheirOwn(t *testing.T) {
	const core, apps, ns = "/api/v1/namespaces/crowd", "/apis/apps/v1/namespaces/crowd", "?labelSelector="
	for _, c := range []struct {
		kind, name string
		pods       int
		want       []string
	}{
		{"deploy", "small", 2, []string{
			core + "/pods" + ns + "app%3Dsmall", apps + "/replicasets" + ns + "app%3Dsmall", apps + "/deployments/small",
		}},
		{"pod", "small-5555555555-0", 1, []string{
			core + "/pods/small-5555555555-0", apps + "/replicasets/small-5555555555", apps + "/deployments/small",
		}},
		{"rs", "small-5555555555", 2, []string{
			core + "/pods" + ns + "app%3Dsmall%2Cpod-template-hash%3D5555555555", apps + "/replicasets/small-5555555555", apps + "/deployments/small",
		}},
		{"svc", "small", 2, []string{
			core + "/pods" + ns + "app%3Dsmall", core + "/pods" + ns + "app%3Dsmall", core + "/services/small",
			apps + "/replicasets" + ns + "app%3Dsmall",
			// a workload behind it may have no Pods
			apps + "/deployments", apps + "/statefulsets", apps + "/daemonsets", core + "/replicationcontrollers",
		}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			got, asked := read(t, snapshot.Target{Type: c.kind, Name: c.name})
			if len(got.Pods) != c.pods {
				t.Errorf("%d Pods, not %d", len(got.Pods), c.pods)
			}
			// Beside every target: its node, the Services, of which any may select its Pods, and what is behind those that do.
			want := append(slices.Clone(c.want), core+"/services", "/api/v1/nodes/node-1",
				"/apis/discovery.k8s.io/v1/namespaces/crowd/endpointslices"+ns+"kubernetes.io%2Fservice-name+in+%28small%29")
			slices.Sort(want)
			if diff := cmp.Diff(want, asked); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPages reads the same in small pages and in one answer.
func TestPages(t *testing.T) {
	for _, size := range []string{"--chunk-size=7", "--chunk-size=0"} {
		paged, usual := wide(t, size), wide(t, "--chunk-size=500")
		if diff := cmp.Diff(usual, paged); diff != "" {
			t.Errorf("%s:\n%s", size, diff)
		}
	}
}

func wide(t *testing.T, flag string) []string {
	t.Helper()
	return lines(cluster(t).Must(t, "-A", "-o", "wide", flag).Out)
}
