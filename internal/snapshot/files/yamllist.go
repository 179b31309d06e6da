package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// blockList reads a List in block style, as kubectl prints it, item by item: it is the same List in JSON, made as it
// is read. An item is parsed by itself, as a sequence of one in its own column. The YAML library's scanner is in the
// same state where one begins and would be in the same where the next does, so what it makes of the items is what it
// would make of the List; where an item takes its neighbour in (an open quote, say), it does not parse by itself.
type blockList struct {
	lines  *splitter
	ahead  []byte // lines that the splitter has read already
	open   bool   // the splitter has more lines
	line   int    // of the line last taken, in the file
	column int    // of the dashes
	next   []byte // the first line behind the item
	first  int    // line of the item
	fault  error  // of the item, if it has been understood and is wrong
	out    []byte // JSON to be handed on
	step   func(*blockList) error
	items  int
	failed error // of the List, which is read no further
}

// isPlain looks at short lines alone, since a pattern costs more than the parser does.
func isPlain(line []byte) bool { return len(line) <= longestPlain && plainLine.Match(line) }

const longestPlain = 256

// plainLine is one that opens nothing that a later line could close: the items below it are those of the document.
var plainLine = regexp.MustCompile(`^ *([A-Za-z][A-Za-z0-9_.-]*:( +([A-Za-z0-9][A-Za-z0-9_./-]*|"[^"\\]*"|'[^']*'|\{\}|\[\]))?( +#.*)? *)?\r?\n?$`)

var itemsLine = regexp.MustCompile(`^items:( +#.*)? *\r?\n$`)

// newBlockList recognises the beginning of a List. One with anchors and aliases, which may be of other items, is better
// read as a whole if it is short enough.
func newBlockList(doc *yamlDocument, lines *splitter) (*blockList, bool) {
	l := &blockList{lines: lines, ahead: doc.text, open: doc.open, line: doc.line - 1, step: (*blockList).end}
	if !doc.open && anchors.Match(doc.text) && aliases.Match(doc.text) {
		return nil, false
	}
	var head []byte
	for {
		line, err := l.takeAhead()
		if err != nil {
			return nil, false
		}
		if itemsLine.Match(line) {
			break
		}
		if !isBlank(line) && !isPlain(line) {
			return nil, false
		}
		head = append(head, line...)
	}
	return l, l.begin(head, doc.line)
}

// begin parses what stands above the items and finds the first of them.
func (l *blockList) begin(head []byte, line int) bool {
	for {
		var err error
		if l.next, err = l.takeAhead(); err != nil {
			return false
		}
		if !isBlank(l.next) {
			break
		}
	}
	l.column = indentation(l.next)
	if !l.isItem(l.next) {
		return false
	}
	fields, err := fieldsBeside(append(head, noItems...), line)
	if err != nil {
		return false
	}
	l.out = append(append([]byte("{"), withComma(fields)...), `"items":[`...)
	l.step = (*blockList).item
	return true
}

// noItems stand for the items where only the fields beside them are wanted.
const noItems = "items: []\n"

// fieldsBeside are the fields of a List without its items, in JSON without braces.
func fieldsBeside(text []byte, line int) ([]byte, error) {
	value, err := parseYAML(text, line)
	if err != nil {
		return nil, err
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("not an object")
	}
	delete(fields, "items")
	converted, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return converted[1 : len(converted)-1], nil
}

func withComma(fields []byte) []byte {
	if len(fields) == 0 {
		return nil
	}
	return append(fields, ',')
}

// Read implements io.Reader, with no more than an item at once.
func (l *blockList) Read(p []byte) (int, error) {
	for len(l.out) == 0 && l.failed == nil {
		l.failed = l.step(l)
	}
	if l.failed != nil {
		return 0, l.failed
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}

// item hands on the next item, or what stands below the last.
func (l *blockList) item() error {
	l.fault, l.first = nil, l.line
	if l.next == nil || !l.isItem(l.next) {
		return l.tail()
	}
	text, err := l.itemText()
	if err != nil {
		return err
	}
	converted, err := itemsOf(text, l.first)
	var wrong yamlError
	if errors.As(err, &wrong) && wrong.parsed {
		converted, l.fault, err = []byte("null"), wrong, nil
	}
	if err != nil {
		return err
	}
	if l.items++; l.items > 1 {
		l.out = append(l.out, ',')
	}
	// The decoder looks at the byte behind a value, which must not make the next item the current one.
	l.out = append(append(l.out, converted...), ' ')
	return nil
}

// itemText takes the lines of the item that begins with l.next.
func (l *blockList) itemText() ([]byte, error) {
	text := bytes.Clone(l.next)
	for {
		var err error
		l.next, err = l.take()
		switch {
		case errors.Is(err, io.EOF):
			l.next = nil
			return text, nil
		case err != nil:
			return nil, err
		case !isBlank(l.next) && indentation(l.next) <= l.column:
			l.next = bytes.Clone(l.next)
			return text, nil
		case len(text)+len(l.next) > maxObject:
			return nil, fmt.Errorf("line %d: an item %w", l.first, errTooLargeYAML())
		}
		text = append(text, l.next...)
	}
}

// itemsOf is the JSON of an item, or of several if the YAML library sees line breaks that are none here.
func itemsOf(text []byte, line int) ([]byte, error) {
	value, err := parseYAML(text, line)
	if err != nil {
		return nil, ofAnotherItem(err, line)
	}
	items, ok := value.([]any)
	if !ok || len(items) == 0 {
		return nil, yamlError{text: fmt.Sprintf("line %d: not an item of a list", line)}
	}
	converted, err := json.Marshal(items)
	if err != nil {
		return nil, yamlError{text: fmt.Sprintf("item from line %d: %v", line, err), parsed: true}
	}
	return converted[1 : len(converted)-1], nil
}

// ofAnotherItem explains an alias whose anchor is not in its own item.
func ofAnotherItem(err error, line int) error {
	at := unknownAnchor.FindStringSubmatch(err.Error())
	if at == nil {
		return err
	}
	return yamlError{text: fmt.Sprintf("item from line %d: no anchor &%[2]s in this item for its *%[2]s: a List of this size is read item by item, and anchors of other items "+
		"are not followed; write it as JSON, or divide it by --- into parts that have their own anchors", line, at[1])}
}

// tail hands on what stands below the items: kubectl writes the kind there.
func (l *blockList) tail() error {
	l.step = (*blockList).end
	text, first := []byte(noItems), l.line-1
	for l.next != nil {
		if len(text) == len(noItems) && indentation(l.next) > 0 {
			return yamlError{text: fmt.Sprintf("line %d: neither an item nor a field of the list by its indentation", l.line)}
		}
		if len(text)+len(l.next) > maxObject {
			return errTooLargeYAML()
		}
		text = append(text, l.next...)
		var err error
		if l.next, err = l.take(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
	}
	fields, err := fieldsBeside(text, first)
	if err != nil {
		return err
	}
	l.out = append(l.out, ']')
	if len(fields) > 0 {
		l.out = append(append(l.out, ','), fields...)
	}
	l.out = append(l.out, '}')
	return nil
}

func (l *blockList) end() error { return io.EOF }

// take returns the next line of the document, good until the next call; io.EOF at its end.
func (l *blockList) take() ([]byte, error) {
	line, err := l.takeAhead()
	if err == nil || !l.open {
		return line, err
	}
	l.line++
	line, err = l.lines.documentLine()
	if errors.Is(err, errDocumentEnd) || errors.Is(err, io.EOF) {
		l.open = false
		return nil, io.EOF
	}
	return line, err
}

func (l *blockList) takeAhead() ([]byte, error) {
	if len(l.ahead) == 0 {
		return nil, io.EOF
	}
	l.line++
	end := bytes.IndexByte(l.ahead, '\n') + 1
	if end == 0 {
		end = len(l.ahead)
	}
	line := l.ahead[:end:end]
	l.ahead = l.ahead[end:]
	return line, nil
}

// isItem says whether a line begins an item.
func (l *blockList) isItem(line []byte) bool {
	rest := line[min(l.column, len(line)):]
	return indentation(line) == l.column && dash.Match(rest)
}

var dash = regexp.MustCompile(`^-([ \t\r\n]|$)`)

func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }
