package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Where the continue token is, by the API's protobuf: a magic number, then runtime.Unknown, whose field raw is the
// list, whose first field is ListMeta.
const (
	fieldRaw      = 2 // of runtime.Unknown (k8s.io/apimachinery/pkg/runtime/generated.proto)
	fieldListMeta = 1 // of every list
	fieldContinue = 3 // of ListMeta (k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto)
)

var errNoProtobuf = errors.New("not the protobuf of the Kubernetes API")

// continueToken finds the token in the beginning of a list's protobuf; empty is the last page.
func continueToken(head []byte) (string, error) {
	head, ok := bytes.CutPrefix(head, []byte("k8s\x00"))
	if !ok {
		return "", errNoProtobuf
	}
	token := head
	for _, number := range []uint64{fieldRaw, fieldListMeta, fieldContinue} {
		if token, ok = field(token, number); !ok {
			return "", errNoProtobuf
		}
	}
	return string(token), nil
}

// field returns what a message has under a number, cut where the beginning that was kept ends, and nothing where
// the message does not have it. Fields are in the order of their numbers.
func field(message []byte, number uint64) (value []byte, ok bool) {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, false
		}
		message = message[n:]
		length, n := binary.Uvarint(message) // or the value itself, where it is a number
		if n <= 0 {
			return nil, false
		}
		message = message[n:]
		const lengthDelimited, varint = 2, 0
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
