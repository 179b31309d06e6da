package files

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadURLs(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/web.yaml", http.StatusFound)
		case "/web.yaml":
			_, _ = w.Write([]byte(podYAML))
		case "/web.json":
			_, _ = w.Write([]byte(podJSON))
		case "/cut":
			w.Header().Set("Content-Length", "500")
			_, _ = w.Write([]byte(podJSON[:60]))
		case "/broken":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	secret := strings.Replace(server.URL, "http://", "http://me:hush@", 1)
	shown := strings.Replace(server.URL, "http://", "http://me:xxxxx@", 1)
	tests := []struct{ name, in, want, wantErr string }{
		{"yaml", server.URL + "/web.yaml", server.URL + "/web.yaml", ""},
		{"json", server.URL + "/web.json", server.URL + "/web.json", ""},
		{"a redirect", server.URL + "/moved", server.URL + "/moved", ""},
		{"a password", secret + "/web.yaml", shown + "/web.yaml", ""},
		{"not found", secret + "/none", "", shown + "/none: the server reported 404 Not Found"},
		{"broken", server.URL + "/broken", "", server.URL + "/broken: the server reported 503 Service Unavailable"},
		{"cut off", server.URL + "/cut", "", server.URL + "/cut: document 1: line 1: unexpected end of JSON input"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, _, err := Read(context.Background(), Options{Filenames: []string{test.in}, HTTPClient: server.Client()})
			switch {
			case err != nil && err.Error() != test.wantErr:
				t.Errorf("got  %v\nwant %s", err, test.wantErr)
			case err == nil && test.wantErr != "":
				t.Errorf("no error, want %s", test.wantErr)
			case err == nil:
				if diff := cmp.Diff([]string{"Pod shop/web " + test.want + "#1"}, listing(s)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestReadAnUnreachableURL(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	_, _, err := Read(context.Background(), Options{Filenames: []string{server.URL}})
	if err == nil || !strings.HasPrefix(err.Error(), server.URL+": ") {
		t.Errorf("got %v, want an error that names the URL", err)
	}
}

func TestDownloadIsBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat(podJSON+"\n", 20_000)))
	}))
	defer server.Close()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]string{1 << 20: "larger than 1 MiB; download it first", 8 << 20: ""} {
		body, err := download(context.Background(), server.Client(), u, limit)
		if err != nil {
			t.Fatal(err)
		}
		r := newReader(Options{})
		r.read(context.Background(), stream("x", body))
		_ = body.Close()
		err = r.problems.join()
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("limit %d: got %v, want %q", limit, err, want)
		}
	}
}
