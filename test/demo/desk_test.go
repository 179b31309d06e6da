package demo

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// demoContext is the demo's, of kind.
const demoContext = "kind-probes-demo"

// desk is a machine that has a kubeconfig, and only those programs on its PATH that a test gives it.
type desk struct {
	bin, record, kubeconfig string
}

// newDesk has what every system has, and make.
func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := t.TempDir()
	d := &desk{bin: filepath.Join(dir, "bin"), record: filepath.Join(dir, "record"), kubeconfig: filepath.Join(dir, "kubeconfig")}
	if err := os.Mkdir(d.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"make", "sh", "dirname", "grep", "sed", "cat"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(d.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// install puts a shell script on the PATH that notes its arguments before it does anything.
func (d *desk) install(t *testing.T, name, script string) {
	t.Helper()
	text := "#!/bin/sh\n" + `printf '%s\n' "` + name + ` $*" >> '` + d.record + "'\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(d.bin, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// make runs a target as a person does, with variables on the command line.
func (d *desk) make(t *testing.T, args ...string) (out string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(d.bin, "make"), append([]string{"--no-print-directory", "-C", at("")}, args...)...)
	cmd.Env = []string{"PATH=" + d.bin, "KUBECONFIG=" + d.kubeconfig, "HOME=" + filepath.Dir(d.kubeconfig)}
	text, err := cmd.CombinedOutput()
	if exit := (&exec.ExitError{}); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), err == nil
}

// kubectl runs the server's own.
func (d *desk) kubectl(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(server.Assets, "kubectl"), args...)
	cmd.Env = []string{"KUBECONFIG=" + d.kubeconfig, "HOME=" + filepath.Dir(d.kubeconfig)}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// calls are what the scripts noted, in order.
func (d *desk) calls(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(d.record)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
