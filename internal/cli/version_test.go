package cli

import (
	"net"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestVersionOfServers(t *testing.T) {
	tests := []struct {
		name, version string
		pods          string // in JSON
		text          string
	}{
		{"before", "v1.37.2", "fixed", "Set can change: templates alone"},
		{"a distribution", "v1.34.1-eks-1234", "fixed", "Set can change: templates alone"},
		{"the first", "v1.38.0", "gated", "if the feature gate MutableContainerProbes is on"},
		{"a pre-release", "v1.38.0-alpha.1+abc", "gated", "if the feature gate MutableContainerProbes is on"},
		{"something else", "proxy", "unknown", "not to be had from this version"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			s.Fail(fakeapi.Failure{Path: "/version", Answer: fakeapi.JSON(`{"gitVersion":"` + tt.version + `"}`)})
			args := []string{"version", "--kubeconfig", write(t, "config", ""), "--server", s.URL, "--cache-dir", t.TempDir()}
			if got := pipe(t, args...).out; !strings.Contains(got, "Server Version: "+tt.version+"\n") || !strings.Contains(got, tt.text) {
				t.Errorf("prints %s", got)
			}
			if got := pipe(t, append(args, "-o", "yaml")...).out; !strings.Contains(got, "runningPods: "+tt.pods+"\n") {
				t.Errorf("prints %s", got)
			}
		})
	}
}

// Without a server what is known of the client is printed, and the status says that it was not all.
func TestVersionOfADeadServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	for _, format := range []string{"", "json", "yaml"} {
		r := terminal(t, 0, "", "version", "-o", format, "--kubeconfig", write(t, "config", ""), "--server", "http://"+listener.Addr().String(), "--cache-dir", t.TempDir())
		if r.status != ExitError || !strings.Contains(strings.ToLower(r.out), "client") || strings.Contains(strings.ToLower(r.out), "server") {
			t.Errorf("%s: ended with %d: %s", format, r.status, r.out)
		}
		if !strings.HasPrefix(r.err, "The connection to the server ") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: says %q", format, r.err)
		}
	}
	if r := terminal(t, 0, "", "version", "--client", "-o", "xml"); r.status != ExitError || r.out != "" || !strings.Contains(r.err, "--output must be 'yaml' or 'json'") {
		t.Errorf("another format ends with %d: %s%s", r.status, r.out, r.err)
	}
}
