package thin

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// thinner writes messages; what it holds is there to be used again.
type thinner struct {
	item  []byte
	parts [6][]byte // of each depth
}

// write appends what is kept of an encoded message.
func (t *thinner) write(to, encoded []byte, m *message, depth int) ([]byte, error) {
	if m.of != nil {
		m = m.of(encoded)
	}
	for len(encoded) > 0 {
		f, err := firstField(encoded)
		if err != nil {
			return nil, err
		}
		encoded = encoded[len(f.whole):]
		part := m.parts[f.number]
		if part == nil {
			if m.keeps(f) {
				to = append(to, f.whole...)
			}
			continue
		}
		if f.value == nil {
			return nil, fmt.Errorf("field %d is no message", f.number)
		}
		if t.parts[depth], err = t.write(t.parts[depth][:0], f.value, part, depth+1); err != nil {
			return nil, err
		}
		to = protowire.AppendTag(to, f.number, protowire.BytesType)
		to = protowire.AppendBytes(to, t.parts[depth])
	}
	return to, nil
}
