// Package thin leaves out of lists, as they come, what a Snapshot does not hold: most of a Pod is managedFields, volumes
// and environments, which no probe depends on, and much of everything else is managedFields
// (docs/adr/0016-lists-are-made-thin.md).
package thin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Transport makes a transport's answers thin.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ http.RoundTripper }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		return answer, err
	}
	if media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err == nil && media == runtime.ContentTypeProtobuf {
		answer.Header.Del("Content-Length")
		_, ends := r.Context().Deadline()
		answer.Body, answer.ContentLength = &body{from: answer.Body, onContinue: continueOf(r.Context()), inTime: ends}, -1
	}
	return answer, nil
}

type continueKey struct{}

// OnContinue lets a request tell the continue token of its list as soon as that has come, ahead of the items; empty at the
// end of the list. It goes by the context as net/http/httptrace does.
func OnContinue(ctx context.Context, tell func(token string)) context.Context {
	return context.WithValue(ctx, continueKey{}, tell)
}

func continueOf(ctx context.Context) func(string) {
	if tell, ok := ctx.Value(continueKey{}).(func(string)); ok {
		return tell
	}
	return func(string) {}
}

// WrappedRoundTripper lets client-go cancel requests.
func (t transport) WrappedRoundTripper() http.RoundTripper { return t.RoundTripper }

// body is what is kept of another.
type body struct {
	from       io.ReadCloser
	onContinue func(string)
	inTime     bool      // it has to end by a deadline
	kept       io.Reader // nil before the first Read
	err        error     // of from
}

func (b *body) Read(to []byte) (int, error) {
	if b.kept == nil {
		b.kept = b.list()
	}
	return b.kept.Read(to)
}

// list reads all of a list. The next one is told of at the beginning, but not where this one has to end in time: both
// together would take longer.
func (b *body) list() io.Reader {
	next, tell := "", b.onContinue
	if b.inTime {
		tell = func(token string) { next = token }
	}
	kept, err := list(bufio.NewReader(reading{b}), tell)
	switch {
	case b.err != nil:
		return broken{b.err}
	case err != nil:
		return broken{NotAListError{err}}
	case next != "":
		b.onContinue(next)
	}
	return kept
}

// reading remembers what kept a body from being read to its end.
type reading struct{ *body }

func (r reading) Read(to []byte) (int, error) {
	n, err := r.from.Read(to)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// NotAListError is met where an answer says that it is a list, and is none.
type NotAListError struct{ error }

func (e NotAListError) Unwrap() error { return e.error }

func (b *body) Close() error { return b.from.Close() }

type broken struct{ error }

func (b broken) Read([]byte) (int, error) { return 0, b.error }

// How the API wraps an object: a magic number, then a runtime.Unknown (k8s.io/apimachinery/pkg/runtime/generated.proto).
const (
	magic           = "k8s\x00"
	unknownTypeMeta = 1
	unknownRaw      = 2
)

// The fields of every list.
const (
	listMeta  = 1
	listItems = 2
)

// list reads a list and gives what is kept of it. What is no protobuf of a list is given as it is.
func list(from *bufio.Reader, onContinue func(string)) (io.Reader, error) {
	w, ok := wrapped(from)
	if !ok || !strings.HasSuffix(w.kind, "List") {
		return from, nil
	}
	head := make([]byte, w.sizeAt, w.begins)
	if _, err := io.ReadFull(from, head[:w.begins]); err != nil {
		return nil, err
	}
	kept, err := fieldsKept(from, w.size, itemOf(w.kind), onContinue)
	if err != nil {
		return nil, err
	}
	head = protowire.AppendVarint(head[:w.sizeAt], uint64(len(kept)))
	return io.MultiReader(bytes.NewReader(head), bytes.NewReader(kept), from), nil
}

// wrapping says where an object is: its size is told at sizeAt, and it begins after that.
type wrapping struct {
	kind           string
	sizeAt, begins int
	size           uint64
}

// headBytes is more than there is before an object.
const headBytes = 512

// wrapped looks for where an object begins, and reads nothing.
func wrapped(from *bufio.Reader) (wrapping, bool) {
	head, _ := from.Peek(headBytes) // what is missing is missed below
	rest, ok := bytes.CutPrefix(head, []byte(magic))
	var is runtime.TypeMeta
	for ok && len(rest) > 0 {
		number, wire, tag := protowire.ConsumeTag(rest)
		if tag < 0 || wire != protowire.BytesType {
			break
		}
		size, n := protowire.ConsumeVarint(rest[tag:])
		if n < 0 {
			break
		}
		at := len(head) - len(rest) + tag
		if number == unknownRaw {
			return wrapping{is.Kind, at, at + n, size}, true
		}
		rest = rest[tag+n:]
		if size > uint64(len(rest)) || number == unknownTypeMeta && is.Unmarshal(rest[:size]) != nil {
			break
		}
		rest = rest[size:]
	}
	return wrapping{}, false
}

// mostAhead is how much memory a size gets that nobody has kept yet.
const mostAhead = 1 << 20

// fieldsKept reads the fields of a list of that size, and returns them with what is kept of its items.
func fieldsKept(from io.Reader, size uint64, item *message, onContinue func(string)) (kept []byte, err error) {
	if size > math.MaxInt64 {
		return nil, fmt.Errorf("a list of %d bytes", size)
	}
	limited := &io.LimitedReader{R: from, N: int64(size)}
	fields, value, t := bufio.NewReader(limited), bytes.Buffer{}, thinner{}
	kept = make([]byte, 0, min(size/3, mostAhead))
	for {
		number, err := bytesField(fields, &value)
		if errors.Is(err, io.EOF) && limited.N == 0 {
			return kept, nil
		}
		if err != nil {
			return nil, noEnd(err)
		}
		if number == 0 { // no list has other fields yet
			continue
		}
		one := value.Bytes()
		switch number {
		case listMeta:
			var meta metav1.ListMeta
			if err := meta.Unmarshal(one); err != nil {
				return nil, err
			}
			onContinue(meta.Continue)
		case listItems:
			if t.item, err = t.write(t.item[:0], one, item, 0); err != nil {
				return nil, err
			}
			one = t.item
		}
		kept = protowire.AppendTag(kept, number, protowire.BytesType)
		kept = protowire.AppendBytes(kept, one)
	}
}

// bytesField reads a field of bytes; its number is 0 where it was another and is passed over. The error is io.EOF only
// where none begins.
func bytesField(from *bufio.Reader, value *bytes.Buffer) (protowire.Number, error) {
	value.Reset()
	key, err := binary.ReadUvarint(from)
	if err != nil {
		return 0, err
	}
	number, wire := protowire.DecodeTag(key)
	switch wire {
	case protowire.BytesType:
	case protowire.VarintType:
		_, err = binary.ReadUvarint(from)
		return 0, noEnd(err)
	case protowire.Fixed32Type:
		_, err = from.Discard(4)
		return 0, noEnd(err)
	case protowire.Fixed64Type:
		_, err = from.Discard(8)
		return 0, noEnd(err)
	default:
		return 0, fmt.Errorf("field %d of the list has the wire type %d", number, wire)
	}
	length, err := binary.ReadUvarint(from)
	if err != nil {
		return 0, noEnd(err)
	}
	_, err = io.CopyN(value, from, int64(min(length, math.MaxInt64))) //nolint:gosec // not above
	return number, noEnd(err)
}

// noEnd is the error for an end where there should be more.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
