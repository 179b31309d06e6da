package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const (
	ownModule        = "github.com/kubectl-probes/kubectl-probes/hack/control-plane"
	kubernetesModule = "k8s.io/kubernetes"
	etcdModule       = "go.etcd.io/etcd/server/v3"
)

// pins are the versions that go.mod names.
type pins struct {
	kubernetes, etcd string
	all              string // of everything that is compiled
}

// readPins asks `go mod edit` because `go list -m` wants the modules downloaded,
// and a machine that has the finished binaries needs no modules.
func readPins(ctx context.Context) (pins, error) {
	out, err := goCommand(ctx, ".", "mod", "edit", "-json").Output()
	if err != nil {
		return pins{}, fmt.Errorf("reading go.mod: %w", err)
	}
	return parsePins(out)
}

func parsePins(goMod []byte) (pins, error) {
	type version struct{ Path, Version string }
	var file struct {
		Module  struct{ Path string }
		Go      string
		Require []version
		Replace []struct{ Old, New version }
	}
	if err := json.Unmarshal(goMod, &file); err != nil {
		return pins{}, fmt.Errorf("reading go.mod: %w", err)
	}
	if file.Module.Path != ownModule {
		return pins{}, errors.New("not in its own folder: use go -C hack/control-plane run . assets")
	}
	p := pins{all: fmt.Sprint(file.Go, file.Require, file.Replace)}
	for _, required := range file.Require {
		switch required.Path {
		case kubernetesModule:
			p.kubernetes = required.Version
		case etcdModule:
			p.etcd = required.Version
		}
	}
	if strings.Count(p.kubernetes, ".") < 2 || p.etcd == "" {
		return pins{}, fmt.Errorf("go.mod names no version of %s or %s", kubernetesModule, etcdModule)
	}
	return p, nil
}

// cacheRoot is the same for all clones of the repository.
func cacheRoot() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place to keep the binaries: %w; or set %s to a folder that has them", err, givenAssets)
	}
	return filepath.Join(dir, "kubectl-probes", "control-plane"), nil
}

// key names the folder of the stock binaries. Whatever changes them is in it, so
// that what is found there needs no further check.
func (p pins) key() string {
	return p.folder("", p.all, apiServer.linkerFlags(p))
}

func (p pins) mutableKey() string {
	return p.folder("-mutable-probes", p.all, mutableAPIServer.linkerFlags(p), patchedFile, patchAnchor, patchCall, patchHelper)
}

func (p pins) folder(kind string, inputs ...string) string {
	inputs = slices.Concat(inputs, buildFlags, buildEnvironment)
	sum := sha256.Sum256([]byte(strings.Join(inputs, "\x00")))
	return fmt.Sprintf("kubernetes-%s-etcd-%s-%s-%s%s-%x", p.kubernetes, p.etcd, runtime.GOOS, runtime.GOARCH, kind, sum[:6])
}
