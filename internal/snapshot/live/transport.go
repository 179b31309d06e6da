package live

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// largestObject is the most that an answer may hold that is no list: one object, or what the API consists of. An API server
// takes objects of 3 MiB, and JSON of its own making is longer than what it was sent; files have the same bound.
const largestObject = 8 << 20

// sceptic gives words to answers that client-go passes on as riddles, or takes whatever they cost.
type sceptic struct {
	next http.RoundTripper
	base string // the path of the server's URL
}

func newSceptic(next http.RoundTripper, host string) sceptic {
	if server, err := url.Parse(host); err == nil {
		return sceptic{next, server.Path}
	}
	return sceptic{next, ""}
}

// WrappedRoundTripper is asked for by client-go.
func (s sceptic) WrappedRoundTripper() http.RoundTripper { return s.next }

func (s sceptic) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.next.RoundTrip(r)
	switch {
	case err != nil:
		return nil, err
	case isWebPage(answer) && answer.StatusCode < http.StatusMultipleChoices:
		_ = answer.Body.Close()
		return nil, fmt.Errorf("%s answers with a web page (text/html): is it the API server, or is a proxy or a login in between?", r.URL.Host)
	case isWebPage(answer):
		return withoutPage(answer), nil
	case answer.StatusCode == http.StatusOK && r.Method == http.MethodGet && mayBeList(strings.TrimPrefix(r.URL.Path, s.base)):
		return answer, nil
	default:
		return noLargerThanObject(answer, r.URL.Host)
	}
}

// mayBeList goes by what follows an API's version: [namespaces NAMESPACE] RESOURCE [NAME].
func mayBeList(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	version := map[string]int{"version": 1, "api": 2, "apis": 3}[parts[0]]
	return version == 0 || len(parts) > version && (len(parts)-version)%2 == 1
}

// noLargerThanObject reads the answer ahead, so that it is refused as a whole. What breaks while it is read breaks where
// client-go reads it.
func noLargerThanObject(answer *http.Response, host string) (*http.Response, error) {
	var text bytes.Buffer
	n, err := io.Copy(&text, io.LimitReader(answer.Body, largestObject+1))
	if n > largestObject {
		_ = answer.Body.Close()
		return nil, fmt.Errorf("%s answers with more than %d MiB, which is no object of an API server", host, largestObject>>20)
	}
	answer.Body = readAhead{io.MultiReader(&text, broken{err}), answer.Body}
	return answer, nil
}

type readAhead struct {
	io.Reader
	io.Closer
}

// broken is the end of a body.
type broken struct{ error }

func (b broken) Read([]byte) (int, error) {
	if b.error != nil {
		return 0, b.error
	}
	return 0, io.EOF
}

func isWebPage(answer *http.Response) bool {
	media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return err == nil && media == "text/html"
}

// withoutPage replaces the page of a proxy's refusal, which client-go would put into its error whole.
func withoutPage(answer *http.Response) *http.Response {
	_ = answer.Body.Close()
	words := answer.Status + " as a web page, perhaps of a proxy"
	answer.Header.Set("Content-Type", "text/plain")
	answer.Header.Del("Content-Length")
	answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(words)), int64(len(words))
	return answer
}
