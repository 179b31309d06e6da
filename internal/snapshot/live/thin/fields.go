package thin

import (
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a message.
type field struct {
	number protowire.Number
	whole  []byte // with its tag
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
	f := field{number: number, whole: message[:tag+length]}
	if kind == protowire.BytesType {
		f.value, _ = protowire.ConsumeBytes(message[tag:])
	}
	return f, nil
}

// varint is the value of a number.
func (f field) varint() uint64 {
	_, _, tag := protowire.ConsumeTag(f.whole)
	n, _ := protowire.ConsumeVarint(f.whole[max(tag, 0):])
	return n
}

// key is that of an entry of a map.
func (f field) key() (key string) {
	for entry := f.value; len(entry) > 0; {
		part, err := firstField(entry)
		if err != nil {
			return key
		}
		if part.number == 1 {
			key = string(part.value)
		}
		entry = entry[len(part.whole):]
	}
	return key
}

// fieldsOf says of a field whether it is one of these of an API type, by their names in Go.
func fieldsOf[T any](names ...string) func(field) bool {
	var set [64]bool
	for _, name := range names {
		set[fieldOf[T](name)] = true
	}
	return func(f field) bool { return int(f.number) < len(set) && set[f.number] }
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
	return protowire.Number(number) //nolint:gosec // a field's number
}
