package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// No container is lost for having another one's name, and each has what the API server says of it.
func TestRepeatedNames(t *testing.T) {
	first, second := appContainer("app"), snapshot.Container{Name: "app", Liveness: httpProbe()}
	second.Liveness.PeriodSeconds = 7
	sidecar := snapshot.Container{Name: "app", Sidecar: true, Liveness: httpProbe()}
	spec := &snapshot.PodSpec{Containers: []snapshot.Container{first, {Name: "other"}, second, sidecar}, Problems: []snapshot.Problem{
		{Container: "app", Message: `spec.containers[2].name: Duplicate value: "app"`},
		{Container: "other", Message: `spec.containers[1].livenessProbe: bad`},
		{Container: "init", Message: `spec.initContainers[0].livenessProbe: bad`},
	}}
	bare := &snapshot.Pod{Namespace: "shop", Name: "bare", Spec: spec}
	web := &snapshot.Object{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web", UID: "web", Template: &snapshot.Template{Spec: spec}}
	r := build(t, &snapshot.Snapshot{Pods: pods(bare), Objects: []*snapshot.Object{web}})
	for _, w := range r.Workloads {
		type row struct {
			Name             string
			Sidecar          bool
			Readiness, Total bool
			Period           int32
			Invalid          []string
		}
		var got []row
		for _, c := range w.Containers {
			one := row{Name: c.Name, Sidecar: c.Sidecar, Readiness: c.Probes.Readiness != nil, Total: c.Total > 0}
			if c.Probes.Liveness != nil {
				one.Period = c.Probes.Liveness.Config.PeriodSeconds
			}
			for _, i := range c.Invalid {
				one.Invalid = append(one.Invalid, i.Message)
			}
			got = append(got, one)
		}
		path, live := "", true
		if w.Name == "web" {
			path, live = "spec.template.", false
		}
		want := []row{
			{"app", false, true, live, 10, []string{path + "spec.initContainers[0].livenessProbe: bad"}},
			{"app", false, false, live, 7, []string{path + `spec.containers[2].name: Duplicate value: "app"`}},
			{"app", true, false, live, 10, nil},
			{"other", false, false, live, 0, []string{path + "spec.containers[1].livenessProbe: bad"}},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", w.DisplayName, diff)
		}
	}
}
