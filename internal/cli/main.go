// Package cli is the command line: flags become options, options become a run. One file a command.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
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

// Streams are where a run reads and writes, and what is known of the terminals behind them.
type Streams struct {
	genericiooptions.IOStreams
	Terminal   bool             // Out is one
	Width      int              // of the terminal on Out, in columns; 0 when it is none, or does not say
	ErrColumns func() int       // of the terminal on ErrOut, at this moment; 0, or nil, when it is none
	Now        func() time.Time // read once a run
	Getenv     func(string) string

	screen *screen
}

func (s Streams) errIsTerminal() bool { return s.ErrColumns != nil && s.ErrColumns() > 0 }

// SystemStreams are those of the process.
func SystemStreams() Streams {
	return Streams{
		IOStreams:  genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr},
		Terminal:   render.IsTerminal(os.Stdout),
		Width:      render.Width(os.Stdout),
		ErrColumns: errColumns,
		Now:        time.Now, //nolint:forbidigo // here it comes in
		Getenv:     os.Getenv,
	}
}

// Main runs one command line and returns the exit status. Errors are printed here and nowhere else.
func Main(ctx context.Context, args []string, streams Streams) int {
	streams = newScreen(streams)
	root := NewCommand(streams)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.ErrOut)
	status, err := outcome(ctx, execute(ctx, root, streams.screen))
	if err != nil {
		printError(streams.ErrOut, err)
	}
	return wrote(streams, status, err)
}

// outcome is the exit status of a run that ended with err, and what is to be said of it.
func outcome(ctx context.Context, err error) (int, error) {
	var coded exitError
	switch {
	case err == nil:
		return ExitOK, nil
	case errors.As(err, &coded) && errors.Is(err, errMatched): // the output has said everything
		return coded.status, nil
	case ctx.Err() != nil: // whatever went wrong after that went wrong because of that
		return ExitInterrupted, nil
	case errors.As(err, &coded):
		return coded.status, err
	case errors.Is(err, change.ErrFailed):
		return ExitError, nil // its lines have
	case isClosedPipe(err):
		return ExitOK, nil
	default:
		return ExitError, err
	}
}

// wrote makes a failure of a run whose output did not arrive, unless nobody wants more of it.
func wrote(streams Streams, status int, said error) int {
	lost := streams.screen.lost()
	if lost == nil || isClosedPipe(lost) || status == ExitInterrupted {
		return status
	}
	if !errors.Is(said, lost) {
		printError(streams.ErrOut, lost)
	}
	if status == ExitOK {
		return ExitError
	}
	return status
}

// isClosedPipe says whether nobody reads any more. Where there is a signal for that, it has ended the process already,
// as it ends kubectl.
func isClosedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // of Windows
	var number syscall.Errno
	if runtime.GOOS == "windows" && errors.As(err, &number) {
		return number == brokenPipe || number == noData
	}
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// grace is how long an interrupted change has to say what it did.
const grace = time.Second

// execute runs the command, and leaves it behind when it is interrupted: a read from a terminal, a kustomization or a
// credential plugin knows no context. Only a run that changes something has things to tell then.
func execute(ctx context.Context, root *cobra.Command, s *screen) error {
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	defer s.leave()
	if !s.changing.Load() {
		return ctx.Err()
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
