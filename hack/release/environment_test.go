package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// environment is a variable that the Makefile sets.
func environment(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: run `make test-release`", name)
	}
	return value
}

// run is a command that has to work; its standard output.
func run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	out, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s%s", command.Args, err, out, exit.Stderr)
	}
	if err != nil {
		t.Fatalf("%v: %v", command.Args, err)
	}
	return string(out)
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("git", append([]string{"-c", "user.name=test", "-c", "user.email=test@example.com"}, args...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	return run(t, command)
}

// kubectl is the one of the test API server, or else the first on the PATH.
func kubectl(t *testing.T) string {
	t.Helper()
	built := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")
	if path, err := exec.LookPath(built); err == nil && filepath.IsAbs(path) {
		return path
	}
	path, err := exec.LookPath("kubectl")
	if err != nil {
		t.Fatalf("no kubectl in KUBEBUILDER_ASSETS nor on the PATH: run `make test-release`, which builds one")
	}
	return path
}
