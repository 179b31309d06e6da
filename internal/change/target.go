package change

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Target is a Subject with what is known about it; everything but the Subject may be missing.
type Target struct {
	*Subject
	Named    bool      // by the user, not found through a workload, a selector or --all
	Workload string    // what a person would name: deploy/web; empty for a Pod that stands for itself
	Current  *Template // the workload's template now, which a replacement Pod comes from
	MadeFrom *Template // the template this Pod was made from; needed only to restore without the annotation
	Node     Node
	Pods     int  // of a workload: its live Pods
	Manifest bool // it is in a file and nothing is sent: what only servers forbid is allowed
	// Elsewhere says, of an object in a file, what is to be changed in its place.
	Elsewhere string
}

// Node is where a Pod runs.
type Node struct {
	Name           string
	KubeletVersion string // v1.37.2; empty when it could not be read
	Virtual        bool   // a virtual kubelet, whose probes are its own affair
}

// Template is a Pod template and the object that holds it.
type Template struct {
	Holder string // rs/web-6d4cf56db6, controllerrevision/db-5f7
	Spec   *corev1.PodSpec
	// Siblings are other Pods made from it that nobody has changed: what they are not like, admission rewrote.
	Siblings []*Subject
	// Err says why it could not be read; the rest is then empty.
	Err error

	raw probesJSON
}

// TemplateFromJSON reads a Pod template (the value of spec.template).
func TemplateFromJSON(holder string, data []byte) (*Template, error) {
	var object struct {
		Spec json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("decode the template of %s: %w", holder, err)
	}
	spec := &corev1.PodSpec{}
	if err := json.Unmarshal(orNull(object.Spec), spec); err != nil {
		return nil, fmt.Errorf("decode the template of %s: %w", holder, err)
	}
	raw, err := readProbes(orNull(object.Spec))
	if err != nil {
		return nil, fmt.Errorf("decode the template of %s: %w", holder, err)
	}
	return &Template{Holder: holder, Spec: spec, raw: raw}, nil
}

func (t *Template) container(name string) *corev1.Container {
	for _, list := range [][]corev1.Container{t.Spec.Containers, t.Spec.InitContainers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}
