package snapshot

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// custom is what most controllers that make Pods have in common; a Rollout and a CloneSet have all of it.
type custom struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     struct {
		Replicas *int32                  `json:"replicas"`
		Paused   bool                    `json:"paused"`
		Selector *metav1.LabelSelector   `json:"selector"`
		Template *corev1.PodTemplateSpec `json:"template"`
	} `json:"spec"`
	Status struct {
		CurrentPodHash string            `json:"currentPodHash"`
		UpdateRevision string            `json:"updateRevision"`
		Phase          string            `json:"phase"`
		Conditions     []customCondition `json:"conditions"`
	} `json:"status"`
}

type customCondition struct {
	Type               string      `json:"type"`
	Status             string      `json:"status"`
	Reason             string      `json:"reason"`
	Message            string      `json:"message"`
	LastTransitionTime metav1.Time `json:"lastTransitionTime"`
	LastUpdateTime     metav1.Time `json:"lastUpdateTime"`
}

// Custom converts an object of a kind that Kubernetes does not bring. What does not have the usual shape
// (spec.template with containers, spec.selector, spec.replicas) is left unknown: never guessed, never an error.
func (c *Converter) Custom(u *unstructured.Unstructured) *Object {
	gvk := u.GroupVersionKind()
	typed := loosely(u.Object)
	meta := metav1.ObjectMeta{
		Name: u.GetName(), Namespace: u.GetNamespace(), UID: u.GetUID(), Generation: u.GetGeneration(),
		Labels: u.GetLabels(), Annotations: u.GetAnnotations(), OwnerReferences: u.GetOwnerReferences(),
		CreationTimestamp: u.GetCreationTimestamp(), DeletionTimestamp: u.GetDeletionTimestamp(),
	}
	o := object(gvk.Group, gvk.Kind, &meta)
	if t := typed.Spec.Template; t != nil && len(t.Spec.Containers) > 0 {
		o.Template = c.template(t)
	}
	o.Selector, o.Paused = typed.Spec.Selector, typed.Spec.Paused || typed.Status.Phase == "Paused" // at a step of a Rollout
	if o.Template != nil {
		o.Desired = typed.Spec.Replicas
	}
	o.Revision = firstOf(typed.Status.CurrentPodHash, typed.Status.UpdateRevision)
	for _, cond := range typed.Status.Conditions {
		o.Conditions = append(o.Conditions, Condition{cond.Type, cond.Status, cond.Reason, cond.Message, cond.LastTransitionTime.Time})
		if cond.Type == "Progressing" {
			o.ProgressUpdated = cond.LastUpdateTime.Time
		}
	}
	return o
}

// loosely decodes each part by itself, so that a field of another shape costs that field only.
func loosely(object map[string]any) custom {
	var out custom
	part := func(target any, path ...string) {
		value, found, err := unstructured.NestedFieldNoCopy(object, path...)
		if err != nil || !found {
			return
		}
		if raw, err := json.Marshal(value); err == nil {
			_ = json.Unmarshal(raw, target) // another shape: unknown
		}
	}
	part(&out.Spec.Replicas, "spec", "replicas")
	part(&out.Spec.Paused, "spec", "paused")
	part(&out.Spec.Selector, "spec", "selector")
	part(&out.Spec.Template, "spec", "template")
	part(&out.Status.CurrentPodHash, "status", "currentPodHash")
	part(&out.Status.UpdateRevision, "status", "updateRevision")
	part(&out.Status.Phase, "status", "phase")
	part(&out.Status.Conditions, "status", "conditions")
	return out
}

// Ref is how errors name an object: namespace/kind.group/name.
func (o *Object) Ref() string {
	return fmt.Sprintf("%s/%s", o.Namespace, DisplayName(o.Group, o.Kind, o.Name))
}
