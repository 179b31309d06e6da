package files

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Names stand for containers everywhere: the API server refuses the second of one name, in whichever list.
func TestRepeatedNamesAreProblems(t *testing.T) {
	const spec = `
  initContainers: [{name: init, image: a}, {name: app, image: a, restartPolicy: Always}, {name: init, image: a}, {image: a}, {image: a}]
  containers: [{name: app, image: a}, {name: other, image: a}, {name: app, image: a}, {name: app, image: a}]
  ephemeralContainers: [{name: debug, image: a}, {name: other, image: a}]
`
	want := []snapshot.Problem{
		{Container: "app", Message: `spec.containers[2].name: Duplicate value: "app"`},
		{Container: "app", Message: `spec.containers[3].name: Duplicate value: "app"`},
		{Container: "app", Message: `spec.initContainers[1].name: Duplicate value: "app"`},
		{Container: "init", Message: `spec.initContainers[2].name: Duplicate value: "init"`},
		{Container: "other", Message: `spec.ephemeralContainers[1].name: Duplicate value: "other"`},
	}
	template := "spec:\n template:\n  spec:" + strings.ReplaceAll(spec, "\n", "\n  ")
	folderOf(t, map[string]string{
		"pod":    "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:" + spec,
		"deploy": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n" + template,
		"custom": "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\n" + template,
	})
	s, _ := readFiles(t, "pod", "deploy", "custom")
	for name, problems := range map[string][]snapshot.Problem{
		"Pod": s.Pods[0].Spec.Problems, s.Objects[0].Kind: s.Objects[0].Template.Spec.Problems, s.Objects[1].Kind: s.Objects[1].Template.Spec.Problems,
	} {
		if diff := cmp.Diff(want, problems); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
