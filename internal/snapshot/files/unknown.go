package files

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	kjson "sigs.k8s.io/json"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// strict are the fields of a manifest that its kind does not have. kubectl apply has the API server refuse
// them; what a server served may be newer than this reader, and right.
type strict []string

// sortStrict tells unknown fields from other faults.
func sortStrict(all []error) (unknown strict, rest []error) {
	for _, err := range all {
		var field kjson.FieldError
		if errors.As(err, &field) && strings.HasPrefix(err.Error(), "unknown field") {
			unknown = append(unknown, field.FieldPath())
		} else {
			rest = append(rest, err)
		}
	}
	return unknown, rest
}

// problems are those that concern a probe.
func (s strict) problems(spec *corev1.PodSpec) []snapshot.Problem {
	if len(s) == 0 || spec == nil {
		return nil
	}
	var all []snapshot.Problem
	container := regexp.MustCompile(`(?:^|\.)spec\.(containers|initContainers|ephemeralContainers)\[(\d+)\]\.(\w+)`)
	for _, field := range s {
		at := container.FindStringSubmatchIndex(field)
		if at == nil {
			continue
		}
		part := func(i int) string { return field[at[2*i]:at[2*i+1]] }
		kind, ok := meantKind(part(3))
		index, err := strconv.Atoi(part(2))
		if !ok || err != nil {
			continue
		}
		all = append(all, snapshot.Problem{
			Container: nameIn(spec, part(1), index), Probe: kind,
			Message: strings.TrimPrefix(field[at[0]:], ".") + ": " + snapshot.UnknownField,
		})
	}
	return all
}

// meantKind is the probe that a field of a container is, or was to be: livenessprobe, livenesProbe.
func meantKind(field string) (probe.Kind, bool) {
	lower := strings.ToLower(field)
	for _, kind := range probe.Kinds() {
		if strings.HasPrefix(lower, string(kind)[:4]) && strings.Contains(lower, "prob") {
			return kind, true
		}
	}
	return "", false
}

func nameIn(spec *corev1.PodSpec, list string, index int) string {
	switch {
	case list == "containers" && index < len(spec.Containers):
		return spec.Containers[index].Name
	case list == "initContainers" && index < len(spec.InitContainers):
		return spec.InitContainers[index].Name
	case list == "ephemeralContainers" && index < len(spec.EphemeralContainers):
		return spec.EphemeralContainers[index].Name
	default:
		return ""
	}
}

// podSpecOf is nil for what has none.
func podSpecOf(o any) *corev1.PodSpec {
	switch o := o.(type) {
	case *corev1.Pod:
		return &o.Spec
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec
	case *batchv1.Job:
		return &o.Spec.Template.Spec
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec
	case *corev1.ReplicationController:
		if o.Spec.Template != nil {
			return &o.Spec.Template.Spec
		}
	}
	return nil
}
