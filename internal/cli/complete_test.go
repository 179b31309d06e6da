package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// proposals are what a shell would show for the last word, without what it means, and the directive.
func proposals(t *testing.T, args ...string) []string {
	t.Helper()
	r := pipe(t, append([]string{"__complete"}, args...)...)
	var words []string
	for _, line := range strings.Split(strings.TrimSpace(r.out), "\n") {
		word, _, _ := strings.Cut(line, "\t")
		words = append(words, word)
	}
	return words
}

func TestCompletion(t *testing.T) {
	s := fakeapi.New(t)
	web := running("web-1", nil, corev1.Container{
		Name: "app", Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
		LivenessProbe: &corev1.Probe{ProbeHandler: httpProbe("/").ProbeHandler, PeriodSeconds: 7},
	}, named("logs"))
	always := corev1.ContainerRestartPolicyAlways
	web.Spec.InitContainers = []corev1.Container{{Name: "setup"}, {Name: "mesh", RestartPolicy: &always}}
	s.Add(web, running("web-2", nil, named("other")), deployment("web", 1, named("app")), deployment("api", 1, named("app")), statefulSet("db", 1, named("db")))
	captured := filepath.Join("..", "..", "testdata", "captures", "sidecar")
	kubeconfig := write(t, "config", `{kind: Config, apiVersion: v1, current-context: x, contexts: [{name: x, context: {cluster: c, user: u, namespace: shop}}, {name: z}], clusters: [{name: c, cluster: {server: "`+s.URL+`"}}], users: [{name: u}]}`)
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"types", []string{"de"}, []string{"deploy", "deployments", ":4"}},
		{"a type and commands", []string{"s"}, []string{"set", "services", "statefulsets", "sts", "svc", ":4"}},
		{"types after a comma", []string{"deploy,st"}, []string{"deploy,statefulsets", "deploy,sts", ":4"}},
		{"names", []string{"deploy", ""}, []string{"api", "web", ":4"}},
		{"more names", []string{"deploy", "web", ""}, []string{"api", ":4"}},
		{"names of types", []string{"deploy,sts", ""}, []string{"api", "web", "db", ":4"}},
		{"slashed", []string{"deploy/w"}, []string{"deploy/web", ":4"}},
		{"slashed with a group", []string{"deployments.apps/a"}, []string{"deployments.apps/api", ":4"}},
		{"another slashed", []string{"deploy/web", "stat"}, []string{"statefulsets/", ":6"}},
		{"not twice", []string{"deploy/web", "deploy/"}, []string{"deploy/api", ":4"}},
		{"no names of all namespaces", []string{"-A", "deploy", ""}, []string{":4"}},
		{"no names beside files that are not there", []string{"-f", "x.yaml", "deploy/"}, []string{":4"}},
		{"no names of standard input", []string{"-f", "-", "deploy/"}, []string{":4"}},
		{"names in files", []string{"-f", captured, "deploy/"}, []string{"deploy/live", ":4"}},
		{"names in files, of a Pod", []string{"-f", captured, "pod", "sidecar-r"}, []string{"sidecar-ready", ":4"}},
		{"names in files, of a namespace", []string{"-f", captured, "-n", "shop", "deploy/"}, []string{":4"}},
		{"nodes cannot be changed", []string{"set", "no"}, []string{":4"}},
		{"nor behind a Pod", []string{"set", "pod/web-1", "no"}, []string{":4"}},
		{"a Pod", []string{"set", "web"}, []string{"web-1", "web-2", ":4"}},
		{"a type of set", []string{"set", "dep"}, []string{"deploy/", "deployments/", ":6"}},
		{"another Pod", []string{"set", "pod", "web-1", ""}, []string{"web-2", ":4"}},
		{"containers", []string{"-c", ""}, []string{"app", "logs", "mesh", "other", ":4"}},
		{"containers of a name", []string{"pod/web-2", "-c", ""}, []string{"other", ":4"}},
		{"containers of set", []string{"set", "web-1", "--container=m"}, []string{"mesh", ":4"}},
		{"another container", []string{"set", "web-1", "-c", "app,"}, []string{"app,logs", "app,mesh", ":4"}},
		{"severities, rules, facts", []string{"--only", "error,fa"}, []string{"error,failing", "error,failing-now", ":4"}},
		{"no facts to fail on", []string{"--fail-on=fa"}, []string{"failing-now", ":4"}},
		{"orders", []string{"--sort-by", ""}, []string{"name", "severity", "detection", ":4"}},
		{"summaries", []string{"--summary="}, []string{"only", "show", "hide", ":4"}},
		{"formats", []string{"-o", "json"}, []string{"json", "jsonpath=", "jsonpath-as-json=", "jsonpath-file=", ":4"}},
		{"formats of set", []string{"set", "-o", ""}, []string{"name", "json", "yaml", "kyaml", "jsonpath=", "jsonpath-as-json=", "jsonpath-file=", ":4"}},
		{"formats of version", []string{"version", "-o", ""}, []string{"yaml", "json", ":4"}},
		{"colours", []string{"--color", "a"}, []string{"auto", "always", ":4"}},
		{"dry runs", []string{"set", "--dry-run="}, []string{"none", "client", "server", ":4"}},
		{"contexts", []string{"--context", ""}, []string{"x", "z", ":4"}},
		{"contexts of set", []string{"set", "--context", ""}, []string{"x", "z", ":4"}},
		{"clusters", []string{"--cluster", ""}, []string{"c", ":4"}},
		{"users", []string{"--user", ""}, []string{"u", ":4"}},
		{"fields", []string{"set", "web-1", "--liveness", "p"}, []string{"period=", ":6"}},
		{"more fields", []string{"set", "web-1", "--liveness=period=20,fa"}, []string{"period=20,failure=", ":6"}},
		{"a field once", []string{"set", "web-1", "--liveness=period=20,p"}, []string{":4"}},
		{"nothing after exec", []string{"set", "web-1", "--liveness=exec=a,p"}, []string{":4"}},
		{"the value of now", []string{"set", "web-1", "--liveness=period="}, []string{"period=7", ":4"}},
		{"the default value", []string{"set", "web-2", "--liveness=period="}, []string{"period=10", ":4"}},
		{"ports", []string{"set", "web-1", "--readiness=timeout=2,http="}, []string{"timeout=2,http=:8080/", "timeout=2,http=:http/", ":6"}},
		{"ports by number", []string{"set", "web-1", "--readiness=grpc="}, []string{"grpc=:8080", ":4"}},
		{"files", []string{"-f", ""}, []string{":0"}},
		{"folders", []string{"-k", ""}, []string{":16"}},
		{"nothing for a selector", []string{"-l", ""}, []string{":4"}},
		{"no arguments of version", []string{"version", ""}, []string{":4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"--kubeconfig", kubeconfig, "--cache-dir", t.TempDir()}, tt.args...)
			if i := slices.IndexFunc(tt.args, func(a string) bool { return a == "set" || a == "version" }); i == 0 {
				args = append([]string{tt.args[0], "--kubeconfig", kubeconfig, "--cache-dir", t.TempDir()}, tt.args[1:]...)
			}
			if diff := cmp.Diff(tt.want, proposals(t, args...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Every flag that takes a value says what to propose: a shell would propose files for the others.
func TestEveryFlagCompletes(t *testing.T) {
	files := []string{"filename", "kubeconfig", "certificate-authority", "client-certificate", "client-key"}
	root := NewCommand(Streams{})
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			_, registered := cmd.GetFlagCompletionFunc(flag.Name)
			if registered == slices.Contains(files, flag.Name) && flag.Name != "help" {
				t.Errorf("%s --%s: something to propose: %t", cmd.Name(), flag.Name, registered)
			}
		})
	}
}

// A cluster that does not answer costs the shell no more than the deadline that every question has.
func TestCompletionOfADeadCluster(t *testing.T) {
	s := fakeapi.New(t)
	s.Fail(fakeapi.Failure{Path: "*", Hang: true})
	kubeconfig := write(t, "config", "")
	for _, args := range [][]string{{"deploy/"}, {"rollouts/"}, {"-n", ""}, {"-c", ""}, {"deploy/web", "-c", ""}, {"set", "web"}, {"set", "web", "--liveness=period="}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			last := len(args) - 1
			line := append(slices.Clone(args[:last]), "--kubeconfig", kubeconfig, "--server", s.URL, "--cache-dir", t.TempDir())
			if last > 0 && args[last-1] == "-n" || last > 0 && args[last-1] == "-c" {
				line = append(slices.Clone(args[:last-1]), "--kubeconfig", kubeconfig, "--server", s.URL, "--cache-dir", t.TempDir(), args[last-1])
			}
			line = append(line, args[last])
			begin := time.Now()
			_ = pipe(t, append([]string{"__complete"}, line...)...)
			if took := time.Since(begin); took > patience+2*time.Second { // which a busy machine may add
				t.Errorf("took %v", took)
			}
		})
	}
	if len(s.Raw()) == 0 {
		t.Error("nobody asked the cluster")
	}
}
