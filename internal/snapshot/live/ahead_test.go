package live

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestPagesAreAskedForAhead(t *testing.T) {
	s := fakeapi.New(t)
	for i := range 11 {
		s.Add(pod(fmt.Sprintf("web-%02d", i), "web"))
	}
	clients, err := NewClients(getter(t, s), options())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	pods := &pagesAhead[corev1.PodList]{client: clients.core.RESTClient(), resource: "pods", namespace: "shop"}
	page := func(token string) (names []string, next string) {
		list, err := pods.List(ctx, metav1.ListOptions{Limit: 2, Continue: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list.Items {
			names = append(names, p.Name)
		}
		return names, list.Continue
	}
	asked := func(n int) {
		t.Helper()
		for range 100 {
			if len(requestsTo(s, "pods")) >= n {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond) // for one too many
		want(t, "requests", len(requestsTo(s, "pods")), n)
	}

	first, second := page("")
	want(t, "first page", first, []string{"web-00", "web-01"})
	asked(2) // nobody has asked for the second page yet
	names, third := page(second)
	want(t, "second page", names, []string{"web-02", "web-03"})
	asked(3)
	again, _ := page("") // as after a token that expired: what is under way is of the old list
	want(t, "first page again", again, first)
	asked(5)
	for i, token := range []string{second, third} {
		names, third = page(token)
		want(t, "page after that", names, []string{fmt.Sprintf("web-%02d", 2*i+2), fmt.Sprintf("web-%02d", 2*i+3)})
	}
	for third != "" {
		names, third = page(third)
	}
	want(t, "last page", names, []string{"web-10"})
	asked(9) // of each page once, and of none twice
}
