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

// feed is JSON values that follow one another, and knows where in the file they stand.
type feed struct {
	*json.Decoder
	counted *lines // nil: they were made from YAML
	list    *blockList
}

func feedOfJSON(text io.Reader) *feed {
	counted := &lines{Reader: text}
	return &feed{Decoder: json.NewDecoder(counted), counted: counted}
}

// feedOfYAML reads what was made from YAML, item by item of list if that is given.
func feedOfYAML(converted io.Reader, list *blockList) *feed {
	return &feed{Decoder: json.NewDecoder(converted), list: list}
}

// line is where the token stands that was read last; 0 is not known.
func (v *feed) line() int {
	switch {
	case v.counted != nil:
		return v.counted.at(v.Decoder)
	case v.list != nil:
		return v.list.first
	}
	return 0
}

// fault is what is wrong with an item that was to be read.
func (v *feed) fault() error {
	if v.list != nil && v.list.fault != nil {
		return v.list.fault
	}
	return errNoObject
}

// next allows for as much as an object may take.
func (v *feed) next() {
	if v.counted != nil {
		v.counted.held = 0
	}
}

// flaw is what is wrong with JSON where it stands.
type flaw string

func (f flaw) Error() string { return string(f) }

const errNoObject = flaw("not an object")

// readJSON reads values that follow one another, as jq and kubectl write them.
func (r *reader) readJSON(ctx context.Context, in input, text io.Reader) {
	v := feedOfJSON(text)
	for number := 1; ; number++ {
		v.next()
		at := in.place(number, 0)
		if !v.More() {
			if _, err := v.Token(); !errors.Is(err, io.EOF) {
				r.fail(at, v.counted.locate(v.Decoder, err))
			}
			return
		}
		if rest, ok := afterSeparator(v.Decoder); ok {
			s := &splitter{text: newText(io.MultiReader(rest, v.counted.Reader)), number: number - 1}
			s.line = v.line() - 1
			r.readYAML(ctx, in, s)
			return
		}
		r.info.Documents++
		if err := r.document(ctx, v, at); err != nil {
			if ctx.Err() == nil {
				r.fail(at, v.counted.locate(v.Decoder, err))
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
	var ahead newlines
	_, _ = io.Copy(&ahead, dec.Buffered()) // memory: it cannot fail
	return l.before - int(ahead) + 1
}

// newlines counts them.
type newlines int

func (n *newlines) Write(p []byte) (int, error) {
	*n += newlines(bytes.Count(p, []byte("\n")))
	return len(p), nil
}

// locate adds the line to a syntax error. The decoder's offsets do not count all that it has passed, but
// what it could not read is still ahead of it.
func (l *lines) locate(dec *json.Decoder, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: unexpected end of JSON input", l.before+1)
	}
	line := l.at(dec)
	if errors.As(err, new(flaw)) {
		return fmt.Errorf("line %d: %w", line, err)
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) && !errors.As(err, new(sizeError)) {
		return err
	}
	ahead, _ := io.ReadAll(dec.Buffered()) // memory: it cannot fail
	if text := string(ahead); strings.HasPrefix(text, "==== ") {
		return fmt.Errorf("line %d: a dump with logs in it; kubectl cluster-info dump --output-directory keeps them apart", line)
	}
	rest := bytes.TrimLeft(ahead, ",: \t\r\n")
	line += bytes.Count(ahead[:len(ahead)-len(rest)], []byte("\n"))
	var again *json.SyntaxError
	if syntax != nil && errors.As(json.Unmarshal(rest, &json.RawMessage{}), &again) && again.Error() == syntax.Error() {
		line += bytes.Count(rest[:min(int(again.Offset), len(rest))], []byte("\n"))
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// document is one JSON object at the top or in a List: an object of the API, or a List of them.
type document struct {
	metav1.TypeMeta
	fields   bytes.Buffer // all but the items, in braces but for the last
	seen     map[string]bool
	fault    error // the first of its fields
	list     bool
	items    int
	contents *contents // of a list
	waiting  []waiting // items without a type, while that of their list is still to come
	held     int       // bytes of them
}

type waiting struct {
	raw []byte
	at  place
}

// document reads a value and hands on its objects, the items of a List one by one so that a large one is
// never held. The error is for what cannot be read past; problems of objects are only noted.
func (r *reader) document(ctx context.Context, v *feed, at place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if open, err := v.Token(); err != nil {
		return err
	} else if open != json.Delim('{') {
		return errNoObject
	}
	if line := v.line(); line > 0 {
		at.line = line
	}
	doc, err := r.fields(ctx, v, at)
	if err != nil {
		return err
	}
	return r.end(doc, nil, at)
}

// fields reads an object behind its opening brace.
func (r *reader) fields(ctx context.Context, v *feed, at place) (*document, error) {
	doc := &document{seen: map[string]bool{}}
	for v.More() {
		token, err := v.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string) // of an object: a string
		if doc.seen[key] {
			doc.wrong(fmt.Errorf("duplicate field %q", key))
		}
		doc.seen[key] = true
		if key == "items" {
			err = r.items(ctx, v, doc, at)
		} else {
			err = doc.field(v, key)
		}
		if err != nil {
			return nil, err
		}
	}
	_, err := v.Token()
	return doc, err
}

func (d *document) wrong(err error) {
	if d.fault == nil {
		d.fault = err
	}
}

func (d *document) field(v *feed, key string) error {
	var value json.RawMessage
	if err := v.Decode(&value); err != nil {
		return err
	}
	var err error
	switch key {
	case "kind":
		err = json.Unmarshal(value, &d.Kind)
	case "apiVersion":
		err = json.Unmarshal(value, &d.APIVersion)
	}
	if err != nil {
		d.wrong(fmt.Errorf("%s: %w", key, fieldError(err)))
	}
	name, err := json.Marshal(key)
	if err != nil {
		return err
	}
	separator := byte(',')
	if d.fields.Len() == 0 {
		separator = '{'
	}
	d.fields.WriteByte(separator)
	d.fields.Write(name)
	d.fields.WriteByte(':')
	d.fields.Write(value)
	return nil
}

// raw is the object without items.
func (d *document) raw() []byte {
	if d.fields.Len() == 0 {
		return []byte("{}")
	}
	d.fields.WriteByte('}')
	return d.fields.Bytes()
}

// items reads the items of a List. As in apimachinery, having them is what makes a List.
func (r *reader) items(ctx context.Context, v *feed, doc *document, at place) error {
	doc.list, doc.contents = true, newContents()
	if at.lists++; at.lists > maxLists {
		return flaw(fmt.Sprintf("more than %d Lists in one another", maxLists))
	}
	open, err := v.Token()
	if err != nil || open == nil { // null: how Go writes an empty list
		return err
	}
	if open != json.Delim('[') {
		return flaw("items is not a list")
	}
	for v.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.item(ctx, v, doc, at); err != nil {
			return err
		}
	}
	_, err = v.Token()
	return err
}

func (r *reader) item(ctx context.Context, v *feed, list *document, at place) error {
	v.next()
	open, err := v.Token()
	if err != nil {
		return err
	}
	list.items++
	at = at.within(list.items, v.line())
	at.list = list.contents
	switch open {
	case json.Delim('{'):
		doc, err := r.fields(ctx, v, at)
		if err != nil {
			return err
		}
		return r.end(doc, list, at)
	case json.Delim('['):
		err = v.skipArray()
	}
	r.fail(at, v.fault())
	return err
}

func (v *feed) skipArray() error {
	for v.More() {
		v.next()
		if err := v.Decode(&json.RawMessage{}); err != nil {
			return err
		}
	}
	_, err := v.Token()
	return err
}

// end hands on what was read; parent is the List that it is in, if any.
func (r *reader) end(doc, parent *document, at place) error {
	switch is := doc.TypeMeta; {
	case doc.fault != nil:
		r.fail(at, doc.fault)
	case doc.list: // kubectl flattens Lists in Lists
		r.endList(doc, at)
	case parent == nil:
		r.object(doc.raw(), is, at)
	case is.Kind == "" && is.APIVersion == "" && parent.isTyped():
		r.object(doc.raw(), parent.itemType(), at)
	case is.Kind == "" && is.APIVersion == "" && parent.Kind != "List":
		return parent.wait(doc.raw(), at)
	default:
		r.object(doc.raw(), is, at)
	}
	return nil
}

func (d *document) wait(raw []byte, at place) error {
	if d.held += len(raw); d.held > maxWaiting {
		return flaw(fmt.Sprintf("more than %d MiB of items that do not say what they are stand above what says it; "+
			"put kind and apiVersion of the list first", maxWaiting>>20))
	}
	d.waiting = append(d.waiting, waiting{raw, at})
	return nil
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
	if _, object := r.readings[kindOf(doc.TypeMeta)]; object {
		r.fail(at, fmt.Errorf("it has items, which makes it a List, but its kind is %s", doc.Kind))
		return
	}
	for i, w := range doc.waiting {
		r.object(w.raw, doc.itemType(), w.at)
		doc.waiting[i].raw = nil // its memory goes with it
	}
	r.collected.sawList(doc.Kind, doc.items, doc.contents, at.File)
}
