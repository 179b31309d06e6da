package live

import (
	"net/http"
	"sync"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// What was told adds up to what the lists held, and every list that began has ended.
func TestProgress(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/pods", Continue: true, Times: 1, Status: http.StatusGone}) // read again
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/services", Status: http.StatusForbidden})
	var mu sync.Mutex
	objects, lists, begun := map[string]int{}, map[string]int{}, map[string]bool{}
	opts := options()
	opts.ChunkSize = 1
	opts.Progress = func(resource string, more, open int) {
		mu.Lock()
		defer mu.Unlock()
		objects[resource] += more
		lists[resource] += open
		begun[resource] = true
	}
	mustRead(t, s, shop(), opts)
	want(t, "Pods", objects["pods"], 3)
	want(t, "ReplicaSets", objects["replicasets.apps"], 2)
	want(t, "Services", objects["services"], 0)
	want(t, "a list that was refused began", begun["services"], true)
	for resource, open := range lists {
		want(t, "lists of "+resource+" still open", open, 0)
	}
}
