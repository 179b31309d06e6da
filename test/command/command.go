// Package command runs command lines of kubectl-probes inside the test's process.
package command

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
)

// Line runs command lines against one cluster, or against none.
type Line struct {
	Kubeconfig string
	CacheDir   string // of discovery
	Stdin      string
	Arguments  []string  // of every line
	Now        time.Time // zero: the clock's
}

// Result is how a run ended and what it printed.
type Result struct {
	Status   int
	Out, Err string
}

// Run runs `kubectl probes` with these arguments, as in a pipe.
func (l Line) Run(t testing.TB, args ...string) Result {
	t.Helper()
	var out, errOut bytes.Buffer
	all := append([]string{"--kubeconfig=" + l.Kubeconfig, "--cache-dir=" + l.CacheDir}, l.Arguments...)
	all = append(all, args...)
	streams := cli.SystemStreams()
	streams.IOStreams = genericiooptions.IOStreams{In: strings.NewReader(l.Stdin), Out: &out, ErrOut: &errOut}
	streams.Terminal, streams.Width, streams.Getenv = false, 0, func(string) string { return "" }
	if !l.Now.IsZero() {
		streams.Now = func() time.Time { return l.Now }
	}
	status := cli.Main(context.Background(), all, streams)
	return Result{Status: status, Out: out.String(), Err: errOut.String()}
}

// Must is Run for what has to end well.
func (l Line) Must(t testing.TB, args ...string) Result {
	t.Helper()
	got := l.Run(t, args...)
	if got.Status != cli.ExitOK {
		t.Fatalf("kubectl probes %s: %s", strings.Join(args, " "), got)
	}
	return got
}

// String is the whole of it, for a failing test.
func (r Result) String() string {
	return fmt.Sprintf("status %d\nstdout:\n%sstderr:\n%s", r.Status, r.Out, r.Err)
}
