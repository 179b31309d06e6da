// Package demo tests the demo cluster against a real API server: its manifests, what its scripts send, and what its
// README promises of every rule.
package demo

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

const node = "node-1"

var server *controlplane.Server

func TestMain(m *testing.M) {
	os.Exit(controlplane.Run(m, func(s *controlplane.Server) error {
		server = s
		c := fixture.New(context.Background(), s.Config)
		c.Node(node)
		return c.Err()
	}, controlplane.Stock))
}

// at is a file of the demo cluster.
func at(name string) string { return filepath.Join("..", "..", "hack", "demo-cluster", name) }
