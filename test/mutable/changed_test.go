package mutable

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/test/command"
	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// patch changes a running Pod as that field manager.
func patch(t *testing.T, namespace, pod, manager, text string) {
	t.Helper()
	// managedFields count whole seconds, and a change in the second of the creation is part of it.
	time.Sleep(1100 * time.Millisecond)
	_, err := server.Core.CoreV1().Pods(namespace).Patch(context.Background(), pod, types.StrategicMergePatchType, []byte(text), metav1.PatchOptions{FieldManager: manager})
	if err != nil {
		t.Fatal(err)
	}
}

// drift is what a Report says of the only container of the only workload.
func drift(t *testing.T, result command.Result) ([]report.Drift, []report.Rewritten) {
	t.Helper()
	var r report.Report
	if err := json.Unmarshal([]byte(result.Out), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Workloads) != 1 {
		t.Fatalf("%d workloads in %s", len(r.Workloads), result.Out)
	}
	c := r.Workloads[0].Containers[0]
	for i := range c.Drift {
		c.Drift[i].At = nil // some instant; that it is there is for the caller to see
	}
	return c.Drift, c.Rewritten
}

func path(pod, template string) []report.Field {
	return []report.Field{{Field: "httpGet.path", Pod: pod, Template: template}}
}

func meshedPath(name string) []report.Field {
	template := map[string]string{"readyz": "/readyz", "livez": "/healthz"}[name]
	return []report.Field{
		{Field: "httpGet.path", Pod: "/app-health/web/" + name, Template: template},
		{Field: "httpGet.port", Pod: "15020", Template: "8080"},
	}
}

// TestChangedLater is drift that people made on running Pods: who and when is said, and admission's rewriting
// of the same probe is told apart.
func TestChangedLater(t *testing.T) {
	c := New(context.Background(), server.Config)
	c.Node("node-1")
	plain := makeWeb(c.Namespace("plain"))
	meshed := makeWeb(c.Namespace("meshed"), Meshed())
	rolling := makeRolling(c.Namespace("rolling"))
	makeWeb(c.Namespace("incident"))
	makeWeb(c.Namespace("traceless"))
	lonely := c.Namespace("lonely")
	odd := lonely.Pod("web-0", lonely.StatefulSet(Meta{Name: "web", Replicas: 1}, "web-1", template("/readyz")).With("controller-revision-hash", "web-1"), Ready)
	lonely.Failed(odd, "web", "Readiness probe failed: HTTP probe failed with statuscode: 500", 1) // so that a dump has Events
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	noLiveness := []report.Field{{Field: "probe", Template: "GET :8080/healthz period=10 timeout=1 failure=3"}}
	const off = `{"spec":{"containers":[{"name":"web","livenessProbe":null}]}}`
	const slow = `{"spec":{"containers":[{"name":"web","readinessProbe":{"httpGet":{"path":"/slow"}}}]}}`
	patch(t, "plain", plain, "oncall", slow)
	patch(t, "meshed", meshed, "oncall", slow)
	patch(t, "rolling", rolling, "kubectl-probes", off)
	patch(t, "lonely", "web-0", "kubectl-edit", slow)
	cluster(t).Must(t, "set", "deploy/web", "-n", "incident", "--pods", "--liveness-off", "--field-manager=oncall", "--timeout=1ms")
	for i := range 3 { // somebody with kubectl, who leaves no trace
		patch(t, "traceless", "web-5555555555-"+strconv.Itoa(i), "kubectl-patch", off)
	}
	for _, c := range []struct {
		namespace string
		drift     []report.Drift
		rewritten []report.Rewritten
	}{
		{"plain", []report.Drift{{Probe: "readiness", Kind: report.Changed, Change: report.Fields, Pods: 1, Fields: path("/slow", "/readyz"), By: "oncall", PodNames: []string{"web-5555555555-0"}}}, nil},
		{"meshed", []report.Drift{{
			Probe: "readiness", Kind: report.Changed, Change: report.Fields, Pods: 1, By: "oncall", PodNames: []string{"web-5555555555-0"},
			Fields: []report.Field{{Field: "httpGet.path", Pod: "/slow", Template: "/readyz"}, {Field: "httpGet.port", Pod: "15020", Template: "8080"}},
		}}, []report.Rewritten{
			{Probe: "readiness", Change: report.Fields, Pods: 2, Fields: meshedPath("readyz")},
			{Probe: "liveness", Change: report.Fields, Pods: 3, Fields: meshedPath("livez")},
		}},
		{"rolling", []report.Drift{
			{Probe: "readiness", Kind: report.Stale, Change: report.Fields, Pods: 2, Fields: path("/readyz", "/ready/v2")},
			// Nobody owns what is not there: by whom is not known.
			{Probe: "liveness", Kind: report.Changed, Change: report.Removed, Pods: 1, PodNames: []string{"web-1111111111-0"}, Fields: noLiveness},
		}, nil},
		{"incident", []report.Drift{{
			Probe: "liveness", Kind: report.Changed, Change: report.Removed, Pods: 3, By: "oncall", Fields: noLiveness,
			PodNames: []string{"web-5555555555-0", "web-5555555555-1", "web-5555555555-2"},
		}}, nil},
		{"traceless", []report.Drift{}, []report.Rewritten{{Probe: "liveness", Change: report.Removed, Pods: 3, Fields: noLiveness, OrChanged: true}}},
		{"lonely", []report.Drift{{Probe: "readiness", Kind: report.Changed, Change: report.Fields, Pods: 1, Fields: path("/slow", "/readyz"), By: "kubectl-edit", PodNames: []string{"web-0"}}}, nil},
	} {
		t.Run(c.namespace, func(t *testing.T) {
			gotDrift, gotRewritten := drift(t, cluster(t).Must(t, "-n", c.namespace, "-o", "json"))
			if diff := cmp.Diff(c.drift, gotDrift); diff != "" {
				t.Errorf("drift (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rewritten, gotRewritten, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("rewritten (-want +got):\n%s", diff)
			}
		})
	}
	file := command.FromFile(t, server.Dynamic)
	for _, namespace := range []string{"plain", "meshed", "rolling", "incident", "traceless", "lonely"} {
		t.Run(namespace+" from a file", func(t *testing.T) {
			command.Agree(t, cluster(t), file, command.Everything, "-n", namespace)
			command.Agree(t, cluster(t), file, command.Everything, "-n", namespace, "web")
		})
	}
}
