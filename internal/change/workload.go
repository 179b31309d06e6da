package change

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// workload is what counts, beside its template, when a template changes.
type workload struct {
	gk    schema.GroupKind
	known bool // where its template is

	paused      bool
	onDelete    bool   // Pods are replaced only when somebody deletes them
	ordered     bool   // one Pod after the other, each waiting for the one before to be Ready
	partition   int64  // Pods with a lower ordinal stay
	workloadRef string // a Rollout whose template is in another object
}

// templatePath is where a kind keeps its Pod template; kinds that are not listed are not guessed.
func templatePath(gk schema.GroupKind) ([]string, bool) {
	switch gk {
	case schema.GroupKind{Group: "apps", Kind: "Deployment"}, schema.GroupKind{Group: "apps", Kind: "StatefulSet"},
		schema.GroupKind{Group: "apps", Kind: "DaemonSet"}, schema.GroupKind{Group: "apps", Kind: "ReplicaSet"},
		schema.GroupKind{Kind: "ReplicationController"}, schema.GroupKind{Group: "batch", Kind: "Job"},
		schema.GroupKind{Group: "argoproj.io", Kind: "Rollout"},
		schema.GroupKind{Group: "apps.kruise.io", Kind: "CloneSet"}, schema.GroupKind{Group: "apps.kruise.io", Kind: "StatefulSet"},
		schema.GroupKind{Group: "apps.kruise.io", Kind: "DaemonSet"}:
		return []string{"spec", "template"}, true
	case schema.GroupKind{Group: "batch", Kind: "CronJob"}:
		return []string{"spec", "jobTemplate", "spec", "template"}, true
	default:
		return nil, false
	}
}

// WorkloadFromJSON reads a workload as the server sent it.
func WorkloadFromJSON(data []byte) (*Subject, error) {
	var object struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        metav1.ObjectMeta `json:"metadata"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("decode a workload: %w", err)
	}
	gk := object.GroupVersionKind().GroupKind()
	s := &Subject{
		Ref: Ref{
			Group: gk.Group, Kind: gk.Kind,
			Namespace: object.Metadata.Namespace, Name: object.Metadata.Name, UID: object.Metadata.UID,
		},
		Meta: object.Metadata, Spec: &corev1.PodSpec{}, raw: probesJSON{},
	}
	var err error
	if s.workload, err = readWorkload(gk, data); err != nil {
		return nil, fmt.Errorf("decode %s: %w", s.Ref, err)
	}
	path, known := templatePath(gk)
	if s.workload.known = known; !known {
		return s, nil
	}
	path = append(path, "spec")
	s.prefix = "/" + strings.Join(path, "/")
	spec, err := at(data, path...)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", s.Ref, err)
	}
	if err := json.Unmarshal(orNull(spec), s.Spec); err != nil {
		return nil, fmt.Errorf("decode the template of %s: %w", s.Ref, err)
	}
	if s.raw, err = readProbes(orNull(spec)); err != nil {
		return nil, fmt.Errorf("decode the template of %s: %w", s.Ref, err)
	}
	return s, nil
}

// at walks down the fields of an object; nil where one is missing.
func at(data json.RawMessage, path ...string) (json.RawMessage, error) {
	for _, name := range path {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(orNull(data), &fields); err != nil {
			return nil, err
		}
		data = fields[name]
	}
	return data, nil
}

func readWorkload(gk schema.GroupKind, data []byte) (*workload, error) {
	var object struct {
		Spec struct {
			Paused              bool   `json:"paused"`
			PodManagementPolicy string `json:"podManagementPolicy"`
			UpdateStrategy      struct {
				Type          string `json:"type"`
				RollingUpdate struct {
					Partition json.RawMessage `json:"partition"`
				} `json:"rollingUpdate"`
			} `json:"updateStrategy"`
			WorkloadRef *struct {
				Kind string `json:"kind"`
				Name string `json:"name"`
			} `json:"workloadRef"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, err
	}
	w := &workload{gk: gk, paused: object.Spec.Paused, onDelete: object.Spec.UpdateStrategy.Type == "OnDelete"}
	w.ordered = gk.Kind == "StatefulSet" && object.Spec.PodManagementPolicy != "Parallel"
	if raw := object.Spec.UpdateStrategy.RollingUpdate.Partition; len(raw) > 0 {
		_ = json.Unmarshal(raw, &w.partition) // Kruise allows a percentage: then nothing is said about it
	}
	if ref := object.Spec.WorkloadRef; ref != nil {
		w.workloadRef = strings.ToLower(ref.Kind) + "/" + ref.Name
	}
	return w, nil
}

// refuse says why the template cannot be changed here.
func (w *workload) refuse(meta metav1.ObjectMeta) string {
	owner := metav1.GetControllerOfNoCopy(&meta)
	switch {
	case w.unknown() != "":
		return w.unknown()
	case meta.DeletionTimestamp != nil:
		return "it is being deleted"
	case w.gk.Kind == "Job":
		return "the template of a Job cannot change once it exists"
	case owner != nil && w.gk.Kind == "ReplicaSet":
		return fmt.Sprintf("it belongs to %s: name that one, whose template is what counts", ownerText(owner))
	default:
		return ""
	}
}

// unknown says why its template cannot be found.
func (w *workload) unknown() string {
	switch {
	case !w.known:
		return fmt.Sprintf("where a %s keeps its Pod template is not known here: change it with kubectl edit or kubectl patch", w.gk)
	case w.workloadRef != "":
		return fmt.Sprintf("its template is that of %s (spec.workloadRef): name that one", w.workloadRef)
	default:
		return ""
	}
}

func ownerText(owner *metav1.OwnerReference) string {
	gv, err := schema.ParseGroupVersion(owner.APIVersion)
	if err != nil {
		return owner.Kind + " " + owner.Name
	}
	return Ref{Group: gv.Group, Kind: owner.Kind, Name: owner.Name}.String()
}
