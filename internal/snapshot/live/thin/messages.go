package thin

import (
	"slices"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// message says what is kept of one: fields, and of messages in it what is kept of those. What is read of each by
// snapshot.Converter is kept; tests hold one against the other.
type message struct {
	keeps func(field) bool
	// of looks into a message to say what is kept of it; nil where that is always the same.
	of    func(encoded []byte) *message
	parts parts
}

type parts = map[protowire.Number]*message

// items are those of lists, by the kind of the list; that of no kind is for all others. They are made when the first list
// comes: the program has started by then.
var items = sync.OnceValue(func() map[string]*message {
	spec, others := podSpec(), &message{keeps: everything, parts: parts{objectMeta(): anyMetadata()}}
	workload := func(path ...protowire.Number) *message { return workload(spec, path...) }
	return map[string]*message{
		"":                others,
		"PodList":         pod(spec),
		"DeploymentList":  workload(fieldOf[appsv1.Deployment]("Spec"), fieldOf[appsv1.DeploymentSpec]("Template")),
		"ReplicaSetList":  workload(fieldOf[appsv1.ReplicaSet]("Spec"), fieldOf[appsv1.ReplicaSetSpec]("Template")),
		"StatefulSetList": workload(fieldOf[appsv1.StatefulSet]("Spec"), fieldOf[appsv1.StatefulSetSpec]("Template")),
		"DaemonSetList":   workload(fieldOf[appsv1.DaemonSet]("Spec"), fieldOf[appsv1.DaemonSetSpec]("Template")),
		"JobList":         workload(fieldOf[batchv1.Job]("Spec"), fieldOf[batchv1.JobSpec]("Template")),
		"CronJobList": workload(fieldOf[batchv1.CronJob]("Spec"), fieldOf[batchv1.CronJobSpec]("JobTemplate"),
			fieldOf[batchv1.JobTemplateSpec]("Spec"), fieldOf[batchv1.JobSpec]("Template")),
		"ReplicationControllerList": workload(
			fieldOf[corev1.ReplicationController]("Spec"), fieldOf[corev1.ReplicationControllerSpec]("Template")),
	}
})

func itemOf(list string) *message {
	if item := items()[list]; item != nil {
		return item
	}
	return items()[""]
}

func pod(spec *message) *message {
	return &message{
		keeps: fieldsOf[corev1.Pod](),
		parts: parts{objectMeta(): {of: podMetadata()}, fieldOf[corev1.Pod]("Spec"): spec, fieldOf[corev1.Pod]("Status"): podStatus()},
	}
}

func podSpec() *message {
	container := &message{keeps: fieldsOf[corev1.Container](
		"Name", "Ports", "StartupProbe", "ReadinessProbe", "LivenessProbe", "Lifecycle", "RestartPolicy", "RestartPolicyRules", "ResizePolicy")}
	return &message{
		keeps: fieldsOf[corev1.PodSpec]("RestartPolicy", "TerminationGracePeriodSeconds", "HostNetwork", "ReadinessGates", "NodeName"),
		parts: parts{fieldOf[corev1.PodSpec]("Containers"): container, fieldOf[corev1.PodSpec]("InitContainers"): container},
	}
}

func podStatus() *message {
	container := &message{keeps: fieldsOf[corev1.ContainerStatus](
		"Name", "State", "LastTerminationState", "Ready", "RestartCount", "Started")}
	return &message{
		keeps: fieldsOf[corev1.PodStatus]("Phase", "Conditions", "Message", "Reason", "StartTime"),
		parts: parts{fieldOf[corev1.PodStatus]("ContainerStatuses"): container, fieldOf[corev1.PodStatus]("InitContainerStatuses"): container},
	}
}

// workload is an object with a Pod template at the end of a path.
func workload(spec *message, path ...protowire.Number) *message {
	inner := &message{keeps: everything, parts: parts{fieldOf[corev1.PodTemplateSpec]("Spec"): spec}}
	for _, number := range slices.Backward(path) {
		inner = &message{keeps: everything, parts: parts{number: inner}}
	}
	inner.parts[objectMeta()] = anyMetadata()
	return inner
}

func everything(field) bool { return true }

// objectMeta is the field of every object of the API.
func objectMeta() protowire.Number { return fieldOf[corev1.Pod]("ObjectMeta") }

func anyMetadata() *message {
	managedFields, annotations := fieldOf[metav1.ObjectMeta]("ManagedFields"), fieldOf[metav1.ObjectMeta]("Annotations")
	return &message{keeps: func(f field) bool {
		return f.number != managedFields && (f.number != annotations || f.key() != corev1.LastAppliedConfigAnnotation)
	}}
}

// podMetadata: managedFields tell something only of a Pod whose spec was changed.
func podMetadata() func(encoded []byte) *message {
	keptAnnotations := map[string]bool{}
	for _, key := range snapshot.KeptAnnotations() {
		keptAnnotations[key] = true
	}
	managedFields, annotations := fieldOf[metav1.ObjectMeta]("ManagedFields"), fieldOf[metav1.ObjectMeta]("Annotations")
	generation := fieldOf[metav1.ObjectMeta]("Generation")
	kept := fieldsOf[metav1.ObjectMeta](
		"Name", "Namespace", "UID", "Labels", "OwnerReferences", "CreationTimestamp", "DeletionTimestamp", "Generation")
	created := &message{keeps: func(f field) bool { return kept(f) || f.number == annotations && keptAnnotations[f.key()] }}
	changed := &message{keeps: func(f field) bool { return created.keeps(f) || f.number == managedFields }}
	return func(encoded []byte) *message {
		for len(encoded) > 0 {
			f, err := firstField(encoded)
			if err != nil {
				break // told where the message is read
			}
			if f.number == generation && f.varint() > 1 {
				return changed
			}
			encoded = encoded[len(f.whole):]
		}
		return created
	}
}
