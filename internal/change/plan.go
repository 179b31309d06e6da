package change

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Action is what becomes of a probe.
type Action string

// The actions.
const (
	Added     Action = "added"
	Updated   Action = "updated"
	Removed   Action = "removed"
	Unchanged Action = "unchanged"
)

// Plan is what a request means for every object. It was made without asking anything.
type Plan struct {
	Request Request
	Objects []ObjectPlan // in the order of the targets
	Skipped []Skipped
}

// Skipped is an object that was found and passed over.
type Skipped struct {
	Ref
	Reason string
}

// ObjectPlan is what happens to one Pod or one workload.
type ObjectPlan struct {
	Target
	Changes []Change // one for each chosen container and edited probe; by container, then kind
	Undo    []string // commands that give back exactly what was, quoted for a shell
	Notes   []string

	request Request
	first   originals
}

// Change is what happens to one probe.
type Change struct {
	Container string
	Sidecar   bool
	Kind      probe.Kind
	Action    Action
	Before    *report.Probe // nil: there was none
	After     *report.Probe // nil: there is none
	Effects   []string      // what the kubelet does about it
	Risky     bool          // it can make the container unready, or restart it

	slot          slot
	before, after json.RawMessage // as the server wrote it; as it is sent
	old, new      *probe.Probe
}

func (c Change) key() probeKey { return probeKey{c.Container, c.Kind} }

// Changed tells whether there is anything to send.
func (p *ObjectPlan) Changed() bool {
	for _, c := range p.Changes {
		if c.Action != Unchanged {
			return true
		}
	}
	return false
}

// Risky tells whether a change can make the object's containers unready, or restart them.
func (p *ObjectPlan) Risky() bool {
	for _, c := range p.Changes {
		if c.Risky {
			return true
		}
	}
	return false
}

// waitsForNode tells whether no kubelet has the Pod yet.
func (p *ObjectPlan) waitsForNode() bool { return p.Pod != nil && p.Pod.Spec.NodeName == "" }

// NewPlan works out what the request means for the targets, or why it cannot be done: then every object and reason is
// in the error, and nothing is to be sent to any of them.
func NewPlan(r Request, targets []Target) (*Plan, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	p, err := newPlan(r, targets)
	return p, folded(err)
}

func newPlan(r Request, targets []Target) (*Plan, error) {
	kept, skipped, err := alive(targets)
	if err != nil {
		return nil, err
	}
	choices, err := r.choose(kept)
	if err != nil {
		return nil, err
	}
	p := &Plan{Request: r, Skipped: skipped}
	var errs []error
	for _, c := range choices {
		if len(c.slots) == 0 {
			reason := "no container matches -c " + strings.Join(r.Containers, ",")
			if c.Named && len(r.Containers) > 0 {
				errs = append(errs, refuse(c.Ref, "%s", reason))
			}
			p.Skipped = append(p.Skipped, Skipped{c.Ref, reason})
			continue
		}
		object, err := r.planObject(c)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p.Objects = append(p.Objects, *object)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return p, nil
}

func (r Request) planObject(c choice) (*ObjectPlan, error) {
	p := &ObjectPlan{Target: c.Target, request: r}
	var err error
	if p.Pod != nil {
		if p.first, err = readOriginals(c.Subject); err != nil {
			return nil, err
		}
	}
	if r.Restore {
		err = p.restore(c)
	} else {
		err = r.edit(c, p)
	}
	if err != nil {
		return nil, err
	}
	if err := p.describe(); err != nil {
		return nil, err
	}
	if !p.Manifest {
		p.Undo = p.undo()
	}
	p.Notes = notes(p)
	return p, nil
}

// edit applies the edits. A probe that is not there is passed over where a glob found the container, as long as the
// edits change something somewhere in the object.
func (r Request) edit(c choice, p *ObjectPlan) error {
	var errs, passed []error
	for _, sl := range c.slots {
		for _, e := range r.Edits {
			raw := c.raw[probeKey{sl.Name, e.Kind}]
			after, err := e.ApplyJSON(raw)
			switch {
			case errors.Is(err, probe.ErrNoProbe) && !c.named[sl.Name] && len(c.slots) > 1:
				passed = append(passed, refuse(c.Ref, "container %s: %s", sl.Name, err))
				continue
			case err != nil:
				errs = append(errs, refuse(c.Ref, "container %s: %s", sl.Name, err))
				continue
			}
			change, err := newChange(c.Subject, sl, e.Kind, after)
			if err != nil {
				errs = append(errs, err)
			}
			p.Changes = append(p.Changes, change)
		}
	}
	if len(p.Changes) == 0 && len(errs) == 0 {
		errs = passed
	}
	return errors.Join(errs...)
}

func (p *ObjectPlan) restore(c choice) error {
	want, err := restored(c, p.first)
	if err != nil {
		return err
	}
	var errs []error
	for _, sl := range c.slots {
		for _, kind := range probe.Kinds() {
			raw, known := want[probeKey{sl.Name, kind}]
			if !known || len(raw) == 0 && len(c.raw[probeKey{sl.Name, kind}]) == 0 {
				continue
			}
			change, err := newChange(c.Subject, sl, kind, raw)
			if err != nil {
				errs = append(errs, err)
			}
			p.Changes = append(p.Changes, change)
		}
	}
	return errors.Join(errs...)
}

func newChange(s *Subject, sl slot, kind probe.Kind, after json.RawMessage) (Change, error) {
	c := Change{
		Container: sl.Name, Sidecar: sl.sidecar, Kind: kind, slot: sl,
		before: s.raw[probeKey{sl.Name, kind}], after: after,
	}
	decoded, err := probe.Decode(after)
	if err != nil {
		return c, refuse(s.Ref, "container %s: %s", sl.Name, err)
	}
	c.old, c.new = probe.FromAPI(probe.Of(sl.Container, kind)), probe.FromAPI(decoded)
	c.Action = action(c.old, c.new)
	return c, nil
}

func action(before, after *probe.Probe) Action {
	switch {
	case sameEffective(before, after):
		return Unchanged
	case before == nil:
		return Added
	case after == nil:
		return Removed
	default:
		return Updated
	}
}

// sameEffective compares what was written, defaults filled in: a port by name is another probe than the same by number.
func sameEffective(a, b *probe.Probe) bool { return reflect.DeepEqual(a, b) }
