package fleet

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const troubledAnnotation = "fleet.example/troubled"

// A tenth of the Pods are in trouble: half of those of every fifth workload, as when one release is bad.
func (m maker) troubled(pod int) bool { return m.number%5 == 0 && pod < PodsEach/2 }

// unready is how many of a workload's Pods are not ready: the even ones of those in trouble.
func (m maker) unready() int32 {
	var n int32
	for j := range PodsEach {
		if m.troubled(j) && j%2 == 0 {
			n++
		}
	}
	return n
}

// Troubled says whether a Pod of a fleet is one of the tenth that restarts and fails checks.
func Troubled(p *corev1.Pod) bool { return p.Annotations[troubledAnnotation] != "" }

func (m maker) pod(rs *appsv1.ReplicaSet, number int) *corev1.Pod {
	name := fmt.Sprintf("%s-%05d", rs.Name, number*7919%100_000)
	p := &corev1.Pod{ObjectMeta: m.meta("pod", name, rs.Spec.Template.Labels)}
	p.GenerateName = rs.Name + "-"
	p.Annotations = map[string]string{}
	for k, v := range rs.Spec.Template.Annotations {
		p.Annotations[k] = v
	}
	if m.troubled(number) {
		p.Annotations[troubledAnnotation] = "true"
	}
	p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(rs, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}
	p.Spec = *rs.Spec.Template.Spec.DeepCopy()
	serial := m.number*PodsEach + number
	p.Spec.NodeName = nodeName(serial % m.shape.Nodes())
	p.Status = m.status(p, serial, m.troubled(number) && number%2 == 0)
	return p
}

func (m maker) status(p *corev1.Pod, serial int, unready bool) corev1.PodStatus {
	ip := fmt.Sprintf("10.%d.%d.%d", 64+serial/62_500, serial/250%250, serial%250+1)
	s := corev1.PodStatus{
		Phase: corev1.PodRunning, StartTime: new(metav1.NewTime(m.created)), QOSClass: corev1.PodQOSBurstable, ObservedGeneration: 1,
		PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}}, HostIP: "192.0.2.7", HostIPs: []corev1.HostIP{{IP: "192.0.2.7"}},
		Conditions: m.conditions(unready),
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		status := corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, ImageID: fmt.Sprintf("registry.example/%s@sha256:%064x", c.Name, i+1),
			ContainerID: containerID(serial, i), Ready: true, Started: new(true),
			Resources: new(c.Resources), AllocatedResources: c.Resources.Requests,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(m.created)}},
		}
		if i == 0 && Troubled(p) {
			m.restart(&status, serial, unready)
		}
		s.ContainerStatuses = append(s.ContainerStatuses, status)
	}
	return s
}

func containerID(serial, container int) string {
	return fmt.Sprintf("containerd://%064x", serial*2+container+1)
}

// restart makes a container one that was killed some minutes ago.
func (m maker) restart(status *corev1.ContainerStatus, serial int, unready bool) {
	killed := m.shape.Now.Add(-5 * time.Minute)
	status.RestartCount = 7
	status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		ExitCode: 137, Reason: "Error", ContainerID: containerID(serial, 0),
		StartedAt: metav1.NewTime(killed.Add(-10 * time.Minute)), FinishedAt: metav1.NewTime(killed),
	}
	status.State.Running.StartedAt = metav1.NewTime(killed.Add(time.Second))
	status.Ready = !unready
}

func (m maker) conditions(unready bool) []corev1.PodCondition {
	var out []corev1.PodCondition
	for _, kind := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		c := corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, ObservedGeneration: 1, LastTransitionTime: metav1.NewTime(m.created)}
		if unready && (kind == corev1.PodReady || kind == corev1.ContainersReady) {
			c.Status, c.Reason, c.Message = corev1.ConditionFalse, "ContainersNotReady", "containers with unready status: ["+m.app+"]"
			c.LastTransitionTime = metav1.NewTime(m.shape.Now.Add(-5 * time.Minute))
		}
		out = append(out, c)
	}
	return out
}

// Events are what the kubelet reported of a Pod within the hour: nothing of a Pod that is well.
func (s Shape) Events(p *corev1.Pod) []*corev1.Event {
	if !Troubled(p) {
		return nil
	}
	app := p.Spec.Containers[0].Name
	const status = " probe failed: HTTP probe failed with statuscode: 503"
	return []*corev1.Event{
		s.event(p, corev1.EventTypeWarning, "Unhealthy", "Readiness"+status, 21),
		s.event(p, corev1.EventTypeWarning, "Unhealthy", "Liveness"+status, 18),
		s.event(p, corev1.EventTypeNormal, "Killing", "Container "+app+" failed liveness probe, will be restarted", 6),
	}
}

func (s Shape) event(p *corev1.Pod, kind, reason, message string, count int32) *corev1.Event {
	name := fmt.Sprintf("%s.%s-%d", p.Name, string(reason[0]|0x20), count)
	last := metav1.NewTime(s.Now.Add(-5 * time.Minute))
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: name, UID: types.UID("event-" + name), CreationTimestamp: last},
		InvolvedObject: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: p.UID,
			FieldPath: "spec.containers{" + p.Spec.Containers[0].Name + "}", ResourceVersion: "1",
		},
		Type: kind, Reason: reason, Message: message, Count: count,
		FirstTimestamp: metav1.NewTime(s.Now.Add(-40 * time.Minute)), LastTimestamp: last,
		Source:              corev1.EventSource{Component: "kubelet", Host: p.Spec.NodeName},
		ReportingController: "kubelet", ReportingInstance: p.Spec.NodeName,
	}
}
