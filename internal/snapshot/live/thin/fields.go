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

// fieldSet says which fields of a message are kept, by their numbers.
type fieldSet [64]bool

func (s *fieldSet) has(number protowire.Number) bool { return int(number) < len(s) && s[number] }

// fieldsOf finds the numbers of fields of an API type, where its Go code has them.
func fieldsOf[T any](names ...string) *fieldSet {
	var set fieldSet
	for _, name := range names {
		set[fieldOf[T](name)] = true
	}
	return &set
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
