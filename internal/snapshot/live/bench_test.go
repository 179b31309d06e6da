package live

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

// recorded answers what was asked before from memory, so that a benchmark sees the client alone.
type recorded struct {
	mu      sync.Mutex
	answers map[string]*answer
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

func (r *recorded) RoundTrip(req *http.Request) (*http.Response, error) {
	key := req.URL.String() + " " + req.Header.Get("Accept")
	r.mu.Lock()
	known := r.answers[key]
	r.mu.Unlock()
	if known == nil {
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		known = &answer{resp.StatusCode, resp.Header, body}
		r.mu.Lock()
		r.answers[key] = known
		r.mu.Unlock()
	}
	return &http.Response{
		StatusCode: known.status, Header: known.header.Clone(), Request: req,
		ContentLength: int64(len(known.body)), Body: io.NopCloser(bytes.NewReader(known.body)),
	}, nil
}

// BenchmarkRead reads a cluster of a thousand Pods; retained is what the Snapshot holds on to, of each Pod.
func BenchmarkRead(b *testing.B) {
	const pods = 1000
	clients, opts := fleetClients(b, fleet.Shape{Pods: pods, Namespaces: 50, Prefix: "team", Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	read := func() *snapshot.Snapshot {
		s, err := Read(context.Background(), clients, everywhere(), opts)
		if err != nil || len(s.Pods) != pods || len(s.Gaps) > 0 {
			b.Fatalf("%v, with gaps %v", err, s.Gaps)
		}
		return s
	}
	read() // fills the record
	b.ReportAllocs()
	for b.Loop() {
		read()
	}
	before := alive()
	s := read()
	b.ReportMetric(float64(alive()-before)/pods, "retained-B/Pod")
	runtime.KeepAlive(s)
	runtime.KeepAlive(clients) // and with them what was recorded
}

func alive() int64 {
	for range 3 { // pools let go of what they keep at the second collection
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func fleetClients(b *testing.B, shape fleet.Shape) (*Clients, Options) {
	b.Helper()
	server := fakeapi.New(b)
	nodes, workloads, events := shape.All()
	for _, n := range nodes {
		server.Add(n)
	}
	for _, w := range workloads {
		server.Add(w.Deployment, w.ReplicaSets[0], w.ReplicaSets[1], w.Service)
		for _, p := range w.Pods {
			if err := fleet.Managed(p); err != nil {
				b.Fatal(err)
			}
			server.Add(p)
		}
	}
	for _, e := range events {
		server.Add(e)
	}
	opts := options()
	opts.Events = true
	config := &rest.Config{Host: server.URL, Transport: &recorded{answers: map[string]*answer{}}}
	clients, err := NewClientsForConfig(config, func() (meta.RESTMapper, error) { return nil, io.EOF }, opts)
	if err != nil {
		b.Fatal(err)
	}
	return clients, opts
}
