// Package wire reads the API's protobuf by itself, where the generated code decodes too much: a page of Pods is mostly
// managedFields, volumes and environments, which no probe depends on, and its continue token is known before the rest.
package wire

import (
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// How the API wraps an object: a magic number, then a runtime.Unknown (k8s.io/apimachinery/pkg/runtime/generated.proto).
const (
	magic = "k8s\x00"

	unknownTypeMeta = 1
	unknownRaw      = 2
	typeMetaKind    = 2

	listMeta         = 1 // of every list
	listItems        = 2 // of every list
	listMetaContinue = 3 // k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto
)

// field is one field of a message.
type field struct {
	number protowire.Number
	size   int    // with its tag
	value  []byte // of a string, of bytes, of a message; nothing of a number
}

func firstField(message []byte) (field, error) {
	number, kind, tag := protowire.ConsumeTag(message)
	if tag < 0 {
		return field{}, protowire.ParseError(tag)
	}
	length := protowire.ConsumeFieldValue(number, kind, message[tag:])
	if length < 0 {
		return field{}, protowire.ParseError(length)
	}
	f := field{number: number, size: tag + length}
	if kind == protowire.BytesType {
		f.value, _ = protowire.ConsumeBytes(message[tag:])
	}
	return f, nil
}

// fieldSet says which fields of a message are decoded, by their numbers.
type fieldSet [64]bool

// fieldsOf finds the numbers of fields of an API type, where its Go code has them.
func fieldsOf[T any](names ...string) (set fieldSet) {
	for _, name := range names {
		set[fieldOf[T](name)] = true
	}
	return set
}

func fieldOf[T any](name string) protowire.Number {
	f, ok := reflect.TypeFor[T]().FieldByName(name)
	parts := strings.Split(f.Tag.Get("protobuf"), ",") // bytes,10,opt,name=livenessProbe
	if !ok || len(parts) < 2 {
		panic("no protobuf field " + reflect.TypeFor[T]().Name() + "." + name)
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		panic(err)
	}
	return protowire.Number(number)
}

func (s *fieldSet) has(number protowire.Number) bool { return int(number) < len(s) && s[number] }

// unmarshaler is what the generated code of an API type does: it adds to what is there.
type unmarshaler interface{ Unmarshal([]byte) error }

// decode lets the generated code decode the fields of a set, in pieces as long as possible. The other fields go to other,
// one by one.
func decode(message []byte, into unmarshaler, set *fieldSet, other func(field) error) error {
	start := 0 // of the piece that waits to be decoded
	for at := 0; at < len(message); {
		f, err := firstField(message[at:])
		if err != nil {
			return err
		}
		next := at + f.size
		if !set.has(f.number) {
			if err := into.Unmarshal(message[start:at]); err != nil {
				return err
			}
			if err := other(f); err != nil {
				return err
			}
			start = next
		}
		at = next
	}
	return into.Unmarshal(message[start:])
}

func drop(field) error { return nil }
