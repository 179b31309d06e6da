package files

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// place is where an object stands.
type place struct {
	snapshot.Source
	line    int // where its document begins; 0 for JSON, whose errors carry their own
	item    int // 1 is the first item of a List; 0 is no item
	lenient bool
	objects *int // read from this document so far
}

func (in input) place(document, line int) place {
	return place{
		Source: snapshot.Source{File: in.name, Document: document},
		line:   line, lenient: in.lenient, objects: new(int),
	}
}

// String is how errors begin.
func (p place) String() string {
	text := fmt.Sprintf("%s: document %d", p.File, p.Document)
	if p.line > 1 {
		text += fmt.Sprintf(" (from line %d)", p.line)
	}
	if p.item > 0 {
		text += fmt.Sprintf(": item %d", p.item)
	}
	return text
}

func (r *reader) fail(at place, err error) { r.problems.add(at.File, fmt.Errorf("%s: %w", at, err)) }

// read reads one input to its end, or to where it can no longer be understood.
func (r *reader) read(ctx context.Context, in input) {
	from, err := in.open(ctx)
	if err != nil {
		r.problems.add(in.name, fmt.Errorf("%s: %w", in.name, err))
		return
	}
	defer func() { _ = from.Close() }() // nothing was written
	r.info.Files++
	// As in kubectl: PowerShell writes UTF-16, and marks it.
	text := bufio.NewReaderSize(transform.NewReader(from, unicode.BOMOverride(unicode.UTF8.NewDecoder())), sniffed)
	if isJSON(text) {
		r.readJSON(ctx, in, text)
	} else {
		r.readYAML(ctx, in, &splitter{text: text})
	}
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

// lines counts what passed through, so that the place of an error can be told.
type lines struct {
	io.Reader
	before int // lines ahead of the first byte
}

func (l *lines) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	l.before += bytes.Count(p[:n], []byte("\n"))
	return n, err
}
