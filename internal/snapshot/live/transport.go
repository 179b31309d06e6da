package live

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// longestWait is the longest Retry-After that is obeyed. client-go obeys any, without a word and ten times in a row;
// an API server asks for one second, or for five while it shuts down (apiserver pkg/server/filters, v1.37).
const longestWait = 5 * time.Second

// sceptic gives words to answers that client-go waits on for ever, or passes on as riddles.
type sceptic struct {
	next http.RoundTripper
	wait time.Duration // the longest Retry-After to leave to client-go
}

func newSceptic(next http.RoundTripper, requestTimeout time.Duration) sceptic {
	if requestTimeout > 0 && requestTimeout < longestWait {
		return sceptic{next, requestTimeout}
	}
	return sceptic{next, longestWait}
}

func (s sceptic) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := s.next.RoundTrip(r)
	switch {
	case err != nil:
		return nil, err
	case waits(answer) > s.wait:
		_ = answer.Body.Close()
		return nil, asksToWait(answer)
	case isWebPage(answer) && answer.StatusCode < http.StatusMultipleChoices:
		_ = answer.Body.Close()
		return nil, fmt.Errorf("%s answers with a web page (text/html): is it the API server, or is a proxy or a login in between?", r.URL.Host)
	case isWebPage(answer):
		return withoutPage(answer), nil
	default:
		return answer, nil
	}
}

// waits is how long client-go would wait before it asks again (client-go rest/with_retry.go checkWait, v0.37).
func waits(answer *http.Response) time.Duration {
	if answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode < http.StatusInternalServerError {
		return 0
	}
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// asksToWait carries no retryAfterSeconds, so that nobody else waits either.
func asksToWait(answer *http.Response) error {
	reason := metav1.StatusReasonServiceUnavailable
	if answer.StatusCode == http.StatusTooManyRequests {
		reason = metav1.StatusReasonTooManyRequests
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(answer.StatusCode), Reason: reason, //nolint:gosec // three digits
		Message: fmt.Sprintf("the server answers %s and asks to try again in %s", answer.Status, waits(answer)),
	}}
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
