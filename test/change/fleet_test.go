package change

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestFleet is 30 Pods of which one is deleted meanwhile, and one is guarded by a policy.
func TestFleet(t *testing.T) {
	s := newScene(t, env.mutable)
	s.deployment(t, web(), 30, On(follows))
	s.guard(t, "web-5555555555-9")
	p := s.through(t, func(_ http.ResponseWriter, _ *http.Request, name string) bool {
		if name == "web-5555555555-7" {
			if err := s.deleteNow(name); err != nil {
				t.Error(err)
			}
		}
		return false
	})
	guarded := s.probes(t, "web-5555555555-9")
	got := status(t, 1, s.set(t, "deploy/web", "--pods", "-c", "app", "--liveness-off"))
	p.sent(t, 30)
	if n := len(lines(got.Out)); n != 28 {
		t.Errorf("%d lines about Pods that were updated", n)
	}
	var errs []string
	for _, line := range lines(got.Err) {
		if strings.HasPrefix(line, "error:") {
			errs = append(errs, line)
		}
	}
	want := []string{
		"error: pod/web-5555555555-7: it is gone: deleted since it was read",
		`error: pod/web-5555555555-9: pods "web-5555555555-9" is forbidden: ValidatingAdmissionPolicy '` + s.Name + `' with binding '` + s.Name + `' denied request: this one stays as it is`,
	}
	if diff := cmp.Diff(want, errs); diff != "" {
		t.Errorf("why (-want +got):\n%s", diff)
	}
	has(t, got.Err, "\n28 updated, 2 failed\n", "  in force, as the nodes say: ")
	s.same(t, "web-5555555555-9", guarded)
	for i := range 30 {
		name := fmt.Sprintf("web-5555555555-%d", i)
		if i != 7 && i != 9 && s.probes(t, name)["app livenessProbe"] != "" {
			t.Errorf("%s still has its probe", name)
		}
	}
	undone(t, got, "--at-once")
}

// guard lets nobody change a Pod, and returns when that holds.
func (s *scene) guard(t *testing.T, pod string) {
	t.Helper()
	api := s.server.Core.AdmissionregistrationV1()
	policy := &admissionv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: s.Name},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{
				ResourceNames: []string{pod},
				RuleWithOperations: admissionv1.RuleWithOperations{
					Operations: []admissionv1.OperationType{admissionv1.Update},
					Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
				},
			}}},
			Validations: []admissionv1.Validation{{Expression: "false", Message: "this one stays as it is"}},
		},
	}
	binding := &admissionv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: s.Name},
		Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: s.Name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
			MatchResources: &admissionv1.MatchResources{NamespaceSelector: &metav1.LabelSelector{
				MatchLabels: map[string]string{"kubernetes.io/metadata.name": s.Name},
			}},
		},
	}
	if _, err := api.ValidatingAdmissionPolicies().Create(t.Context(), policy, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := api.ValidatingAdmissionPolicyBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := s.server.Core.CoreV1().Pods(s.Name).Patch(ctx, pod, types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`),
			metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
		return apierrors.ReasonForError(err) == metav1.StatusReasonInvalid || apierrors.IsForbidden(err), nil
	})
	if err != nil {
		t.Fatalf("the policy does not hold: %v", err)
	}
}

// TestRiskyChangesWaitForTheFirst lets the first Pod show what a change does before the others get it.
func TestRiskyChangesWaitForTheFirst(t *testing.T) {
	const tighter = "--readiness=period=1,failure=1"
	t.Run("well", func(t *testing.T) {
		t.Parallel()
		s := newScene(t, env.mutable)
		s.deployment(t, web(), 3, On(follows))
		began := time.Now()
		got := s.must(t, "deploy/web", "--pods", "-c", "app", tighter)
		has(t, got.Err, "watching pod/web-5555555555-0 for 6s before the other 2 follow (--at-once skips this)\n", "3 updated\n")
		if took := time.Since(began); took < 5*time.Second {
			t.Errorf("it took %s", took)
		}
	})
	t.Run("unready", func(t *testing.T) {
		t.Parallel()
		s := newScene(t, env.mutable)
		s.deployment(t, web(), 3, On(follows))
		unready := `{"status":{"conditions":[{"type":"Ready","status":"False"}]}}`
		p := s.through(t, once(t, func() error { return s.patch("web-5555555555-0", "kubelet", unready, "status") }))
		got := status(t, 1, s.set(t, "deploy/web", "--pods", "-c", "app", tighter))
		has(t, got.Err, "1 updated, 2 not sent\n", "  not sent: pod/web-5555555555-0 did not stay well: it is no longer ready\n", "  undo:  kubectl probes set pod/web-5555555555-0 ")
		p.sent(t, 1)
	})
	t.Run("not in force", func(t *testing.T) {
		t.Parallel()
		s := newScene(t, env.mutable)
		s.deployment(t, web(), 3, On(ignores))
		p := s.through(t, nil)
		got := status(t, 1, s.set(t, "deploy/web", "--pods", "-c", "app", tighter))
		has(t, got.Err, "1 updated but NOT in force, 2 not sent\n", "pod/web-5555555555-0 does not have it in force, so nothing can be learned from it (--at-once goes on anyway)\n")
		p.sent(t, 1)
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		s := newScene(t, env.mutable)
		s.deployment(t, web(), 3, On(follows))
		got := s.must(t, "deploy/web", "--pods", "-c", "app", tighter, "--at-once")
		if diff := cmp.Diff([]string{"pod/web-5555555555-0 probes updated", "pod/web-5555555555-1 probes updated", "pod/web-5555555555-2 probes updated"}, lines(got.Out)); diff != "" {
			t.Error(diff)
		}
	})
}
