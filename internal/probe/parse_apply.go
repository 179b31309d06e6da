package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// ErrNoProbe marks fields for a probe that does not exist.
var ErrNoProbe = errors.New("to add one give a handler too (http=, tcp=, grpc= or exec=)")

// Apply returns what the edit makes of a container's probe: nil when it is taken away. old is nil when there is none,
// and is not changed. The result is what the API server accepts, else the error has the server's own words.
func (e Edit) Apply(old *corev1.Probe) (*corev1.Probe, error) {
	var raw json.RawMessage
	if old != nil {
		var err error
		if raw, err = json.Marshal(old); err != nil {
			return nil, fmt.Errorf("encode the %s probe: %w", e.Kind, err)
		}
	}
	changed, err := e.ApplyJSON(raw)
	if err != nil || changed == nil {
		return nil, err
	}
	return Decode(changed)
}

// ApplyJSON is Apply on the JSON of the API. Fields that this program does not know are kept, unless the whole probe
// is replaced.
func (e Edit) ApplyJSON(old json.RawMessage) (json.RawMessage, error) {
	changed, err := e.applied(old)
	if err != nil || changed == nil {
		return nil, err
	}
	p, err := Decode(changed)
	if err != nil {
		return nil, err
	}
	if err := validationError(e.Kind, p); err != nil {
		return nil, err
	}
	return changed, nil
}

func (e Edit) applied(old json.RawMessage) (json.RawMessage, error) {
	switch {
	case e.off:
		return nil, nil
	case e.whole != nil:
		return e.whole, nil
	case isNull(old) && e.handler == "":
		return nil, fmt.Errorf("it has no %s probe; %w", e.Kind, ErrNoProbe)
	}
	fields := map[string]json.RawMessage{}
	if !isNull(old) {
		if err := json.Unmarshal(old, &fields); err != nil {
			return nil, fmt.Errorf("decode the %s probe: %w", e.Kind, err)
		}
	}
	if e.handler != "" {
		for _, f := range handlerNames() {
			delete(fields, f)
		}
	}
	for _, f := range e.fields {
		if f.value == nil {
			delete(fields, f.name)
		} else {
			fields[f.name] = f.value
		}
	}
	return json.Marshal(fields)
}

func handlerNames() []string {
	var names []string
	for _, f := range fields() {
		if f.handler {
			names = append(names, f.api)
		}
	}
	return names
}

// Decode reads a probe in the JSON of the API; nil for none.
func Decode(raw json.RawMessage) (*corev1.Probe, error) {
	if isNull(raw) {
		return nil, nil
	}
	p := &corev1.Probe{}
	if err := json.Unmarshal(raw, p); err != nil {
		return nil, fmt.Errorf("decode a probe: %w", err)
	}
	return p, nil
}

// Flag is the change flag, quoted for a shell, that makes a probe exactly this one: --liveness='{...}', or
// --liveness-off for none. It is printable ASCII, so that it can be copied from any terminal.
func Flag(kind Kind, raw json.RawMessage) string {
	if isNull(raw) {
		return "--" + string(kind) + "-off"
	}
	return "--" + string(kind) + "=" + shellWord(ASCII(raw))
}

// ASCII is JSON that can be copied from any terminal: it writes every character outside printable ASCII as an escape. Outside strings JSON has only blanks there.
func ASCII(raw json.RawMessage) string {
	var b strings.Builder
	for _, r := range string(raw) {
		switch {
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r < ' ':
			b.WriteByte(' ')
		case r > 0xffff:
			r -= 0x10000
			b.WriteString(`\u` + hex4(0xd800+(r>>10)) + `\u` + hex4(0xdc00+(r&0x3ff)))
		default:
			b.WriteString(`\u` + hex4(r))
		}
	}
	return b.String()
}

func hex4(r rune) string {
	text := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", 4-len(text)) + text
}
