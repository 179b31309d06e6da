package live

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"
)

const (
	// longestWait is the longest Retry-After that is obeyed. client-go obeys any, without a word and ten times in a row;
	// an API server asks for one second, or for five while it shuts down (apiserver pkg/server/filters, v1.37).
	longestWait = 5 * time.Second

	// retries, and the wait after a connection that broke, are client-go's (rest/request.go and with_retry.go, v0.37).
	retries   = 10
	brokeWait = time.Second
)

// patient asks again where client-go would, as often, and leaves it nothing to ask again for. client-go does so around the
// timeout of a request where a typed client lists: eleven tries of --request-timeout each, and ten waits between them.
// Here one timeout is for all of them.
type patient struct {
	next    http.RoundTripper
	timeout bool // whether --request-timeout is what ends a request
}

// WrappedRoundTripper is asked for by client-go, which warns where it does not find it.
func (p patient) WrappedRoundTripper() http.RoundTripper { return p.next }

func (p patient) RoundTrip(r *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		answer, err := p.next.RoundTrip(r)
		wait, again := asksAgain(r, try, answer, err)
		switch {
		case !again:
			return answer, err
		case err != nil && try > retries:
			return nil, broke(err)
		case err == nil && (wait > longestWait || wait > left(r.Context())):
			_ = answer.Body.Close()
			return nil, asksToWait(answer, wait, p.timeout && wait <= longestWait)
		case err == nil && try > retries:
			answer.Header.Del("Retry-After") // client-go would begin again
			return answer, nil
		}
		drop(answer)
		klog.FromContext(r.Context()).V(4).Info("Ask again", "delay", wait, "attempt", try, "url", r.URL)
		if r, err = afterwards(r, wait); err != nil {
			return nil, err
		}
	}
}

// asksAgain says whether client-go would send a request again, and after how long.
func asksAgain(r *http.Request, try int, answer *http.Response, err error) (time.Duration, bool) {
	switch {
	case r.Body != nil && r.Body != http.NoBody && r.GetBody == nil:
		return 0, false
	case err != nil:
		wait := min(brokeWait, left(r.Context())/time.Duration(retries+2-try)) // nobody asks for it: as many tries as ever
		return wait, r.Method == http.MethodGet && (utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err) || utilnet.IsHTTP2ConnectionLost(err))
	case answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode < http.StatusInternalServerError:
		return 0, false
	}
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	return time.Duration(min(seconds, math.MaxInt32)) * time.Second, err == nil
}

// left is how long a request may still take.
func left(ctx context.Context) time.Duration {
	end, ends := ctx.Deadline()
	if !ends {
		return math.MaxInt64
	}
	return time.Until(end)
}

// drop makes a connection free for the next request, unless there is much to read for that.
func drop(answer *http.Response) {
	if answer != nil {
		_, _ = io.CopyN(io.Discard, answer.Body, 2<<10)
		_ = answer.Body.Close()
	}
}

// afterwards is the same request after a while.
func afterwards(r *http.Request, wait time.Duration) (*http.Request, error) {
	select {
	case <-r.Context().Done():
	case <-time.After(wait):
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.GetBody == nil {
		return r, nil
	}
	body, err := r.GetBody()
	r = r.WithContext(r.Context()) // a copy
	r.Body = body
	return r, err
}

// asksToWait carries no retryAfterSeconds, so that nobody else waits either.
func asksToWait(answer *http.Response, wait time.Duration, late bool) error {
	reason := metav1.StatusReasonServiceUnavailable
	if answer.StatusCode == http.StatusTooManyRequests {
		reason = metav1.StatusReasonTooManyRequests
	}
	words := fmt.Sprintf("the server answers %s and asks to try again in %s", answer.Status, wait)
	if late {
		words += ", longer than --request-timeout leaves"
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(answer.StatusCode), Reason: reason, Message: words, //nolint:gosec // three digits
	}}
}

// broke has words of its own: by those of net/http client-go would know that it may try again.
func broke(err error) error {
	how := "closed"
	if utilnet.IsConnectionReset(err) {
		how = "reset"
	}
	return fmt.Errorf("the connection was %s before an answer came, %d times in a row", how, retries+1)
}
