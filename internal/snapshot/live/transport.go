package live

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// sceptic gives words to answers that client-go passes on as riddles.
type sceptic struct{ next http.RoundTripper }

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
	default:
		return answer, nil
	}
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
