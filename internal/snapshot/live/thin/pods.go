package thin

import (
	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// message says what is kept of one: fields, and of messages in it what is kept of those.
type message struct {
	keeps func(protowire.Number) bool
	// of looks into a message to say what is kept of it; nil where that is always the same.
	of    func(encoded []byte) *message
	parts map[protowire.Number]*message
}

// anyObject is what is kept of objects that are not told apart: everything but managedFields.
var anyObject = &message{
	keeps: func(protowire.Number) bool { return true },
	parts: map[protowire.Number]*message{
		objectMeta: {keeps: func(n protowire.Number) bool { return n != managedFields }},
	},
}

// podMessage is what snapshot.Converter reads of a Pod; a test holds one against the other.
var podMessage = &message{
	keeps: fieldsOf[corev1.Pod](),
	parts: map[protowire.Number]*message{
		objectMeta: {of: podMetadata},
		fieldOf[corev1.Pod]("Spec"): {
			keeps: fieldsOf[corev1.PodSpec](
				"RestartPolicy", "TerminationGracePeriodSeconds", "HostNetwork", "ReadinessGates", "NodeName"),
			parts: map[protowire.Number]*message{
				fieldOf[corev1.PodSpec]("Containers"):     containerMessage,
				fieldOf[corev1.PodSpec]("InitContainers"): containerMessage,
			},
		},
		fieldOf[corev1.Pod]("Status"): {
			keeps: fieldsOf[corev1.PodStatus]("Phase", "Conditions", "Message", "Reason", "StartTime"),
			parts: map[protowire.Number]*message{
				fieldOf[corev1.PodStatus]("ContainerStatuses"):     containerStatusMessage,
				fieldOf[corev1.PodStatus]("InitContainerStatuses"): containerStatusMessage,
			},
		},
	},
}

var containerMessage = &message{keeps: fieldsOf[corev1.Container](
	"Name", "Ports", "StartupProbe", "ReadinessProbe", "LivenessProbe", "Lifecycle", "RestartPolicy", "RestartPolicyRules", "ResizePolicy")}

var containerStatusMessage = &message{keeps: fieldsOf[corev1.ContainerStatus](
	"Name", "State", "LastTerminationState", "Ready", "RestartCount", "Started")}

var (
	objectMeta    = fieldOf[corev1.Pod]("ObjectMeta") // as in every object of the API
	managedFields = fieldOf[metav1.ObjectMeta]("ManagedFields")
	generation    = fieldOf[metav1.ObjectMeta]("Generation")

	metadataOfPod = fieldsOf[metav1.ObjectMeta](
		"Name", "Namespace", "UID", "Labels", "Annotations", "OwnerReferences", "CreationTimestamp", "DeletionTimestamp", "Generation")
	createdPod = &message{keeps: metadataOfPod}
	changedPod = &message{keeps: func(n protowire.Number) bool { return n == managedFields || metadataOfPod(n) }}
)

// podMetadata: managedFields tell something only of a Pod whose spec was changed.
func podMetadata(encoded []byte) *message {
	for len(encoded) > 0 {
		f, err := firstField(encoded)
		if err != nil {
			break // told where the message is read
		}
		if f.number == generation && f.varint() > 1 {
			return changedPod
		}
		encoded = encoded[len(f.whole):]
	}
	return createdPod
}

// thinner writes messages; what it holds is there to be used again.
type thinner struct {
	item  []byte
	parts [4][]byte // of each depth
}

// write appends what is kept of an encoded message.
func (t *thinner) write(to, encoded []byte, m *message, depth int) ([]byte, error) {
	if m.of != nil {
		m = m.of(encoded)
	}
	for len(encoded) > 0 {
		f, err := firstField(encoded)
		if err != nil {
			return nil, err
		}
		encoded = encoded[len(f.whole):]
		part := m.parts[f.number]
		if part == nil {
			if m.keeps(f.number) {
				to = append(to, f.whole...)
			}
			continue
		}
		if t.parts[depth], err = t.write(t.parts[depth][:0], f.value, part, depth+1); err != nil {
			return nil, err
		}
		to = protowire.AppendTag(to, f.number, protowire.BytesType)
		to = protowire.AppendBytes(to, t.parts[depth])
	}
	return to, nil
}
