package wire

import (
	"bytes"
	"encoding/binary"
)

// ContinueToken finds the continue token in the protobuf of a list, of which the beginning is enough; empty is the last
// page. It is not ok where that is no such list.
func ContinueToken(body []byte) (token string, ok bool) {
	value, ok := bytes.CutPrefix(body, []byte(magic))
	for _, number := range []uint64{unknownRaw, listMeta, listMetaContinue} {
		if !ok {
			return "", false
		}
		value, ok = beginningOf(value, number)
	}
	return string(value), ok
}

// beginningOf returns what a message has under a number, cut where the message is cut, and nothing where it does not
// have it. Fields are in the order of their numbers.
func beginningOf(message []byte, number uint64) (value []byte, ok bool) {
	const varint, lengthDelimited = 0, 2
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, false
		}
		length, m := binary.Uvarint(message[n:]) // or the value itself, where it is a number
		if m <= 0 {
			return nil, false
		}
		message = message[n+m:]
		switch {
		case key&7 == varint:
		case key&7 != lengthDelimited:
			return nil, false
		case key>>3 == number:
			return message[:min(length, uint64(len(message)))], true
		case length > uint64(len(message)):
			return nil, false
		default:
			message = message[length:]
		}
	}
	return nil, true
}
