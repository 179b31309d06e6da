package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const assetsVariable = "KUBEBUILDER_ASSETS"

// assets returns the folder with the binaries, after building those it lacks.
func assets(ctx context.Context, mutable bool) (string, error) {
	if dir := os.Getenv(assetsVariable); dir != "" && !mutable {
		return dir, checkGiven(dir)
	}
	module, err := readModule(ctx)
	if err != nil {
		return "", err
	}
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	stock := filepath.Join(root, module.key())
	if !mutable {
		return stock, provide(ctx, module, stock, etcd, kubectl, apiServer)
	}
	patched := filepath.Join(root, module.mutableKey())
	if missing(patched, etcd, kubectl, mutableAPIServer) == nil {
		return patched, nil
	}
	if err := provide(ctx, module, stock, etcd, kubectl); err != nil {
		return "", err
	}
	for _, b := range []binary{etcd, kubectl} {
		if err := share(filepath.Join(stock, b.file()), filepath.Join(patched, b.file())); err != nil {
			return "", err
		}
	}
	return patched, provide(ctx, module, patched, mutableAPIServer)
}

// provide builds those of the binaries that dir lacks.
func provide(ctx context.Context, module module, dir string, binaries ...binary) error {
	if missing(dir, binaries...) == nil {
		return nil
	}
	root := filepath.Dir(dir)
	unlock, err := lock(ctx, filepath.Join(root, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	removeLeftovers(root)
	// Another run may have built some of them while this one waited.
	for _, b := range missing(dir, binaries...) {
		if err := build(ctx, module, b, dir); err != nil {
			return fmt.Errorf("building %s: %w", b.name, err)
		}
	}
	return nil
}

func missing(dir string, binaries ...binary) []binary {
	var lacking []binary
	for _, b := range binaries {
		if _, err := os.Stat(filepath.Join(dir, b.file())); err != nil {
			lacking = append(lacking, b)
		}
	}
	return lacking
}

// checkGiven looks at a folder of somebody else's. kubectl is not asked for: not
// everybody's assets have it and only a few tests need it.
func checkGiven(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%s=%s: must be an absolute path, since this command runs in its own folder", assetsVariable, dir)
	}
	for _, b := range missing(dir, etcd, apiServer) {
		return fmt.Errorf("%s=%s: no %s there; unset %s to have it built", assetsVariable, dir, b.file(), assetsVariable)
	}
	return nil
}

// share puts the file at from also at to, without a second copy where the file
// system can.
func share(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%d", to, os.Getpid())
	if err := os.WriteFile(temporary, content, 0o755); err != nil {
		return err
	}
	return os.Rename(temporary, to)
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
