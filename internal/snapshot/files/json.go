package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// readJSON reads values that follow one another, as jq and kubectl write them.
func (r *reader) readJSON(ctx context.Context, in input, text io.Reader) {
	counted := &lines{Reader: text}
	dec := json.NewDecoder(counted)
	for number := 1; ; number++ {
		at := in.place(number, 0)
		if !dec.More() {
			if _, err := dec.Token(); !errors.Is(err, io.EOF) {
				r.fail(at, counted.locate(dec, err))
			}
			return
		}
		if rest, ok := afterSeparator(dec); ok {
			s := &splitter{text: newText(io.MultiReader(rest, counted)), number: number - 1}
			s.line = counted.at(dec) - 1
			r.readYAML(ctx, in, s)
			return
		}
		r.info.Documents++
		if err := r.document(ctx, dec, at); err != nil {
			if ctx.Err() == nil {
				r.fail(at, counted.locate(dec, err))
			}
			return
		}
	}
}

// afterSeparator finds a YAML separator or comment between JSON values, where the rest is read as YAML.
func afterSeparator(dec *json.Decoder) (io.Reader, bool) {
	ahead := make([]byte, 1)
	n, _ := dec.Buffered().Read(ahead) // a buffer fails only when it is empty
	if n == 0 || ahead[0] != '-' && ahead[0] != '#' {
		return nil, false
	}
	return dec.Buffered(), true
}

// at is the line where the decoder stands.
func (l *lines) at(dec *json.Decoder) int {
	ahead, _ := io.ReadAll(dec.Buffered()) // memory: it cannot fail
	return l.before - bytes.Count(ahead, []byte("\n")) + 1
}

// locate adds the line to a syntax error. The decoder's offsets do not count all that it has passed, but
// what it could not read is still ahead of it.
func (l *lines) locate(dec *json.Decoder, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: unexpected end of JSON input", l.before+1)
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	line := l.at(dec)
	ahead, _ := io.ReadAll(dec.Buffered()) // memory: it cannot fail
	if text := string(ahead); strings.HasPrefix(text, "==== ") {
		return fmt.Errorf("line %d: a dump with logs in it; kubectl cluster-info dump --output-directory keeps them apart", line)
	}
	rest := bytes.TrimLeft(ahead, ",: \t\r\n")
	line += bytes.Count(ahead[:len(ahead)-len(rest)], []byte("\n"))
	var again *json.SyntaxError
	if errors.As(json.Unmarshal(rest, &json.RawMessage{}), &again) && again.Error() == syntax.Error() {
		line += bytes.Count(rest[:min(int(again.Offset), len(rest))], []byte("\n"))
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// document is one JSON value at the top: an object, or a List of them.
type document struct {
	metav1.TypeMeta
	fields  bytes.Buffer // all but the items, without the braces
	list    bool
	items   int
	waiting []waiting // items without a type, while that of their list is still to come
}

type waiting struct {
	raw json.RawMessage
	at  place
}

// document reads a value and hands on its objects, the items of a List one by one so that a large one is
// never held. The error is for what cannot be read past; problems of objects are only noted.
func (r *reader) document(ctx context.Context, dec *json.Decoder, at place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if open, err := dec.Token(); err != nil {
		return err
	} else if open != json.Delim('{') {
		return errors.New("not an object")
	}
	var doc document
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if key == "items" {
			err = r.items(ctx, dec, &doc, at)
		} else {
			err = doc.field(dec, key)
		}
		if err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if doc.list {
		r.endList(&doc, at)
		return nil
	}
	r.object(append(append([]byte{'{'}, doc.fields.Bytes()...), '}'), doc.TypeMeta, at)
	return nil
}

func (d *document) field(dec *json.Decoder, key json.Token) error {
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return err
	}
	switch key {
	case "kind":
		_ = json.Unmarshal(value, &d.Kind) // no string: no kind, and said so
	case "apiVersion":
		_ = json.Unmarshal(value, &d.APIVersion)
	}
	name, err := json.Marshal(key)
	if err != nil {
		return err
	}
	if d.fields.Len() > 0 {
		d.fields.WriteByte(',')
	}
	d.fields.Write(name)
	d.fields.WriteByte(':')
	d.fields.Write(value)
	return nil
}

// items reads the items of a List. As in apimachinery, having them is what makes a List.
func (r *reader) items(ctx context.Context, dec *json.Decoder, doc *document, at place) error {
	doc.list = true
	open, err := dec.Token()
	if err != nil || open == nil { // null: how Go writes an empty list
		return err
	}
	if open != json.Delim('[') {
		return errors.New("items is not a list")
	}
	for dec.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		doc.items++
		at.item = doc.items
		r.item(ctx, raw, doc, at)
	}
	_, err = dec.Token()
	return err
}

func (r *reader) item(ctx context.Context, raw json.RawMessage, doc *document, at place) {
	if doc.isTyped() {
		r.object(raw, doc.itemType(), at)
		return
	}
	own, err := typeOf(raw)
	switch {
	case err != nil:
		r.fail(at, err)
	case strings.HasSuffix(own.Kind, "List"): // kubectl flattens Lists in Lists
		at.item = 0
		if err := r.document(ctx, json.NewDecoder(bytes.NewReader(raw)), at); err != nil {
			r.fail(at, err)
		}
	case own.Kind == "" && own.APIVersion == "" && doc.Kind != "List":
		doc.waiting = append(doc.waiting, waiting{raw, at})
	default:
		r.object(raw, own, at)
	}
}

// typeOf reads no more of an object than tells its type, which kubectl writes first.
func typeOf(raw []byte) (metav1.TypeMeta, error) {
	var is metav1.TypeMeta
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return is, errors.New("not an object")
	}
	for dec.More() && (is.Kind == "" || is.APIVersion == "") {
		key, err := dec.Token()
		if err != nil {
			return is, err
		}
		var target any = &json.RawMessage{}
		switch key {
		case "kind":
			target = &is.Kind
		case "apiVersion":
			target = &is.APIVersion
		}
		if err := dec.Decode(target); err != nil {
			return is, fmt.Errorf("%v: %w", key, fieldError(err))
		}
	}
	return is, nil
}

// isTyped says whether the items are all of one kind, and that is known already.
func (d *document) isTyped() bool { return d.Kind != "" && d.Kind != "List" && d.APIVersion != "" }

// itemType is what an item of a typed list is: a PodList's items do not say that they are Pods.
func (d *document) itemType() metav1.TypeMeta {
	if !d.isTyped() {
		return metav1.TypeMeta{}
	}
	return metav1.TypeMeta{APIVersion: d.APIVersion, Kind: strings.TrimSuffix(d.Kind, "List")}
}

func (r *reader) endList(doc *document, at place) {
	if doc.Kind == "" || doc.APIVersion == "" {
		r.untyped(doc.TypeMeta, at)
		return
	}
	r.collected.sawList(doc.Kind, doc.items, at.File)
	for i, w := range doc.waiting {
		r.object(w.raw, doc.itemType(), w.at)
		doc.waiting[i].raw = nil // its memory goes with it
	}
}
