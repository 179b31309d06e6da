package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

func commitTime(t *testing.T) time.Time {
	t.Helper()
	seconds, err := strconv.ParseInt(strings.TrimSpace(git(t, repository(t), "log", "-1", "--format=%ct")), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(seconds, 0)
}

// TestReproducible builds a release in two clones, of other names, at other times and with other umasks.
func TestReproducible(t *testing.T) {
	first := tagged(t, "v9.0.0", "022")
	second := tagged(t, "v9.0.0", "077")
	for _, name := range []string{first.archive(host), first.sbom(host), "checksums.txt", filepath.Join("krew", "probes.yaml")} {
		sum := sha256sum(first.read(t, name))
		if other := sha256sum(second.read(t, name)); other != sum {
			t.Errorf("%s: sha256 %s, and %s in another clone", name, sum, other)
		}
		t.Logf("%s %s", sum, name)
	}
}

// tagged is a release of the last commit for this platform, made as the workflow makes it, except that nothing is sent.
func tagged(t *testing.T, tag, umask string) dist {
	t.Helper()
	environment(t, "LDFLAGS")
	scratch := t.TempDir()
	clone, config := filepath.Join(scratch, "clone"), filepath.Join(scratch, "goreleaser.yaml")
	masked(t, scratch, umask, "git", "clone", "--quiet", repository(t), clone)
	git(t, clone, "tag", tag)
	if err := os.WriteFile(config, forHost(t, readFile(t, filepath.Join(clone, ".goreleaser.yaml"))), 0o644); err != nil {
		t.Fatal(err)
	}
	masked(t, clone, umask, repository(t, "bin", "goreleaser"), "release", "--skip=publish,announce", "--config", config)
	return openDist(t, filepath.Join(clone, "dist"))
}

// masked runs a command that makes files, under an umask.
func masked(t *testing.T, dir, umask string, command ...string) {
	t.Helper()
	shell := exec.Command("sh", append([]string{"-c", `umask "$0" && exec "$@"`, umask}, command...)...)
	shell.Dir = dir
	run(t, shell)
}

// forHost is a goreleaser configuration without the other platforms, to save time.
func forHost(t *testing.T, config []byte) []byte {
	t.Helper()
	var content map[string]any
	if err := yaml.Unmarshal(config, &content); err != nil {
		t.Fatal(err)
	}
	build := content["builds"].([]any)[0].(map[string]any)
	build["goos"], build["goarch"] = []string{host.os}, []string{host.arch}
	narrowed, err := yaml.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	return narrowed
}
