package change

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// proxy stands in front of an API server. It counts requests, and does things at moments that nobody could choose.
type proxy struct {
	forward http.Handler
	// meet is called for every PATCH before it is forwarded, with the object's name; true: it was answered.
	meet func(w http.ResponseWriter, r *http.Request, name string) bool

	mu       sync.Mutex
	requests []string
}

// through sends the scene's command lines through a proxy.
func (s *scene) through(t *testing.T, meet func(w http.ResponseWriter, r *http.Request, name string) bool) *proxy {
	t.Helper()
	target, err := url.Parse(s.server.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(s.server.Config)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{meet: meet, forward: &httputil.ReverseProxy{
		Transport: transport,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
	}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	config := clientcmdapi.NewConfig()
	config.Clusters["proxy"] = &clientcmdapi.Cluster{Server: server.URL}
	config.Contexts["proxy"] = &clientcmdapi.Context{Cluster: "proxy"}
	config.CurrentContext = "proxy"
	s.line.Kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, s.line.Kubeconfig); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.requests = append(p.requests, r.Method+" "+r.URL.Path)
	p.mu.Unlock()
	if r.Method == http.MethodPatch && p.meet != nil && p.meet(w, r, path.Base(r.URL.Path)) {
		return
	}
	p.forward.ServeHTTP(w, r)
}

// patches are the PATCH requests so far.
func (p *proxy) patches() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, request := range p.requests {
		if patched, ok := strings.CutPrefix(request, http.MethodPatch+" "); ok {
			out = append(out, patched)
		}
	}
	return out
}

// sent fails the test when there were not that many PATCH requests.
func (p *proxy) sent(t *testing.T, want int) {
	t.Helper()
	if got := p.patches(); len(got) != want {
		t.Errorf("%d PATCH requests, not %d: %v", len(got), want, got)
	}
}

// once makes something happen before the first PATCH only.
func once(t *testing.T, do func() error) func(http.ResponseWriter, *http.Request, string) bool {
	var happened sync.Once
	return func(http.ResponseWriter, *http.Request, string) bool {
		happened.Do(func() {
			if err := do(); err != nil {
				t.Error(err)
			}
		})
		return false
	}
}

// answered gives the first PATCH requests these answers, in order.
func answered(answers ...func(w http.ResponseWriter)) func(http.ResponseWriter, *http.Request, string) bool {
	var mu sync.Mutex
	return func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		mu.Lock()
		defer mu.Unlock()
		if len(answers) == 0 {
			return false
		}
		answer := answers[0]
		answers = answers[1:]
		answer(w)
		return true
	}
}
