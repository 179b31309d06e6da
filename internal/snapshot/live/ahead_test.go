package live

import (
	"context"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestPodsAreAskedForAhead(t *testing.T) {
	s := fakeapi.New(t)
	for i := range 5 {
		s.Add(pod(fmt.Sprintf("web-%d", i), "web"))
	}
	clients, err := NewClients(getter(t, s), options())
	if err != nil {
		t.Fatal(err)
	}
	pods := newPodsAhead(clients.core, "shop")
	page := func(token string) (names []string, next string) {
		list, err := pods.List(context.Background(), metav1.ListOptions{Limit: 2, Continue: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list.Items {
			names = append(names, p.Name)
		}
		return names, list.Continue
	}
	awaitRequests := func(n int) {
		t.Helper()
		for range 100 {
			if len(requestsTo(s, "pods")) == n {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("%d requests, want %d", len(requestsTo(s, "pods")), n)
	}

	first, next := page("")
	want(t, "first page", first, []string{"web-0", "web-1"})
	awaitRequests(2) // nobody has asked for the second page yet
	second, next := page(next)
	want(t, "second page", second, []string{"web-2", "web-3"})
	awaitRequests(3)
	again, _ := page("") // as after a token that expired: what was asked for ahead is of the old list
	want(t, "first page again", again, []string{"web-0", "web-1"})
	awaitRequests(5)
	last, end := page(next)
	want(t, "last page", last, []string{"web-4"})
	want(t, "token of the last page", end, "")
}
