package change

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// piece is the text of one document.
type piece struct {
	text []byte
	json bool
}

// split cuts a file into documents, losing nothing: joined they are the file.
func split(data []byte) []piece {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' && json.Valid(firstJSON(trimmed)) {
		return splitJSON(data)
	}
	return splitYAML(data)
}

func splitYAML(data []byte) []piece {
	var docs []piece
	start, content := 0, false
	for at := 0; at < len(data); {
		end := at + bytes.IndexByte(data[at:], '\n') + 1
		if end == at {
			end = len(data)
		}
		line := data[at:end]
		switch {
		case isMark(line, "---") && content:
			docs, start = append(docs, piece{text: data[start:at]}), at
		case isMark(line, "..."):
			docs, start, content = append(docs, piece{text: data[start:end]}), end, false
			at = end
			continue
		}
		content = content || isMark(line, "---") || hasContent(line)
		at = end
	}
	if start < len(data) {
		docs = append(docs, piece{text: data[start:]})
	}
	return docs
}

func isMark(line []byte, mark string) bool {
	rest, found := bytes.CutPrefix(line, []byte(mark))
	return found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// hasContent is false for blank lines, comments and directives.
func hasContent(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] != '#' && line[0] != '%'
}

func firstJSON(data []byte) []byte {
	var first json.RawMessage
	if json.NewDecoder(bytes.NewReader(data)).Decode(&first) != nil {
		return nil
	}
	return first
}

// splitJSON cuts objects that follow each other. What is no JSON any more is YAML behind a separator, or in error.
func splitJSON(data []byte) []piece {
	var docs []piece
	decoder := json.NewDecoder(bytes.NewReader(data))
	start := int64(0)
	for {
		var object json.RawMessage
		err := decoder.Decode(&object)
		switch last := len(docs) - 1; {
		case err == io.EOF && last >= 0:
			docs[last].text = data[start-int64(len(docs[last].text)):]
			return docs
		case err != nil:
			return append(docs, splitYAML(data[start:])...)
		}
		end := decoder.InputOffset()
		docs, start = append(docs, piece{data[start:end:end], true}), end
	}
}

func (d *document) indentedJSON() ([]byte, error) {
	data, err := d.toJSON(d.text)
	if err != nil || data == nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", "    "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// editJSON puts a value, or nothing, at a path, and writes the object as kubectl does.
func editJSON(text []byte, path []string, value json.RawMessage) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var root any
	if err := decoder.Decode(&root); err != nil {
		return nil, err
	}
	parent := root
	for _, step := range path[:len(path)-1] {
		switch node := parent.(type) {
		case map[string]any:
			parent = node[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(node) {
				return nil, fmt.Errorf("there is no %s", step)
			}
			parent = node[i]
		}
	}
	fields, ok := parent.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("there is no container at %v", path)
	}
	if last := path[len(path)-1]; value == nil {
		delete(fields, last)
	} else {
		fields[last] = value
	}
	out, err := json.MarshalIndent(root, "", "    ")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

// editYAML does it in YAML. What is beside the path keeps its order, and comments where the library keeps them.
func editYAML(text []byte, path []string, value json.RawMessage) ([]byte, error) {
	var root yamlv3.Node
	if err := yamlv3.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, fmt.Errorf("the document is empty")
	}
	parent := root.Content[0]
	for _, step := range path[:len(path)-1] {
		if parent = child(parent, step); parent == nil {
			return nil, fmt.Errorf("there is no %s (behind an alias it cannot be changed)", step)
		}
	}
	last := path[len(path)-1]
	if value == nil {
		remove(parent, last)
	} else {
		var node yamlv3.Node
		if err := yamlv3.Unmarshal(value, &node); err != nil {
			return nil, err
		}
		plain(node.Content[0])
		put(parent, last, node.Content[0])
	}
	var out bytes.Buffer
	if isMark(text, "---") {
		out.WriteString("---\n")
	}
	encoder := yamlv3.NewEncoder(&out)
	encoder.SetIndent(2)
	if isCompact(&root) {
		encoder.CompactSeqIndent()
	}
	if err := encoder.Encode(&root); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// isCompact tells whether lists stand under their names without indentation, as kubectl writes them.
func isCompact(node *yamlv3.Node) bool {
	for i, c := range node.Content {
		if node.Kind == yamlv3.MappingNode && i%2 == 1 && c.Kind == yamlv3.SequenceNode && c.Style&yamlv3.FlowStyle == 0 &&
			c.Line > node.Content[i-1].Line {
			return c.Column == node.Content[i-1].Column
		}
		if isCompact(c) {
			return true
		}
	}
	return false
}

// child goes down a step. It does not follow aliases: what they name is in other places too.
func child(node *yamlv3.Node, step string) *yamlv3.Node {
	switch node.Kind {
	case yamlv3.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == step {
				return node.Content[i+1]
			}
		}
	case yamlv3.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i < len(node.Content) {
			return node.Content[i]
		}
	}
	return nil
}

// put sets a field. Where old and new are both mappings, only what differs is touched.
func put(parent *yamlv3.Node, name string, value *yamlv3.Node) {
	for i := 0; i+1 < len(parent.Content); i += 2 {
		if parent.Content[i].Value != name {
			continue
		}
		old := parent.Content[i+1]
		switch {
		case old.Kind == yamlv3.MappingNode && value.Kind == yamlv3.MappingNode:
			merge(old, value)
		case old.Kind == yamlv3.ScalarNode && value.Kind == yamlv3.ScalarNode && old.Value == value.Value && old.ShortTag() == value.ShortTag():
		default:
			value.LineComment, value.HeadComment = old.LineComment, old.HeadComment
			parent.Content[i+1] = value
		}
		return
	}
	parent.Content = append(parent.Content, &yamlv3.Node{Kind: yamlv3.ScalarNode, Tag: "!!str", Value: name}, value)
}

func merge(old, value *yamlv3.Node) {
	for i := len(old.Content) - 2; i >= 0; i -= 2 {
		if name := old.Content[i].Value; child(value, name) == nil {
			remove(old, name)
		}
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		put(old, value.Content[i].Value, value.Content[i+1])
	}
}

func remove(parent *yamlv3.Node, name string) {
	for i := 0; i+1 < len(parent.Content); i += 2 {
		if parent.Content[i].Value == name {
			parent.Content = append(parent.Content[:i], parent.Content[i+2:]...)
			return
		}
	}
}

// plain takes the style of JSON off: block style, and quotes only where they are needed: also around what kubectl would
// read as another type (on, 0777), which the encoder does not know of.
func plain(node *yamlv3.Node) {
	node.Style = 0
	if node.Kind == yamlv3.ScalarNode && node.ShortTag() == "!!str" {
		var read any
		if err := yaml.Unmarshal([]byte(node.Value), &read); err != nil || read != node.Value {
			node.Style = yamlv3.DoubleQuotedStyle
		}
	}
	for _, c := range node.Content {
		plain(c)
	}
}
