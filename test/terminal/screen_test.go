//go:build unix

package terminal

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// terminal is a pseudo terminal with a program on it.
type terminal struct {
	t       *testing.T
	master  *os.File
	cmd     *exec.Cmd
	out     bytes.Buffer // standard output, where it is not the terminal
	mu      sync.Mutex
	raw     bytes.Buffer // all that the terminal got
	drained chan struct{}
}

const columns, rows = 100, 50

// shape says which streams of a program are the terminal.
type shape struct {
	stdoutPiped, stderrPiped bool
	columns                  uint16 // 0: the usual
	env                      []string
}

// start starts the binary on a terminal, as the leader of its session, so that Ctrl-C reaches it as from a keyboard.
func start(t *testing.T, s shape, args ...string) *terminal {
	t.Helper()
	if s.columns == 0 {
		s.columns = columns
	}
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: rows, Cols: s.columns}); err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, master: master, cmd: exec.CommandContext(t.Context(), binary, args...), drained: make(chan struct{})}
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	if s.stdoutPiped {
		x.cmd.Stdout = &x.out
	}
	if s.stderrPiped {
		x.cmd.Stderr = &x.out
	}
	x.cmd.Env = append([]string{"TERM=xterm", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, s.env...)
	x.cmd.SysProcAttr = inOwnSession()
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	go x.drain()
	t.Cleanup(func() { _ = master.Close() })
	return x
}

func (x *terminal) drain() {
	defer close(x.drained)
	buf := make([]byte, 64<<10)
	for {
		n, err := x.master.Read(buf)
		x.mu.Lock()
		x.raw.Write(buf[:n])
		x.mu.Unlock()
		if err != nil { // the last writer is gone
			return
		}
	}
}

// got is all that the terminal got so far.
func (x *terminal) got() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

// wait waits for the end and returns the exit status.
func (x *terminal) wait() int {
	x.t.Helper()
	err := x.cmd.Wait()
	<-x.drained
	if x.cmd.ProcessState == nil {
		x.t.Fatal(err)
	}
	return x.cmd.ProcessState.ExitCode()
}

// until waits until the terminal got a text.
func (x *terminal) until(text string) {
	x.t.Helper()
	deadline := time.Now().Add(patience)
	for !strings.Contains(x.got(), text) {
		if time.Now().After(deadline) {
			x.t.Fatalf("no %q came: %q", text, x.got())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// patience is for a machine that is busy with other things.
const patience = 20 * time.Second

var colors = regexp.MustCompile(`^\x1b\[[0-9;]*m`)

// screen is what a person sees in the end: the text with its carriage returns and erased lines carried out, without
// colours. Anything else that moves the cursor is not expected.
func screen(t *testing.T, text string) string {
	t.Helper()
	var lines []string
	var line []byte
	raw, at := text, 0
	for len(raw) > 0 {
		if rest, found := strings.CutPrefix(raw, "\x1b[K"); found {
			line, raw = line[:min(at, len(line))], rest
			continue
		}
		if color := colors.FindString(raw); color != "" {
			raw = raw[len(color):]
			continue
		}
		c := raw[0]
		raw = raw[1:]
		switch {
		case c == '\r':
			at = 0
		case c == '\n':
			lines, line, at = append(lines, string(line)), nil, 0
		case c < ' ':
			t.Fatalf("unexpected control character %q before %.40q", c, raw)
		case at < len(line):
			line[at] = c
			at++
		default:
			line = append(line, c)
			at++
		}
	}
	return strings.Join(append(lines, string(line)), "\n")
}
