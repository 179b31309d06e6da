package thin

import (
	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// message says what is kept of one: fields, and of messages in it what is kept of those.
type message struct {
	kept  func(encoded []byte) *fieldSet
	parts map[protowire.Number]*message
}

// podMessage is what snapshot.Converter reads of a Pod; a test holds one against the other.
var podMessage = &message{
	kept: always(fieldsOf[corev1.Pod]()),
	parts: map[protowire.Number]*message{
		fieldOf[corev1.Pod]("ObjectMeta"): {kept: metadataFields},
		fieldOf[corev1.Pod]("Spec"): {
			kept: always(fieldsOf[corev1.PodSpec](
				"RestartPolicy", "TerminationGracePeriodSeconds", "HostNetwork", "ReadinessGates", "NodeName")),
			parts: map[protowire.Number]*message{
				fieldOf[corev1.PodSpec]("Containers"):     containerMessage,
				fieldOf[corev1.PodSpec]("InitContainers"): containerMessage,
			},
		},
		fieldOf[corev1.Pod]("Status"): {
			kept: always(fieldsOf[corev1.PodStatus]("Phase", "Conditions", "Message", "Reason", "StartTime")),
			parts: map[protowire.Number]*message{
				fieldOf[corev1.PodStatus]("ContainerStatuses"):     containerStatusMessage,
				fieldOf[corev1.PodStatus]("InitContainerStatuses"): containerStatusMessage,
			},
		},
	},
}

var containerMessage = &message{kept: always(fieldsOf[corev1.Container](
	"Name", "Ports", "StartupProbe", "ReadinessProbe", "LivenessProbe", "Lifecycle", "RestartPolicy", "RestartPolicyRules", "ResizePolicy"))}

var containerStatusMessage = &message{kept: always(fieldsOf[corev1.ContainerStatus](
	"Name", "State", "LastTerminationState", "Ready", "RestartCount", "Started"))}

var (
	generation      = fieldOf[metav1.ObjectMeta]("Generation")
	metadataOfPods  = fieldsOf[metav1.ObjectMeta](metadataNames()...)
	metadataChanged = fieldsOf[metav1.ObjectMeta](append(metadataNames(), "ManagedFields")...)
)

func metadataNames() []string {
	return []string{"Name", "Namespace", "UID", "Labels", "Annotations", "OwnerReferences", "CreationTimestamp", "DeletionTimestamp", "Generation"}
}

// metadataFields: managedFields tell something only of a Pod whose spec was changed.
func metadataFields(encoded []byte) *fieldSet {
	for len(encoded) > 0 {
		f, err := firstField(encoded)
		if err != nil {
			break // told where the message is read
		}
		if f.number == generation {
			_, _, tag := protowire.ConsumeTag(f.whole)
			if n, _ := protowire.ConsumeVarint(f.whole[max(tag, 0):]); n > 1 {
				return metadataChanged
			}
		}
		encoded = encoded[len(f.whole):]
	}
	return metadataOfPods
}

func always(set *fieldSet) func([]byte) *fieldSet { return func([]byte) *fieldSet { return set } }

// thinner writes messages; what it holds is there to be used again.
type thinner struct {
	pod   []byte
	parts [4][]byte // of each depth
}

// write appends what is kept of an encoded message.
func (t *thinner) write(to, encoded []byte, m *message, depth int) ([]byte, error) {
	kept := m.kept(encoded)
	for len(encoded) > 0 {
		f, err := firstField(encoded)
		if err != nil {
			return nil, err
		}
		encoded = encoded[len(f.whole):]
		part := m.parts[f.number]
		if part == nil {
			if kept.has(f.number) {
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
