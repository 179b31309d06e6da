package fleet

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Managed gives a Pod the managedFields that a server would: half of a Pod's size, and of no use to most readers. A
// server makes them by itself; this is for Pods that never see one.
func Managed(p *corev1.Pod) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	var whole map[string]any
	if err := json.Unmarshal(raw, &whole); err != nil {
		return err
	}
	status := map[string]any{"status": whole["status"]}
	delete(whole, "status")
	made, err := fieldsOf(whole)
	if err != nil {
		return err
	}
	reported, err := fieldsOf(status)
	if err != nil {
		return err
	}
	p.ManagedFields = []metav1.ManagedFieldsEntry{
		{Manager: "kube-controller-manager", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", FieldsType: "FieldsV1", Time: &p.CreationTimestamp, FieldsV1: made},
		{Manager: "kubelet", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", FieldsType: "FieldsV1", Time: &p.CreationTimestamp, FieldsV1: reported, Subresource: "status"},
	}
	return nil
}

func fieldsOf(value map[string]any) (*metav1.FieldsV1, error) {
	raw, err := json.Marshal(fields(value))
	if err != nil {
		return nil, err
	}
	return metav1.NewFieldsV1(string(raw)), nil
}

// fields names what is in a value, as managedFields does: list items by the field that tells them apart.
func fields(value any) map[string]any {
	out := map[string]any{}
	switch v := value.(type) {
	case map[string]any:
		for key, inside := range v {
			out["f:"+key] = fields(inside)
		}
	case []any:
		for _, item := range v {
			if key := itemKey(item); key != "" {
				out[key] = fields(item)
				out[key].(map[string]any)["."] = map[string]any{}
			}
		}
	}
	return out
}

func itemKey(item any) string {
	object, ok := item.(map[string]any)
	if !ok {
		return ""
	}
	for _, field := range []string{"name", "type", "containerPort", "mountPath", "uid", "ip"} {
		if value, ok := object[field]; ok {
			key, err := json.Marshal(map[string]any{field: value})
			if err != nil {
				return ""
			}
			return fmt.Sprintf("k:%s", key)
		}
	}
	return ""
}
