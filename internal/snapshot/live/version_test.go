package live

import (
	"net/http"
	"slices"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestServerVersionIsAskedOnceAndNeverAGap(t *testing.T) {
	tests := []struct {
		name    string
		ask     bool
		failure *fakeapi.Failure
		want    string
	}{
		{"asked", true, nil, fakeapi.Version},
		{"not asked", false, nil, ""},
		{"forbidden", true, &fakeapi.Failure{Path: "/version", Status: http.StatusForbidden}, ""},
		{"no JSON", true, &fakeapi.Failure{Path: "/version", Answer: fakeapi.Cut("application/json", `{"kind":`)}, ""},
		{"no answer", true, &fakeapi.Failure{Path: "/version", Hang: true}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := fakeapi.New(t)
			if test.failure != nil {
				s.Fail(*test.failure)
			}
			opts := options()
			opts.ServerVersion = test.ask
			got := mustRead(t, s, shop(), opts)
			if got.ServerVersion != test.want || len(got.Gaps) > 0 {
				t.Errorf("version %q, gaps %v; want %q and none", got.ServerVersion, got.Gaps, test.want)
			}
			if asked := slices.Contains(s.Requests(), "/version"); asked != test.ask {
				t.Errorf("asked %v, want %v", asked, test.ask)
			}
		})
	}
}
