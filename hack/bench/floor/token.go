package main

import (
	"bytes"
	"encoding/binary"
)

// Where the token is, by the API's protobuf: a magic number, then runtime.Unknown, whose field raw is the list, whose
// first field is ListMeta.
const (
	fieldRaw      = 2 // of runtime.Unknown (k8s.io/apimachinery/pkg/runtime/generated.proto)
	fieldListMeta = 1 // of every list
	fieldContinue = 3 // of ListMeta (k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto)
)

// continueToken finds the token in the protobuf of a list, of which the beginning is enough; empty is the last page. It is not ok
// where that is no such list.
func continueToken(body []byte) (token string, ok bool) {
	value, ok := bytes.CutPrefix(body, []byte("k8s\x00"))
	for _, number := range []uint64{fieldRaw, fieldListMeta, fieldContinue} {
		if !ok {
			return "", false
		}
		value, ok = field(value, number)
	}
	return string(value), ok
}

// field returns what a message has under a number, cut where the message is cut, and nothing where it does not have
// it. Fields are in the order of their numbers.
func field(message []byte, number uint64) (value []byte, ok bool) {
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
