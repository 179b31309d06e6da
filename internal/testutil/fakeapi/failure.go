package fakeapi

import (
	"net/http"
	"strings"
)

// Failure is what happens instead of an answer to requests of one path.
type Failure struct {
	Method   string // empty: any
	Path     string // exact, or a prefix when it ends in *
	Contains string // of the path and decoded query; empty: any
	Continue bool   // only requests for a further page
	Times    int    // how often; 0: always

	// One of these.
	Status int              // an HTTP status with a metav1.Status body
	Hang   bool             // no answer until the client gives up
	Answer http.HandlerFunc // anything else; see answers.go

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
	switch {
	case f.Method != "" && f.Method != r.Method,
		f.Continue && r.URL.Query().Get("continue") == "",
		!strings.Contains(describe(r), f.Contains):
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
	case f.Answer != nil:
		f.Answer(w, r)
	default:
		Refuse(f.Status)(w, r)
	}
}
