package change

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

const immutable = "pod updates may not change fields other than"

// TestServerRules is what KEP-6318 says of the API server, asked of the server itself: what set refuses by itself must
// not be something that the server would take.
func TestServerRules(t *testing.T) {
	s := newScene(t, env.mutable)
	for name, c := range map[string]struct {
		state   State
		changes []Change
		patch   string
		causes  []string // none: it is accepted
	}{
		"a probe":                {Ready, nil, liveness(`{"periodSeconds":99}`), nil},
		"of a sidecar":           {Ready, nil, `{"spec":{"initContainers":[{"name":"mesh","readinessProbe":null}]}}`, nil},
		"before it runs":         {Waiting, nil, liveness(`null`), nil},
		"with another field":     {Ready, nil, `{"spec":{"hostname":"x","containers":[{"name":"app","livenessProbe":null}]}}`, []string{"spec: Forbidden: " + immutable}},
		"with a mutable field":   {Ready, nil, `{"spec":{"activeDeadlineSeconds":99,"containers":[{"name":"app","livenessProbe":null}]}}`, nil},
		"of a finished Pod":      {Succeeded, nil, liveness(`null`), []string{"spec: Forbidden: " + immutable}},
		"of a failed Pod":        {Evicted, nil, liveness(`null`), []string{"spec: Forbidden: " + immutable}},
		"of a mirror":            {Ready, []Change{On(quiet), Mirrors("abc")}, liveness(`null`), []string{"spec: Forbidden: " + immutable}},
		"of an init container":   {Ready, nil, `{"spec":{"initContainers":[{"name":"migrate","livenessProbe":{"tcpSocket":{"port":1}}}]}}`, []string{"spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always"}},
		"that is invalid":        {Ready, nil, liveness(`{"periodSeconds":-1,"successThreshold":2}`), []string{"livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0", "livenessProbe.successThreshold: Invalid value: 2: must be 1"}},
		"with a second handler":  {Ready, nil, liveness(`{"tcpSocket":{"port":1}}`), []string{"livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"}},
		"without a handler":      {Ready, nil, liveness(`{"httpGet":null}`), []string{"livenessProbe: Required value: must specify a handler type"}},
		"through another status": {Ready, nil, "status", nil},
	} {
		t.Run(name, func(t *testing.T) {
			pod := strings.ToLower(strings.ReplaceAll(name, " ", "-"))
			s.Pod(pod, Owner{Template: web()}, c.state, c.changes...)
			s.ok(t)
			before := s.probes(t, pod)
			var err error
			if strings.HasPrefix(c.patch, "{") {
				err = s.patch(pod, "raw", c.patch)
			} else {
				err = s.patch(pod, "raw", liveness(`{"periodSeconds":99}`), c.patch)
			}
			if len(c.causes) == 0 && err != nil || len(c.causes) > 0 && !apierrors.IsInvalid(err) {
				t.Fatalf("answer %v", err)
			}
			for _, cause := range c.causes {
				has(t, err.Error(), cause)
			}
			if changed := cmp.Diff(before, s.probes(t, pod)) != ""; changed != (err == nil && strings.HasPrefix(c.patch, "{")) {
				t.Errorf("changed: %v", changed)
			}
		})
	}
}

// TestInvalidInItsWords holds what set says of invalid probes against the server's causes.
func TestInvalidInItsWords(t *testing.T) {
	s := newScene(t, env.mutable)
	s.alone(t, "web-0", On(follows))
	p := s.through(t, nil)
	for _, c := range []struct{ kind, probe string }{
		{"liveness", `{"httpGet":{"port":1},"successThreshold":2}`},
		{"startup", `{"httpGet":{"port":1},"successThreshold":3}`},
		{"readiness", `{"httpGet":{"port":1},"terminationGracePeriodSeconds":5}`},
		{"liveness", `{"httpGet":{"port":1},"terminationGracePeriodSeconds":0}`},
		{"liveness", `{"httpGet":{"port":1},"initialDelaySeconds":-1,"timeoutSeconds":-2,"periodSeconds":-3,"failureThreshold":-4}`},
		{"readiness", `{"httpGet":{"port":1},"successThreshold":-5}`},
		{"liveness", `{"periodSeconds":5}`},
		{"liveness", `{"exec":{"command":["a"]},"httpGet":{"port":1}}`},
		{"liveness", `{"exec":{"command":["a"]},"tcpSocket":{"port":1},"grpc":{"port":1}}`},
		{"liveness", `{"exec":{}}`},
		{"liveness", `{"httpGet":{"port":0}}`},
		{"liveness", `{"tcpSocket":{"port":70000}}`},
		{"liveness", `{"grpc":{"port":0}}`},
		{"liveness", `{"httpGet":{"port":"a_b"}}`},
		{"liveness", `{"httpGet":{"port":"123"}}`},
		{"liveness", `{"httpGet":{"port":"much-too-long-a-name"}}`},
		{"liveness", `{"httpGet":{"port":""}}`},
		{"liveness", `{"httpGet":{"port":1,"scheme":"http"}}`},
		{"liveness", `{"httpGet":{"port":1,"httpHeaders":[{"name":"a b","value":"c"}]}}`},
	} {
		t.Run(c.kind+" "+c.probe, func(t *testing.T) {
			path := fmt.Sprintf("/spec/containers/0/%sProbe", c.kind)
			patch := fmt.Sprintf(`[{"op":"add","path":%q,"value":%s}]`, path, c.probe)
			_, err := s.server.Core.CoreV1().Pods(s.Name).Patch(t.Context(), "web-0", types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
			var status *apierrors.StatusError
			if !errors.As(err, &status) || status.ErrStatus.Details == nil {
				t.Fatalf("the server says %v", err)
			}
			got := s.set(t, "pod/web-0", "-c", "app", "--"+c.kind+"="+c.probe)
			for _, cause := range status.ErrStatus.Details.Causes {
				if cause.Field == "spec" {
					continue // with the gate's rule, that something else changed as well
				}
				has(t, got.Err, strings.TrimPrefix(cause.Field, "spec.containers[0].")+": "+cause.Message)
			}
			if got.Status != 1 {
				t.Errorf("status %d", got.Status)
			}
		})
	}
	p.sent(t, 0)
}

// TestServersCauses is an invalid probe that only the server finds: somebody has put it into the annotation.
func TestServersCauses(t *testing.T) {
	s := newScene(t, env.mutable)
	s.alone(t, "web-0", On(follows), func(p *corev1.Pod) {
		p.Annotations = map[string]string{original: `{"app":{"liveness":{"tcpSocket":{"port":99999},"failureThreshold":-1}}}`}
	})
	before := s.probes(t, "web-0")
	got := status(t, 1, s.set(t, "pod/web-0", "--restore"))
	has(t, got.Err, "error: pod/web-0: the API server finds it invalid: ",
		"spec.containers[0].livenessProbe.tcpSocket.port: Invalid value: 99999: must be between 1 and 65535, inclusive",
		"spec.containers[0].livenessProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0")
	if strings.Contains(got.Err, immutable) || len(lines(got.Err)) != 1 {
		t.Errorf("not one line of causes: %s", got)
	}
	s.same(t, "web-0", before)
}

// TestEphemeral containers can have no probes.
func TestEphemeral(t *testing.T) {
	s := newScene(t, env.mutable)
	s.alone(t, "web-0", On(down))
	pod := s.pod(t, "web-0")
	pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug", Image: "x"}}}
	api := s.server.Core.CoreV1().Pods(s.Name)
	pod, err := api.UpdateEphemeralContainers(t.Context(), "web-0", pod, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := status(t, 1, s.set(t, "pod/web-0", "-c", "debug", "--liveness=tcp=:1"))
	has(t, got.Err, `error: pod/web-0 in namespace `+s.Name+`: container "debug" is an ephemeral container, which can have no probes`)
	pod.Spec.EphemeralContainers[0].LivenessProbe = TCP(Number(1))
	_, err = api.UpdateEphemeralContainers(context.Background(), "web-0", pod, metav1.UpdateOptions{})
	has(t, fmt.Sprint(err), "cannot be set for an Ephemeral Container")
}

// TestWordings are how servers without the gate have said no, from v1.28 on.
func TestWordings(t *testing.T) {
	const since128 = "Forbidden: " + immutable + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
	const resize = "`spec.containers[*].resources` (for CPU/memory only)"
	const since138 = ",`spec.schedulingGates` (only deletions of existing scheduling gates)`,`spec.nodeSelector` (only additions, and only while the pod has scheduling gates)"
	for name, wording := range map[string]string{
		"v1.28":                  since128 + "\n  core.PodSpec{\n- \tLivenessProbe: &core.Probe{...},\n",
		"v1.28 that can resize":  strings.Replace(since128, "`spec.tolerations`", "`spec.tolerations`,"+resize, 1) + "\n  core.PodSpec{",
		"v1.34":                  since128 + "\n@@ -1,2 +1,2 @@\n-    \"PeriodSeconds\": 10,\n",
		"v1.38 without the gate": since128 + since138 + "\n@@ -1 +1 @@\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, env.mutable)
			s.alone(t, "web-0", On(follows))
			p := s.through(t, answered(failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, `Pod "web-0" is invalid: spec: `+wording,
				metav1.StatusCause{Type: metav1.CauseTypeForbidden, Field: "spec", Message: wording})))
			got := status(t, 1, s.set(t, "pod/web-0", "-c", "app", "--liveness-off"))
			has(t, got.Err, "error: pod/web-0: "+gateless+"\ninstead: ")
			if n := len(lines(got.Err)); n != 2 {
				t.Errorf("%d lines", n)
			}
			p.sent(t, 1)
		})
	}
}
