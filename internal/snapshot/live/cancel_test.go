package live

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestCancel(t *testing.T) {
	for _, path := range []string{"/api/v1/namespaces/shop/pods", "/api/v1/namespaces/shop/services", "/apis*"} {
		t.Run(path, func(t *testing.T) {
			s := fakeapi.New(t)
			s.Serve(rollouts())
			s.Add(custom("argoproj.io/v1alpha1", "Rollout", "canary", "canary"), pod("a", "canary", ownedBy("argoproj.io/v1alpha1", "Rollout", "canary")))
			s.Fail(fakeapi.Failure{Path: path, Hang: true})
			clients := testClients(t, s)
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(100*time.Millisecond, cancel)
			start := time.Now()
			_, err := Read(ctx, clients, shop(), options())
			if !errors.Is(err, context.Canceled) || err != ctx.Err() {
				t.Errorf("got %v, want the context's error", err)
			}
			if waited := time.Since(start); waited > 2*time.Second {
				t.Errorf("went on for %v", waited)
			}
			noReaderLeft(t)
		})
	}
}

// noReaderLeft fails when a goroutine of this package's code still runs.
func noReaderLeft(t *testing.T) {
	t.Helper()
	var stacks string
	for range 50 {
		buf := make([]byte, 1<<20)
		stacks = string(buf[:runtime.Stack(buf, true)])
		if !strings.Contains(stacks, "live.parallel") && !strings.Contains(stacks, "live.(*reader)") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("goroutines are left:\n%s", stacks)
}
