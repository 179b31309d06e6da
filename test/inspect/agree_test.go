package inspect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLiveAndFilesAgree holds the two doors against each other: what a cluster says is what its objects in a
// file say, whatever part of them is asked for.
func TestLiveAndFilesAgree(t *testing.T) {
	file := dump(t)
	for _, args := range []string{
		"-A",
		"-n shop", "-n platform", "-n jobs",
		"-A -l app=web", "-n shop -l app", "-n shop -l app!=web",
		"-n shop deploy", "-n shop deploy,rs", "-n platform pods", "-A sts", "-A services",
		"-A rollouts.argoproj.io", "-n platform cloneset", "-A prometheuses.monitoring.coreos.com",
		"-n shop deploy/web", "-n shop deploy web api", "-n shop deploy/web svc/api", "-n shop deploy/idle",
		"-n shop deploy/cart", "-n shop deploy/pay", "-n shop web",
		"-n shop rs/web-58b7b6f6f9", "-n shop rs/idle-5f6c7d8e9f",
		"-n shop pod/web-7c9d8f5b64-ccccc", "-n shop pod/web-58b7b6f6f9-ddddd", "-n shop pod/web-58b7b6f6f9-eeeee",
		"-n shop svc/web", "-n shop svc/idle", "-n shop svc/nothing",
		"-n shop rollout/canary", "-n shop rollouts.argoproj.io/canary", "-n shop rs/canary-55555555a5",
		"-n platform sts/prometheus-k8s", "-n platform prometheus/k8s", "-n platform pod/prometheus-k8s-0",
		"-n platform clonesets/game", "-n platform pod/game-aaaaa", "-n platform ds/agent",
		"-n platform deploy/hello-00001", "-n platform service.serving.knative.dev/hello",
		"-n platform deploy/edge", "-n platform fleet/world",
		"-n platform pod/etcd-node-1", "-n platform node/node-1", "-n platform pod/kinds-of-probes", "-n platform rc/ancient",
		"-n platform rs/lonely", "-n platform rs/vacant",
		"-n jobs cj/backup", "-n jobs job/backup-29000000", "-n jobs job/import job/migrate", "-n jobs cj/never-run",
		"-n jobs deploy/greedy", "-n jobs deploy/left", "-n jobs rs/left-33333333b3", "-n jobs rs/ring-a",
		"-n jobs pod/ring-a-aaaaa",
		"-n shop deploy/web -l app=web", "-n shop deploy/web -l app=api", "-n shop -c web",
	} {
		t.Run(args, func(t *testing.T) {
			words := append(strings.Fields(args), "-o", "json")
			cluster := live(t).Must(t, words...)
			files := fromFile(t).Must(t, append(words, "-f", file)...)
			if diff := cmp.Diff(facts(t, cluster.Out), facts(t, files.Out)); diff != "" {
				t.Errorf("the same objects, read in two ways (-cluster +files):\n%s", diff)
			}
		})
	}
}

// facts are a Report without what differs by nature: when and from what it was made.
func facts(t *testing.T, text string) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, key := range []string{"generatedAt", "asOf", "scope"} {
		delete(r, key)
	}
	for _, w := range r["workloads"].([]any) {
		delete(w.(map[string]any), "source")
	}
	return r
}
