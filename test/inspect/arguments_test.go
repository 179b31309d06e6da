package inspect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
	"github.com/kubectl-probes/kubectl-probes/test/command"
)

// counts prints one line for each workload: which it is, and how many of its Pods are meant.
const counts = `-o=jsonpath={range .workloads[*]}{.displayName} {.pods.ready}/{.pods.total}{"\n"}{end}`

// TestArguments is every form in which kubectl takes arguments, against a cluster and against a file.
func TestArguments(t *testing.T) {
	doors := bothDoors(t)
	for _, c := range []struct{ args, want string }{
		{"-n shop", "deploy/api 1/2, deploy/cart 2/2, deploy/idle 0/0, deploy/pay 2/2, deploy/web 2/3, rollout.argoproj.io/canary 2/2"},

		{"-n platform sts", "sts/prometheus-k8s 2/2"},
		{"-n platform statefulsets.apps", "sts/prometheus-k8s 2/2"},
		{"-n platform statefulsets.v1.apps", "sts/prometheus-k8s 2/2"},
		{"-n platform StatefulSet", "sts/prometheus-k8s 2/2"},
		{"-n platform sts,ds", "ds/agent 2/2, sts/prometheus-k8s 2/2"},
		{"-n platform rc", "rc/ancient 1/1"},
		{"-n jobs cronjobs", "cj/backup 1/1, cj/never-run 0/0"},
		{"-n jobs jobs", "cj/backup 1/1, job/import 1/1, job/migrate 0/0"},
		{"-n shop rollouts", "rollout.argoproj.io/canary 2/2"},
		{"-n shop svc", "deploy/api 1/2, deploy/idle 0/0, deploy/web 2/3, rollout.argoproj.io/canary 2/2"},
		{"-n jobs pods", "cj/backup 1/1, deploy/greedy 1/1, deploy/left 1/1, job/import 1/1, job/migrate 0/0, rs/ring-b 1/1"},

		{"-n shop deploy/web", "deploy/web 2/3"},
		{"-n shop deployment.apps/web", "deploy/web 2/3"},
		{"-n shop deployment.v1.apps/web", "deploy/web 2/3"},
		{"-n shop deployments web api", "deploy/api 1/2, deploy/web 2/3"},
		{"-n shop deploy/web deploy/api", "deploy/api 1/2, deploy/web 2/3"},
		{"-n platform deploy/edge sts/prometheus-k8s rc/ancient", "deploy/edge 1/1, rc/ancient 1/1, sts/prometheus-k8s 2/2"},
		{"-n shop deploy/web deploy/web", "deploy/web 2/3"},

		{"-n shop pod/web-58b7b6f6f9-aaaaa", "deploy/web 1/1"},
		{"-n shop po web-58b7b6f6f9-aaaaa web-7c9d8f5b64-ccccc", "deploy/web 1/2"},
		{"-n shop pod/web-58b7b6f6f9-aaaaa deploy/web", "deploy/web 2/3"},
		{"-n platform pod/debug", "pod/debug 1/1"},
		{"-n platform pods/etcd-node-1", "pod/etcd-node-1 1/1"},
		{"-n platform node/node-1", "pod/etcd-node-1 1/1"},

		{"-n shop rs/web-58b7b6f6f9", "deploy/web 2/2"},
		{"-n shop rs/web-58b7b6f6f9 rs/web-7c9d8f5b64", "deploy/web 2/3"},
		{"-n jobs job/backup-29000000", "cj/backup 1/1"},
		{"-n jobs job/import", "job/import 1/1"},
		{"-n platform prometheus/k8s", "sts/prometheus-k8s 2/2"},
		{"-n platform prometheuses.monitoring.coreos.com/k8s", "sts/prometheus-k8s 2/2"},
		{"-n platform services.serving.knative.dev/hello", "deploy/hello-00001 1/1"},
		{"-n platform fleet/world", "deploy/edge 1/1"},
		{"-n shop rollout/canary", "rollout.argoproj.io/canary 2/2"},
		{"-n shop rollout.argoproj.io/canary", "rollout.argoproj.io/canary 2/2"},
		{"-n shop rs/canary-55555555a5", "rollout.argoproj.io/canary 1/1"},
		{"-n platform cloneset.apps.kruise.io/game", "cloneset.apps.kruise.io/game 1/2"},

		{"-n shop svc/web", "deploy/web 2/3"},
		{"-n shop service/web svc/idle", "deploy/idle 0/0, deploy/web 2/3"},
		{"-n twins svc/double", "deploy/double 1/1, sts/double 0/0"},
		{"-n shop svc/canary", "rollout.argoproj.io/canary 2/2"},

		{"-n shop web", "deploy/web 2/3"},
		{"-n platform prometheus-k8s", "sts/prometheus-k8s 2/2"},
		{"-n platform debug", "pod/debug 1/1"},
		{"-n jobs backup", "cj/backup 1/1"},

		{"-n shop deploy -l app=web", "deploy/web 2/3"},
		{"-n shop deploy/web -l app=api", ""},
		{"-n shop -l app in (web,idle)", "deploy/idle 0/0, deploy/web 2/3"},
	} {
		t.Run(c.args, func(t *testing.T) {
			for door, line := range doors {
				got := line.Must(t, append(words(c.args), counts)...)
				if diff := cmp.Diff(strings.Split(c.want, ", "), strings.Split(strings.TrimSpace(got.Out), "\n")); diff != "" {
					t.Errorf("from the %s (-want +got):\n%s", door, diff)
				}
			}
		})
	}
}

// TestShortNamesOfCustomKinds needs a cluster: files do not say them.
func TestShortNamesOfCustomKinds(t *testing.T) {
	for args, want := range map[string]string{
		"-n platform prom/k8s":   "sts/prometheus-k8s 2/2\n",
		"-n platform ksvc/hello": "deploy/hello-00001 1/1\n",
		"-n shop ro canary":      "rollout.argoproj.io/canary 2/2\n",
		"-n platform clone":      "cloneset.apps.kruise.io/game 1/2\n",
	} {
		if got := cluster(t).Must(t, append(words(args), counts)...); got.Out != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// TestDisplayNamesAreArguments takes every name that is shown back as an argument.
func TestDisplayNamesAreArguments(t *testing.T) {
	for door, line := range bothDoors(t) {
		for _, namespace := range []string{"shop", "platform"} {
			shown := line.Must(t, "-n", namespace, "-o=jsonpath={.workloads[*].displayName}")
			for _, name := range strings.Fields(shown.Out) {
				if got := line.Must(t, "-n", namespace, name, "-o=jsonpath={.workloads[*].displayName}"); got.Out != name {
					t.Errorf("from the %s: %s gives %q", door, name, got.Out)
				}
			}
		}
	}
}

// TestWrongArguments says what is wrong in one line, with status 1 and nothing on stdout.
func TestWrongArguments(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string // on stderr
	}{
		{"-n shop deploy/nope", []string{`"nope" not found`}},
		{"-n shop deploy nope web", []string{`"nope" not found`}},
		{"-n shop deploy/nope deploy/neither", []string{`"nope" not found`, `"neither" not found`}},
		{"-n shop pod/nope", []string{`pods "nope" not found`}},
		{"-n shop svc/nope", []string{`services "nope" not found`}},
		{"-n shop rollout/nope", []string{`"nope" not found`}},
		{"-n shop nope", []string{`"nope" not found`, "deployments.apps"}},
		{"-n platform world", []string{`"world" not found`}},
		{"-n shop gadget/web", []string{`resource type "gadget"`}},
		{"-n shop deploy/web api", []string{"no need to specify a resource type as a separate argument"}},
		{"-n shop deploy/", []string{"TYPE/NAME"}},
		{"-n shop deploy,", []string{"empty type"}},
		{"-n shop -c nothing-like-it", []string{`no container matches -c "nothing-like-it"`}},
		{"-n shop -l ===", []string{"--selector"}},
		{"-n twins double", []string{`"double" is ambiguous`, "deploy/double", "sts/double"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			for door, line := range bothDoors(t) {
				got := line.Run(t, words(c.args)...)
				if got.Status != cli.ExitError || got.Out != "" {
					t.Errorf("from the %s: %s", door, got)
				}
				for _, want := range c.want {
					if !strings.Contains(got.Err, want) {
						t.Errorf("from the %s: stderr lacks %q: %s", door, want, got.Err)
					}
				}
			}
		})
	}
}

func bothDoors(t *testing.T) map[string]command.Line {
	t.Helper()
	return map[string]command.Line{"cluster": cluster(t), "file": dump(t)}
}

// words splits a command line; what is in parentheses stays together.
func words(line string) []string {
	var out []string
	open := false
	for _, word := range strings.Split(line, " ") {
		if open || strings.HasPrefix(word, "(") || word == "in" {
			out[len(out)-1] += " " + word
		} else {
			out = append(out, word)
		}
		open = strings.HasPrefix(word, "(") && !strings.HasSuffix(word, ")")
	}
	return out
}
