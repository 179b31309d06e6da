package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The API rule of KEP-6318 in one line: right where the stock validation leaves
// out the changes it allows before it compares the specs of the old and new Pod.
const (
	patchedFile = "pkg/apis/core/validation/validation.go"
	patchAnchor = "mungedPodSpec.InitContainers = newInitContainers"
	patchCall   = "leaveOutProbeChanges(&mungedPodSpec, oldPod)"
)

//go:embed validation/mutable_probes.go
var patchHelper string

// writePatchedModule makes dir a copy of this module that builds from a changed
// k8s.io/kubernetes. It is a copy because a module is built as it was downloaded,
// or from a folder outside the module cache.
func writePatchedModule(ctx context.Context, dir string) error {
	out, err := goCommand(ctx, ".", "mod", "download", "-json", kubernetesModule).Output()
	if err != nil {
		return fmt.Errorf("downloading %s: %w", kubernetesModule, err)
	}
	var downloaded struct{ Dir string }
	if err := json.Unmarshal(out, &downloaded); err != nil {
		return fmt.Errorf("downloading %s: %w", kubernetesModule, err)
	}
	source := filepath.Join(dir, "kubernetes")
	if err := os.CopyFS(source, os.DirFS(downloaded.Dir)); err != nil {
		return err
	}
	if err := patch(filepath.Join(source, filepath.FromSlash(patchedFile))); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return goCommand(ctx, dir, "mod", "edit", "-replace="+kubernetesModule+"=./kubernetes").Run()
}

// patch puts the call into the file and what it calls beside the file.
func patch(file string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	patched, err := insertAfter(string(source), patchAnchor, patchCall)
	if err != nil {
		return fmt.Errorf("%s: %w", patchedFile, err)
	}
	if err := os.WriteFile(file, []byte(patched), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(filepath.Dir(file), "mutable_probes.go"), []byte(patchHelper), 0o644)
}

// insertAfter adds a line after the only one that reads like anchor, with its
// indent. Any other count means that the source is not the one it was written for.
func insertAfter(source, anchor, line string) (string, error) {
	var out strings.Builder
	found := 0
	for existing := range strings.Lines(source) {
		out.WriteString(existing)
		if strings.TrimSpace(existing) == anchor {
			found++
			out.WriteString(strings.Replace(existing, anchor, line, 1))
		}
	}
	if found != 1 {
		return "", fmt.Errorf("%d lines read %q, want exactly one: does the patch fit this version?", found, anchor)
	}
	return out.String(), nil
}
