package change

import (
	"encoding/json"
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestAnswers is what a server, or something before it, may say beside yes and no.
func TestAnswers(t *testing.T) {
	lose := func(s *scene, p **proxy) func(http.ResponseWriter, *http.Request, string) bool {
		return func(_ http.ResponseWriter, r *http.Request, _ string) bool {
			(*p).forward.ServeHTTP(discarded{}, r)
			panic(http.ErrAbortHandler)
		}
	}
	for name, c := range map[string]struct {
		meet    func(s *scene, p **proxy) func(http.ResponseWriter, *http.Request, string) bool
		status  int
		says    string
		patches int
		made    bool
	}{
		"lost after it was made": {lose, 0, "but read back the change is there", 1, true},
		"lost before it was made": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(func(http.ResponseWriter) { panic(http.ErrAbortHandler) })
		}, 0, "in force", 2, true},
		"busy": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(failure(429, "TooManyRequests", "try again later"), failure(429, "TooManyRequests", "try again later"))
		}, 0, "in force", 3, true},
		"a conflict in the server": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(failure(409, "Conflict", `Operation cannot be fulfilled on pods "web-0": the object has been modified`))
		}, 0, "in force", 2, true},
		"unavailable": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(failure(503, "ServiceUnavailable", "no"), failure(504, "Timeout", "too slow"))
		}, 0, "in force", 3, true},
		"a webhook that denies": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(failure(403, "Forbidden", `admission webhook "freeze.example" denied the request: not on a Friday`))
		}, 1, `error: pod/web-0: admission webhook "freeze.example" denied the request: not on a Friday`, 1, false},
		"a webhook that is down": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(failure(500, "InternalError", `Internal error occurred: failed calling webhook "x.example": no endpoints available`))
		}, 1, `failed calling webhook "x.example"`, 1, false},
		"no longer logged in": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(failure(401, "Unauthorized", "Unauthorized"))
		}, 1, "Unauthorized", 1, false},
		"a page of a load balancer": {func(*scene, **proxy) func(http.ResponseWriter, *http.Request, string) bool {
			return answered(page, page, page, page)
		}, 1, "read back it was not changed yet; look with: kubectl probes pod", 4, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, env.mutable)
			s.alone(t, "web-0", On(follows))
			before := s.probes(t, "web-0")
			p := s.through(t, nil)
			p.meet = c.meet(s, &p)
			got := status(t, c.status, s.set(t, "pod/web-0", "-c", "app", "--liveness-off"))
			has(t, got.Err, c.says)
			p.sent(t, c.patches)
			if c.made {
				undone(t, got)
			}
			s.same(t, "web-0", before)
		})
	}
}

// failure answers as an API server does.
func failure(code int, reason metav1.StatusReason, message string, causes ...metav1.StatusCause) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		if code == 429 {
			w.Header().Set("Retry-After", "1")
		}
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Code: int32(code), Reason: reason, Message: message, Details: &metav1.StatusDetails{Name: "web-0", Kind: "pods", Causes: causes},
		})
	}
}

func page(w http.ResponseWriter) {
	w.WriteHeader(http.StatusBadGateway)
	_, _ = w.Write([]byte("<html>\x1b[31mbad gateway</html>"))
}

// discarded is where an answer goes that never arrives.
type discarded struct{}

func (discarded) Header() http.Header         { return http.Header{} }
func (discarded) Write(b []byte) (int, error) { return len(b), nil }
func (discarded) WriteHeader(int)             {}
