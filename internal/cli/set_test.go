package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// runSet runs one command line of set, without a cluster.
func runSet(t *testing.T, stdin string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errOut bytes.Buffer
	streams := Streams{
		IOStreams: genericiooptions.IOStreams{In: strings.NewReader(stdin), Out: &out, ErrOut: &errOut},
		Now:       func() time.Time { return time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC) },
		Getenv:    func(string) string { return "" },
	}
	cmd := newSetCommand(streams, genericclioptions.NewConfigFlags(false))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(&out)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(context.Background())
	return out.String(), errOut.String(), err
}

func TestSetFlagErrors(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"nothing to change", []string{"pod/a"}, "nothing to change"},
		{"no target", []string{"--liveness-off"}, "what is to be changed?"},
		{"a type alone", []string{"pods", "--liveness-off"}, "which pods? Give names, -l or --all"},
		{"value and off", []string{"a", "--liveness-off", "--liveness=period=5"}, "cannot be combined"},
		{"unknown field", []string{"a", "--liveness=perod=5"}, "did you mean period?"},
		{"an empty value", []string{"a", "--liveness="}, "give FIELD=VALUE"},
		{"restore and more", []string{"a", "--restore", "--liveness-off"}, "cannot be combined"},
		{"a workload", []string{"deploy/a", "--liveness-off"}, "--pods for its running Pods"},
		{"several names", []string{"web-0", "web-1", "--liveness-off"}, "for several Pods write pod NAME NAME"},
		{"the template of a Pod", []string{"pod/a", "--liveness-off", "--pod-template"}, "pod/a has no template"},
		{"both", []string{"deploy/a", "--liveness-off", "--pod-template", "--pods"}, "--pods and --pod-template cannot be combined"},
		{"all and a selector", []string{"pods", "--liveness-off", "--all", "-l", "a=b"}, "--all and --selector"},
		{"all and a name", []string{"pod/a", "--liveness-off", "--all"}, "name cannot be provided when --all is specified: pod/a"},
		{"a selector and a name", []string{"a", "--liveness-off", "-l", "a=b"}, "name cannot be provided when a selector is specified: pod/a and -l"},
		{"a selector and a workload", []string{"deploy/a", "--liveness-off", "--pods", "-l", "a=b"}, "name cannot be provided when a selector is specified"},
		{"a wait of no time", []string{"a", "--liveness-off", "--wait", "--timeout=0"}, "--wait needs a --timeout above 0"},
		{"local without files", []string{"a", "--local", "--liveness-off"}, "give them with -f"},
		{"local on the server", []string{"-f", "x", "--local", "--dry-run=server", "--liveness-off"}, "did you mean --dry-run=client?"},
		{"local Pods", []string{"deploy/a", "-f", "x", "--local", "--pods", "--liveness-off"}, "cannot specify --local and --pods: a manifest has no running Pods"},
		{"local at once", []string{"-f", "x", "--local", "--at-once", "--liveness-off"}, "cannot specify --local and --at-once"},
		{"local wait", []string{"-f", "x", "--local", "--wait=false", "--liveness-off"}, "cannot specify --local and --wait"},
		{"local timeout", []string{"-f", "x", "--local", "--timeout=10s", "--liveness-off"}, "cannot specify --local and --timeout"},
		{"local field manager", []string{"-f", "x", "--local", "--field-manager=me", "--liveness-off"}, "cannot specify --local and --field-manager"},
		{"a local Service", []string{"svc/a", "-f", "x", "--local", "--liveness-off"}, "svc/a: a Service has no template: name the workloads behind it"},
		{"a local node", []string{"node/a", "-f", "x", "--local", "--liveness-off"}, "node/a: name Pods or workloads, a node is neither"},
		{"the template of a local Pod", []string{"pod/a", "-f", "x", "--local", "--pod-template", "--liveness-off"}, "pod/a has no template"},
		{"a Service", []string{"svc/a", "--liveness-off"}, "--pod-template for their templates"},
		{"a Pod of the name help", []string{"help", "--liveness-off", "--dry-run=yes"}, "invalid dry-run value"},
		{"dry run", []string{"a", "--dry-run=yes", "--liveness-off"}, "invalid dry-run value"},
		{"dry run after a blank", []string{"pod/a", "--liveness-off", "--dry-run", "server"}, "did you mean --dry-run=server?"},
		{"a wide output", []string{"a", "--liveness-off", "-o", "wide"}, "allowed formats are: name,json,"},
		{"oc's way", []string{"a", "--liveness", "--timeout-seconds=5"}, "--liveness=timeout=5"},
		{"oc's flag", []string{"a", "--liveness=period=5", "--timeout-seconds=5"}, "--liveness=timeout=VALUE"},
		{"a misspelt flag", []string{"a", "--livenes-off"}, "unknown flag: --livenes-off: did you mean --liveness-off?"},
		{"no flag like that", []string{"a", "--tail"}, "unknown flag: --tail\nsee "},
		{"a bad glob", []string{"a", "--liveness-off", "-c", "[x"}, "is not a container name or glob"},
		{"an output", []string{"a", "--liveness-off", "-o", "table"}, "table"},
		{"the template of anything", []string{"-l", "a=b", "--liveness-off", "--pod-template"}, "needs the workloads' names or type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stdout, _, err := runSet(t, "", tt.args...)
			if err == nil || !strings.Contains(err.Error(), tt.want) || stdout != "" {
				t.Errorf("error %v, want %q; stdout %q", err, tt.want, stdout)
			}
		})
	}
}

// The flags of kubectl are known too, which set has from the root command.
func TestSetSuggestsFlagsOfKubectl(t *testing.T) {
	got := terminal(t, 80, "", "set", "a", "--liveness-off", "--kubeconfg=x")
	if want := "unknown flag: --kubeconfg: did you mean --kubeconfig?\n"; !strings.Contains(got.err, want) {
		t.Errorf("%s\nwant %s", got.err, want)
	}
}

const localManifests = `# kept
apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        livenessProbe:
          httpGet:
            path: /healthz
            port: 8080
          failureThreshold: 3
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec: {template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, livenessProbe: {tcpSocket: {port: 1}}}]}}}
`

func TestSetLocal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "all.yaml")
	if err := os.WriteFile(file, []byte(localManifests), 0o600); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(localManifests, "failureThreshold: 3", "failureThreshold: 5", 1)
	for name, args := range map[string][]string{
		"by name":     {"deploy/web", "-f", file},
		"by type":     {"deployments", "-f", file, "-o", "yaml"},
		"by selector": {"-l", "app=web", "-f", file, "--dry-run=client"},
		"by folder":   {"deploy/web", "-f", filepath.Dir(file)},
		"from stdin":  {"deploy/web", "-f", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, err := runSet(t, localManifests, append(args, "--local", "--liveness=failure=5")...)
			if err != nil || stdout != want || !strings.Contains(stderr, "acts within 31s -> 51s") {
				t.Errorf("%v\n%s\n%s", err, stdout, stderr)
			}
		})
	}
	stdout, _, err := runSet(t, "", "-f", file, "--local", "--liveness-off", "-o", "name")
	if err != nil || stdout != "deployment.apps/web\nstatefulset.apps/db\n" {
		t.Errorf("%v, %q", err, stdout)
	}
}

// A run that changes nothing says so, of several objects too.
func TestSetLocalUnchanged(t *testing.T) {
	stdout, stderr, err := runSet(t, localManifests, "-f", "-", "--local", "--startup-off")
	if err != nil || stdout != localManifests || stderr != "2 unchanged\n" {
		t.Errorf("%v\n%s\n%s", err, stdout, stderr)
	}
	_, stderr, err = runSet(t, localManifests, "-f", "-", "--local", "--liveness=failure=3,period=10,tcp=:1")
	if err != nil || !strings.HasSuffix(stderr, "\n1 updated, 1 unchanged\n") {
		t.Errorf("%v\n%s", err, stderr)
	}
}

// set has no -k: what is advised is what works.
func TestSetLocalOfAKustomization(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a shop")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"all.yaml": localManifests, "kustomization.yaml": "resources: [all.yaml]\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr, err := runSet(t, "", "-f", folder, "--local", "--liveness-off")
	want := filepath.Join(folder, "kustomization.yaml") + " is left out: to build it, kubectl kustomize '" + folder + "' | kubectl probes set -f - --local ...\n"
	if err != nil || !strings.HasPrefix(stderr, want) {
		t.Errorf("%v\n%s", err, stderr)
	}
}

// What is not there is said as where files are only read, with the file.
func TestSetLocalNotFound(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"all.yaml": localManifests, "twice.yaml": "a: 1\na: 2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"a name":              {[]string{"deploy/nope", "-f", "all.yaml"}, `deployments.apps "nope" not found in all.yaml`},
		"two of three":        {[]string{"deploy", "a", "web", "b", "-f", "all.yaml"}, "deployments.apps \"a\" not found in all.yaml\ndeployments.apps \"b\" not found in all.yaml"},
		"beside a bad choice": {[]string{"deploy", "web", "b", "-c", "nope", "-f", "all.yaml"}, `deployments.apps "b" not found in all.yaml`},
		"a lone name":         {[]string{"web", "-f", "all.yaml"}, `pods "web" not found in all.yaml`},
		"of a custom kind":    {[]string{"rollouts/web", "-f", "all.yaml"}, `rollouts "web" not found in all.yaml`},
		"a type":              {[]string{"ds", "-f", "all.yaml"}, "there are no daemonsets.apps in all.yaml"},
		"labels":              {[]string{"-l", "app=x", "-f", "all.yaml"}, "there are no Pods and no workloads with labels app=x in all.yaml"},
		"nothing":             {[]string{"-f", "-"}, "there are no Pods and no workloads in stdin"},
		"templates":           {[]string{"-f", "-", "--pod-template"}, "there are no workloads in stdin"},
		"a file":              {[]string{"-f", "nope.yaml"}, `the path "nope.yaml" does not exist`},
		"two files":           {[]string{"-f", "nope.yaml", "-f", "all.yaml", "-f", "no.yaml"}, "the path \"nope.yaml\" does not exist\nthe path \"no.yaml\" does not exist"},
		"what cannot be read": {[]string{"deploy/nope", "-f", "twice.yaml"}, `twice.yaml: document 1: yaml: line 2: key "a" already set in map`},
		"an empty folder":     {[]string{"-f", t.TempDir()}, "there are no Pods and no workloads in what -f names"},
		"zeros":               {[]string{"-f", "/dev/zero"}, "/dev/zero: it is no text: it holds zero bytes (UTF-16 is read if it begins with a byte order mark)"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, _, err := runSet(t, "", append(tt.args, "--local", "--liveness-off")...)
			if err == nil || err.Error() != tt.want || stdout != "" {
				t.Errorf("%v\nwant %s; stdout %q", err, tt.want, stdout)
			}
		})
	}
}

func TestSetHelp(t *testing.T) {
	want, _, err := runSet(t, "", "--help")
	got, _, helpErr := runSet(t, "", "help")
	if err != nil || helpErr != nil || got != want || !strings.Contains(got, "FIELD=VALUE") {
		t.Errorf("%v, %v: %.200q", err, helpErr, got)
	}
}

func TestSetProposesNoNodes(t *testing.T) {
	complete := withoutNodes(func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append(typeWords("/"), "node-1", "nodes"), cobra.ShellCompDirectiveNoSpace
	})
	got, directive := complete(nil, nil, "")
	if want := len(typeWords("/")); len(got) != want || directive != cobra.ShellCompDirectiveNoSpace {
		t.Errorf("%d of %d: %q", len(got), want, got)
	}
	if got, _ := complete(nil, nil, "nodes/"); len(got) > 0 {
		t.Errorf("proposes %q", got)
	}
}
