// Package mutable tests what only a server with KEP-6318's rule and alpha fields can hold.
package mutable

import (
	"os"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
)

// server is the one of this package.
var server *controlplane.Server

func TestMain(m *testing.M) {
	keep := func(s *controlplane.Server) error {
		server = s
		return nil
	}
	os.Exit(controlplane.Run(m, keep, controlplane.Mutable, "GRPCContainerProbeTLS=true", "H2CContainerProbe=true"))
}

// cluster runs command lines as the administrator.
func cluster(t *testing.T) command.Line {
	t.Helper()
	return command.Line{Kubeconfig: server.Kubeconfig, CacheDir: t.TempDir()}
}
