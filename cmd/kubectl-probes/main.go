// kubectl-probes is the kubectl plugin `kubectl probes`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubeconfigs may name an auth provider
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Main(ctx, os.Args[1:], cli.SystemStreams())
}
