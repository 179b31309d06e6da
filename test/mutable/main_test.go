// Package mutable tests what only a server with KEP-6318's rule and alpha fields can hold.
package mutable

import (
	"fmt"
	"os"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
)

// server is the one of this package.
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
	if server, err = controlplane.Start(controlplane.Mutable, "GRPCContainerProbeTLS=true", "H2CContainerProbe=true"); err != nil {
		return 0, err
	}
	defer func() {
		if stopErr := server.Stop(); err == nil {
			err = stopErr
		}
	}()
	return m.Run(), nil
}

// cluster runs command lines as the administrator.
func cluster(t *testing.T) command.Line {
	t.Helper()
	return command.Line{Kubeconfig: server.Kubeconfig, CacheDir: t.TempDir()}
}
