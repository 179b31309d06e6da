package change

import (
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Kind of a Result, in report.APIVersion.
const Kind = "ProbeChangeResult"

// Outcome is what came of a change.
type Outcome string

// The outcomes. A probe that was not to be changed has none.
const (
	Patched  Outcome = "patched"
	DryRun   Outcome = "dry-run"
	Refused  Outcome = "refused"  // not sent
	Rejected Outcome = "rejected" // the server said no
	Failed   Outcome = "failed"   // not made, or not known to be made
)

// Result is what a plan has come to, in the order of the plan.
type Result struct {
	metav1.TypeMeta `json:",inline"`
	Items           []Item `json:"items"`
}

// GetObjectKind and DeepCopyObject make a Result printable by kubectl's printers.
func (r *Result) GetObjectKind() schema.ObjectKind { return &r.TypeMeta }

// DeepCopyObject copies the top level; nobody changes what lies below.
func (r *Result) DeepCopyObject() runtime.Object {
	c := *r
	return &c
}

// Item is one probe of one Pod, or of one workload's template.
type Item struct {
	Namespace string        `json:"namespace"`
	Pod       string        `json:"pod,omitempty"`
	Workload  string        `json:"workload,omitempty"` // instead of pod where a template changes: deploy/web
	Container string        `json:"container"`
	Probe     probe.Kind    `json:"probe"`
	Action    Action        `json:"action"`
	Before    *report.Probe `json:"before,omitempty"`
	After     *report.Probe `json:"after,omitempty"`
	Effects   []string      `json:"effects"`
	Outcome   Outcome       `json:"outcome,omitempty"`
	Message   string        `json:"message,omitempty"`
	Instead   string        `json:"instead,omitempty"` // a command that works on this server
	InForce   *bool         `json:"inForce,omitempty"` // absent: unknown
	Confirmed *Confirmed    `json:"confirmed,omitempty"`
	Undo      []string      `json:"undo,omitempty"` // commands, of the whole object
	Notes     []string      `json:"notes,omitempty"`
}

// Confirmed is what the node let know about the change.
type Confirmed struct {
	ObservedGeneration bool `json:"observedGeneration"` // the kubelet has seen the Pod as it is now
	Event              bool `json:"event"`              // the kubelet said that it applied the change
}

// ObjectResult is what came of one object's plan.
type ObjectResult struct {
	Plan    *ObjectPlan
	Outcome Outcome // empty: nothing was to be changed
	Message string
	Instead Instead // what does work, when the server lets nobody change running Pods
	// Stop says that every other object would get the same answer.
	Stop bool
	// Confirms has an entry for each of the plan's changes, when the change was made and waited for.
	Confirms []Confirmation

	sent       time.Time
	generation int64 // of the object as it was changed; 0: not known
}

// Confirmation is what is known of one change being in force.
type Confirmation struct {
	Confirmed
	InForce *bool
	Text    string // why: "node-1 applied it after 1.2s"
	Later   bool   // it is in force once the Pod has a node
	Waited  bool   // the node did not answer in time
}

// Ok tells whether the object is as it was asked for, as far as is known.
func (r ObjectResult) Ok() bool {
	for _, c := range r.Confirms {
		if c.InForce != nil && !*c.InForce {
			return false
		}
	}
	return r.Outcome == "" || r.Outcome == Patched || r.Outcome == DryRun
}

// Unanswered tells whether a node did not say in time what it made of the change.
func (r ObjectResult) Unanswered() bool {
	for _, c := range r.Confirms {
		if c.Waited {
			return true
		}
	}
	return false
}

// unsure tells whether a risky change was waited for, and is not known to be in force.
func (r ObjectResult) unsure() bool {
	for i, c := range r.Confirms {
		if c.InForce == nil && r.Plan.Changes[i].Risky {
			return true
		}
	}
	return false
}

// NewResult is the machine-readable form of object results.
func NewResult(objects []ObjectResult) *Result {
	r := &Result{TypeMeta: metav1.TypeMeta{APIVersion: report.APIVersion, Kind: Kind}, Items: []Item{}}
	for _, o := range objects {
		for i, c := range o.Plan.Changes {
			item := Item{
				Namespace: o.Plan.Namespace, Container: c.Container, Probe: c.Kind, Action: c.Action,
				Before: c.Before, After: c.After, Effects: append([]string{}, c.Effects...),
			}
			if o.Plan.Pod != nil {
				item.Pod = o.Plan.Name
			} else {
				item.Workload = o.Plan.String()
			}
			if c.Action != Unchanged {
				item.Outcome, item.Message, item.Instead = o.Outcome, o.Message, o.Instead.Command
				if !o.failed() {
					item.Undo, item.Notes = o.Plan.Undo, o.Plan.Notes
				}
				if i < len(o.Confirms) {
					item.confirm(o.Confirms[i])
				}
			}
			r.Items = append(r.Items, item)
		}
	}
	return r
}

func (i *Item) confirm(c Confirmation) {
	i.InForce, i.Confirmed = c.InForce, &Confirmed{c.ObservedGeneration, c.Event}
	if i.Message == "" {
		i.Message = c.Text
	}
}

// ErrFailed is what Err wraps: the lines that were printed say why.
var ErrFailed = errors.New("not all probes are changed and in force")

// Err is the error of a run whose lines were printed already. answers says that a node that did not answer counts too.
func Err(objects []ObjectResult, answers bool) error {
	failed := 0
	for _, o := range objects {
		if !o.Ok() || answers && o.Unanswered() {
			failed++
		}
	}
	if failed == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d: %w", failed, len(objects), ErrFailed)
}
