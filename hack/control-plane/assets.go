package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

const givenAssets = "KUBEBUILDER_ASSETS"

// assets returns the folder with the binaries, after building those it lacks.
func assets(ctx context.Context, mutable bool) (string, error) {
	if dir := os.Getenv(givenAssets); dir != "" && !mutable {
		return dir, checkGiven(dir)
	}
	pins, err := readPins(ctx)
	if err != nil {
		return "", err
	}
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	stock := filepath.Join(root, pins.key())
	dir, server := stock, apiServer
	if mutable {
		dir, server = filepath.Join(root, pins.mutableKey()), mutableAPIServer
	}
	if len(missing(dir, etcd, kubectl, server)) == 0 {
		return dir, nil
	}

	b, err := newBuilder(ctx, root, pins)
	if err != nil {
		return "", err
	}
	defer b.close()
	if err := b.provide(ctx, stock, etcd, kubectl); err != nil {
		return "", err
	}
	if mutable {
		if err := b.copyMissing(stock, dir, etcd, kubectl); err != nil {
			return "", err
		}
	}
	return dir, b.provide(ctx, dir, server)
}

// checkGiven looks at a folder that was made elsewhere. kubectl is not asked for:
// not every such folder has it, and few tests need it.
func checkGiven(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%s=%s: must be an absolute path, because this command runs in its own folder", givenAssets, dir)
	}
	if lacking := missing(dir, etcd, apiServer); len(lacking) > 0 {
		return fmt.Errorf("%s=%s: no %s there; unset the variable to have it built", givenAssets, dir, lacking[0].file())
	}
	return nil
}

func missing(dir string, binaries ...binary) []binary {
	var lacking []binary
	for _, b := range binaries {
		if info, err := os.Stat(filepath.Join(dir, b.file())); err != nil || !info.Mode().IsRegular() {
			lacking = append(lacking, b)
		}
	}
	return lacking
}
