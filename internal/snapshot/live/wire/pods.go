package wire

import (
	"bytes"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What snapshot.Converter reads of a Pod: a test holds one against the other.
var (
	podMetadata = fieldOf[corev1.Pod]("ObjectMeta")
	podSpec     = fieldOf[corev1.Pod]("Spec")
	podStatus   = fieldOf[corev1.Pod]("Status")

	managedFields  = fieldsOf[metav1.ObjectMeta]("ManagedFields")
	metadataFields = fieldsOf[metav1.ObjectMeta](
		"Name", "Namespace", "UID", "Labels", "Annotations", "OwnerReferences", "CreationTimestamp", "DeletionTimestamp", "Generation")

	containers     = fieldOf[corev1.PodSpec]("Containers")
	initContainers = fieldOf[corev1.PodSpec]("InitContainers")
	specFields     = fieldsOf[corev1.PodSpec](
		"RestartPolicy", "TerminationGracePeriodSeconds", "HostNetwork", "ReadinessGates", "NodeName")
	containerFields = fieldsOf[corev1.Container](
		"Name", "Ports", "StartupProbe", "ReadinessProbe", "LivenessProbe", "Lifecycle", "RestartPolicy", "RestartPolicyRules", "ResizePolicy")

	containerStatuses     = fieldOf[corev1.PodStatus]("ContainerStatuses")
	initContainerStatuses = fieldOf[corev1.PodStatus]("InitContainerStatuses")
	statusFields          = fieldsOf[corev1.PodStatus]("Phase", "Conditions", "Message", "Reason", "StartTime")
	containerStatusFields = fieldsOf[corev1.ContainerStatus]("Name", "State", "LastTerminationState", "Ready", "RestartCount", "Started")

	nothing fieldSet
)

// Pods decodes a PodList, and of each Pod what a Snapshot holds of it. It is not ok where body is no protobuf of one.
func Pods(body []byte) (list *corev1.PodList, ok bool, err error) {
	raw, ok := rawOf(body, "PodList")
	if !ok {
		return nil, false, nil
	}
	list = &corev1.PodList{}
	err = decode(raw, list, &nothing, func(f field) error {
		switch f.number {
		case listMeta:
			return list.ListMeta.Unmarshal(f.value)
		case listItems:
			list.Items = append(list.Items, corev1.Pod{})
			return pod(f.value, &list.Items[len(list.Items)-1])
		}
		return nil
	})
	return list, true, err
}

// rawOf unwraps an object of a kind.
func rawOf(body []byte, kind string) (raw []byte, ok bool) {
	wrapped, ok := bytes.CutPrefix(body, []byte(magic))
	if !ok {
		return nil, false
	}
	var is []byte
	for len(wrapped) > 0 {
		f, err := firstField(wrapped)
		if err != nil {
			return nil, false // the generated code tells it
		}
		wrapped = wrapped[f.size:]
		switch f.number {
		case unknownTypeMeta:
			is, _ = beginningOf(f.value, typeMetaKind)
		case unknownRaw:
			raw = f.value
		}
	}
	return raw, string(is) == kind
}

func pod(message []byte, p *corev1.Pod) error {
	return decode(message, p, &nothing, func(f field) error {
		switch f.number {
		case podMetadata:
			return metadata(f.value, &p.ObjectMeta)
		case podSpec:
			return spec(f.value, &p.Spec)
		case podStatus:
			return status(f.value, &p.Status)
		}
		return nil
	})
}

// metadata decodes managedFields only where they tell something: of a Pod whose spec was changed.
func metadata(message []byte, m *metav1.ObjectMeta) error {
	if err := decode(message, m, &metadataFields, drop); err != nil || m.Generation <= 1 {
		return err
	}
	return decode(message, m, &managedFields, drop)
}

func spec(message []byte, s *corev1.PodSpec) error {
	return decode(message, s, &specFields, func(f field) error {
		switch f.number {
		case containers:
			return appended(&s.Containers, f.value, &containerFields)
		case initContainers:
			return appended(&s.InitContainers, f.value, &containerFields)
		}
		return nil
	})
}

func status(message []byte, s *corev1.PodStatus) error {
	return decode(message, s, &statusFields, func(f field) error {
		switch f.number {
		case containerStatuses:
			return appended(&s.ContainerStatuses, f.value, &containerStatusFields)
		case initContainerStatuses:
			return appended(&s.InitContainerStatuses, f.value, &containerStatusFields)
		}
		return nil
	})
}

// appended decodes one more of a repeated field.
func appended[T any, P interface {
	*T
	unmarshaler
}](all *[]T, message []byte, set *fieldSet) error {
	*all = append(*all, *new(T))
	return decode(message, P(&(*all)[len(*all)-1]), set, drop)
}
