package change

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// Request is what was asked for.
type Request struct {
	Edits      []probe.Edit // at most one a kind
	Restore    bool
	Containers []string // names or anchored globs; empty: the candidates decide
	Template   bool     // change the workloads' templates instead of Pods
	Flags      []string // repeated in undo commands: --context=prod
}

// EditFlags are the change flags as they were typed.
type EditFlags struct {
	Values map[probe.Kind][]string // --liveness=..., as often as it was given
	Off    map[probe.Kind]bool     // --liveness-off
}

// Edits reads the change flags. All that is wrong is named, not only the first.
func (f EditFlags) Edits() ([]probe.Edit, error) {
	var edits []probe.Edit
	var errs []error
	for _, kind := range probe.Kinds() {
		values, given := f.Values[kind]
		given = given && len(values) > 0
		switch {
		case given && f.Off[kind]:
			errs = append(errs, fmt.Errorf("--%s and --%s-off cannot be combined: change the probe or take it away", kind, kind))
		case f.Off[kind]:
			edits = append(edits, probe.Off(kind))
		case given:
			e, err := probe.ParseEdit(kind, values)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			edits = append(edits, e)
		}
	}
	return edits, errors.Join(errs...)
}

// Check tells what is wrong with the request by itself, before anything is read.
func (r Request) Check() error {
	switch {
	case len(r.Edits) == 0 && !r.Restore:
		return errors.New("nothing to change: give --startup, --readiness or --liveness with FIELD=VALUE, one of their -off forms, or --restore")
	case len(r.Edits) > 0 && r.Restore:
		return errors.New("--restore puts all three probes back and cannot be combined with other changes")
	case r.Restore && r.Template:
		return errors.New("--restore is for Pods: a template has no earlier state here; for a workload use kubectl rollout undo")
	}
	for _, glob := range r.Containers {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return fmt.Errorf("-c %q is not a container name or glob", glob)
		}
	}
	return nil
}

func (r Request) givesHandler() bool {
	for _, e := range r.Edits {
		if e.GivesHandler() {
			return true
		}
	}
	return false
}

// probes names the probes that are edited: "liveness", "readiness or liveness".
func (r Request) probes() string {
	names := make([]string, 0, len(r.Edits))
	for _, e := range r.Edits {
		names = append(names, string(e.Kind))
	}
	return strings.Join(names, " or ")
}

// isGlob tells a pattern from a name.
func isGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[\`) }

// matches is anchored: web* does not match myweb. Check has seen to the pattern.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
