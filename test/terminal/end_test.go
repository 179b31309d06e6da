//go:build unix

package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// script is an executable that a shell runs.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// hole takes connections and never says a word, as a firewall or a dead proxy does.
func hole(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	return "http://" + listener.Addr().String()
}

// atOnce is what a person takes for no wait, with room for a busy machine.
const atOnce = 500 * time.Millisecond

// Ctrl-C ends a run at once, whatever it is waiting for, with 130 and without a word of output.
func TestInterrupt(t *testing.T) {
	dead := kubeconfig(t, hole(t))
	hanging := func(path string) string {
		s := fakeapi.New(t)
		crowd(s)
		s.Fail(fakeapi.Failure{Path: path, Hang: true})
		return kubeconfig(t, s.URL)
	}
	further := fakeapi.New(t)
	crowd(further)
	further.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/default/pods", Continue: true, Hang: true})
	secured := fakeapi.NewTLS(t, time.Now().Add(time.Hour))
	marker := filepath.Join(t.TempDir(), "started")
	tests := []struct {
		name string
		args []string
		line bool // one comes
	}{
		{"connecting", []string{"--kubeconfig", dead}, true},
		{"discovery", []string{"--kubeconfig", dead, "rollouts/web"}, true},
		{"a further page", []string{"--kubeconfig", kubeconfig(t, further.URL)}, true},
		{"one of the lists", []string{"--kubeconfig", hanging("/api/v1/namespaces/default/services"), "-o", "json"}, true},
		{"a named Pod", []string{"--kubeconfig", hanging("/api/v1/namespaces/default/pods/web-0001"), "pod/web-0001"}, true},
		{"a credential plugin", []string{"--kubeconfig", withPlugin(t, secured, "touch "+marker+"; exec sleep 60")}, false},
		{"the version", []string{"--kubeconfig", dead, "version"}, false},
		{"a typed file", []string{"-f", "-"}, false},
		{"a URL", []string{"-f", hole(t)}, true},
		{"set, reading", []string{"--kubeconfig", dead, "set", "pod/web-0001", "--liveness-off"}, true},
		{"set, the second read", []string{"--kubeconfig", hanging("/api/v1/nodes/node-1"), "set", "pod/web-0001", "--liveness-off"}, true},
		{"set, a typed file", []string{"--kubeconfig", dead, "set", "-f", "-", "--liveness-off"}, false},
		{"set, a typed manifest", []string{"set", "-f", "-", "--local", "--liveness-off"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := start(t, shape{stdoutPiped: true}, tt.args...)
			if tt.line {
				x.until("reading")
			} else {
				time.Sleep(2 * time.Second)
				if strings.Contains(x.got(), "reading") {
					t.Errorf("a line where somebody may type: %q", x.got())
				}
			}
			status, took := x.interrupt()
			if status != cli.ExitInterrupted || took > atOnce {
				t.Errorf("ended with %d after %v: %s", status, took, x.got())
			}
			if got := screen(t, strings.ReplaceAll(x.got(), "^C", "")); strings.TrimSpace(got) != "" || x.out.Len() > 0 {
				t.Errorf("left on the screen: %q, in the pipe: %q", got, x.out.String())
			}
		})
	}
	if _, err := os.Stat(marker); err != nil {
		t.Errorf("the credential plugin was not run: %v", err)
	}
}

// interrupt presses Ctrl-C, and returns how and after what time the program ended.
func (x *terminal) interrupt() (status int, took time.Duration) {
	x.t.Helper()
	begin := time.Now()
	if _, err := x.master.Write([]byte{3}); err != nil {
		x.t.Fatal(err)
	}
	status = x.wait()
	took = time.Since(begin)
	x.t.Logf("ended after %v", took.Round(time.Millisecond))
	return status, took
}

// A pipe that nobody reads holds a write for ever, and Ctrl-C ends that too.
func TestInterruptedWrite(t *testing.T) {
	file := many(t)
	cmd := exec.CommandContext(t.Context(), binary, "-f", file, "-o", "json")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil { // it writes, more than a pipe holds
		t.Fatal(err)
	}
	begin := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if status, took := cmd.ProcessState.ExitCode(), time.Since(begin); status != cli.ExitInterrupted || took > atOnce {
		t.Errorf("ended with %d after %v", status, took)
	}
}

// SIGTERM takes the line away too, and its status is that of a process which it ends.
func TestTerminate(t *testing.T) {
	x := start(t, shape{}, "--kubeconfig", kubeconfig(t, hole(t)))
	x.until("reading")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status := x.wait(); status != 128+int(syscall.SIGTERM) {
		t.Errorf("ended with %d", status)
	}
	if got := screen(t, x.got()); got != "" {
		t.Errorf("left on the screen: %q", got)
	}
}

// An interrupted change says what it has done, and what it cannot know, and ends well within its grace.
func TestInterruptedChange(t *testing.T) {
	tests := []struct {
		name string
		fail fakeapi.Failure
		args []string
		wait string // until this is there
		want []string
	}{
		{
			"a patch without an answer",
			fakeapi.Failure{Method: http.MethodPatch, Path: "/api/v1/namespaces/default/pods/web-0001", Hang: true},
			[]string{"set", "pod/web-0001", "--liveness=period=20"},
			"",
			[]string{"pod/web-0001"},
		},
		{
			"waiting for the node",
			fakeapi.Failure{Path: "none"},
			[]string{"set", "pod/web-0001", "--liveness=period=20", "--timeout=60s"},
			"updated",
			[]string{"pod/web-0001 probes updated", "undo:"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			s.Add(pod("web-0001"))
			s.Fail(tt.fail)
			x := start(t, shape{}, append(tt.args, "--kubeconfig", kubeconfig(t, s.URL))...)
			if tt.wait != "" {
				x.until(tt.wait)
			} else {
				time.Sleep(time.Second)
			}
			status, took := x.interrupt()
			t.Log(screen(t, strings.ReplaceAll(x.got(), "^C", "")))
			if status != cli.ExitInterrupted || took > atOnce {
				t.Errorf("ended with %d after %v", status, took)
			}
			for _, want := range tt.want {
				if !strings.Contains(x.got(), want) {
					t.Errorf("does not say %q: %s", want, x.got())
				}
			}
		})
	}
}

// many is a file with many Pods, much more than a pipe holds.
func many(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&all, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%d"},"spec":{"containers":[{"name":"app","image":"app"}]}}`+"\n", i)
	}
	path := filepath.Join(t.TempDir(), "many.json")
	if err := os.WriteFile(path, []byte(all.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// sh runs a line of a shell in which $probes is the binary.
func sh(t *testing.T, line string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", line)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "probes="+binary), &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// Nobody reads any more: that is nobody's fault, and there is nobody to tell.
func TestClosedPipe(t *testing.T) {
	file := many(t)
	for _, format := range []string{"", "-o json", "-o yaml", "-o jsonpath='{.workloads[*].name}'"} {
		t.Run(format, func(t *testing.T) {
			out, errOut, status := sh(t, `"$probes" -f `+file+" "+format+" | head -c 30")
			if status != 0 || errOut != "" || len(out) != 30 {
				t.Errorf("ended with %d, printed %q and %q", status, out, errOut)
			}
		})
	}
}

// A change that was begun is finished where nobody reads any more, and standard error says what was done.
func TestClosedPipeOfAChange(t *testing.T) {
	const crowd = 30
	for _, tt := range []struct {
		args string
		fail fakeapi.Failure
		want []string
	}{
		{"", fakeapi.Failure{Path: "none"}, []string{"\n30 updated\n", "undo:", "\nstatus 0\n"}},
		{"-o json", fakeapi.Failure{Path: "none"}, []string{"\n30 updated\n", "\nstatus 0\n"}},
		{
			"-o json",
			fakeapi.Failure{Method: http.MethodPatch, Path: "/api/v1/namespaces/default/pods/web-0007", Status: http.StatusForbidden},
			[]string{"\n29 updated, 1 failed\n", "\nstatus 1\n"},
		},
	} {
		t.Run(tt.args, func(t *testing.T) {
			s := fakeapi.New(t)
			for i := range crowd {
				s.Add(pod(fmt.Sprintf("web-%04d", i)))
			}
			s.Fail(tt.fail)
			line := `{ "$probes" set pods --all --liveness=failure=9 --wait=false ` + tt.args + " --kubeconfig " + kubeconfig(t, s.URL) + `; echo "status $?" >&2; } | true`
			_, errOut, _ := sh(t, line)
			for _, want := range tt.want {
				if !strings.Contains(errOut, want) {
					t.Errorf("does not say %q: %s", want, errOut)
				}
			}
			patched := map[string]bool{}
			for _, request := range s.Raw() {
				if request.Method == http.MethodPatch {
					patched[request.URL.Path] = true
				}
			}
			if len(patched) != crowd {
				t.Errorf("%d Pods of %d: %v", len(patched), crowd, patched)
			}
		})
	}
}

// What could not be written is no success.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	file := many(t)
	for _, args := range []string{
		"-f " + file, "-f " + file + " -o json", "-f " + file + " -o yaml", "-f " + file + " -o name", "-f " + file + " -o jsonpath={.kind}",
		"-f " + file + " --summary=only", "--help", "version --client", "version --client -o json",
		"set -f " + file + " --local --liveness=tcp=:80 -o yaml", "set -f " + file + " --local --liveness=tcp=:80 -o name",
	} {
		t.Run(args, func(t *testing.T) {
			_, errOut, status := sh(t, `"$probes" `+args+" >/dev/full")
			if status != cli.ExitError || !strings.Contains(errOut, "no space left on device") || strings.Count(errOut, "no space left") != 1 {
				t.Errorf("ended with %d: %.300q", status, errOut)
			}
		})
	}
}
