package live

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestMayBeList(t *testing.T) {
	for path, list := range map[string]bool{
		"/api/v1/pods": true, "/api/v1/namespaces/shop/pods": true, "/apis/apps/v1/deployments": true, "/apis/apps/v1/namespaces/shop/deployments": true,
		"/api/v1/nodes/node-1": false, "/api/v1/namespaces/shop/pods/web-a": false, "/apis/apps/v1/namespaces/shop/deployments/web": false,
		"/api/v1/namespaces/api/pods": true, "/apis/apis/apis/namespaces/apis/apis/apis": false,
		"/api": false, "/apis": false, "/api/v1": false, "/apis/apps/v1": false, "/version": false,
		"": true, "/": true, "/k8s/clusters/c/api/v1/pods/web": true, // whose server this is not
	} {
		if got := mayBeList(path); got != list {
			t.Errorf("%s: %v, want %v", path, got, list)
		}
	}
}

// blanks are an answer that is much smaller on its way than in memory.
func blanks(status, mebibytes int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(status)
		compressed := gzip.NewWriter(w)
		for range mebibytes {
			_, _ = io.WriteString(compressed, strings.Repeat(" ", 1<<20))
		}
		_, _ = io.WriteString(compressed, `{"metadata":{"name":"web","resourceVersion":"1"}, "gitVersion": "v1.34.2"}`)
		_ = compressed.Close()
	}
}

// One object takes no more memory than one may, however it was packed. A list may be of any size.
func TestOneObjectIsBounded(t *testing.T) {
	asks := map[string]func(*testing.T, *Clients) error{
		"a Deployment": func(t *testing.T, c *Clients) error {
			_, err := c.apps.Deployments("shop").Get(t.Context(), "web", metav1.GetOptions{})
			return err
		},
		"a patch": func(t *testing.T, c *Clients) error {
			_, err := c.apps.Deployments("shop").Patch(t.Context(), "web", types.JSONPatchType, []byte("[]"), metav1.PatchOptions{})
			return err
		},
		"the version": func(t *testing.T, c *Clients) error { _, err := c.ServerVersion(t.Context()); return err },
		"the types":   func(t *testing.T, c *Clients) error { _, err := c.kindOf(t.Context(), "rollouts"); return err },
		"Pods": func(t *testing.T, c *Clients) error {
			_, err := c.core.Pods("shop").List(t.Context(), metav1.ListOptions{})
			return err
		},
		"refused Pods": func(t *testing.T, c *Clients) error {
			_, err := c.core.Pods("bank").List(t.Context(), metav1.ListOptions{})
			return err
		},
	}
	for what, ask := range asks {
		for _, base := range []string{"", "/apis/a/b/clusters/c/proxy"} { // of a server behind a server
			for _, mebibytes := range []int{7, 8} {
				t.Run(fmt.Sprintf("%s at %q of %d MiB", what, base, mebibytes), func(t *testing.T) {
					s := fakeapi.New(t)
					s.Fail(fakeapi.Failure{Path: base + "/api/v1/namespaces/bank/pods", Answer: blanks(http.StatusForbidden, mebibytes)})
					s.Fail(fakeapi.Failure{Path: "/*", Answer: blanks(http.StatusOK, mebibytes)})
					flags := getter(t, s)
					at := s.URL + base
					flags.APIServer, flags.WrapConfigFn = &at, func(c *rest.Config) *rest.Config { return Configure(c, options()) }
					clients, err := NewClients(flags, options())
					if err != nil {
						t.Fatal(err)
					}
					err = ask(t, clients)
					refused := err != nil && strings.HasSuffix(err.Error(), " answers with more than 8 MiB, which is no object of an API server")
					if refused != (mebibytes == 8 && what != "Pods") {
						t.Errorf("got %v", err)
					}
				})
			}
		}
	}
}
