package inspect

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
	"github.com/kubectl-probes/kubectl-probes/test/command"
)

// plugin is the built binary beside a real kubectl.
type plugin struct {
	kubectl string
	env     []string
}

// install builds the binary as `make build` does, into a folder that is the only one on PATH.
func install(t *testing.T) plugin {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(dir, "kubectl-probes"), "./cmd/kubectl-probes")
	build.Dir, build.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	kubectl := filepath.Join(server.Assets, "kubectl")
	if _, err := os.Stat(kubectl); err != nil {
		t.Fatalf("this test needs a kubectl beside the API server: %v", err)
	}
	return plugin{kubectl, []string{"PATH=" + dir, "HOME=" + home, "KUBECONFIG=" + server.Kubeconfig}}
}

// run runs `kubectl probes` as a shell would.
func (p plugin) run(t *testing.T, args ...string) command.Result {
	t.Helper()
	return p.exec(t, append([]string{"probes"}, args...)...)
}

func (p plugin) exec(t *testing.T, args ...string) command.Result {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(t.Context(), p.kubectl, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return command.Result{Status: cmd.ProcessState.ExitCode(), Out: out.String(), Err: errOut.String()}
}

func TestPlugin(t *testing.T) {
	p := install(t)
	t.Run("report", func(t *testing.T) {
		if got, want := p.run(t, "-A"), cluster(t).Must(t, "-A"); got != want {
			t.Errorf("got %s, not %s", got, want)
		}
	})
	t.Run("help", func(t *testing.T) {
		for _, args := range [][]string{{"--help"}, {"-h"}, {"help"}} {
			got := p.run(t, args...)
			if got.Status != cli.ExitOK || !strings.Contains(got.Out, "Usage:\n  kubectl probes [") || got.Err != "" {
				t.Errorf("%v: %s", args, got)
			}
			if strings.Contains(got.Out, "kubectl-probes ") {
				t.Errorf("%v names the binary, which nobody types: %s", args, got.Out)
			}
		}
	})
	t.Run("version", func(t *testing.T) {
		if got := p.run(t, "version"); got.Status != cli.ExitOK || !strings.Contains(got.Out, "Server Version: v1.37.2\n") {
			t.Errorf("%s", got)
		}
	})
	t.Run("missing", func(t *testing.T) {
		if got := p.run(t, "deploy/nope", "-n", "shop"); got.Status != cli.ExitError || got.Err != "Error from server (NotFound): deployments.apps \"nope\" not found\n" {
			t.Errorf("%s", got)
		}
	})
	t.Run("usage", func(t *testing.T) {
		if got := p.run(t, "--no-such-flag"); got.Status != cli.ExitError || !strings.Contains(got.Err, "'kubectl probes --help'") {
			t.Errorf("%s", got)
		}
	})
	t.Run("list", func(t *testing.T) {
		if got := p.exec(t, "plugin", "list"); got.Status != 0 || !strings.Contains(got.Out, "kubectl-probes") {
			t.Errorf("%s", got)
		}
	})
}

// TestPluginIsQuiet about the requests that it gives up when one fails: client-go would log each of them.
func TestPluginIsQuiet(t *testing.T) {
	allowed(t, "stranger", "shop", "services")
	p := install(t)
	for range 12 {
		got := p.run(t, "-n", "shop", "--as=stranger")
		if got.Status != cli.ExitError || len(lines(got.Err)) != 1 {
			t.Fatalf("not one line: %s", got)
		}
	}
}
