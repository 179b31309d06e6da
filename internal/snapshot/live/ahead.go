package live

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live/thin"
)

// pagesAhead lists a resource so that the next page is on its way while one is sent and read: a page tells the continue
// token before its items. A typed client tells it when all of a page is decoded, and until then the server waits. It is for
// one list, from its first page to its last, with a context that ends with the list.
type pagesAhead[L any] struct {
	client              rest.Interface
	resource, namespace string

	mu      sync.Mutex
	next    *page  // the one that was asked for ahead
	last    string // the token of the page that was asked for last
	unasked string // the token of the page after next, which is not asked for before next is taken
}

// page is one that was asked for.
type page struct {
	token  string
	answer chan rest.Result
	cancel context.CancelFunc
}

// List returns one page, as a typed client does.
func (p *pagesAhead[L]) List(ctx context.Context, opts metav1.ListOptions) (*L, error) {
	list := new(L)
	err := (<-p.take(ctx, opts)).Into(any(list).(runtime.Object))
	return list, err
}

// take tells where a page will be. A list that starts again begins anew.
func (p *pagesAhead[L]) take(ctx context.Context, opts metav1.ListOptions) <-chan rest.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next != nil && p.next.token != opts.Continue {
		p.next.cancel()
		p.next, p.unasked = nil, ""
	}
	if p.next == nil {
		p.ask(ctx, opts)
	}
	taken := p.next
	p.next = nil
	if p.unasked != "" {
		opts.Continue, p.unasked = p.unasked, ""
		p.ask(ctx, opts)
	}
	return taken.answer
}

// ask sends for a page, which will send for the one after it as soon as it knows its token.
func (p *pagesAhead[L]) ask(ctx context.Context, opts metav1.ListOptions) {
	watched, cancel := context.WithCancel(thin.OnContinue(ctx, func(next string) { p.after(ctx, opts, next) }))
	asked := &page{opts.Continue, make(chan rest.Result, 1), cancel}
	p.next, p.last = asked, opts.Continue
	go func() {
		defer cancel()
		asked.answer <- p.fetch(watched, opts)
	}()
}

// after is told the token of the page that comes after the one that opts asked for.
func (p *pagesAhead[L]) after(ctx context.Context, opts metav1.ListOptions, next string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case next == "" || next == opts.Continue || opts.Continue != p.last: // the end, a riddle for the reader, or a list given up
	case p.next != nil:
		p.unasked = next
	default:
		opts.Continue = next
		p.ask(ctx, opts)
	}
}

// fetch is what a typed client does before it decodes.
func (p *pagesAhead[L]) fetch(ctx context.Context, opts metav1.ListOptions) rest.Result {
	return p.client.Get().UseProtobufAsDefault().
		NamespaceIfScoped(p.namespace, p.namespace != "").
		Resource(p.resource).
		VersionedParams(&opts, scheme.ParameterCodec).
		Timeout(0). // that of the HTTP client is for all tries
		Do(ctx)
}
