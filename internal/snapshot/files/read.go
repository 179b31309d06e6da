package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// place is where an object stands.
type place struct {
	snapshot.Source
	line    int    // where it begins; 0 where it is not known, or the error carries its own
	item    string // 1 is the first item of a List, 1.2 the second of a List that is this; empty is no item
	lists   int    // that it is in
	lenient bool
	objects *int      // read from this document so far
	list    *contents // of the List that this is an item of
}

func (in input) place(document, line int) place {
	return place{
		Source: snapshot.Source{File: in.name, Document: document},
		line:   line, lenient: in.lenient, objects: new(int),
	}
}

// within is the place of an item of a List that is here.
func (p place) within(item, line int) place {
	if p.item != "" {
		p.item += "."
	}
	p.item += strconv.Itoa(item)
	if line > 0 {
		p.line = line
	}
	return p
}

// String is how errors begin.
func (p place) String() string {
	text := fmt.Sprintf("%s: document %d", snapshot.FileName(p.File), p.Document)
	if p.item != "" {
		text += ": item " + p.item
	}
	if p.line > 1 {
		text += fmt.Sprintf(" (from line %d)", p.line)
	}
	return text
}

func (r *reader) fail(at place, err error) {
	if errors.As(err, &yamlError{}) { // which names a line
		at.line = 0
	}
	r.problems.add(at.File, fmt.Errorf("%s: %w", at, clipped(err)))
}

// read reads one input to its end, or to where it can no longer be understood.
func (r *reader) read(ctx context.Context, in input) {
	from, err := in.open(ctx)
	if err != nil {
		r.problems.add(in.name, fmt.Errorf("%s: %w", snapshot.FileName(in.name), err))
		return
	}
	defer func() { _ = from.Close() }() // nothing was written
	r.info.Files++
	raw := bufio.NewReader(r.counted(from))
	if err := checkText(raw); err != nil {
		r.problems.add(in.name, fmt.Errorf("%s: %w", snapshot.FileName(in.name), err))
		return
	}
	// As in kubectl: PowerShell writes UTF-16, and marks it.
	text := newText(transform.NewReader(raw, unicode.BOMOverride(unicode.UTF8.NewDecoder())))
	if isJSON(text) {
		r.readJSON(ctx, in, text)
	} else {
		r.readYAML(ctx, in, &splitter{text: text})
	}
}

// checkText refuses what begins like no text; what could be read of it would be no better than noise.
func checkText(raw *bufio.Reader) error {
	head, _ := raw.Peek(512) // its end may be nearer
	for tool, magic := range map[string]string{"gunzip": "\x1f\x8b", "zstd -d": "\x28\xb5\x2f\xfd", "unzip -p": "PK\x03\x04", "xz -d": "\xfd7zXZ"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return fmt.Errorf("it is compressed; unpack it first, with %s", tool)
		}
	}
	marked := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	if !marked && bytes.IndexByte(head, 0) >= 0 {
		return errors.New("it is no text: it holds zero bytes (UTF-16 is read if it begins with a byte order mark)")
	}
	return nil
}

// sniffed is how far isJSON looks.
const sniffed = 64 << 10

// isJSON tells JSON from YAML by its first two characters: names do not (a get -o json is saved as .yaml),
// and YAML in flow style begins with a brace too.
func isJSON(text *bufio.Reader) bool {
	for size := 64; ; size *= 2 {
		head, err := text.Peek(min(size, sniffed))
		head = bytes.TrimLeft(head, " \t\r\n")
		switch {
		case len(head) > 0 && head[0] != '{':
			return false
		case len(head) > 1:
			second := bytes.TrimLeft(head[1:], " \t\r\n")
			if len(second) > 0 {
				return second[0] == '"' || second[0] == '}'
			}
		}
		if err != nil || size >= sniffed {
			return false
		}
	}
}

// lines counts what passed through, so that the place of an error can be told, and stops when it is too much for
// one object.
type lines struct {
	io.Reader
	before int // line breaks that were read
	held   int // bytes read since the object began
}

func (l *lines) Read(p []byte) (int, error) {
	if l.held > maxObject {
		return 0, errTooLargeJSON()
	}
	// The decoder looks at all that it holds of blanks again after each Read: the more it holds, the more it gets.
	p = p[:min(len(p), max(4<<10, l.held), maxObject-l.held+1)]
	n, err := 0, error(nil)
	for n < len(p) && err == nil {
		var more int
		more, err = l.Reader.Read(p[n:])
		n += more
	}
	l.held += n
	l.before += bytes.Count(p[:n], []byte("\n"))
	return n, err
}

// counted tells of what comes from a file.
func (r *reader) counted(from io.Reader) io.Reader {
	if r.progress == nil {
		return from
	}
	return io.TeeReader(from, told(r.progress))
}

type told func(bytes int)

func (t told) Write(read []byte) (int, error) {
	t(len(read))
	return len(read), nil
}
