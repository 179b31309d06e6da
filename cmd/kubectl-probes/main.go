// kubectl-probes is the kubectl plugin `kubectl probes`.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubeconfigs may name an auth provider
)

// exitTerminated is what a shell says of a process that SIGTERM ended.
const exitTerminated = 128 + int(syscall.SIGTERM)

// Garbage is collected when the heap has grown by gcPercent, with ballastBytes counted in that are never touched and so
// take no memory. A small reading is over before the first collection, which would otherwise be the tenth; at 10 000 Pods
// the heap grows by as much as with 60 percent alone, and with less beyond (docs/performance.md).
const (
	gcPercent    = 35
	ballastBytes = 32 << 20
)

func main() {
	if os.Getenv("GOGC") != "" {
		os.Exit(run())
	}
	debug.SetGCPercent(gcPercent)
	ballast := make([]byte, ballastBytes)
	status := run()
	runtime.KeepAlive(ballast)
	os.Exit(status)
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
