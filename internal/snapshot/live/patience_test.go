package live

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// server answers without a network, so that a test's clock can run as it likes.
type server func(r *http.Request) (*http.Response, error)

func (s server) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func answerOf(code int, retryAfter string) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(code) + " " + http.StatusText(code), StatusCode: code, Header: http.Header{"Retry-After": {retryAfter}},
		Body: io.NopCloser(strings.NewReader("not now")),
	}
}

// --request-timeout is for a request and for all that is tried again of it, of typed lists too, for which client-go has no
// such bound. Without it the server's wish is obeyed.
func TestTriesWithinRequestTimeout(t *testing.T) {
	busy := func(code int, retryAfter string) server {
		return func(*http.Request) (*http.Response, error) { return answerOf(code, retryAfter), nil }
	}
	reset := server(func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET })
	slow := server(func(*http.Request) (*http.Response, error) {
		time.Sleep(800 * time.Millisecond)
		return answerOf(429, "1"), nil
	})
	late := server(func(*http.Request) (*http.Response, error) {
		time.Sleep(5 * time.Second)
		return nil, syscall.ECONNRESET
	})
	tests := map[string]struct {
		server  server
		timeout time.Duration
		tries   int
		took    time.Duration
		words   string
	}{
		"429":                               {busy(429, "1"), 3500 * time.Millisecond, 4, 3 * time.Second, "the server answers 429 Too Many Requests and asks to try again in 1s, longer than --request-timeout leaves"},
		"500":                               {busy(500, "1"), 3500 * time.Millisecond, 4, 3 * time.Second, "the server answers 500 Internal Server Error and asks to try again in 1s, longer than --request-timeout leaves"},
		"503":                               {busy(503, "2"), 3500 * time.Millisecond, 2, 2 * time.Second, "the server answers 503 Service Unavailable and asks to try again in 2s, longer than --request-timeout leaves"},
		"503 without --request-timeout":     {busy(503, "5"), 0, 11, 50 * time.Second, "the server is currently unable to handle the request"},
		"429 without --request-timeout":     {busy(429, "1"), 0, 11, 10 * time.Second, "the server has received too many requests and has asked us to try again later"},
		"an hour":                           {busy(429, "3600"), time.Minute, 1, 0, "asks to try again in 1h0m0s"},
		"an age":                            {busy(429, "9223372036854775807"), 0, 1, 0, "asks to try again in 596523h14m7s"},
		"not a number":                      {busy(429, "tomorrow"), 0, 1, 0, "the server has received too many requests"},
		"slow":                              {slow, 3500 * time.Millisecond, 2, 2600 * time.Millisecond, "longer than --request-timeout leaves"},
		"a reset":                           {reset, 3300 * time.Millisecond, 11, 3 * time.Second, "the connection was reset before an answer came, 11 times in a row"},
		"a reset without --request-timeout": {reset, 0, 11, 10 * time.Second, "the connection was reset before an answer came, 11 times in a row"},
		"a reset too late":                  {late, 3 * time.Second, 1, 5 * time.Second, "context deadline exceeded"},
	}
	for name, tt := range tests {
		for kind, ask := range map[string]func(*testing.T, *Clients) error{
			"list": func(t *testing.T, c *Clients) error {
				_, err := c.core.Services("shop").List(t.Context(), metav1.ListOptions{})
				return err
			},
			"get": func(t *testing.T, c *Clients) error {
				_, err := c.core.Services("shop").Get(t.Context(), "web", metav1.GetOptions{})
				return err
			},
		} {
			t.Run(name+" to a "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					tries, begun := 0, time.Now()
					clients, err := NewClientsForConfig(&rest.Config{Host: "http://example.com", Timeout: tt.timeout, Transport: server(func(r *http.Request) (*http.Response, error) {
						tries++
						return tt.server(r)
					})}, nil, options())
					if err != nil {
						t.Fatal(err)
					}
					if err = ask(t, clients); err == nil || !strings.Contains(err.Error(), tt.words) {
						t.Errorf("got %v, want %q", err, tt.words)
					}
					want(t, "tries", tries, tt.tries)
					want(t, "took", time.Since(begun), tt.took)
				})
			})
		}
	}
}

// A patch is sent whole each time, and never again after a connection broke: whether it was made is not known.
func TestPatchesAreSentAgainWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		server server
		bodies string
	}{
		"429":     {func(*http.Request) (*http.Response, error) { return answerOf(429, "1"), nil }, strings.Repeat("[1]", 11)},
		"a reset": {func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET }, "[1]"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bodies strings.Builder
				clients, err := NewClientsForConfig(&rest.Config{Host: "http://example.com", Transport: server(func(r *http.Request) (*http.Response, error) {
					_, _ = io.Copy(&bodies, r.Body)
					return tt.server(r)
				})}, nil, options())
				if err != nil {
					t.Fatal(err)
				}
				if _, err = clients.core.Pods("shop").Patch(t.Context(), "web", types.JSONPatchType, []byte("[1]"), metav1.PatchOptions{}); err == nil {
					t.Error("no error")
				}
				want(t, "bodies", bodies.String(), tt.bodies)
			})
		})
	}
}
