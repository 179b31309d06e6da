package live

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
)

// withPlugin is for clients whose credentials come of a plugin, which client-go starts ahead of a request and which
// knows no context: a request ends when its own does. Until one has credentials, requests go to the plugin one at a
// time, and what failed there is not tried by the others: a plugin that Ctrl-C ended, or that asked for a password in
// vain, is not started again.
type withPlugin struct {
	next   http.RoundTripper
	turn   chan struct{} // holds one: a request that is at the plugin
	signed chan struct{} // closed when a request has credentials
	once   sync.Once

	mu     sync.Mutex
	failed error // the first that did; client-go puts the hint how to install the plugin into one only
}

func newWithPlugin() *withPlugin {
	return &withPlugin{turn: make(chan struct{}, 1), signed: make(chan struct{})}
}

// behind is where requests come when they have credentials.
func (p *withPlugin) behind(next http.RoundTripper) http.RoundTripper { return behindPlugin{next, p} }

type behindPlugin struct {
	http.RoundTripper
	plugin *withPlugin
}

func (b behindPlugin) RoundTrip(r *http.Request) (*http.Response, error) {
	b.plugin.once.Do(func() { close(b.plugin.signed) })
	if r.Context().Value(notSent{}) != nil {
		return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	return b.RoundTripper.RoundTrip(r)
}

// WrappedRoundTripper is asked for by client-go.
func (b behindPlugin) WrappedRoundTripper() http.RoundTripper { return b.RoundTripper }

// notSent, in its context, is a request that ends when it has credentials.
type notSent struct{}

// gave says whether there are credentials.
func (p *withPlugin) gave() bool {
	select {
	case <-p.signed:
		return true
	default:
		return false
	}
}

func (p *withPlugin) RoundTrip(r *http.Request) (*http.Response, error) {
	leave, err := p.enter(r.Context())
	if err != nil {
		return nil, err
	}
	type answer struct {
		*http.Response
		err error
	}
	done := make(chan answer, 1)
	go func() {
		defer leave()
		response, err := p.next.RoundTrip(r)
		done <- answer{response, p.shared(r.Context(), err)}
	}()
	select {
	case a := <-done:
		return a.Response, a.err
	case <-r.Context().Done():
		return nil, r.Context().Err() // the plugin goes on, and its request fails at once
	}
}

// enter waits until there are credentials, or for the turn to get some.
func (p *withPlugin) enter(ctx context.Context) (leave func(), err error) {
	select {
	case <-p.signed:
		return func() {}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case p.turn <- struct{}{}:
	}
	leave = func() { <-p.turn }
	if err := p.inVain(); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// inVain is why nobody need ask for credentials again, while there are none.
func (p *withPlugin) inVain() error {
	if p.gave() {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}

// interruption is how much sooner a plugin may end by Ctrl-C than this program hears of it: both get the signal.
const interruption = 100 * time.Millisecond

func (p *withPlugin) shared(ctx context.Context, err error) error {
	if err == nil || !strings.HasPrefix(err.Error(), "getting credentials: ") { // client-go plugin/pkg/client/auth/exec, v0.37
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(interruption):
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		p.failed = err
	}
	return p.failed
}
