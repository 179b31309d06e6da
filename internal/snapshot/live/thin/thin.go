// Package thin leaves out of lists of Pods, as they come, what a Snapshot does not hold: most of a Pod is managedFields,
// volumes and environments, which no probe depends on (docs/adr/0016-pods-are-made-thin.md).
package thin

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"
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
		answer.Body, answer.ContentLength = &body{from: answer.Body}, -1
	}
	return answer, nil
}

// WrappedRoundTripper lets client-go cancel requests.
func (t transport) WrappedRoundTripper() http.RoundTripper { return t.RoundTripper }

// body is what is kept of another.
type body struct {
	from io.ReadCloser
	kept io.Reader // nil before the first Read
}

func (b *body) Read(to []byte) (int, error) {
	if b.kept == nil {
		var err error
		if b.kept, err = pods(bufio.NewReader(b.from)); err != nil {
			b.kept = broken{err}
		}
	}
	return b.kept.Read(to)
}

func (b *body) Close() error { return b.from.Close() }

type broken struct{ error }

func (b broken) Read([]byte) (int, error) { return 0, b.error }

// How the API wraps an object: a magic number, then a runtime.Unknown (k8s.io/apimachinery/pkg/runtime/generated.proto).
const (
	magic           = "k8s\x00"
	unknownTypeMeta = 1
	unknownRaw      = 2
)

// listItems is the field of every list that holds its objects.
const listItems = 2

// pods reads a PodList and gives what is kept of it. What is no protobuf of a PodList is given as it is.
func pods(from *bufio.Reader) (io.Reader, error) {
	head, size, ok := wrapping(from, "PodList")
	if !ok {
		return from, nil
	}
	kept, err := list(from, size)
	if err != nil {
		return nil, err
	}
	head = protowire.AppendVarint(head, uint64(len(kept)))
	return io.MultiReader(bytes.NewReader(head), bytes.NewReader(kept), from), nil
}

// headBytes is more than there is before an object.
const headBytes = 512

// wrapping reads up to where an object of a kind begins: what comes before its size, and that. It reads nothing of
// anything else.
func wrapping(from *bufio.Reader, kind string) (head []byte, size uint64, ok bool) {
	peeked, _ := from.Peek(headBytes) // what is missing is missed below
	rest, ok := bytes.CutPrefix(peeked, []byte(magic))
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
		if number == unknownRaw && is.Kind == kind {
			head = bytes.Clone(peeked[:len(peeked)-len(rest)+tag])
			_, err := from.Discard(len(head) + n)
			return head, size, err == nil
		}
		rest = rest[tag+n:]
		if size > uint64(len(rest)) || number == unknownTypeMeta && is.Unmarshal(rest[:size]) != nil {
			break
		}
		rest = rest[size:]
	}
	return nil, 0, false
}

// mostAhead is how much memory a size gets that nobody has kept yet.
const mostAhead = 1 << 20

// list reads a list of that size, and returns it with what is kept of its Pods.
func list(from io.Reader, size uint64) (kept []byte, err error) {
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
		one := value.Bytes()
		if number == listItems {
			if t.pod, err = t.write(t.pod[:0], one, podMessage, 0); err != nil {
				return nil, err
			}
			one = t.pod
		}
		kept = protowire.AppendTag(kept, number, protowire.BytesType)
		kept = protowire.AppendBytes(kept, one)
	}
}

// bytesField reads a field. The error is io.EOF only where none begins.
func bytesField(from *bufio.Reader, value *bytes.Buffer) (protowire.Number, error) {
	value.Reset()
	key, err := binary.ReadUvarint(from)
	if err != nil {
		return 0, err
	}
	number, wire := protowire.DecodeTag(key)
	if wire != protowire.BytesType {
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
