package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

// dataset is what a server is filled with.
type dataset struct {
	name   string
	shapes []fleet.Shape // the first has the nodes
}

const namespaces = 50

// spread is a cluster of that many Pods.
func spread(pods int) dataset {
	return dataset{fmt.Sprintf("spread-%d", pods), []fleet.Shape{{Pods: pods, Namespaces: min(namespaces, max(1, pods/fleet.PodsEach)), Prefix: "team"}}}
}

// heavy is the same with Pods and templates that are larger by so many bytes.
func heavy(pods, ballast int) dataset {
	d := spread(pods)
	d.name = fmt.Sprintf("heavy-%d-%d", pods, ballast)
	d.shapes[0].Ballast = ballast
	return d
}

// crowded is one namespace of that many Pods, and one that holds nothing but the first of its workloads.
func crowded(pods int) dataset {
	return dataset{fmt.Sprintf("crowded-%d", pods), []fleet.Shape{
		{Pods: pods, Namespaces: 1, Prefix: "crowd"}, {Pods: fleet.PodsEach, Namespaces: 1, Prefix: "alone"},
	}}
}

func (d dataset) pods() int {
	n := 0
	for _, s := range d.shapes {
		n += s.Pods
	}
	return n
}

// doneFile marks a store that was seeded to the end.
const doneFile = "seeded"

// serve starts a server with the dataset, seeding it unless that was done before. The store is kept in cache: what
// is in it does not change but for the troubles, which are always minutes old.
func (d dataset) serve(ctx context.Context, assets, cache, dir string) (*server, error) {
	folder, err := d.folder(cache, assets)
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(filepath.Join(folder, doneFile))
	seeded := err == nil
	if !seeded {
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
			return nil, err
		}
	}
	s, err := startServer(assets, filepath.Join(folder, "etcd"), dir)
	if err != nil {
		return nil, err
	}
	if err := d.fill(ctx, s, folder, seeded); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func (d dataset) fill(ctx context.Context, s *server, folder string, seeded bool) error {
	start := time.Now()
	if !seeded {
		progress("seeding %s", d.name)
		if err := seed(ctx, s, d.shapes); err != nil {
			return fmt.Errorf("seed %s: %w", d.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, doneFile), nil, 0o600); err != nil {
			return err
		}
	}
	if err := s.awaitPods(ctx, d.pods()); err != nil {
		return err
	}
	if err := happen(ctx, s, d.shapes); err != nil {
		return fmt.Errorf("make troubles in %s: %w", d.name, err)
	}
	progress("%s is ready after %.0f s", d.name, time.Since(start).Seconds())
	return nil
}

// folder is where the store is kept: under the version of what fills it, so that a change of that makes a new one.
// Older ones of this dataset are removed.
func (d dataset) folder(cache, assets string) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, filepath.Base(assets))
	for _, pattern := range []string{"seed.go", "../../internal/testutil/fleet/*.go"} {
		sources, err := filepath.Glob(pattern)
		if err != nil || len(sources) == 0 {
			return "", fmt.Errorf("no %s: start the bench in its own folder: %w", pattern, err)
		}
		for _, source := range sources {
			if strings.HasSuffix(source, "_test.go") {
				continue
			}
			text, err := os.ReadFile(source)
			if err != nil {
				return "", err
			}
			sum.Write(text)
		}
	}
	version := fmt.Sprintf("%x", sum.Sum(nil)[:6])
	old, err := filepath.Glob(filepath.Join(cache, d.name+"-*"))
	if err != nil {
		return "", err
	}
	for _, o := range old {
		if !strings.HasSuffix(o, version) {
			err = errors.Join(err, os.RemoveAll(o))
		}
	}
	return filepath.Join(cache, d.name+"-"+version), err
}
