package live

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"
	appsv1client "k8s.io/client-go/kubernetes/typed/apps/v1"
	batchv1client "k8s.io/client-go/kubernetes/typed/batch/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	discoveryv1client "k8s.io/client-go/kubernetes/typed/discovery/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live/thin"
)

// DefaultChunkSize is the page size of lists, as in kubectl.
const DefaultChunkSize = 500

// Options are how to read, as opposed to what (snapshot.Query).
type Options struct {
	ChunkSize int64               // objects in a page of a list; 0: everything in one answer
	Events    bool                // whether to read Events
	AsOf      time.Time           // the instant the facts are judged at: now
	Version   string              // of this program, for the user agent
	ErrOut    io.Writer           // where warnings of the server go, each once; nil: nowhere
	Escape    func(string) string // makes them safe to print; nil: they are printed as they came
	Color     bool                // whether ErrOut takes colour

	ServerVersion bool     // whether to ask for the server's version
	Progress      Progress // nil: nobody wants to know
}

// Clients reaches one cluster. Discovery is asked for nothing until a custom kind is seen or typed.
type Clients struct {
	core     corev1client.CoreV1Interface
	apps     appsv1client.AppsV1Interface
	batch    batchv1client.BatchV1Interface
	slices   discoveryv1client.DiscoveryV1Interface
	metadata metadata.Interface
	dynamic  dynamic.Interface // for owners of custom kinds only: it costs ten times a typed client
	mapper   func() (meta.RESTMapperWithContext, error)
	kinds    *kinds
	plugin   *withPlugin // nil: there is none
}

// NewClients makes the clients of the cluster that getter points to. No request is made.
func NewClients(getter genericclioptions.RESTClientGetter, opts Options) (*Clients, error) {
	config, err := getter.ToRESTConfig()
	if err != nil {
		return nil, err
	}
	known := &kinds{}
	c, err := newClients(config, func() (meta.RESTMapperWithContext, error) { return known.mapper(getter) }, opts)
	if err != nil {
		return nil, err
	}
	c.kinds = known
	return c, nil
}

// NewClientsForConfig is NewClients for a config and a way to a RESTMapper, which is taken at most once.
func NewClientsForConfig(config *rest.Config, mapper func() (meta.RESTMapper, error), opts Options) (*Clients, error) {
	return newClients(config, func() (meta.RESTMapperWithContext, error) {
		m, err := mapper()
		if err != nil {
			return nil, err
		}
		return meta.ToRESTMapperWithContext(m), nil
	}, opts)
}

func newClients(config *rest.Config, mapper func() (meta.RESTMapperWithContext, error), opts Options) (*Clients, error) {
	config = Configure(config, opts)
	config.Wrap(thin.Transport)
	httpClient, plugin, err := newHTTPClient(config)
	if err != nil {
		return nil, fmt.Errorf("make an HTTP client: %w", err)
	}
	c := &Clients{plugin: plugin, mapper: sync.OnceValues(mapper), kinds: &kinds{}}
	if c.core, err = corev1client.NewForConfigAndClient(config, httpClient); err != nil {
		return nil, fmt.Errorf("make the client: %w", err)
	}
	if c.apps, err = appsv1client.NewForConfigAndClient(config, httpClient); err != nil {
		return nil, fmt.Errorf("make the client of apps: %w", err)
	}
	if c.batch, err = batchv1client.NewForConfigAndClient(config, httpClient); err != nil {
		return nil, fmt.Errorf("make the client of batch: %w", err)
	}
	if c.slices, err = discoveryv1client.NewForConfigAndClient(config, httpClient); err != nil {
		return nil, fmt.Errorf("make the client of discovery.k8s.io: %w", err)
	}
	if c.metadata, err = metadata.NewForConfigAndClient(config, httpClient); err != nil {
		return nil, fmt.Errorf("make the metadata client: %w", err)
	}
	if c.dynamic, err = dynamic.NewForConfigAndClient(config, httpClient); err != nil {
		return nil, fmt.Errorf("make the dynamic client: %w", err)
	}
	return c, nil
}

func newHTTPClient(config *rest.Config) (*http.Client, *withPlugin, error) {
	if config.ExecProvider == nil {
		client, err := rest.HTTPClientFor(config)
		return client, nil, err
	}
	plugin := newWithPlugin()
	config.Wrap(plugin.behind)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, nil, err
	}
	plugin.next, client.Transport = client.Transport, plugin
	return client, plugin, nil
}

// Configure returns a copy of config that names this program to the server, does not wait on client-go's
// default of five requests a second, and writes warnings of the server to opts.ErrOut. ContentType stays
// unset: typed clients then ask for protobuf. To do it twice does no harm.
func Configure(config *rest.Config, opts Options) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 50, 100
	config.UserAgent = fmt.Sprintf("kubectl-probes/%s (%s/%s)", opts.Version, runtime.GOOS, runtime.GOARCH)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return patient{newSceptic(next, config.Host), config.Timeout > 0}
	})
	config.WarningHandlerWithContext = nil // would win over the one set here
	if opts.ErrOut == nil {
		config.WarningHandler = rest.NoWarnings{}
	} else {
		writer := rest.NewWarningWriter(opts.ErrOut, rest.WarningWriterOptions{Deduplicate: true, Color: opts.Color})
		config.WarningHandler = escaped{writer, opts.Escape}
	}
	return config
}

// escaped makes the words of a server safe to print; client-go drops control characters alone.
type escaped struct {
	to     rest.WarningHandler
	escape func(string) string
}

func (e escaped) HandleWarningHeader(code int, agent, text string) {
	if e.escape != nil {
		text = e.escape(text)
	}
	e.to.HandleWarningHeader(code, agent, text)
}
