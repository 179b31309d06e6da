// Command control-plane builds the API server that the tests run against, and
// prints the folder that holds it. Read README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `Usage: go run . assets [--mutable-probes]

Prints the folder with etcd, kube-apiserver and kubectl, after building what is
missing there. If KUBEBUILDER_ASSETS is set, that folder is printed instead.

      --mutable-probes   the API server that lets the probes of a running Pod change;
                         always built here, whatever KUBEBUILDER_ASSETS says
`

var errUsage = errors.New("usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	case err != nil:
		progress("error: %v", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) == 0 || args[0] != "assets" {
		return errUsage
	}
	flags := flag.NewFlagSet("assets", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	mutable := flags.Bool("mutable-probes", false, "")
	if err := flags.Parse(args[1:]); err != nil || flags.NArg() > 0 {
		return errUsage
	}
	dir, err := assets(ctx, *mutable)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, dir)
	return err
}

// progress goes to stderr: stdout carries the folder alone, for a Makefile to capture.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "control-plane: "+format+"\n", args...)
}
