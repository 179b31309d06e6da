// Package change tests `kubectl probes set` against real API servers: one as released, and one with KEP-6318's rule.
package change

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
)

// env is what all tests of this package share.
var env environment

type environment struct {
	stock, mutable *controlplane.Server
	bin            string // a folder with kubectl and the plugin, and nothing else
}

func TestMain(m *testing.M) {
	status, err := env.run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		status = 1
	}
	os.Exit(status)
}

func (e *environment) run(m *testing.M) (status int, err error) {
	dir, err := os.MkdirTemp("", "probes-change")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, e.stop(), os.RemoveAll(dir)) }()
	e.bin = dir
	var start errgroup.Group
	start.Go(func() (err error) { e.stock, err = controlplane.Start(controlplane.Stock); return err })
	start.Go(func() (err error) { e.mutable, err = controlplane.Start(controlplane.Mutable); return err })
	start.Go(e.build)
	if err := start.Wait(); err != nil {
		return 0, err
	}
	if err := os.Symlink(filepath.Join(e.stock.Assets, "kubectl"), filepath.Join(dir, "kubectl")); err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if err := startNodes(ctx, e.mutable); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// build makes the binary as `make build` does, for the commands that a shell runs.
func (e *environment) build() error {
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(e.bin, "kubectl-probes"), "./cmd/kubectl-probes")
	build.Dir, build.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}

func (e *environment) stop() error {
	var errs []error
	for _, s := range []*controlplane.Server{e.stock, e.mutable} {
		if s != nil {
			errs = append(errs, s.Stop())
		}
	}
	return errors.Join(errs...)
}
