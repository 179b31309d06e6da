package fakeapi

import (
	"fmt"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Failure is what happens instead of an answer to requests of one path.
type Failure struct {
	Path     string // exact, or a prefix when it ends in *
	Contains string // of the path and decoded query; empty: any
	Continue bool   // only requests for a further page
	Times    int    // how often; 0: always

	// One of these.
	Status  int  // an HTTP status with a metav1.Status body
	Hang    bool // no answer until the client gives up
	CutBody bool // a body that ends too early

	served int
}

// Fail adds a failure; the first that fits a request is used.
func (s *Server) Fail(f Failure) { s.failures = append(s.failures, &f) }

// failure finds the failure for a request and counts it.
func (s *Server) failure(r *http.Request) *Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.failures {
		if f.Times > 0 && f.served >= f.Times || !f.fits(r) {
			continue
		}
		f.served++
		return f
	}
	return nil
}

func (f *Failure) fits(r *http.Request) bool {
	if f.Continue && r.URL.Query().Get("continue") == "" || !strings.Contains(describe(r), f.Contains) {
		return false
	}
	if prefix, any := strings.CutSuffix(f.Path, "*"); any {
		return strings.HasPrefix(r.URL.Path, prefix)
	}
	return f.Path == r.URL.Path
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, f *Failure) {
	switch {
	case f.Hang:
		select {
		case <-r.Context().Done():
		case <-s.stopped:
		}
	case f.CutBody:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"kind":`)
	default:
		s.status(w, f.Status, reasons()[f.Status], fmt.Sprintf("%s: %s", strings.ToLower(http.StatusText(f.Status)), r.URL.Path))
	}
}

func reasons() map[int]metav1.StatusReason {
	return map[int]metav1.StatusReason{
		http.StatusForbidden: metav1.StatusReasonForbidden, http.StatusNotFound: metav1.StatusReasonNotFound,
		http.StatusGone: metav1.StatusReasonExpired, http.StatusGatewayTimeout: metav1.StatusReasonTimeout,
		http.StatusUnauthorized: metav1.StatusReasonUnauthorized, http.StatusInternalServerError: metav1.StatusReasonInternalError,
	}
}

func (s *Server) status(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	s.json(w, code, &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message,
	})
}
