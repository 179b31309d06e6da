package inspect

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// These tests hold the two doors against each other: what a cluster says is what its objects in a file say,
// whatever part of them is asked for.

func TestLiveAndFilesAgree(t *testing.T) {
	agree(t, command.WithoutEndpoints,
		"-A", "-n shop", "-n platform", "-n jobs",
		"-A -l app=web", "-n shop -l app", "-n shop -l app!=web", "-n shop -c web",
		"-n shop deploy", "-n shop deploy,rs", "-n platform pods", "-A sts", "-A services",
		"-A rollouts.argoproj.io", "-n platform cloneset", "-A prometheuses.monitoring.coreos.com")
}

func TestLiveAndFilesAgreeOnNames(t *testing.T) {
	agree(t, command.Everything,
		"-n shop deploy/web", "-n shop deploy web api", "-n shop deploy/web svc/api", "-n shop deploy/idle",
		"-n shop deploy/cart", "-n shop deploy/pay", "-n shop web", "-n shop deploy/web -l app=web", "-n shop deploy/web -l app=api",
		"-n shop svc/web", "-n shop svc/idle", "-n shop svc/nothing",
		"-n shop rollout/canary", "-n shop rollouts.argoproj.io/canary",
		"-n platform sts/prometheus-k8s", "-n platform prometheus/k8s", "-n platform clonesets/game", "-n platform ds/agent",
		"-n platform deploy/hello-00001", "-n platform service.serving.knative.dev/hello",
		"-n platform deploy/edge", "-n platform fleet/world",
		"-n platform pod/etcd-node-1", "-n platform node/node-1", "-n platform pod/kinds-of-probes",
		"-n platform rc/ancient", "-n platform rs/lonely", "-n platform rs/vacant",
		"-n jobs cj/backup", "-n jobs cj/never-run", "-n jobs job/import job/migrate", "-n jobs deploy/greedy", "-n jobs deploy/left")
}

func TestLiveAndFilesAgreeBelowWorkloads(t *testing.T) {
	agree(t, command.WithoutLatest,
		"-n shop rs/web-58b7b6f6f9", "-n shop rs/web-7c9d8f5b64", "-n shop rs/idle-5f6c7d8e9f", "-n shop rs/canary-55555555a5",
		"-n shop pod/web-7c9d8f5b64-ccccc", "-n shop pod/web-58b7b6f6f9-ddddd", "-n shop pod/web-58b7b6f6f9-eeeee",
		"-n shop pod/pay-77777777d7-aaaaa", "-n platform pod/prometheus-k8s-0", "-n platform pod/game-aaaaa",
		"-n jobs job/backup-29000000", "-n jobs rs/left-33333333b3", "-n jobs rs/ring-a", "-n jobs pod/ring-a-aaaaa")
}

func agree(t *testing.T, drop func(map[string]any), lines ...string) {
	t.Helper()
	file := dump(t)
	for _, args := range lines {
		t.Run(args, func(t *testing.T) {
			command.Agree(t, cluster(t), file, drop, words(args)...)
		})
	}
}

// dump runs command lines over all objects of the world, and no cluster.
func dump(t *testing.T) command.Line {
	t.Helper()
	var custom []schema.GroupVersionResource
	for _, kind := range fixture.Kinds() {
		custom = append(custom, kind.Resource())
	}
	return command.FromFile(t, server.Dynamic, custom...)
}
