package change

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// choice is the containers of one target that the request is about.
type choice struct {
	Target
	slots []slot
	named map[string]bool // by its own name, not by a glob: then a probe that is not there is an error
}

// choose finds the containers in every target. Patterns are held against all targets together: each must match somewhere.
func (r Request) choose(targets []Target) ([]choice, error) {
	if len(r.Containers) > 0 {
		return r.chooseNamed(targets)
	}
	var out []choice
	var errs []error
	for _, t := range targets {
		c, err := r.candidate(t)
		if err != nil {
			errs = append(errs, err)
		}
		out = append(out, c)
	}
	return out, errors.Join(errs...)
}

func (r Request) chooseNamed(targets []Target) ([]choice, error) {
	out := make([]choice, 0, len(targets))
	matched := map[string]bool{}
	for _, t := range targets {
		c := choice{Target: t, named: map[string]bool{}}
		for _, sl := range t.slots() {
			for _, pattern := range r.Containers {
				if !matches(pattern, sl.Name) {
					continue
				}
				matched[pattern] = true
				c.named[sl.Name] = c.named[sl.Name] || !isGlob(pattern)
				if !slices.ContainsFunc(c.slots, func(o slot) bool { return o.Name == sl.Name }) {
					c.slots = append(c.slots, sl)
				}
			}
		}
		out = append(out, c)
	}
	var errs []error
	for _, pattern := range r.Containers {
		if !matched[pattern] {
			errs = append(errs, noSuchContainer(pattern, targets))
		}
	}
	return out, errors.Join(errs...)
}

// noSuchContainer says what there is instead, and when the name is that of a container that cannot have probes.
func noSuchContainer(pattern string, targets []Target) error {
	var names []string
	for _, t := range targets {
		for name, why := range t.without() {
			if matches(pattern, name) {
				return refuse(t.Ref, "container %q is %s", name, why)
			}
		}
		for _, sl := range t.slots() {
			if !slices.Contains(names, sl.Name) {
				names = append(names, sl.Name)
			}
		}
	}
	what := "no container is named"
	if isGlob(pattern) {
		what = "no container matches"
	}
	text := fmt.Sprintf("%s %q; there are %s", what, pattern, strings.Join(names, ", "))
	if len(targets) == 1 {
		return refuse(targets[0].Ref, "%s", text)
	}
	return fmt.Errorf("in %d of them %s", len(targets), text)
}

// candidate takes the one container that can be meant: with a handler any regular one, else one that has such a probe.
func (r Request) candidate(t Target) (choice, error) {
	c := choice{Target: t, named: map[string]bool{}}
	if r.Restore {
		c.slots = t.slots()
		return c, nil
	}
	for _, sl := range t.slots() {
		if r.isCandidate(sl) {
			c.slots = append(c.slots, sl)
		}
	}
	switch {
	case len(c.slots) > 1:
		return c, refuse(t.Ref, "several containers could be meant: choose with -c %s, or -c '*' for all of them", strings.Join(names(c.slots), ", -c "))
	case len(c.slots) == 0 && r.onlyOff():
		c.slots = t.slots() // they have none already, which is what was asked for
	case len(c.slots) == 0:
		return c, refuse(t.Ref, "no container has a %s probe; %s", r.probes(), probe.ErrNoProbe)
	}
	return c, nil
}

func (r Request) isCandidate(sl slot) bool {
	if r.givesHandler() {
		return !sl.sidecar
	}
	return slices.ContainsFunc(r.Edits, func(e probe.Edit) bool { return probe.Of(sl.Container, e.Kind) != nil })
}

func (r Request) onlyOff() bool {
	return !slices.ContainsFunc(r.Edits, func(e probe.Edit) bool { return !e.IsOff() })
}

func names(slots []slot) []string {
	out := make([]string, 0, len(slots))
	for _, sl := range slots {
		out = append(out, sl.Name)
	}
	return out
}
