//go:build unix

package terminal

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// The line comes on a terminal when a read is long, and nothing of it is left on any stream.
func TestProgress(t *testing.T) {
	s := fakeapi.New(t)
	crowd(s)
	s.Warn("this API is old")
	fast := kubeconfig(t, s.URL)
	slow := kubeconfig(t, slowly(t, s, 700*time.Millisecond, "/pods", "/none")) // three pages
	counts := regexp.MustCompile(`reading: .*\b(500|1000) pods`)
	tests := []struct {
		name  string
		shape shape
		args  []string
		want  bool
	}{
		{"both streams on one terminal", shape{}, nil, true},
		{"output in a pipe", shape{stdoutPiped: true}, nil, true},
		{"json in a pipe", shape{stdoutPiped: true}, []string{"-o", "json"}, true},
		{"an error in the end", shape{}, []string{"pod/none"}, true},
		{"an error of set", shape{}, []string{"set", "pod/none", "--liveness-off"}, true},
		{"a narrow terminal", shape{columns: 20}, []string{"-o", "name"}, true},
		{"errors in a pipe", shape{stderrPiped: true}, nil, false},
		{"a dumb terminal", shape{env: []string{"TERM=dumb"}}, nil, false},
		{"with logs", shape{stdoutPiped: true}, []string{"-v=6"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			quick := start(t, tt.shape, append(tt.args, "--kubeconfig", fast)...)
			status := quick.wait()
			x := start(t, tt.shape, append(tt.args, "--kubeconfig", slow)...)
			if got := x.wait(); got != status {
				t.Errorf("ended with %d, a quick one with %d", got, status)
			}
			raw := x.got()
			if got := strings.Contains(raw, "reading"); got != tt.want {
				t.Errorf("a line: %t, want %t: %.2000q", got, tt.want, raw)
			}
			if tt.want && tt.shape.columns == 0 && !slices.Contains(tt.args, "pod/none") && !counts.MatchString(raw) {
				t.Errorf("the line does not count: %.2000q", raw)
			}
			if strings.Contains(x.out.String(), "reading") || strings.Contains(x.out.String(), "\x1b") {
				t.Errorf("something of the line is in the pipe: %.500q", x.out.String())
			}
			if len(tt.args) > 0 && tt.args[0] == "-v=6" {
				return // the logs have times
			}
			if got, want := screen(t, raw), screen(t, quick.got()); got != want {
				t.Errorf("after the line is gone the screen is\n%.1000s\nand without it\n%.1000s", got, want)
			}
			if len(tt.args) == 0 && x.out.String() != quick.out.String() {
				t.Errorf("the output differs")
			}
		})
	}
}

// The line is never as wide as the terminal, where it would wrap and could not be erased.
func TestProgressFits(t *testing.T) {
	s := fakeapi.New(t)
	crowd(s)
	x := start(t, shape{columns: 20, stdoutPiped: true}, "--kubeconfig", kubeconfig(t, slowly(t, s, 700*time.Millisecond, "/pods", "/none")))
	x.wait()
	drawn := 0
	for _, part := range strings.Split(x.got(), "\r") {
		if part = strings.TrimPrefix(part, "\x1b[K"); strings.HasPrefix(part, "reading") {
			drawn++
			if len(part) >= 20 {
				t.Errorf("%d columns: %q", len(part), part)
			}
		}
	}
	if drawn == 0 {
		t.Errorf("no line: %q", x.got())
	}
}

// Half a second is not long.
func TestProgressOnlyOfLongReads(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(pod("web"))
	x := start(t, shape{}, "--kubeconfig", kubeconfig(t, s.URL))
	x.wait()
	if strings.Contains(x.got(), "reading") || strings.Contains(x.got(), "\x1b[K") {
		t.Errorf("a quick read shows %q", x.got())
	}
}

// A credential plugin may ask for something on the terminal; a line would wipe it out.
func TestProgressWaitsForCredentials(t *testing.T) {
	s := fakeapi.NewTLS(t, time.Now().Add(time.Hour))
	s.Add(pod("web"))
	asks := `printf 'Password: ' >&2; sleep 1.2; echo >&2
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}'`
	x := start(t, shape{}, "--kubeconfig", withPlugin(t, s, asks))
	if status := x.wait(); status != 0 {
		t.Errorf("ended with %d: %s", status, x.got())
	}
	asked, rest, found := strings.Cut(x.got(), "Password: ")
	if !found || !strings.HasPrefix(rest, "\r\n") || strings.Contains(asked, "reading") {
		t.Errorf("the question is not left alone: %q", x.got())
	}
}
