package files

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// The API server refuses such fields of manifests, and would otherwise put its default in their place.
func TestUnknownFieldsOfProbesAreProblems(t *testing.T) {
	const pod = `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec:
  hostNetwrok: true
  initContainers:
  - {name: proxy, restartPolicy: Always, startupprobe: {tcpSocket: {port: 80}}}
  containers:
  - {name: first, image: a, imagepullpolicy: Always}
  - {name: app, livenessProbe: {httpGet: {prt: 80, port: 80}, periodSecond: 3, TimeoutSeconds: 2}}
`
	want := []snapshot.Problem{
		{Container: "app", Probe: probe.Liveness, Message: "spec.containers[1].livenessProbe.TimeoutSeconds: unknown field"},
		{Container: "app", Probe: probe.Liveness, Message: "spec.containers[1].livenessProbe.httpGet.prt: unknown field"},
		{Container: "app", Probe: probe.Liveness, Message: "spec.containers[1].livenessProbe.periodSecond: unknown field"},
		{Container: "proxy", Probe: probe.Startup, Message: "spec.initContainers[0].startupprobe: unknown field"},
	}
	_, spec, _ := strings.Cut(pod, "spec:\n")
	spec = strings.ReplaceAll(spec, "\n", "\n        ")
	cron := "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec:\n  jobTemplate:\n    spec:\n      template:\n       spec:\n        " + spec
	folderOf(t, map[string]string{"pod": pod, "cron": cron, "live": strings.Replace(pod, "namespace: shop", "namespace: shop, uid: u", 1)})
	s, _ := readFiles(t, "pod", "cron")
	for name, problems := range map[string][]snapshot.Problem{"Pod": s.Pods[0].Spec.Problems, "CronJob": s.Objects[0].Template.Spec.Problems} {
		if diff := cmp.Diff(want, problems); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if s, _ = readFiles(t, "live"); len(s.Pods[0].Spec.Problems) > 0 {
		t.Errorf("a server's own: %v", s.Pods[0].Spec.Problems)
	}
}
