package live

import (
	"errors"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestTargetErrors(t *testing.T) {
	across := []string{"a resource cannot be retrieved by name across all namespaces"}
	tests := []struct {
		name     string
		query    snapshot.Query
		fail     fakeapi.Failure
		words    []string
		notFound bool
		status   bool // the server's status is reachable
	}{
		{name: "not there", query: shop(named("deploy", "no")), words: []string{`deployments.apps "no" not found`}, notFound: true, status: true},
		{
			name: "several not there", query: shop(named("deploy", "no"), named("sts", "db"), named("pod", "neither")),
			words: []string{`deployments.apps "no" not found`, `pods "neither" not found`}, notFound: true, status: true,
		},
		{name: "a custom one not there", query: shop(named("ro", "no")), words: []string{`rollouts.argoproj.io "no" not found`}, notFound: true, status: true},
		{
			name: "forbidden", query: shop(named("deploy", "web")), fail: fakeapi.Failure{Path: "/apis/apps/v1/namespaces/shop/deployments/web", Status: 403},
			words: []string{"read deploy/web: forbidden"}, status: true,
		},
		{name: "no such type", query: shop(named("gizmo", "x")), words: []string{`the server doesn't have a resource type "gizmo"`}},
		{name: "a type without Pods", query: shop(named("secret", "x")), words: []string{"secret can have no pods below it"}},
		{name: "discovery fails", query: shop(named("gizmo", "x")), fail: fakeapi.Failure{Path: "/api*", Status: 403}, words: []string{`resource type "gizmo"`, "Forbidden"}, status: true},
		{name: "a name in all namespaces", query: snapshot.Query{AllNamespaces: true, Targets: []snapshot.Target{named("deploy", "web")}}, words: across},
		{name: "a bare name in all namespaces", query: snapshot.Query{AllNamespaces: true, Targets: []snapshot.Target{{Name: "web"}}}, words: across},
		{name: "a word in all namespaces", query: snapshot.Query{AllNamespaces: true, Targets: []snapshot.Target{word("web")}}, words: across},
		{name: "ambiguous", query: shop(word("twin")), words: []string{`"twin" is ambiguous`, "deploy/twin", "cj/twin"}},
		{name: "no such name", query: shop(word("nobody")), words: []string{`"nobody" not found`, "deployments.apps", "statefulsets.apps", "pods"}, notFound: true},
		{
			name: "a name and a refusal", query: shop(word("nobody")), fail: fakeapi.Failure{Path: "/apis/batch/v1/namespaces/shop/jobs/nobody", Status: 403},
			words: []string{`"nobody" not found`, "could not read job/nobody: forbidden"}, notFound: true, status: true,
		},
		{name: "nothing answers", query: shop(word("nobody")), fail: fakeapi.Failure{Path: "*", Contains: "nobody", Status: 401}, words: []string{"read deploy/nobody: unauthorized"}, status: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := everything(t)
			s.Add(deployment("twin", "twin"), &batchv1.CronJob{ObjectMeta: object("twin")})
			if tt.fail.Path != "" {
				s.Fail(tt.fail)
			}
			_, err := read(t, s, tt.query, options())
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range tt.words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			want(t, "is not found", errors.Is(err, snapshot.ErrNotFound), tt.notFound)
			var status *apierrors.StatusError
			want(t, "has a status", errors.As(err, &status), tt.status)
		})
	}
}

func TestNamesThatAreTypesOfNoUse(t *testing.T) { // a Pod named like a type that can have no Pods below it
	s := fakeapi.New(t)
	s.Add(pod("secrets", "x"))
	got := mustRead(t, s, shop(word("secrets")), options())
	want(t, "pods", podNames(got), []string{"shop/secrets"})
	want(t, "requests for secrets", countRequests(s, "/api/v1/namespaces/shop/secrets"), 0)
}

func TestWordWithoutDiscovery(t *testing.T) {
	s := everything(t)
	s.Fail(fakeapi.Failure{Path: "/api", Status: 403})
	s.Fail(fakeapi.Failure{Path: "/apis", Status: 403})
	got := mustRead(t, s, shop(word("db")), options())
	want(t, "pods", podNames(got), []string{"shop/db-0"})
}

func TestBareNameStaysAName(t *testing.T) { // though what was read has a kind of that name
	s := everything(t)
	s.Add(pod("rollout", "x", ownedBy("argoproj.io/v1alpha1", "Rollout", "canary")))
	s.Fail(fakeapi.Failure{Path: "/api", Status: 403})
	s.Fail(fakeapi.Failure{Path: "/apis", Status: 403})
	got := mustRead(t, s, shop(word("rollout")), options())
	want(t, "pods", podNames(got), []string{"shop/rollout"})
	want(t, "asked", got.Pods[0].Asked, true)
}

func TestTypeAndNameTogether(t *testing.T) {
	s := everything(t)
	got := mustRead(t, s, shop(snapshot.Target{Type: "sts"}, named("rollouts", "canary"), word("far")), options())
	want(t, "pods", podNames(got), []string{"shop/canary-1-a", "shop/db-0", "shop/db-thief", "shop/far", "shop/prometheus-0"})
}

func TestNoTypesBesideNamespace(t *testing.T) {
	q := everywhere()
	q.Namespace = "shop" // the current one, that -A overrides
	s := fakeapi.New(t)
	p := pod("elsewhere", "x")
	p.Namespace = "bank"
	s.Add(p)
	want(t, "pods", podNames(mustRead(t, s, q, options())), []string{"bank/elsewhere"})
}
