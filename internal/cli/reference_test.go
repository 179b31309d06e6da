package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

// TestReference keeps docs/reference.md what the commands are.
func TestReference(t *testing.T) {
	t.Setenv("HOME", "~") // defaults name it
	t.Setenv("KUBECACHEDIR", "")
	golden.Check(t, "../../../docs/reference.md", reference(NewCommand(Streams{})))
}

// reference is docs/reference.md.
func reference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Reference\n\nMade from the commands by `go test ./internal/cli -run TestReference -update`.\n")
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.Name() == "help" {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n```\n%s\n```\n\n%s\n", cmd.CommandPath(), cmd.Short, cmd.UseLine(), paragraphs(cmd.Long))
		fmt.Fprintf(&b, "\n### Options\n\n%s", options(cmd, cmd.LocalNonPersistentFlags()))
		fmt.Fprintf(&b, "\n### Examples\n\n```sh\n%s\n```\n", unindented(cmd.Example))
	}
	fmt.Fprintf(&b, "\n## Options of every command\n\nThey are those of kubectl, and mean the same.\n\n%s", options(root, root.PersistentFlags()))
	b.WriteString(`
## Exit status

| status | meaning |
|---|---|
`)
	for _, s := range []struct {
		status  int
		meaning string
	}{
		{ExitOK, "It ran. What could not be read beside the Pods is named on standard error and listed as `gaps`."},
		{ExitError, "It could not run, a named thing does not exist, the Pods could not be read, the output could not be written, " +
			"`--fail-on` or `--only` cannot be decided, or `set` could not do all that was asked."},
		{ExitFindings, "`--fail-on` matched."},
		{ExitInterrupted, "Interrupted (Ctrl-C). Nothing is printed, or complete lines; `set` says what it did."},
		{128 + int(syscall.SIGPIPE), "What a shell says where whoever reads the output closed it, as `head` does: that signal ends this program as it ends kubectl."},
		{128 + int(syscall.SIGTERM), "Terminated (SIGTERM): as when interrupted."},
	} {
		fmt.Fprintf(&b, "| %d | %s |\n", s.status, s.meaning)
	}
	b.WriteString(`
## Environment

| variable | meaning |
|---|---|
| ` + "`KUBECONFIG`" + ` | kubeconfig files, as for kubectl |
| ` + "`KUBECACHEDIR`" + ` | where discovery is cached, unless ` + "`--cache-dir`" + ` says so |
| ` + "`HTTPS_PROXY`, `NO_PROXY`" + ` | the way to the API server, as for kubectl |
| ` + "`NO_COLOR`" + ` | when set, ` + "`--color=auto`" + ` means never |
| ` + "`TERM`" + ` | ` + "`dumb`" + `: no colour, and no line that says how far a long read is |
| ` + "`COLUMNS`" + ` | overrides the width that the terminal reports; ignored when the output is not a terminal |

## Files

| file | meaning |
|---|---|
| ` + "`~/.kube/config`" + ` | the kubeconfig, where nothing else is said |
| ` + "`~/.kube/cache`" + ` | discovery; shared with kubectl |
| ` + "`kubectl_complete-probes`" + ` | on the ` + "`PATH`" + `, kubectl asks it what a shell proposes |

## Annotations

| annotation | meaning |
|---|---|
| ` + "`kubectl-probes.github.io/ignore`" + ` | on a Pod template or a workload: suppresses findings, see [rules.md](rules.md) |
| ` + "`kubectl-probes.github.io/original`" + ` | on a Pod: what its probes were before ` + "`set`" + ` first changed them; ` + "`--restore`" + ` reads it |
`)
	return b.String()
}

// paragraphs keeps a text from being read as Markdown where it has signs of it.
func paragraphs(text string) string {
	return strings.NewReplacer("*", `\*`, "<", `\<`, "[", `\[`).Replace(text)
}

func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return strings.Join(lines, "\n")
}

// options is a table of flags; where the shell proposes fixed words, those are the values.
func options(cmd *cobra.Command, flags *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString("| option | default | meaning |\n|---|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if f.Value.Type() != "bool" {
			name += valueName(f)
		}
		byDefault := ""
		if !slices.Contains([]string{"", "[]", "false"}, f.DefValue) {
			byDefault = "`" + f.DefValue + "`"
		}
		meaning := strings.ReplaceAll(paragraphs(f.Usage), "|", `\|`)
		if !strings.HasSuffix(meaning, ".") {
			meaning += "."
		}
		values := fixedValues(cmd, f.Name)
		unsaid := func(value string) bool { return !strings.Contains(f.Usage, value) }
		if slices.ContainsFunc(values, unsaid) {
			meaning += " Values: `" + strings.Join(values, "`, `") + "`."
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, byDefault, meaning)
	})
	return b.String()
}

// valueName is what stands behind a flag; in brackets where it can be left away.
func valueName(f *pflag.Flag) string {
	names := map[string]string{
		"string": "=TEXT", "stringSlice": "=TEXT,...", "stringArray": "=TEXT", "int64": "=NUMBER", "Level": "=NUMBER", "duration": "=DURATION",
	}
	if name := names[f.Value.Type()]; f.NoOptDefVal == "" || f.Value.Type() == "Level" {
		return name
	}
	return "[" + names[f.Value.Type()] + "]"
}

// fixedValues are what a shell proposes for a flag without a cluster or a kubeconfig.
func fixedValues(cmd *cobra.Command, flag string) []string {
	if slices.Contains([]string{"namespace", "context", "cluster", "user", "container"}, flag) {
		return nil
	}
	propose, found := cmd.GetFlagCompletionFunc(flag)
	if !found {
		return nil
	}
	proposals, _ := propose(cmd, nil, "")
	for i := range proposals {
		proposals[i], _, _ = strings.Cut(proposals[i], "\t")
	}
	return proposals
}

// Every command has examples, and every one of them can be run: what goes wrong is that there is no cluster.
func TestExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: app\n    readinessProbe: {tcpSocket: {port: 80}}\n    livenessProbe: {tcpSocket: {port: 80}}\n"
	place(t, "deploy.yaml", pod)
	place(t, "overlays/production/pod.yaml", pod)
	place(t, "overlays/production/kustomization.yaml", "resources: [pod.yaml]\n")
	place(t, "config", "{apiVersion: v1, kind: Config, current-context: x, contexts: [{name: x, context: {cluster: c}}], clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]}")
	root := NewCommand(Streams{})
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.Name() == "help" {
			continue
		}
		lines := examples(cmd.Example)
		if len(lines) == 0 {
			t.Errorf("%s has no examples", cmd.CommandPath())
		}
		for _, line := range lines {
			t.Run(line, func(t *testing.T) {
				r := terminal(t, 0, pod, append(shellWords(t, line), "--kubeconfig", "config", "--cache-dir", t.TempDir())...)
				noCluster := r.status == ExitError && strings.HasPrefix(r.err, "The connection to the server 127.0.0.1:1 was refused")
				asked := strings.Contains(line, "--fail-on") && r.status == ExitFindings
				if r.status != ExitOK && !noCluster && !asked {
					t.Errorf("ended with %d: %s", r.status, r.err)
				}
			})
		}
	}
}

func place(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// examples are the arguments of the lines that run this program, without what stands before and behind it in a pipe.
func examples(text string) []string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if _, args, found := strings.Cut(line, "kubectl probes"); found && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			args, _, _ = strings.Cut(args, " | jq ")
			args, _, _ = strings.Cut(args, " > ")
			lines = append(lines, strings.TrimSpace(args))
		}
	}
	return lines
}

// shellWords are the words that a shell makes of a line.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", `set -f; set -- `+line+`; for word; do printf '%s\n' "$word"; done`).Output()
	if err != nil {
		t.Skipf("no shell here: %v", err)
	}
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}
