// Package validation is added to the package of the same name in k8s.io/kubernetes,
// to give a test API server the rule of KEP-6318 before a release has it.
package validation

import (
	core "k8s.io/kubernetes/pkg/apis/core"
)

// leaveOutProbeChanges gives the new spec the probes of the old Pod where the KEP
// lets them change, so that comparing the specs finds no difference there. The new
// probes have been validated by then.
func leaveOutProbeChanges(spec *core.PodSpec, oldPod *core.Pod) {
	if !canChangeProbes(oldPod) {
		return
	}
	for i := range spec.Containers {
		takeProbes(&spec.Containers[i], &oldPod.Spec.Containers[i])
	}
	for i := range spec.InitContainers {
		if old := &oldPod.Spec.InitContainers[i]; isSidecar(old) {
			takeProbes(&spec.InitContainers[i], old)
		}
	}
}

func canChangeProbes(pod *core.Pod) bool {
	_, mirror := pod.Annotations[core.MirrorPodAnnotationKey]
	ended := pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed
	return pod.DeletionTimestamp == nil && !ended && !mirror
}

func isSidecar(initContainer *core.Container) bool {
	return initContainer.RestartPolicy != nil && *initContainer.RestartPolicy == core.ContainerRestartPolicyAlways
}

func takeProbes(to, from *core.Container) {
	to.StartupProbe = from.StartupProbe
	to.ReadinessProbe = from.ReadinessProbe
	to.LivenessProbe = from.LivenessProbe
}
