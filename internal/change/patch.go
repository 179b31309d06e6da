package change

import (
	"encoding/json"
	"fmt"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// operation is one step of a JSON Patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

func test(path string, value any) operation { return operation{"test", path, value} }

// testAbsent: a test for null holds only where there is nothing. The value must be there, so it is no nil.
func testAbsent(path string) operation { return operation{"test", path, json.RawMessage("null")} }

// Patch is the JSON Patch that makes the changes, and nothing when there are none. All its tests come first: of the UID,
// so that another Pod of the same name is not touched; of the container's name at its index; and of the probe's old
// value, so that nobody's newer change is overwritten. What the kubelet writes all the time is not tested.
func (p *ObjectPlan) Patch() ([]byte, error) {
	if !p.Changed() {
		return nil, nil
	}
	tests := []operation{test("/metadata/uid", string(p.UID))}
	var steps []operation
	for _, name := range p.containers() {
		sl, _ := p.slot(name)
		tests = append(tests, test(p.pointer(sl, "name"), name))
	}
	for _, c := range p.Changes {
		if c.Action == Unchanged {
			continue
		}
		at := p.pointer(c.slot, fieldOf(c.Kind))
		if len(c.before) == 0 {
			tests = append(tests, testAbsent(at))
		} else {
			tests = append(tests, test(at, c.before))
		}
		steps = append(steps, c.step(at))
	}
	if p.Pod != nil {
		annotationTests, annotationSteps, err := p.annotate()
		if err != nil {
			return nil, err
		}
		tests, steps = append(tests, annotationTests...), append(steps, annotationSteps...)
	}
	patch, err := json.Marshal(append(tests, steps...))
	if err != nil {
		return nil, fmt.Errorf("encode the patch of %s: %w", p.Ref, err)
	}
	return patch, nil
}

func (c Change) step(at string) operation {
	switch c.Action {
	case Added:
		return operation{"add", at, c.after}
	case Removed:
		return operation{Op: "remove", Path: at}
	default:
		return operation{"replace", at, c.after}
	}
}

// originalPath is OriginalAnnotation in a JSON pointer.
const originalPath = "/metadata/annotations/kubectl-probes.github.io~1original"

// annotate keeps the originals in the same patch. A Pod without annotations is tested for still having none: to add
// the map would otherwise drop those that somebody adds meanwhile.
func (p *ObjectPlan) annotate() (tests, steps []operation, err error) {
	before := p.Meta.Annotations[snapshot.OriginalAnnotation]
	after, err := p.first.with(p.Changes).text()
	if err != nil || before == after {
		return nil, nil, err
	}
	switch {
	case len(p.Meta.Annotations) == 0:
		return []operation{testAbsent("/metadata/annotations")},
			[]operation{{"add", "/metadata/annotations", map[string]string{snapshot.OriginalAnnotation: after}}}, nil
	case before == "":
		return []operation{testAbsent(originalPath)}, []operation{{"add", originalPath, after}}, nil
	case after == "":
		return []operation{test(originalPath, before)}, []operation{{Op: "remove", Path: originalPath}}, nil
	default:
		return []operation{test(originalPath, before)}, []operation{{"replace", originalPath, after}}, nil
	}
}
