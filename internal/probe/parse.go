package probe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	kjson "sigs.k8s.io/json"
)

// Edit is what one flag asks of one probe: to take it away, to replace it as a whole, or to change some of its fields.
// The zero value asks for nothing.
type Edit struct {
	Kind Kind

	off     bool
	whole   json.RawMessage // a whole probe; else the fields
	fields  []edited        // in the order they were given; a handler is one of them
	handler string          // the API's name of the handler that is given, empty when none is
	typed   []string        // the values as they were typed
}

// edited is one field by its API name; no value takes the field away.
type edited struct {
	name  string
	value json.RawMessage
}

// Off is the Edit that takes the probe away.
func Off(kind Kind) Edit { return Edit{Kind: kind, off: true} }

// Whole is the Edit that replaces the probe by one as the API has it; nothing is checked. No probe is Off.
func Whole(kind Kind, probe json.RawMessage) Edit {
	if isNull(probe) {
		return Off(kind)
	}
	return Edit{Kind: kind, whole: probe}
}

// IsOff tells whether the probe is taken away.
func (e Edit) IsOff() bool { return e.off }

// Flags are the flags that ask for this edit, quoted for a shell.
func (e Edit) Flags() []string {
	if e.typed == nil {
		return []string{Flag(e.Kind, e.whole)}
	}
	flags := make([]string, 0, len(e.typed))
	for _, value := range e.typed {
		flags = append(flags, "--"+string(e.Kind)+"="+shellWord(value))
	}
	return flags
}

// GivesHandler tells whether the edit can make a probe where there is none.
func (e Edit) GivesHandler() bool { return e.whole != nil || e.handler != "" }

// ParseEdit reads the values of one flag such as --liveness, which may have been given several times. Each is either
// FIELD=VALUE[,FIELD=VALUE...] or, alone, a whole probe in the JSON of the API. Its errors name flag and field.
func ParseEdit(kind Kind, values []string) (Edit, error) {
	e := Edit{Kind: kind, typed: values}
	for _, value := range values {
		if err := e.parse(strings.TrimSpace(value), len(values) == 1); err != nil {
			return Edit{}, fmt.Errorf("--%s: %w", kind, err)
		}
	}
	if len(values) == 0 {
		return Edit{}, fmt.Errorf("--%s: %w", kind, errNoValue)
	}
	return e, nil
}

var errNoValue = errors.New("a value is missing: give FIELD=VALUE[,...], for instance period=10,failure=3, or a whole probe as JSON")

func (e *Edit) parse(value string, alone bool) error {
	switch {
	case value == "":
		return errNoValue
	case strings.HasPrefix(value, "-"):
		return otherSpelling(e.Kind, value)
	case !strings.HasPrefix(value, "{"):
		return e.parseFields(value)
	case !alone:
		return errors.New("a whole probe as JSON cannot be combined with other fields: give the one or the other")
	default:
		return e.parseWhole(value)
	}
}

// parseWhole reads a probe as the API server does: names of fields are case-sensitive; unknown ones are an error.
func (e *Edit) parseWhole(value string) error {
	var p corev1.Probe
	strict, err := kjson.UnmarshalStrict([]byte(value), &p)
	if err != nil {
		return fmt.Errorf("not a probe in JSON: %w", err)
	}
	if len(strict) > 0 {
		return unknownInJSON(strict)
	}
	if err := validationError(e.Kind, &p); err != nil {
		return err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(value)); err != nil {
		return fmt.Errorf("not a probe in JSON: %w", err)
	}
	e.whole = compact.Bytes()
	return nil
}

func unknownInJSON(strict []error) error {
	err := strict[0]
	name, found := strings.CutPrefix(err.Error(), "unknown field ")
	if !found {
		return err
	}
	name = strings.Trim(name, `"`)
	for _, f := range fields() {
		if name == f.short && f.api != name {
			return fmt.Errorf("unknown field %q: in JSON it is %q", name, f.api)
		}
	}
	if at := strings.LastIndex(name, "."); at >= 0 {
		return fmt.Errorf("unknown field %q%s", name, didYouMeanIn(name[:at], name[at+1:]))
	}
	return fmt.Errorf("unknown field %q%s", name, didYouMean(name, apiNames()))
}

// didYouMeanIn suggests among the fields of an object in a probe, which stands at a path: httpGet.httpHeaders[0].
func didYouMeanIn(path, name string) string {
	object := reflect.TypeFor[corev1.Probe]()
	for step := range strings.SplitSeq(path, ".") {
		step, _, _ = strings.Cut(step, "[")
		for _, f := range reflect.VisibleFields(object) {
			if jsonName(f) != step {
				continue
			}
			for object = f.Type; object.Kind() == reflect.Pointer || object.Kind() == reflect.Slice; {
				object = object.Elem()
			}
			break
		}
	}
	var names []string
	for _, f := range reflect.VisibleFields(object) {
		names = append(names, jsonName(f))
	}
	if best := Nearest(name, names); best != "" {
		return ": did you mean " + path + "." + best + "?"
	}
	return "; fields of " + path + " are " + strings.Join(names, ", ")
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func (e *Edit) parseFields(value string) error {
	items, err := splitItems(value)
	if err != nil {
		return err
	}
	for _, it := range items {
		f, ok := fieldNamed(it.name)
		if !ok {
			return unknownField(it.name)
		}
		if err := e.set(f, it.value); err != nil {
			return err
		}
	}
	return nil
}

// set adds one field. A field twice is an error, also under both of its names; so is a second handler.
func (e *Edit) set(f fieldSpec, value string) error {
	for _, other := range e.fields {
		if other.name == f.api {
			return fmt.Errorf("%s is given twice", f.short)
		}
	}
	if f.handler {
		if e.handler != "" {
			return fmt.Errorf("%s after another handler: a probe has one of http, tcp, grpc, exec", f.short)
		}
		e.handler = f.api
	}
	encoded, err := f.parse(e.Kind, value)
	if err != nil {
		return fmt.Errorf("%s=%s: %w", f.short, value, err)
	}
	e.fields = append(e.fields, edited{f.api, encoded})
	return nil
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
