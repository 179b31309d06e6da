package files

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

func newText(from io.Reader) *bufio.Reader { return bufio.NewReaderSize(from, sniffed) }

func (r *reader) readYAML(ctx context.Context, in input, s *splitter) {
	for ctx.Err() == nil {
		doc, err := s.next()
		if errors.Is(err, io.EOF) {
			return
		}
		at := in.place(doc.number, doc.line)
		if err != nil {
			r.fail(at, err)
			return
		}
		converted, err := toJSON(doc)
		if err != nil {
			at.line = 0 // the library names the line
			r.fail(at, oneLine(err))
			continue
		}
		if bytes.Equal(converted, []byte("null")) {
			continue
		}
		r.info.Documents++
		if err := r.document(ctx, json.NewDecoder(bytes.NewReader(converted)), at); err != nil && ctx.Err() == nil {
			r.fail(at, err)
		}
	}
}

// toJSON converts a document as kubectl does (YAML 1.1), except that a key that stands twice is an error.
// The YAML library bounds what aliases may expand to.
func toJSON(doc yamlDocument) ([]byte, error) {
	converted, err := yaml.YAMLToJSONStrict(doc.text)
	if err == nil {
		return converted, nil
	}
	if bytes.Contains(doc.text, []byte("<<")) && yamlv3.Unmarshal(doc.text, new(any)) == nil {
		// The strict reading takes a key beside a merge (<<: *base) for one that stands twice.
		return yaml.YAMLToJSON(doc.text)
	}
	// Read again below as many lines as stand above it, so that the error names the line of the file.
	below := append(bytes.Repeat([]byte("\n"), doc.line-1), doc.text...)
	if _, exact := yaml.YAMLToJSONStrict(below); exact != nil {
		err = exact
	}
	return nil, err
}

// yamlDocument is one document of a stream.
type yamlDocument struct {
	// number counts as YAML does: every "---" begins a document, an empty one too, and so does text
	// before the first of them; comments and directives there do not.
	number int
	line   int // of the text's first line in the file, from 1
	text   []byte
}

// splitter cuts a stream into its documents, holding one at a time.
type splitter struct {
	text   *bufio.Reader
	number int    // documents so far
	line   int    // lines read so far
	begun  bool   // a "---" has begun the next document
	rest   []byte // what stood behind it on its line
}

// next returns the next document, io.EOF after the last.
func (s *splitter) next() (yamlDocument, error) {
	doc, begun := s.begin()
	for {
		line, err := s.readLine()
		rest, found := separator(line)
		switch {
		case errors.Is(err, io.EOF) && begun:
			return s.end(doc), nil
		case err != nil:
			return s.end(doc), err
		case found == noMark:
			doc.text = append(doc.text, line...)
			begun = begun || hasContent(line)
			continue
		}
		s.begun, s.rest = found == startMark, rest
		if begun {
			return s.end(doc), nil
		}
		doc, begun = s.begin() // only comments and directives so far
	}
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

func (s *splitter) readLine() ([]byte, error) {
	line, err := s.text.ReadBytes('\n')
	if len(line) == 0 && err != nil {
		return nil, err
	}
	s.line++
	// Files that were joined have their marks in the middle.
	return bytes.TrimPrefix(line, []byte("\ufeff")), nil
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
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] != '#' && line[0] != '%'
}
