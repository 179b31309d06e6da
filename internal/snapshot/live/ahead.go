package live

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live/pagetoken"
)

// podsAhead lists Pods so that the next page is on its way while this one is decoded and projected, which takes as long.
// A typed client tells the continue token only after decoding, and Pods are by far the longest list. It is for one
// list, from its first page to its last.
type podsAhead struct {
	corev1client.PodInterface
	client    rest.Interface
	namespace string

	token string           // of the page that was asked for ahead
	next  chan rest.Result // where it will be; nil when none was asked for
}

func newPodsAhead(core corev1client.CoreV1Interface, namespace string) *podsAhead {
	return &podsAhead{PodInterface: core.Pods(namespace), client: core.RESTClient(), namespace: namespace}
}

// List returns one page, as the typed client does.
func (p *podsAhead) List(ctx context.Context, opts metav1.ListOptions) (*corev1.PodList, error) {
	result := p.page(ctx, opts)
	if raw, err := result.Raw(); err == nil {
		if token, ok := pagetoken.Of(raw); ok && token != "" && token != opts.Continue {
			p.ask(ctx, opts, token)
		}
	}
	list := &corev1.PodList{}
	err := result.Into(list)
	return list, err
}

// page waits for the page that was asked for ahead; a list that starts again asks for another one.
func (p *podsAhead) page(ctx context.Context, opts metav1.ListOptions) rest.Result {
	token, next := p.token, p.next
	p.token, p.next = "", nil
	if next != nil && token == opts.Continue {
		return <-next
	}
	return p.fetch(ctx, opts)
}

// ask ends with ctx if nobody wants its page any more.
func (p *podsAhead) ask(ctx context.Context, opts metav1.ListOptions, token string) {
	opts.Continue = token
	next := make(chan rest.Result, 1)
	p.token, p.next = token, next
	go func() { next <- p.fetch(ctx, opts) }()
}

// fetch is what the typed client does before it decodes.
func (p *podsAhead) fetch(ctx context.Context, opts metav1.ListOptions) rest.Result {
	return p.client.Get().UseProtobufAsDefault().
		NamespaceIfScoped(p.namespace, p.namespace != "").
		Resource("pods").
		VersionedParams(&opts, scheme.ParameterCodec).
		Timeout(0). // each try has that of the HTTP client; all tries together have none
		Do(ctx)
}
