package cli

import (
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestAMisspeltCommand(t *testing.T) {
	file := write(t, "x.yaml", bareDeployment)
	for _, test := range []struct {
		name, args, want string
	}{
		{"beside a name", "sett pod/a", "did you mean 'kubectl probes set'?"},
		{"with flags of the command", "sett deploy/web --pods", "did you mean 'kubectl probes set'?"},
		{"alone", "versio -f " + file, "did you mean 'kubectl probes version'?"},
		{"a type that there is", "sts -f " + file + " --no-such-flag", ""},
		{"nothing like a command", "web -f " + file, ""},
		{"a misspelt type", "deplyo/web -f " + file, "did you mean deploy?"},
		{"help about a command", "help sett", "did you mean 'kubectl probes set'?"},
		{"help about nothing", "help nosuch", `unknown command "nosuch"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := terminal(t, 0, "", strings.Fields(test.args)...)
			if r.status != ExitError || r.out != "" || !strings.Contains(r.err, test.want) || test.want == "" && strings.Contains(r.err, "did you mean") {
				t.Errorf("status %d, want %q\n%s%s", r.status, test.want, r.out, r.err)
			}
		})
	}
	if r := pipe(t, "help", "version"); r.status != ExitOK || !strings.Contains(r.out, "--client") {
		t.Errorf("help of a command ended with %d:\n%s%s", r.status, r.out, r.err)
	}
}

// A server has no words for what was meant, and every server has the types that Kubernetes brings.
func TestAMisspeltTypeOfAServer(t *testing.T) {
	s := fakeapi.New(t)
	flags := []string{"--kubeconfig", write(t, "config", ""), "--cache-dir", t.TempDir(), "--server", s.URL, "-n", "shop"}
	for args, want := range map[string]string{
		"deploymnt/web":   `error: the server doesn't have a resource type "deploymnt": did you mean deployment?` + "\n",
		"DEPLYO/web":      `error: the server doesn't have a resource type "DEPLYO": did you mean deploy?` + "\n",
		"statfulsets web": `error: the server doesn't have a resource type "statfulsets": did you mean statefulsets?` + "\n",
		"xyz/web":         `error: the server doesn't have a resource type "xyz"` + "\n",
		"érable/web":      `error: the server doesn't have a resource type "érable"` + "\n",
		"set deploymnt/web --pods --liveness-off": `error: the server doesn't have a resource type "deploymnt": did you mean deployment?` + "\n",
		"deploymnt/web cronjb/x": `error: the server doesn't have a resource type "deploymnt": did you mean deployment?` + "\n" +
			`error: the server doesn't have a resource type "cronjb": did you mean cronjob?` + "\n",
	} {
		if r := terminal(t, 0, "", append(strings.Fields(args), flags...)...); r.status != ExitError || r.err != want {
			t.Errorf("%s ended with %d:\n%swant\n%s", args, r.status, r.err, want)
		}
	}
}

// A list that is given again adds up.
func TestSelectionsAddUp(t *testing.T) {
	file := write(t, "x.yaml", bareDeployment)
	r := pipe(t, "-f", file, "--only=no-liveness", "--only=drifted", "-o", "name")
	if r.out != "deployment.apps/x\n" {
		t.Errorf("--only twice: %q%s", r.out, r.err)
	}
	if r := terminal(t, 0, "", "-f", file, "--fail-on=no-readiness-probe", "--fail-on=invalid-probe"); r.status != ExitFindings {
		t.Errorf("--fail-on twice: %d\n%s%s", r.status, r.out, r.err)
	}
	if r := terminal(t, 0, "", "-f", file, "--only=no-liveness", "--only=nosuch"); r.status != ExitError || !strings.Contains(r.err, "nosuch") {
		t.Errorf("a wrong one: %d\n%s%s", r.status, r.out, r.err)
	}
}

// Standard input is called that.
func TestStdinHasAName(t *testing.T) {
	if r := terminal(t, 80, bareDeployment, "-f", "-", "deploy/x"); !strings.Contains(r.out, "stdin, document 1") {
		t.Errorf("got\n%s%s", r.out, r.err)
	}
	if r := terminal(t, 80, "kind: Pod\n", "-f", "-"); !strings.Contains(r.err, "stdin: document 1: apiVersion is missing") {
		t.Errorf("got\n%s%s", r.out, r.err)
	}
}
