package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// DriftKind says why a Pod is not what the template says.
type DriftKind string

// The kinds of drift.
const (
	Stale   DriftKind = "stale"   // its whole revision differs from the current template
	Changed DriftKind = "changed" // it alone differs from the template it was made from
)

// Change says how a probe differs.
type Change string

// The ways in which a probe differs, seen from the template.
const (
	Added   Change = "added"   // the Pod has it, the template has not
	Removed Change = "removed" // the template has it, the Pod has not
	Fields  Change = "fields"
)

// Field is one field that differs; empty sides are unset.
type Field struct {
	Field    string `json:"field"`
	Pod      string `json:"pod"`
	Template string `json:"template"`
}

// Drift is one way in which live Pods are not what the current template says.
type Drift struct {
	Probe  probe.Kind `json:"probe"`
	Kind   DriftKind  `json:"kind"`
	Change Change     `json:"change"`
	Pods   int        `json:"pods"`
	// PodNames are at most three of them; of kind changed alone.
	PodNames []string     `json:"podNames,omitempty"`
	Fields   []Field      `json:"fields"`
	By       string       `json:"by,omitempty"` // changed: the field manager, from managedFields
	At       *metav1.Time `json:"at,omitempty"`
}

// Rewritten says what admission made of a probe in every Pod of a revision.
type Rewritten struct {
	Probe  probe.Kind `json:"probe"`
	Change Change     `json:"change"`
	Pods   int        `json:"pods"`
	Fields []Field    `json:"fields"`
	// OrChanged says that each of these Pods was changed in some way after it was made (metadata.generation above 1), so
	// that the difference may as well be a later change that left no trace: nobody owns a field that was removed.
	OrChanged bool `json:"orChanged,omitempty"`
}
