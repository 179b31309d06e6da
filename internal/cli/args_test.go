package cli

import (
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestParseTargets(t *testing.T) {
	type target = snapshot.Target
	tests := []struct {
		name, in string
		want     []target
	}{
		{"nothing", "", nil},
		{"type or name", "web", []target{{Word: "web"}}},
		{"types", "deploy,sts", []target{{Type: "deploy"}, {Type: "sts"}}},
		{"type and names", "deploy web api", []target{{Type: "deploy", Name: "web"}, {Type: "deploy", Name: "api"}}},
		{"types and a name", "deploy,sts web", []target{{Type: "deploy", Name: "web"}, {Type: "sts", Name: "web"}}},
		{"slashes", "deploy/web sts/db", []target{{Type: "deploy", Name: "web"}, {Type: "sts", Name: "db"}}},
		{"group", "rollouts.argoproj.io/web", []target{{Type: "rollouts.argoproj.io", Name: "web"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseTargets(strings.Fields(test.in))
			if err != nil || !cmp.Equal(got, test.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func TestParseTargetsRefuses(t *testing.T) {
	tests := []struct {
		name string
		in   []string
		want string
	}{
		{"mixed forms", []string{"deploy/web", "api"}, "no need to specify a resource type"},
		{"no name", []string{"deploy/"}, "TYPE/NAME"},
		{"no type", []string{"/web"}, "TYPE/NAME"},
		{"two slashes", []string{"a/b/c"}, "TYPE/NAME"},
		{"empty type", []string{"deploy,"}, "empty type"},
		{"empty argument", []string{""}, "empty"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := parseTargets(test.in); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestFlagsAreCheckedBeforeReading(t *testing.T) {
	tests := []struct {
		args, want string
	}{
		{"-o csv", "allowed formats are"},
		{"-o jsonpath={.a", "unclosed action"},
		{"--sort-by=age", "--sort-by must be name, severity or detection"},
		{"--color=blue", "--color must be auto, always or never"},
		{"--chunk-size=-1", "--chunk-size"},
		{"-l a=b=c", "--selector"},
		{"-c [", "-c"},
		{"-R", "-R needs -f"},
		{"-f a -k b", "only one of -f and -k"},
		{"--nosuch", "unknown flag"},
		{"deploy/a/b", "TYPE/NAME"},
		{"-f nosuchfile", `the path "nosuchfile" does not exist`},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			r := terminal(t, 0, "", strings.Fields(test.args)...)
			if r.status != ExitError || !strings.Contains(r.err, test.want) || r.out != "" {
				t.Errorf("ended with %d: %s%s", r.status, r.out, r.err)
			}
		})
	}
}

func TestHelpSaysHowItIsTyped(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"version", "--help"}} {
		out := pipe(t, args...).out
		if !strings.Contains(out, "kubectl probes") || strings.Contains(out, "kubectl-probes ") {
			t.Errorf("%v:\n%s", args, out)
		}
	}
}

func TestNothingFound(t *testing.T) {
	file := dump(t, service("web", "web"))
	tests := []struct {
		name, want string
		args       []string
	}{
		{"a namespace", "No resources found in other namespace.\n", []string{"-n", "other"}},
		{"all of the files", "No resources found\n", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if r := pipe(t, append(test.args, "-f", file)...); r.out != "" || r.err != test.want {
				t.Errorf("stdout %q, stderr %q", r.out, r.err)
			}
		})
	}
}

func TestContainerGlobsAreAnchored(t *testing.T) {
	file := dump(t, running("p", nil, app(nil), named("web"), named("myweb")))
	if out := pipe(t, "-f", file, "-c", "web*", "-o", "jsonpath={.workloads[*].containers[*].name}").out; out != "web" {
		t.Errorf("web* matches %q", out)
	}
	if r := terminal(t, 0, "", "-f", file, "-c", "we"); r.status != ExitError || !strings.Contains(r.err, `no container matches -c "we"`) {
		t.Errorf("a name that matches nothing ends with %d: %s", r.status, r.err)
	}
}

func TestStdin(t *testing.T) {
	manifest := "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: app, livenessProbe: {grpc: {port: 9090}}}]}\n"
	r := terminal(t, 0, manifest, "-f", "-")
	if r.status != ExitOK || !strings.Contains(r.out, "pod/web") || !strings.Contains(r.out, "grpc:31s") {
		t.Errorf("ended with %d: %s%s", r.status, r.out, r.err)
	}
}

// An unset variable of a script is no wish to read the cluster, or all containers.
func TestEmptyFlags(t *testing.T) {
	for flag, name := range map[string]string{"-f": "--filename", "-k": "--kustomize", "-c": "--container"} {
		r := terminal(t, 0, "", flag, "")
		if want := "error: " + name + " must not be empty\n"; r.status != ExitError || !strings.HasPrefix(r.err, want) {
			t.Errorf("%s \"\" ended with %d: %s", flag, r.status, r.err)
		}
	}
}

// A URL has the time that a request to a server has.
func TestURLsHaveTheRequestTimeout(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	address := "http://" + silent.Addr().String() + "/pods.yaml"
	for _, args := range [][]string{{}, {"set", "--all", "--liveness-off"}, {"set", "--local", "--liveness-off"}} {
		r := terminal(t, 0, "", append(args, "-f", address, "--request-timeout=100ms")...)
		if want := "error: " + address + ": context deadline exceeded"; r.status != ExitError || !strings.Contains(r.err, want) {
			t.Errorf("%q ended with %d: %s", args, r.status, r.err)
		}
	}
}
