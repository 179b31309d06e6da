// Package inspect tests the reading commands against a real API server as released.
package inspect

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// server is the one of this package; it holds the world.
var server *controlplane.Server

func TestMain(m *testing.M) {
	status, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		status = 1
	}
	os.Exit(status)
}

func run(m *testing.M) (status int, err error) {
	if server, err = controlplane.Start(controlplane.Stock); err != nil {
		return 0, err
	}
	defer func() {
		if stopErr := server.Stop(); err == nil {
			err = stopErr
		}
	}()
	if err := makeWorld(fixture.New(context.Background(), server.Config)); err != nil {
		return 0, fmt.Errorf("make the world: %w", err)
	}
	return m.Run(), nil
}

// cluster runs command lines as the administrator.
func cluster(t *testing.T) command.Line {
	t.Helper()
	return command.Line{Kubeconfig: server.Kubeconfig, CacheDir: t.TempDir()}
}
