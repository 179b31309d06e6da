package files

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// folderOf writes files, named by paths with slashes, into a new folder and makes it the working one, so
// that Sources are the short names.
func folderOf(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func mustRead(t *testing.T, opts Options) (*snapshot.Snapshot, *Info) {
	t.Helper()
	s, info, err := Read(context.Background(), opts)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return s, info
}

func readFiles(t *testing.T, names ...string) (*snapshot.Snapshot, *Info) {
	t.Helper()
	return mustRead(t, Options{Filenames: names})
}

// listing names everything in a Snapshot that has a Source, and counts the rest.
func listing(s *snapshot.Snapshot) []string {
	out := []string{}
	at := func(source snapshot.Source) string {
		return fmt.Sprintf("%s#%d", filepath.ToSlash(source.File), source.Document)
	}
	for _, p := range s.Pods {
		out = append(out, fmt.Sprintf("Pod %s/%s %s", p.Namespace, p.Name, at(p.Source)))
	}
	for _, o := range s.Objects {
		out = append(out, fmt.Sprintf("%s %s/%s %s", o.Kind, o.Namespace, o.Name, at(o.Source)))
	}
	for _, v := range s.Services {
		out = append(out, fmt.Sprintf("Service %s/%s %s", v.Namespace, v.Name, at(v.Source)))
	}
	for _, n := range s.Nodes {
		out = append(out, "Node "+n.Name)
	}
	for _, e := range s.Events {
		out = append(out, fmt.Sprintf("Event %s/%s", e.Namespace, e.Name))
	}
	sort.Strings(out)
	return out
}

func capture(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "captures", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func notes(info *Info) string { return filepath.ToSlash(strings.Join(info.Notes, "\n")) }

const (
	podYAML    = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec: {containers: [{name: app}]}\n"
	deployYAML = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec: {template: {spec: {containers: [{name: app}]}}}\n"
	podJSON    = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[{"name":"app"}]}}`
	deployJSON = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"api"},"spec":{"template":{"spec":{"containers":[{"name":"app"}]}}}}`
	bareJSON   = `{"metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[{"name":"app"}]}}`
)
