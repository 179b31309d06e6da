package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// builder is the one process on this machine that may write to the cache.
type builder struct {
	pins    pins
	scratch string // on the cache's file system: files are made here, then renamed
	unlock  func()
}

const scratchPrefix = "building-"

func newBuilder(ctx context.Context, root string, pins pins) (*builder, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, filepath.Join(root, "lock"))
	if err != nil {
		return nil, err
	}
	// Whoever holds the lock is alone: these are of processes that were killed.
	abandoned, _ := filepath.Glob(filepath.Join(root, scratchPrefix+"*"))
	for _, dir := range abandoned {
		_ = os.RemoveAll(dir)
	}
	scratch, err := os.MkdirTemp(root, scratchPrefix)
	if err != nil {
		unlock()
		return nil, err
	}
	return &builder{pins: pins, scratch: scratch, unlock: unlock}, nil
}

func (b *builder) close() {
	_ = os.RemoveAll(b.scratch)
	b.unlock()
}

// provide builds those of the binaries that dir lacks.
func (b *builder) provide(ctx context.Context, dir string, binaries ...binary) error {
	for _, binary := range missing(dir, binaries...) {
		progress("building %s %s (on 2 cores about %s; once a machine)...", binary.name, binary.version(b.pins), binary.estimate)
		start := time.Now()
		if err := b.build(ctx, binary, dir); err != nil {
			return fmt.Errorf("building %s: %w", binary.name, err)
		}
		progress("built in %s", time.Since(start).Round(time.Second))
	}
	return nil
}

func (b *builder) build(ctx context.Context, binary binary, dir string) error {
	module := "."
	if binary.patched {
		module = filepath.Join(b.scratch, "module")
		if err := writePatchedModule(ctx, module); err != nil {
			return err
		}
	}
	made := filepath.Join(b.scratch, binary.file())
	args := append([]string{"build", "-o", made, "-ldflags=" + binary.linkerFlags(b.pins)}, buildFlags...)
	command := goCommand(ctx, module, append(args, binary.pkg)...)
	command.Stdout = os.Stderr
	if err := command.Run(); err != nil {
		return err
	}
	return moveInto(dir, made)
}

// copyMissing gives to those of the binaries that it lacks and from has.
func (b *builder) copyMissing(from, to string, binaries ...binary) error {
	for _, binary := range missing(to, binaries...) {
		content, err := os.ReadFile(filepath.Join(from, binary.file()))
		if err != nil {
			return err
		}
		made := filepath.Join(b.scratch, binary.file())
		if err := os.WriteFile(made, content, 0o755); err != nil {
			return err
		}
		if err := moveInto(to, made); err != nil {
			return err
		}
	}
	return nil
}

func moveInto(dir, file string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.Rename(file, filepath.Join(dir, filepath.Base(file)))
}

func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), buildEnvironment...)
	command.Stderr = os.Stderr
	// A go command that is asked to stop stops its compilers too.
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 10 * time.Second
	return command
}
