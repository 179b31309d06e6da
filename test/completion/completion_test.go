// Package completion tests what a shell proposes for `kubectl probes`: by kubectl's own __complete, which runs the script
// that is shipped, which runs the binary.
package completion

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

var server *controlplane.Server

func TestMain(m *testing.M) {
	prepare := func(s *controlplane.Server) error {
		server = s
		return makeWorld(New(context.Background(), s.Config))
	}
	os.Exit(controlplane.Run(m, prepare, controlplane.Stock))
}

func makeWorld(c *Cluster) error {
	c.Define(Kinds()...)
	c.Node("node-1")
	shop := c.Namespace("shop")
	web := Template("web", Container("app", Port("http", 8080), Readiness(HTTP("/", Name("http"), Period(5)))), Sidecar("logs"))
	deploy := shop.Deployment(Meta{Name: "web", Replicas: 1, Revision: "1"}, web)
	set := shop.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: 1}, "58b7b6f6f9", web)
	shop.Pod("web-58b7b6f6f9-aaaaa", set, Ready, On("node-1"))
	shop.Custom(Rollout(), Meta{Name: "canary", Replicas: 1}, &web, nil)
	return c.Err()
}

// shell is a kubectl with the plugin and its completion on PATH.
type shell struct {
	kubectl string
	env     []string
}

func install(t *testing.T, kubeconfig string) shell {
	t.Helper()
	dir, root := t.TempDir(), filepath.Join("..", "..")
	build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(dir, "kubectl-probes"), "./cmd/kubectl-probes")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	script, err := os.ReadFile(filepath.Join(root, "completions", "kubectl_complete-probes"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kubectl_complete-probes"), script, 0o700); err != nil {
		t.Fatal(err)
	}
	kubectl := filepath.Join(server.Assets, "kubectl")
	if _, err := os.Stat(kubectl); err != nil {
		t.Fatalf("this test needs a kubectl beside the API server: %v", err)
	}
	return shell{kubectl, []string{"PATH=" + dir, "HOME=" + t.TempDir(), "KUBECONFIG=" + kubeconfig}}
}

// tab presses the key after these words, and returns the proposals with the directive. Standard error is no pipe, as in
// kubectl's scripts for shells (2>/dev/null): a credential plugin that hangs would hold it open.
func (s shell) tab(t *testing.T, words ...string) []string {
	t.Helper()
	var out bytes.Buffer
	errOut, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer errOut.Close()
	cmd := exec.CommandContext(t.Context(), s.kubectl, append([]string{"__complete", "probes"}, words...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = s.env, &out, errOut
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(errOut.Name())
		t.Fatalf("%v: %s", err, said)
	}
	var proposals []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		word, _, _ := strings.Cut(line, "\t")
		proposals = append(proposals, word)
	}
	return proposals
}

func TestScriptIsExecutable(t *testing.T) {
	info, err := os.Stat(filepath.Join("..", "..", "completions", "kubectl_complete-probes"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&0o111 != 0o111 {
		t.Errorf("mode %v: kubectl would not find it", info.Mode())
	}
}

func TestCompletion(t *testing.T) {
	s := install(t, server.Kubeconfig)
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"kinds", []string{"dep"}, []string{"deploy", "deployments", ":4"}},
		{"commands", []string{"ver"}, []string{"version", ":4"}},
		{"names", []string{"-n", "shop", "deploy", ""}, []string{"web", ":4"}},
		{"slashed names", []string{"-n", "shop", "pod/w"}, []string{"pod/web-58b7b6f6f9-aaaaa", ":4"}},
		{"names of a custom kind", []string{"-n", "shop", "rollouts/"}, []string{"rollouts/canary", ":4"}},
		{"nodes", []string{"node/"}, []string{"node/node-1", ":4"}},
		{"namespaces", []string{"-n", "sh"}, []string{"shop", ":4"}},
		{"containers of a workload", []string{"-n", "shop", "deploy/web", "-c", ""}, []string{"app", "logs", ":4"}},
		{"containers of a namespace", []string{"-n", "shop", "-c", "l"}, []string{"logs", ":4"}},
		{"flags", []string{"--sort"}, []string{"--sort-by", ":4"}},
		{"values", []string{"--sort-by="}, []string{"name", "severity", "detection", ":4"}},
		{"a rule", []string{"--only=error,killed"}, []string{"error,killed-by-probe", ":4"}},
		{"a lone name of set", []string{"set", "-n", "shop", "web"}, []string{"web-58b7b6f6f9-aaaaa", ":4"}},
		{"a field", []string{"set", "pod/x", "--liveness=period=20,fa"}, []string{"period=20,failure=", ":6"}},
		{"a value", []string{"set", "-n", "shop", "deploy/web", "-c", "app", "--pods", "--readiness=period="}, []string{"period=5", ":4"}},
		{"a port", []string{"set", "-n", "shop", "deploy/web", "--pods", "--liveness=tcp="}, []string{"tcp=:8080", "tcp=:http", ":4"}},
		{"files", []string{"-f", ""}, []string{":0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.tab(t, tt.args...); !slices.Equal(got, tt.want) {
				t.Errorf("proposes %q, want %q", got, tt.want)
			}
		})
	}
}

// ceiling is for how long a key may hang, all processes included.
const ceiling = 2 * time.Second

// A cluster that refuses, one that takes the connection and never says a word, and credentials that never come.
func TestDeadCluster(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	plugin := filepath.Join(t.TempDir(), "plugin")
	if err := os.WriteFile(plugin, []byte("#!/bin/sh\nexec /bin/sleep 20\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	asks := "{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: " + plugin + "}}"
	for name, dead := range map[string]struct{ address, user string }{
		"refuses": {closed.Addr().String(), "{}"}, "is silent": {silent.Addr().String(), "{}"}, "wants credentials": {silent.Addr().String(), asks},
	} {
		kubeconfig := filepath.Join(t.TempDir(), "config")
		content := `{apiVersion: v1, kind: Config, current-context: x, contexts: [{name: x, context: {cluster: c, user: u}}],
  clusters: [{name: c, cluster: {server: "https://` + dead.address + `"}}], users: [{name: u, user: ` + dead.user + `}]}`
		if err := os.WriteFile(kubeconfig, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		s := install(t, kubeconfig)
		for _, args := range [][]string{{"deploy/"}, {"rollouts/"}, {"pod", ""}, {"-n", ""}, {"-c", ""}, {"deploy/web", "-c", ""}, {"set", "web"}, {"set", "web", "--liveness=period="}} {
			t.Run(name+"/"+strings.Join(args, " "), func(t *testing.T) {
				begin := time.Now()
				got := s.tab(t, args...)
				took := time.Since(begin)
				t.Logf("took %v", took.Round(time.Millisecond))
				if took > ceiling {
					t.Errorf("took %v", took)
				}
				if slices.ContainsFunc(got, func(word string) bool { return strings.Contains(word, "web-") }) {
					t.Errorf("proposes %q", got)
				}
			})
		}
	}
}
