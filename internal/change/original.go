package change

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

type originals map[string]map[probe.Kind]json.RawMessage

// readOriginals reads a Pod's annotation; none is none.
func readOriginals(s *Subject) (originals, error) {
	value, ok := s.Meta.Annotations[snapshot.OriginalAnnotation]
	if !ok {
		return originals{}, nil
	}
	out := originals{}
	if err := json.Unmarshal([]byte(value), &out); err != nil {
		return nil, refuse(s.Ref, "its annotation %s cannot be read (%s): remove it with kubectl annotate pod %s -n %s %s-",
			snapshot.OriginalAnnotation, err, s.Name, s.Namespace, snapshot.OriginalAnnotation)
	}
	return out, nil
}

func (o originals) get(k probeKey) (raw json.RawMessage, known bool) {
	raw, known = o[k.container][k.kind]
	if string(raw) == "null" {
		raw = nil
	}
	return raw, known
}

// with returns a copy that knows what the changed probes were first. A probe that is what it was first needs no entry.
func (o originals) with(changes []Change) originals {
	out := originals{}
	for container, entries := range o {
		out[container] = map[probe.Kind]json.RawMessage{}
		for kind, raw := range entries {
			out[container][kind] = raw
		}
	}
	for _, c := range changes {
		first, known := out.get(c.key())
		switch {
		case known && sameJSON(first, c.after):
			delete(out[c.Container], c.Kind)
		case !known && c.Action != Unchanged:
			if out[c.Container] == nil {
				out[c.Container] = map[probe.Kind]json.RawMessage{}
			}
			out[c.Container][c.Kind] = orNull(c.before)
		}
		if len(out[c.Container]) == 0 {
			delete(out, c.Container)
		}
	}
	return out
}

// text is the annotation's value, empty for none.
func (o originals) text() (string, error) {
	if len(o) == 0 {
		return "", nil
	}
	text, err := json.Marshal(o)
	if err != nil {
		return "", fmt.Errorf("encode the annotation %s: %w", snapshot.OriginalAnnotation, err)
	}
	return string(text), nil
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// sameJSON compares two probes as JSON, whatever the order of their fields.
func sameJSON(a, b json.RawMessage) bool {
	return canonical(a) == canonical(b)
}

func canonical(raw json.RawMessage) string {
	decoder := json.NewDecoder(bytes.NewReader(orNull(raw)))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
		return string(raw)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(text)
}
