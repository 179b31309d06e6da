package change

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

const gateless = "this API server does not accept probe changes on running Pods (feature gate MutableContainerProbes, alpha in v1.38); nothing was changed"

// TestStockRejects is a server as released: two lines, what works instead, and nothing happens.
func TestStockRejects(t *testing.T) {
	s := newScene(t, env.stock)
	s.deployment(t, web(), 30)
	s.alone(t, "lone")
	p := s.through(t, nil)
	list := strings.TrimSuffix(s.podPath(""), "/")
	before := s.get(t, list)

	got := status(t, 1, s.set(t, "deploy/web", "--pods", "-c", "app", "--liveness-off"))
	p.sent(t, 1)
	config := "--kubeconfig=" + s.line.Kubeconfig
	want := "error: pod/web-5555555555-0: " + gateless + "\n" +
		"instead: kubectl probes set deploy/web -n " + s.Name + " " + config + " --pod-template -c app --liveness-off   (starts a rollout)\n" +
		"1 failed, 29 not sent\n  not sent: the server would answer the same\n"
	if diff := cmp.Diff(want, got.Err); diff != "" || got.Out != "" {
		t.Errorf("stderr (-want +got):\n%s\nstdout %q", diff, got.Out)
	}

	got = status(t, 1, s.set(t, "pod/lone", "-c", "app", "--liveness-off"))
	if lines := strings.Split(got.Err, "\n"); len(lines) != 3 || lines[0] != "error: pod/lone: "+gateless || !strings.HasPrefix(lines[1], "instead: kubectl get pod/lone ") {
		t.Errorf("not two lines: %s", got)
	}
	for _, args := range [][]string{
		{"--liveness=failure=9"}, {"--startup=tcp=:1"}, {"--readiness=http=:1/x"}, {"--liveness-off", "--dry-run=server"},
	} {
		got := status(t, 1, s.set(t, append([]string{"pod/lone", "-c", "app"}, args...)...))
		has(t, got.Err, gateless)
	}
	p.sent(t, 6)
	if after := s.get(t, list); !bytes.Equal(withoutVersion(before), withoutVersion(after)) {
		t.Errorf("something was changed:\n%s", cmp.Diff(string(before), string(after)))
	}
}

// withoutVersion drops the list's own resourceVersion, which moves with everything on the server.
func withoutVersion(list []byte) []byte {
	_, items, _ := bytes.Cut(list, []byte(`"items":`))
	return items
}

// TestTemplates changes every kind of template on a server as released, and undoes it.
func TestTemplates(t *testing.T) {
	s := newScene(t, env.stock)
	template := web()
	s.Deployment(Meta{Name: "web", Replicas: 3}, template)
	s.StatefulSet(Meta{Name: "web", Replicas: 3}, "web-1", template)
	s.DaemonSet(Meta{Name: "web"}, template, template)
	s.ReplicaSet(Meta{Name: "web", Replicas: 3}, "", template)
	s.ReplicationController(Meta{Name: "web", Replicas: 3}, template)
	job := *template.DeepCopy()
	job.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
	s.CronJob(Meta{Name: "web"}, job)
	s.ok(t)
	for word, c := range map[string]struct {
		path  string
		notes []string
	}{
		"deploy": {"/apis/apps/v1/namespaces/%/deployments/web", []string{"starts a rollout; it has no running Pods", "the undo is another rollout"}},
		"sts":    {"/apis/apps/v1/namespaces/%/statefulsets/web", []string{"a Pod that is not Ready now holds the rollout up"}},
		"ds":     {"/apis/apps/v1/namespaces/%/daemonsets/web", []string{"starts a rollout"}},
		"rs":     {"/apis/apps/v1/namespaces/%/replicasets/web", []string{"Pods that run stay as they are"}},
		"rc":     {"/api/v1/namespaces/%/replicationcontrollers/web", []string{"Pods that run stay as they are"}},
		"cj":     {"/apis/batch/v1/namespaces/%/cronjobs/web", []string{"Jobs that run go on as they are"}},
	} {
		t.Run(word, func(t *testing.T) {
			path := strings.Replace(c.path, "%", s.Name, 1)
			before := specOf(t, s.get(t, path))
			for _, args := range [][]string{
				{"-c", "app", "--liveness-off"},
				{"-c", "app", "--readiness=exec=sh -c 'a, \"b\"'", "--startup=http=:http/start,failure=30"},
				{"-c", "mesh", "--readiness=timeout=7", "--startup-off"},
				{"-c", "*", `--liveness={"grpc":{"port":7},"terminationGracePeriodSeconds":3}`},
			} {
				got := status(t, 0, s.set(t, append([]string{word + "/web", "--pod-template"}, args...)...))
				has(t, got.Out, "/web probes updated\n")
				has(t, got.Err, c.notes...)
				after := specOf(t, s.get(t, path))
				if bytes.Equal(before, after) || !bytes.Equal(withoutProbes(t, before), withoutProbes(t, after)) {
					t.Errorf("%v changed nothing, or more than probes:\n%s", args, cmp.Diff(string(before), string(after)))
				}
				undone(t, got)
				if again := specOf(t, s.get(t, path)); !bytes.Equal(before, again) {
					t.Errorf("%v was not undone (-before +after):\n%s", args, cmp.Diff(string(before), string(again)))
				}
			}
		})
	}
}

func specOf(t *testing.T, object []byte) []byte {
	t.Helper()
	var o struct{ Spec json.RawMessage }
	if err := json.Unmarshal(object, &o); err != nil {
		t.Fatal(err)
	}
	return o.Spec
}

// withoutProbes drops every probe, at any depth.
func withoutProbes(t *testing.T, object []byte) []byte {
	t.Helper()
	var o any
	if err := json.Unmarshal(object, &o); err != nil {
		t.Fatal(err)
	}
	var drop func(any)
	drop = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
				delete(v, name)
			}
			for _, value := range v {
				drop(value)
			}
		case []any:
			for _, value := range v {
				drop(value)
			}
		}
	}
	drop(o)
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
