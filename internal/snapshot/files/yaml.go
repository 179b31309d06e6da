package files

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

func newText(from io.Reader) *bufio.Reader { return bufio.NewReaderSize(from, sniffed) }

func (r *reader) readYAML(ctx context.Context, in input, s *splitter) {
	for ctx.Err() == nil {
		doc, err := s.next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil && anchors.Match(doc.text) { // which may be meant for what has yet to be read
			err = s.fill(&doc)
		}
		at := in.place(doc.number, doc.line)
		if list, ok := newBlockList(&doc, s); err == nil && ok {
			if r.readYAMLList(ctx, list, at) {
				continue
			}
			return
		}
		if err == nil {
			err = s.complete(&doc)
		}
		if err != nil {
			r.fail(at, err)
			return
		}
		r.readYAMLDocument(ctx, &doc, at)
	}
}

func (r *reader) readYAMLDocument(ctx context.Context, doc *yamlDocument, at place) {
	value, err := parseYAML(doc.text, doc.line)
	if err != nil {
		r.fail(at, err)
		return
	}
	if value == nil {
		return
	}
	converted, err := json.Marshal(value)
	if err != nil {
		r.fail(at, err)
		return
	}
	r.info.Documents++
	if err := r.document(ctx, feedOfYAML(bytes.NewReader(converted), nil), at); err != nil && ctx.Err() == nil {
		r.fail(at, err)
	}
}

// readYAMLList reads a List item by item. It returns false where that went wrong before its end was found.
func (r *reader) readYAMLList(ctx context.Context, list *blockList, at place) bool {
	r.info.Documents++
	err := r.document(ctx, feedOfYAML(list, list), at)
	if err != nil && ctx.Err() == nil {
		r.fail(at, err)
	}
	if err != nil && list.open && !errors.As(err, new(sizeError)) {
		r.problems.add(at.File, fmt.Errorf("%s: what follows is not read", at.File))
	}
	return err == nil || !list.open
}

// yamlDocument is one document of a stream.
type yamlDocument struct {
	// number counts as YAML does: every "---" begins a document, an empty one too, and so does text
	// before the first of them; comments and directives there do not.
	number int
	line   int // of the text's first line in the file, from 1
	text   []byte
	open   bool // there is more of it to read
}

// splitter cuts a stream into its documents, holding one at a time.
type splitter struct {
	text   *bufio.Reader
	number int    // documents so far
	line   int    // lines read so far
	begun  bool   // a "---" has begun the next document
	rest   []byte // what stood behind it on its line
	held   []byte // the current line
	failed error  // of the stream, which is read no further
}

// next returns the next document, as far as it has been read, and io.EOF after the last.
func (s *splitter) next() (yamlDocument, error) {
	doc, begun := s.begin()
	for {
		line, err := s.documentLine()
		switch {
		case errors.Is(err, errDocumentEnd) && !begun:
			doc, begun = s.begin() // only comments and directives so far
			continue
		case errors.Is(err, errDocumentEnd), errors.Is(err, io.EOF) && begun:
			return s.end(doc), nil
		case err != nil:
			return s.end(doc), err
		}
		if len(doc.text) == 0 && isBlank(line) {
			doc.line = s.line + 1
			continue
		}
		doc.text = append(doc.text, line...)
		begun = begun || hasContent(line)
		if len(doc.text) > wholeYAML {
			doc.open = true
			return s.end(doc), nil
		}
	}
}

// fill reads on to the end of a document, or until it is larger than one that is read as a whole may be.
func (s *splitter) fill(doc *yamlDocument) error {
	for doc.open && len(doc.text) <= maxObject {
		line, err := s.documentLine()
		switch {
		case errors.Is(err, errDocumentEnd), errors.Is(err, io.EOF):
			doc.open = false
		case err != nil:
			return err
		}
		doc.text = append(doc.text, line...)
	}
	return nil
}

// complete reads the rest of a document that is to be read as a whole.
func (s *splitter) complete(doc *yamlDocument) error {
	err := s.fill(doc)
	if err == nil && len(doc.text) > maxObject {
		err = errTooLargeYAML()
	}
	return err
}

func (s *splitter) begin() (yamlDocument, bool) {
	doc, begun := yamlDocument{line: s.line + 1, text: s.rest}, s.begun || s.rest != nil
	if s.rest != nil {
		doc.line = s.line
	}
	s.begun, s.rest = false, nil
	return doc, begun
}

func (s *splitter) end(doc yamlDocument) yamlDocument {
	s.number++
	doc.number = s.number
	return doc
}

var errDocumentEnd = errors.New("the document ends")

// documentLine returns the next line, good until the next call; errDocumentEnd at a separator, io.EOF at the end.
func (s *splitter) documentLine() ([]byte, error) {
	line, err := s.readLine()
	if err != nil {
		return nil, err
	}
	rest, found := separator(line)
	if found == noMark {
		return line, nil
	}
	s.begun, s.rest = found == startMark, bytes.Clone(rest)
	return nil, errDocumentEnd
}

func (s *splitter) readLine() ([]byte, error) {
	s.held = s.held[:0]
	for s.failed == nil {
		part, err := s.text.ReadSlice('\n')
		s.held = append(s.held, part...)
		switch {
		case len(s.held) > maxObject:
			s.failed = errTooLargeYAML()
		case err == nil:
			return s.lineRead(), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			s.failed = err
			if len(s.held) > 0 && errors.Is(err, io.EOF) {
				return s.lineRead(), nil
			}
		}
	}
	return nil, s.failed
}

// lineRead drops the marks that files have in their middle when they were joined.
func (s *splitter) lineRead() []byte {
	s.line++
	return bytes.TrimPrefix(s.held, []byte("\ufeff"))
}

type mark int

const (
	noMark mark = iota
	startMark
	endMark
)

// separator recognises the lines that YAML reserves, and returns what follows on them if it is content.
func separator(line []byte) ([]byte, mark) {
	var found mark
	switch {
	case bytes.HasPrefix(line, []byte("---")):
		found = startMark
	case bytes.HasPrefix(line, []byte("...")):
		found = endMark
	default:
		return nil, noMark
	}
	rest := line[len("---"):]
	if len(rest) > 0 && !bytes.ContainsAny(rest[:1], " \t\r\n") {
		return nil, noMark
	}
	if !hasContent(rest) {
		return nil, found
	}
	return rest, found
}

// hasContent is false for blank lines, comments and directives.
func hasContent(line []byte) bool {
	line = bytes.Trim(line, " \t\r\n")
	return len(line) > 0 && (line[0] != '#' && line[0] != '%' || bytes.ContainsAny(line, otherBreaks))
}

// isBlank is true for a comment too.
func isBlank(line []byte) bool {
	line = bytes.Trim(line, " \r\n")
	return len(line) == 0 || line[0] == '#' && !bytes.ContainsAny(line, otherBreaks)
}

// otherBreaks end a line, and so a comment, for the YAML library alone.
const otherBreaks = "\r\u0085\u2028\u2029"
