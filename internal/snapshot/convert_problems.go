package snapshot

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// Problem is what the API server would say against a probe.
type Problem struct {
	Container string
	Probe     probe.Kind
	Message   string // begins with the field, as seen from the Pod: spec.containers[0].livenessProbe...
}

// UnknownField ends the Message about a field that the API does not have, instead of what is wrong with a value.
const UnknownField = "unknown field"

// WithProblems is the spec with more of them.
func (c *Converter) WithProblems(spec *PodSpec, more []Problem) *PodSpec {
	if len(more) == 0 {
		return spec
	}
	with := *spec
	with.Problems = append(slices.Clone(spec.Problems), more...)
	return c.intern(&with)
}

// problems lists what the API server would not accept about the probes of a Pod spec, in its words
// (pkg/apis/core/validation/validation.go validateContainers, validateInitContainers and
// validateEphemeralContainers, v1.37).
func problems(s *corev1.PodSpec) []Problem {
	var all []Problem
	each := func(list string, index int, c *corev1.Container, validate func(probe.Kind, *corev1.Probe, *field.Path) field.ErrorList) {
		for _, kind := range probe.Kinds() {
			at := field.NewPath("spec", list).Index(index).Child(string(kind) + "Probe")
			for _, err := range validate(kind, probe.Of(c, kind), at) {
				all = append(all, Problem{c.Name, kind, err.Error()})
			}
		}
	}
	for i := range s.Containers {
		each("containers", i, &s.Containers[i], probe.Validate)
	}
	for i := range s.InitContainers {
		validate := probe.Validate
		if c := &s.InitContainers[i]; c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways {
			validate = forbidden("may not be set for init containers without restartPolicy=Always")
		}
		each("initContainers", i, &s.InitContainers[i], validate)
	}
	for i := range s.EphemeralContainers {
		c := corev1.Container(s.EphemeralContainers[i].EphemeralContainerCommon)
		each("ephemeralContainers", i, &c, forbidden("cannot be set for an Ephemeral Container"))
	}
	return all
}

func forbidden(detail string) func(probe.Kind, *corev1.Probe, *field.Path) field.ErrorList {
	return func(_ probe.Kind, p *corev1.Probe, at *field.Path) field.ErrorList {
		if p == nil {
			return nil
		}
		return field.ErrorList{field.Forbidden(at, detail)}
	}
}
