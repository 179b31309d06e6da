package readme

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
)

var update = flag.Bool("update", false, "write the answers that the commands give into the texts")

// alpha is the name that texts have for a cluster with KEP-6318's rule.
const alpha = "MutableContainerProbes"

// server is an API server with KEP-6318's rule; a stand-in plays the kubelet of its one node.
var server *controlplane.Server

func TestMain(m *testing.M) {
	prepare := func(s *controlplane.Server) error {
		server = s
		return makeShop(context.Background(), s)
	}
	os.Exit(controlplane.Run(m, prepare, controlplane.Mutable))
}

// TestConsoles types every command of the texts, in order, in a clone's folder, on a machine with Go and kubectl.
func TestConsoles(t *testing.T) {
	shell := newShell(t)
	for _, name := range []string{"README.md"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(root, name)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			consoles, err := Consoles(string(text))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(consoles) == 0 {
				t.Fatalf("%s shows no commands", name)
			}
			for i := range consoles {
				shell.answer(t, name, &consoles[i])
			}
			if *update {
				if err := os.WriteFile(path, []byte(WithAnswers(string(text), consoles)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// root is the repository's.
var root = filepath.Join("..", "..")

// shell is where commands are typed: the built plugin and a kubectl come first on its PATH.
type shell struct{ env []string }

func newShell(t *testing.T) shell {
	t.Helper()
	dir := t.TempDir()
	for name, from := range map[string]string{
		"kubectl":        filepath.Join(server.Assets, "kubectl"),
		"kubectl-probes": filepath.Join(root, "bin", "kubectl-probes"),
	} {
		target, err := filepath.Abs(from)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(target); err != nil {
			t.Fatalf("%v: `make control-plane` builds what this test needs", err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // under the home that is not used here
		value, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	return shell{append(env, "HOME="+t.TempDir())}
}

// answer runs the steps of a block, and takes or compares what they print.
func (s shell) answer(t *testing.T, name string, console *Console) {
	t.Helper()
	kubeconfig := filepath.Join(t.TempDir(), "none")
	switch console.On {
	case "":
	case alpha:
		kubeconfig = server.Kubeconfig
	default:
		t.Fatalf("%s:%d: no cluster %q", name, console.Line, console.On)
	}
	for i := range console.Steps {
		step := &console.Steps[i]
		got := s.run(t, step.Command, "KUBECONFIG="+kubeconfig)
		if *update {
			if withoutTimes(got) != withoutTimes(step.Answer) {
				step.Answer = got
			}
			continue
		}
		if diff := cmp.Diff(strings.SplitAfter(withoutTimes(step.Answer), "\n"), strings.SplitAfter(withoutTimes(got), "\n")); diff != "" {
			t.Errorf("%s:%d: $ %s\n(-shown +got)\n%s", name, step.Line-1, step.Command, diff)
		}
	}
}

// run is what a terminal shows after a command: both streams as they come, and a status that is not 0 as `echo $?`
// would tell it.
func (s shell) run(t *testing.T, command string, env ...string) string {
	t.Helper()
	t.Logf("$ %s", command)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Env = root, slices.Concat(s.env, env)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out)
}

// withoutTimes leaves out what is another at each run: how long a node took, and the minutes since the incident.
func withoutTimes(s string) string {
	s = regexp.MustCompile(`(applied it after) [0-9.]+m?s`).ReplaceAllString(s, "$1 ...")
	return regexp.MustCompile(`\b2[5-9]m\b`).ReplaceAllString(s, "25m")
}
