// Package fakeapi is a Kubernetes API server for tests, at the level of HTTP: it knows pages, label and field
// selectors, metadata-only answers, protobuf and discovery, which client-go's fake clientset does not; and it
// fails as it is told to.
package fakeapi

import (
	"cmp"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// Kind is a resource the server serves.
type Kind struct {
	schema.GroupVersionKind
	Plural        string
	ShortNames    []string
	ClusterScoped bool
}

func (k Kind) resource() schema.GroupVersionResource { return k.GroupVersion().WithResource(k.Plural) }

func (k Kind) prefix() string {
	if k.Group == "" {
		return "/api/" + k.Version
	}
	return "/apis/" + k.Group + "/" + k.Version
}

// Version is what the server says that it is.
const Version = "v1.34.2"

// Server is the fake. Set it up before the first request.
type Server struct {
	URL string
	CA  []byte // the certificate of NewTLS as PEM

	t        testing.TB
	http     *httptest.Server
	stopped  chan struct{}
	mu       sync.Mutex
	kinds    []Kind
	objects  map[schema.GroupVersionResource][]runtime.Object
	failures []*Failure
	warning  string
	later    map[string][]runtime.Object
	requests []*http.Request
}

// New starts a server that serves the built-in kinds about Pods, and stops it at the end of the test.
func New(t testing.TB) *Server {
	s := serving(t)
	s.start((*httptest.Server).Start)
	return s
}

func serving(t testing.TB) *Server {
	s := &Server{t: t, stopped: make(chan struct{}), objects: map[schema.GroupVersionResource][]runtime.Object{}, later: map[string][]runtime.Object{}}
	for _, k := range []struct {
		group, kind, plural string
		clusterScoped       bool
	}{
		{"", "Pod", "pods", false},
		{"", "Service", "services", false},
		{"", "Node", "nodes", true},
		{"", "Event", "events", false},
		{"", "ReplicationController", "replicationcontrollers", false},
		{"", "Secret", "secrets", false},
		{"apps", "Deployment", "deployments", false},
		{"apps", "ReplicaSet", "replicasets", false},
		{"apps", "StatefulSet", "statefulsets", false},
		{"apps", "DaemonSet", "daemonsets", false},
		{"batch", "Job", "jobs", false},
		{"batch", "CronJob", "cronjobs", false},
		{"discovery.k8s.io", "EndpointSlice", "endpointslices", false},
	} {
		gvk := schema.GroupVersionKind{Group: k.group, Version: "v1", Kind: k.kind}
		s.Serve(Kind{GroupVersionKind: gvk, Plural: k.plural, ClusterScoped: k.clusterScoped})
	}
	return s
}

func (s *Server) start(start func(*httptest.Server)) {
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.handle))
	s.http.Config.ErrorLog = log.New(io.Discard, "", 0) // broken connections are the point
	start(s.http)
	s.URL = s.http.URL
	s.t.Cleanup(func() {
		close(s.stopped)
		s.http.Close()
	})
}

// Config is a client's config for the server.
func (s *Server) Config() *rest.Config { return &rest.Config{Host: s.URL} }

// Warn sends a warning with every answer.
func (s *Server) Warn(text string) { s.warning = text }

// Serve adds a kind, as a CustomResourceDefinition would.
func (s *Server) Serve(k Kind) { s.kinds = append(s.kinds, k) }

// Add puts objects into the server, or replaces them; each needs its kind (by its Go type or apiVersion and kind) and its names.
func (s *Server) Add(objects ...runtime.Object) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range objects {
		k, ok := s.kindOf(o)
		if !ok {
			s.t.Fatalf("fakeapi: %T is of no kind that is served", o)
		}
		o.GetObjectKind().SetGroupVersionKind(k.GroupVersionKind)
		all := slices.DeleteFunc(s.objects[k.resource()], func(old runtime.Object) bool { return key(old) == key(o) })
		all = append(all, o)
		slices.SortStableFunc(all, func(a, b runtime.Object) int { return cmp.Compare(key(a), key(b)) })
		s.objects[k.resource()] = all
	}
}

// Remove takes objects away again.
func (s *Server) Remove(objects ...runtime.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range objects {
		if k, ok := s.kindOf(o); ok {
			s.objects[k.resource()] = slices.DeleteFunc(s.objects[k.resource()], func(old runtime.Object) bool { return key(old) == key(o) })
		}
	}
}

// Later adds objects once a path has been asked for.
func (s *Server) Later(path string, objects ...runtime.Object) { s.later[path] = objects }

// stored are the objects of a kind.
func (s *Server) stored(k Kind) []runtime.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.objects[k.resource()])
}

func (s *Server) kindOf(o runtime.Object) (Kind, bool) {
	gvk := o.GetObjectKind().GroupVersionKind()
	if gvks, _, err := scheme.Scheme.ObjectKinds(o); err == nil && len(gvks) > 0 {
		gvk = gvks[0]
	}
	i := slices.IndexFunc(s.kinds, func(k Kind) bool { return k.GroupVersionKind == gvk })
	if i < 0 {
		return Kind{}, false
	}
	return s.kinds[i], true
}

func key(o runtime.Object) string {
	m, err := meta.Accessor(o)
	if err != nil {
		return ""
	}
	return m.GetNamespace() + "/" + m.GetName()
}

// Requests are the requests so far in sorted order, without discovery: path and decoded query.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, r := range s.requests {
		if !isDiscovery(r.URL.Path) {
			out = append(out, describe(r))
		}
	}
	slices.Sort(out)
	return out
}

// Discoveries counts the requests for discovery so far.
func (s *Server) Discoveries() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, r := range s.requests {
		if isDiscovery(r.URL.Path) {
			n++
		}
	}
	return n
}

// Headers are the values of a header in all requests so far, in the order of Raw.
func (s *Server) Headers(name string) []string {
	var out []string
	for _, r := range s.Raw() {
		out = append(out, r.Header.Get(name))
	}
	return out
}

// Raw are the requests so far as they came; their bodies are gone.
func (s *Server) Raw() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func describe(r *http.Request) string {
	var params []string
	for name, values := range r.URL.Query() {
		for _, v := range values {
			params = append(params, name+"="+v)
		}
	}
	if len(params) == 0 {
		return r.URL.Path
	}
	slices.Sort(params)
	return r.URL.Path + "?" + strings.Join(params, "&")
}
