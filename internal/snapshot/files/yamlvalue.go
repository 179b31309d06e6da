package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
)

// yamlError is an error that names its line in the file.
type yamlError struct {
	text string
	// parsed: the text is YAML, and only what it says is wrong.
	parsed bool
}

func (e yamlError) Error() string { return "yaml: " + e.text }

// parseYAML reads a document as kubectl does (YAML 1.1), except that a key that stands twice is an error, and so is
// what follows the document, which kubectl drops. Its values are those of encoding/json. line is where the text begins.
func parseYAML(text []byte, line int) (any, error) {
	if err := checkYAML(text); err != nil {
		return nil, err
	}
	var tree *yamlTree
	if anchors.Match(text) {
		var err error
		if tree, err = newYAMLTree(text); err == nil {
			err = tree.checkSize()
		}
		if err != nil {
			return nil, atLine(err, text, line)
		}
	}
	value, err := decodeYAML(text, true)
	var typed *yamlv2.TypeError
	if errors.As(err, &typed) && bytes.Contains(text, []byte("<<")) {
		// The strict reading takes a key beside a merge (<<: *base) for one that stands twice.
		value, err = decodeMerged(text, tree)
	}
	if err != nil {
		return nil, atLine(err, text, line)
	}
	return jsonValue(value)
}

func decodeMerged(text []byte, tree *yamlTree) (any, error) {
	if tree == nil {
		var err error
		if tree, err = newYAMLTree(text); err != nil {
			return nil, err
		}
	}
	if err := tree.checkKeys(); err != nil {
		return nil, err
	}
	return decodeYAML(text, false)
}

// decodeYAML parses behind an empty line, because the library does not tell the line of an error on the first.
func decodeYAML(text []byte, strict bool) (any, error) {
	dec := yamlv2.NewDecoder(io.MultiReader(strings.NewReader("\n"), bytes.NewReader(text)))
	dec.SetStrict(strict)
	var value any
	err := dec.Decode(&value)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	dec.SetStrict(false)
	switch err := dec.Decode(&struct{}{}); { // which follows no alias
	case errors.Is(err, io.EOF):
		return value, nil
	case err != nil:
		return nil, err
	default:
		return nil, errors.New("another document begins inside, after a line break that is neither LF nor CRLF")
	}
}

// jsonValue makes of the library's maps those of JSON. Keys are made text as sigs.k8s.io/yaml makes them.
func jsonValue(value any) (any, error) {
	switch value := value.(type) {
	case map[any]any:
		out := make(map[string]any, len(value))
		for k, v := range value {
			key, err := keyText(k)
			if err != nil {
				return nil, err
			}
			if _, twice := out[key]; twice {
				return nil, fmt.Errorf("yaml: key %q already set in map, in another notation", key)
			}
			if out[key], err = jsonValue(v); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []any:
		for i := range value {
			var err error
			if value[i], err = jsonValue(value[i]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

func keyText(key any) (string, error) {
	switch key := key.(type) {
	case string:
		return key, nil
	case int, int64, bool:
		return fmt.Sprint(key), nil
	case float64:
		return strconv.FormatFloat(key, 'g', -1, 32), nil
	}
	return "", fmt.Errorf("yaml: a key that is no text: %v", key)
}

// atLine rewrites an error of the library to name the line of the file. It counts from 0 in some places and from 1 in
// others; the text stands one line lower for it than it is.
func atLine(err error, text []byte, first int) error {
	var typed *yamlv2.TypeError
	if errors.As(err, &typed) {
		return yamlError{text: typeErrors(typed.Errors, first), parsed: true}
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	at := libraryLine.FindStringSubmatch(message)
	switch {
	case at != nil:
		line, _ := strconv.Atoi(at[1]) // digits
		if !parserErrors.MatchString(at[2]) {
			line--
		}
		message = fmt.Sprintf("line %d: %s", line+first-1, at[2])
	case strings.HasPrefix(message, "control characters"):
		message = fmt.Sprintf("line %d: %s", controlLine(text)+first-1, message)
	}
	return yamlError{text: message}
}

var (
	libraryLine = regexp.MustCompile(`(?s)^line (\d+): (.*)$`)
	// parserErrors are those that the library counts from 0.
	parserErrors = regexp.MustCompile(`^(did not find expected (key|node content|'-' indicator|',' or '[\]}]'|<)|found undefined tag handle|` +
		`found incompatible YAML document|found duplicate)`)
	// anchors are what aliases need. A shell command may look like one, which costs some time.
	anchors = regexp.MustCompile(`&[0-9A-Za-z_-]`)
	aliases = regexp.MustCompile(`\*[0-9A-Za-z_-]`)
	// unknownAnchor is the library's error of an alias that has none.
	unknownAnchor = regexp.MustCompile(`unknown anchor '(.*)' referenced`)
)

// maxListed is how many of the keys that stand twice are named.
const maxListed = 3

func typeErrors(all []string, first int) string {
	var out []string
	for i, message := range all {
		if i == maxListed {
			out = append(out, fmt.Sprintf("and %d more", len(all)-i))
			break
		}
		if at := libraryLine.FindStringSubmatch(message); at != nil {
			line, _ := strconv.Atoi(at[1]) // digits
			message = fmt.Sprintf("line %d: %s", line-1+first-1, at[2])
		}
		out = append(out, message)
	}
	return strings.Join(out, "; ")
}

// controlLine is the line of the first character that YAML does not allow.
func controlLine(text []byte) int {
	isControl := func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff
	}
	at := max(bytes.IndexFunc(text, isControl), 0)
	return bytes.Count(text[:at], []byte("\n")) + 1
}
