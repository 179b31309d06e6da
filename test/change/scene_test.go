package change

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// scene is a namespace for one test.
type scene struct {
	*Namespace
	server *controlplane.Server
	line   command.Line
}

func newScene(t *testing.T, server *controlplane.Server) *scene {
	t.Helper()
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-", ",", "", ".", "-").Replace(t.Name()))
	s := &scene{New(context.Background(), server.Config).Namespace(name), server, command.Line{Kubeconfig: server.Kubeconfig, CacheDir: t.TempDir()}}
	s.ok(t)
	return s
}

// ok ends the test when the scene could not be set.
func (s *scene) ok(t *testing.T) {
	t.Helper()
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

// set runs `kubectl probes set` in the namespace.
func (s *scene) set(t *testing.T, args ...string) command.Result {
	t.Helper()
	got := s.line.Run(t, append([]string{"set", "-n", s.Name}, args...)...)
	t.Logf("kubectl probes set %q\n%s", args, got)
	return got
}

// must is set for what has to end well.
func (s *scene) must(t *testing.T, args ...string) command.Result {
	t.Helper()
	got := s.set(t, args...)
	if got.Status != 0 {
		t.FailNow()
	}
	return got
}

// get is an object's JSON, byte for byte as the server writes it.
func (s *scene) get(t *testing.T, path string) []byte {
	t.Helper()
	data, err := s.server.Core.CoreV1().RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json").DoRaw(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

func (s *scene) podPath(name string) string { return "/api/v1/namespaces/" + s.Name + "/pods/" + name }

// probes are a Pod's, byte for byte, by container and field.
func (s *scene) probes(t *testing.T, pod string) map[string]string {
	t.Helper()
	var object struct{ Spec json.RawMessage }
	if err := json.Unmarshal(s.get(t, s.podPath(pod)), &object); err != nil {
		t.Fatal(err)
	}
	return rawProbes(t, object.Spec)
}

func rawProbes(t *testing.T, spec json.RawMessage) map[string]string {
	t.Helper()
	var lists struct{ Containers, InitContainers []map[string]json.RawMessage }
	if err := json.Unmarshal(spec, &lists); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, c := range append(lists.Containers, lists.InitContainers...) {
		for _, field := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
			if raw, ok := c[field]; ok {
				out[strings.Trim(string(c["name"]), `"`)+" "+field] = string(raw)
			}
		}
	}
	return out
}

func (s *scene) pod(t *testing.T, name string) *corev1.Pod {
	t.Helper()
	pod, err := s.server.Core.CoreV1().Pods(s.Name).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

// patch changes an object as somebody else would.
func (s *scene) patch(name, manager, patch string, subresources ...string) error {
	_, err := s.server.Core.CoreV1().Pods(s.Name).Patch(context.Background(), name, types.StrategicMergePatchType, []byte(patch),
		metav1.PatchOptions{FieldManager: manager}, subresources...)
	return err
}

// undo are the commands that a run printed to undo it.
func undo(r command.Result) []string {
	var out []string
	for _, line := range strings.Split(r.Err, "\n") {
		if found, ok := strings.CutPrefix(line, "  undo:  "); ok {
			out = append(out, found)
		}
	}
	return out
}

// shell runs a command line as somebody who copies it into a terminal.
func shell(t *testing.T, text string) command.Result {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", text)
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{"PATH=" + env.bin, "HOME=" + t.TempDir()}, &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return command.Result{Status: cmd.ProcessState.ExitCode(), Out: out.String(), Err: errOut.String()}
}

// undone runs the undo commands of a run, with more flags.
func undone(t *testing.T, r command.Result, more ...string) {
	t.Helper()
	commands := undo(r)
	if len(commands) == 0 {
		t.Fatalf("no undo command: %s", r)
	}
	for _, text := range commands {
		text = strings.Join(append([]string{text}, more...), " ")
		if got := shell(t, text); got.Status != 0 {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// has fails the test for every text that is not in the other.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}

// status fails the test when a run did not end like this.
func status(t *testing.T, want int, r command.Result) command.Result {
	t.Helper()
	if r.Status != want {
		t.Errorf("not status %d: %s", want, r)
	}
	return r
}

// web is a Pod template with everything that a probe can be.
func web() corev1.PodTemplateSpec {
	headers := HTTP("/ready?a='b'&c=\"d\"", Name("http"), Period(5), Failures(2), Successes(2))
	headers.HTTPGet.HTTPHeaders = []corev1.HTTPHeader{{Name: "X-Probe", Value: `it's "quoted", $HOME \ é`}}
	return Template("web",
		Init("migrate"),
		Sidecar("mesh", Startup(Exec([]string{"sh", "-c", "echo 'a b' | grep $X &&\ntrue"}, Failures(30))), Readiness(GRPC(9090, "", Timeout(3)))),
		Container("app", Port("http", 8080), Readiness(headers), Liveness(HTTP("/healthz", Number(8080), GraceOf(5)))),
		Container("helper"),
	)
}

// deployment makes a Deployment web with its ReplicaSet and ready Pods web-5555555555-0 and so on.
func (s *scene) deployment(t *testing.T, template corev1.PodTemplateSpec, pods int, changes ...Change) {
	t.Helper()
	deploy := s.Deployment(Meta{Name: "web", Replicas: int32(pods), Revision: "1"}, template)
	set := s.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: int32(pods)}, "5555555555", template)
	s.Pods(pods, set, Ready, changes...)
	s.ok(t)
}

// alone makes a Pod without an owner.
func (s *scene) alone(t *testing.T, name string, changes ...Change) {
	t.Helper()
	template := web()
	s.Pod(name, Owner{Template: template}, Ready, changes...)
	s.ok(t)
}
