// kubectl-probes is the kubectl plugin `kubectl probes`.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
	"syscall"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubeconfigs may name an auth provider
)

// exitTerminated is what a shell says of a process that SIGTERM ended.
const exitTerminated = 128 + int(syscall.SIGTERM)

// gcPercent trades nothing measurable in time for a seventh of the memory at 10 000 Pods: most of the heap is the page
// in hand, which is garbage when the next one comes (docs/performance.md).
const gcPercent = 60

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(run())
}

// run ends the command line at the first signal in good order; the second ends the process as if nobody listened.
func run() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var terminated atomic.Bool
	go func() {
		terminated.Store(<-signals == syscall.SIGTERM)
		signal.Stop(signals)
		cancel()
	}()
	status := cli.Main(ctx, os.Args[1:], cli.SystemStreams())
	if status == cli.ExitInterrupted && terminated.Load() {
		return exitTerminated
	}
	return status
}
