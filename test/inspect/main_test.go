// Package inspect tests the reading commands against a real API server as released.
package inspect

import (
	"context"
	"os"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// server is the one of this package; it holds the world.
var server *controlplane.Server

func TestMain(m *testing.M) {
	prepare := func(s *controlplane.Server) error {
		server = s
		return makeWorld(fixture.New(context.Background(), s.Config))
	}
	os.Exit(controlplane.Run(m, prepare, controlplane.Stock))
}

// cluster runs command lines as the administrator.
func cluster(t *testing.T) command.Line {
	t.Helper()
	return command.Line{Kubeconfig: server.Kubeconfig, CacheDir: t.TempDir()}
}
