// Package cli is the command line: flags become options, options become a run. One file a command.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-probes/kubectl-probes/internal/change"
	"github.com/kubectl-probes/kubectl-probes/internal/render"
)

// Exit statuses; docs/adr/0006-exit-status.md says why.
const (
	ExitOK          = 0
	ExitError       = 1
	ExitFindings    = 2
	ExitInterrupted = 130
)

// Streams are where a run reads and writes, and what is known of the terminal behind them.
type Streams struct {
	genericiooptions.IOStreams
	Width  int              // of the terminal on Out, in columns; 0 when it is none
	Now    func() time.Time // read once a run
	Getenv func(string) string
}

// SystemStreams are those of the process.
func SystemStreams() Streams {
	return Streams{
		IOStreams: genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Width:     render.Width(os.Stdout),
		Now:       time.Now, //nolint:forbidigo // here it comes in
		Getenv:    os.Getenv,
	}
}

// Main runs one command line and returns the exit status. Errors are printed here and nowhere else.
func Main(ctx context.Context, args []string, streams Streams) int {
	root := NewCommand(streams)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)
	err := execute(ctx, root)
	switch {
	case err == nil:
		return ExitOK
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return ExitInterrupted
	}
	if !errors.Is(err, errMatched) && !errors.Is(err, change.ErrFailed) { // these have said everything already
		printError(streams.ErrOut, err)
	}
	var coded exitError
	if errors.As(err, &coded) {
		return coded.status
	}
	return ExitError
}

// grace is how long an interrupted run has to say what it did.
const grace = time.Second

// execute runs the command, and leaves it behind when it does not stop: a read from a terminal or a pipe knows no
// context.
func execute(ctx context.Context, root *cobra.Command) error {
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return ctx.Err()
	}
}

// exitError ends a run with a status of its own.
type exitError struct {
	error
	status int
}

func (e exitError) Unwrap() error { return e.error }

// printError prints in kubectl's words: a server's answer as such, everything else as an error; one line each
// where several things went wrong. Messages may hold what somebody else wrote, so they are escaped.
func printError(w io.Writer, err error) {
	for _, e := range flatten(err) {
		fmt.Fprintln(w, errorLine(e))
	}
}

// flatten takes apart what errors.Join put together, and nothing that has words of its own around its parts.
func flatten(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error }) // this error itself, not one that it wraps
	if !ok {
		return []error{err}
	}
	parts := joined.Unwrap()
	if err.Error() != errors.Join(parts...).Error() {
		return []error{err}
	}
	var all []error
	for _, part := range parts {
		all = append(all, flatten(part)...)
	}
	return all
}

func errorLine(err error) string {
	lines := strings.Split(message(err), "\n")
	for i := range lines {
		lines[i] = render.Escape(lines[i])
	}
	return strings.Join(lines, "\n")
}

// usageError points at the help of the command that was misused.
func usageError(cmd *cobra.Command, format string, args ...any) error {
	return fmt.Errorf("%s\nsee '%s --help' for usage", fmt.Sprintf(format, args...), cmd.CommandPath())
}
