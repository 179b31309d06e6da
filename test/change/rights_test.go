package change

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// documented is a role of docs/rbac.md.
func documented(t *testing.T, name string) *rbacv1.ClusterRole {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "rbac.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		role := &rbacv1.ClusterRole{}
		if err := yaml.UnmarshalStrict([]byte(block), role); err != nil {
			t.Fatal(err)
		}
		if role.Name == name {
			return role
		}
	}
	t.Fatalf("docs/rbac.md has no role %s", name)
	return nil
}

// as runs the scene's command lines as a user with a role in its namespace and nothing else.
func (s *scene) as(t *testing.T, user string, role *rbacv1.ClusterRole) {
	t.Helper()
	api := s.server.Core.RbacV1()
	if _, err := api.ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	_, err := api.RoleBindings(s.Name).Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user},
		Subjects:   []rbacv1.Subject{{Kind: "User", APIGroup: rbacv1.GroupName, Name: user}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rule := role.Rules[len(role.Rules)-1]
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		review, err := s.server.Core.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
			Spec: authorizationv1.SubjectAccessReviewSpec{User: user, ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: s.Name, Verb: rule.Verbs[0], Group: rule.APIGroups[0], Resource: rule.Resources[0],
			}},
		}, metav1.CreateOptions{})
		return err == nil && review.Status.Allowed, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.line.Arguments = []string{"--as=" + user}
}

// TestDocumentedRights runs everything that docs/rbac.md promises with the roles that it gives.
func TestDocumentedRights(t *testing.T) {
	t.Run("set", func(t *testing.T) {
		s := newScene(t, env.mutable)
		s.deployment(t, web(), 2, On(follows))
		s.as(t, "oncall", documented(t, "probes-set"))
		before := s.probes(t, "web-5555555555-0")
		got := s.must(t, "deploy/web", "--pods", "-c", "app", "--liveness-off")
		has(t, got.Err, " --as=oncall -c app --restore\n", "2 updated\n", "in force, as the nodes say", "deploy/web's template, which still has this probe")
		s.must(t, "pod/web-5555555555-0", "--restore")
		s.same(t, "web-5555555555-0", before)
		if err := s.patch("web-5555555555-0", "somebody", liveness("null")); err != nil {
			t.Fatal(err)
		}
		s.must(t, "pod/web-5555555555-0", "--restore")
		s.same(t, "web-5555555555-0", before)
		got = status(t, 1, s.set(t, "deploy/web", "--pod-template", "-c", "app", "--liveness-off"))
		has(t, got.Err, "error: deploy/web: the right is missing to patch deployments.apps in namespace "+s.Name+`: deployments.apps "web" is forbidden: User "oncall" cannot patch resource "deployments"`)
	})
	t.Run("set template", func(t *testing.T) {
		s := newScene(t, env.stock)
		s.deployment(t, web(), 2)
		s.as(t, "owner", documented(t, "probes-set-template"))
		has(t, s.must(t, "deploy/web", "--pod-template", "-c", "app", "--liveness-off").Err, "starts a rollout, which replaces 2 Pods")
	})
	t.Run("a Pod alone", func(t *testing.T) {
		s := newScene(t, env.mutable)
		s.deployment(t, web(), 1, On(ignores))
		s.as(t, "minimal", &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "minimal"}, Rules: []rbacv1.PolicyRule{
			{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get", "patch"}},
		}})
		got := s.must(t, "pod/web-5555555555-0", "-c", "app", "--liveness-off", "--timeout=1s")
		has(t, got.Err, "the kubelet version of node-ignores is not known; the Pod's Events cannot be read\n", "a replacement Pod comes from rs/web-5555555555's template, which this does not change\n")
	})
	t.Run("read only", func(t *testing.T) {
		s := newScene(t, env.mutable)
		s.deployment(t, web(), 30, On(follows))
		s.as(t, "reader", documented(t, "probes-inspect"))
		p := s.through(t, nil)
		s.must(t, "deploy/web", "--pods", "-c", "app", "--liveness-off", "--dry-run=client")
		p.sent(t, 0)
		got := status(t, 1, s.set(t, "deploy/web", "--pods", "-c", "app", "--liveness-off"))
		has(t, got.Err, "error: pod/web-5555555555-0: the right is missing to patch pods in namespace "+s.Name+`: pods "web-5555555555-0" is forbidden: User "reader" cannot patch resource "pods" in API group "" in the namespace "`+s.Name+"\"\n",
			"1 failed, 29 not sent\n")
		p.sent(t, 1)
		if got := s.line.Must(t, "-n", s.Name, "deploy", "-o", "json"); strings.Contains(got.Out, `"reason": "forbidden"`) && !strings.Contains(got.Out, `"what": "nodes"`) {
			t.Errorf("gaps: %s", got.Out)
		}
	})
}
