package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// request is one that went through the proxy.
type request struct {
	path, accept, acceptEncoding string
	query                        url.Values
	bytes                        int64 // of the body of the answer, as it was sent: compressed if it was
	start                        time.Time
	took                         time.Duration // to the end of the answer
}

func (r *request) String() string {
	query, err := url.QueryUnescape(r.query.Encode())
	if err != nil {
		query = r.query.Encode()
	}
	return fmt.Sprintf("%s +%5.0f ms %8d bytes  %s?%s", r.start.Format("05.000"), r.took.Seconds()*1000, r.bytes, r.path, query)
}

// proxy counts requests and bytes between a client and the server, in a run of its own: it costs time.
type proxy struct {
	http     *http.Server
	listener net.Listener

	mu       sync.Mutex
	requests []*request
}

type startKey struct{}

// startProxy listens on this machine alone, and writes a kubeconfig that leads to it.
func startProxy(config *rest.Config, kubeconfig string) (*proxy, error) {
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	config = rest.CopyConfig(config)
	config.DisableCompression = true // what the client asked for goes through as it is
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	p := &proxy{}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	p.http = &http.Server{ReadHeaderTimeout: time.Minute, Handler: &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out = r.Out.WithContext(context.WithValue(r.Out.Context(), startKey{}, time.Now()))
		},
		ModifyResponse: p.count,
	}}
	go func() { _ = p.http.Serve(p.listener) }() // until it is closed
	return p, p.writeKubeconfig(kubeconfig)
}

func (p *proxy) writeKubeconfig(file string) error {
	c := clientcmdapi.NewConfig()
	c.Clusters["bench"] = &clientcmdapi.Cluster{Server: "http://" + p.listener.Addr().String()}
	c.Contexts["bench"] = &clientcmdapi.Context{Cluster: "bench"}
	c.CurrentContext = "bench"
	raw, err := clientcmd.Write(*c)
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o600)
}

func (p *proxy) stop() { _ = p.http.Close() }

func (p *proxy) count(resp *http.Response) error {
	start, _ := resp.Request.Context().Value(startKey{}).(time.Time)
	r := &request{
		start: start,
		path:  resp.Request.URL.Path, query: resp.Request.URL.Query(),
		accept: resp.Request.Header.Get("Accept"), acceptEncoding: resp.Request.Header.Get("Accept-Encoding"),
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r)
	resp.Body = &counted{resp.Body, p, r}
	return nil
}

type counted struct {
	io.ReadCloser
	proxy   *proxy
	request *request
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.proxy.mu.Lock()
	defer c.proxy.mu.Unlock()
	c.request.bytes += int64(n)
	c.request.took = time.Since(c.request.start)
	return n, err
}

// take returns the requests since the last time.
func (p *proxy) take() []*request {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := p.requests
	p.requests = nil
	return taken
}

func total(requests []*request) (bytes int64) {
	for _, r := range requests {
		bytes += r.bytes
	}
	return bytes
}

// list is a list that a client asked for, without its pages; package main of floor reads it.
type list struct {
	Path, Accept, AcceptEncoding string
	Query                        url.Values
}

// lists are the different lists among requests: not discovery, and no single objects.
func lists(requests []*request) ([]list, error) {
	var out []list
	for _, r := range requests {
		if !isCollection(r.path) || r.query.Has("continue") {
			continue
		}
		if !strings.HasPrefix(r.accept, "application/vnd.kubernetes.protobuf") {
			return nil, fmt.Errorf("%s was not asked for as protobuf but as %s", r.path, r.accept)
		}
		out = append(out, list{r.path, r.accept, r.acceptEncoding, r.query})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("none of %d requests is a list", len(requests))
	}
	return out, nil
}

// isCollection tells /api/v1/pods and /apis/apps/v1/namespaces/web/deployments from what has a name in it, and from
// discovery.
func isCollection(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	prefix := 0
	switch parts[0] {
	case "api":
		prefix = 2
	case "apis":
		prefix = 3
	default:
		return false
	}
	if len(parts) <= prefix {
		return false
	}
	parts = slices.Delete(parts, 0, prefix)
	if len(parts) > 2 && parts[0] == "namespaces" {
		parts = parts[2:]
	}
	return len(parts) == 1
}
