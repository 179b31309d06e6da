package files

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// containerNames are those of a Pod spec, by list.
type containerNames struct{ regular, init, ephemeral []string }

func namesIn(spec *corev1.PodSpec) containerNames {
	var names containerNames
	if spec == nil {
		return names
	}
	for i := range spec.Containers {
		names.regular = append(names.regular, spec.Containers[i].Name)
	}
	for i := range spec.InitContainers {
		names.init = append(names.init, spec.InitContainers[i].Name)
	}
	for i := range spec.EphemeralContainers {
		names.ephemeral = append(names.ephemeral, spec.EphemeralContainers[i].Name)
	}
	return names
}

// namesInCustom are those of a kind that Kubernetes does not bring, where it has the usual shape.
func namesInCustom(u *unstructured.Unstructured) containerNames {
	of := func(list string) []string {
		var names []string
		value, _, _ := unstructured.NestedFieldNoCopy(u.Object, "spec", "template", "spec", list) // another shape: unknown
		containers, _ := value.([]any)
		for _, c := range containers {
			fields, _ := c.(map[string]any)
			name, _ := fields["name"].(string)
			names = append(names, name)
		}
		return names
	}
	return containerNames{of("containers"), of("initContainers"), of("ephemeralContainers")}
}

// repeated are the containers that have the name of another one, in the API server's words
// (pkg/apis/core/validation/validation.go validateContainers, validateInitContainers and validateEphemeralContainers,
// v1.37).
func (n containerNames) repeated() []snapshot.Problem {
	var all []snapshot.Problem
	seen := map[string]bool{}
	for _, list := range []struct {
		name       string
		containers []string
	}{{"containers", n.regular}, {"initContainers", n.init}, {"ephemeralContainers", n.ephemeral}} {
		for i, name := range list.containers {
			if seen[name] {
				err := field.Duplicate(field.NewPath("spec", list.name).Index(i).Child("name"), name)
				all = append(all, snapshot.Problem{Container: name, Message: err.Error()})
			}
			seen[name] = seen[name] || name != "" || list.name != "initContainers"
		}
	}
	return all
}
