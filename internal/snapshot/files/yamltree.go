package files

import (
	"errors"
	"fmt"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
	yamlv3 "go.yaml.in/yaml/v3"
)

// yamlTree is a document before its aliases are followed.
type yamlTree struct {
	root *yamlv3.Node
	// sizes are known values, of an alias that of what it stands for; -1 while one is being found out.
	sizes map[*yamlv3.Node]int
}

func newYAMLTree(text []byte) (*yamlTree, error) {
	var root yamlv3.Node
	err := yamlv3.Unmarshal(text, &root)
	if err == nil {
		return &yamlTree{root: &root, sizes: map[*yamlv3.Node]int{}}, nil
	}
	// The other reader counts lines in a way that is known. It follows no alias into a struct without fields.
	exact, typed := yamlv2.Unmarshal(append([]byte("\n"), text...), &struct{}{}), &yamlv2.TypeError{}
	if exact != nil && !errors.As(exact, &typed) {
		return nil, exact
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if at := libraryLine.FindStringSubmatch(message); at != nil {
		message = at[2]
	}
	return nil, errors.New(message)
}

// checkSize refuses a document that is much larger when its aliases are followed: ten lines can stand for a billion
// values, and a thousand for as many copies of a long text.
func (t *yamlTree) checkSize() error {
	size, err := t.size(t.root)
	if err == nil && size > maxObject {
		err = fmt.Errorf("yaml: with its aliases (*name) followed, the document is larger than %d MiB", maxObject>>20)
	}
	return err
}

// nodeSize is what a value counts beside its text, so that there are no more than maxNodes of them.
const nodeSize = maxObject / maxNodes

// size is in bytes, roughly, and stops counting above maxObject.
func (t *yamlTree) size(n *yamlv3.Node) (int, error) {
	if n.Kind == yamlv3.AliasNode {
		n = n.Alias
	}
	if n.Kind == yamlv3.ScalarNode {
		return len(n.Value) + nodeSize, nil
	}
	known, ok := t.sizes[n]
	switch {
	case known < 0:
		return 0, fmt.Errorf("yaml: line %d: anchor '%s' value contains itself", n.Line+1, n.Anchor)
	case ok:
		return known, nil
	}
	t.sizes[n] = -1
	size := nodeSize
	for _, child := range n.Content {
		below, err := t.size(child)
		if err != nil {
			return 0, err
		}
		if size += below; size > maxObject {
			break
		}
	}
	t.sizes[n] = size
	return size, nil
}

// checkKeys finds a key that stands twice in a map, and one that a merge would replace though it stands in the map
// itself: YAML says that it stays, kubectl's reader lets the merge win if it stands below.
func (t *yamlTree) checkKeys() error {
	var faults []string
	t.repeated(t.root, &faults)
	if len(faults) > 0 {
		return &yamlv2.TypeError{Errors: faults}
	}
	return nil
}

func (t *yamlTree) repeated(n *yamlv3.Node, faults *[]string) {
	if n.Kind == yamlv3.MappingNode {
		seen := map[string]bool{}
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			if isMerge(key) {
				for _, name := range replacedKeys(n.Content[i+1], seen) {
					*faults = append(*faults, fmt.Sprintf("line %d: key %#v is set above the merge (<<), which kubectl lets win; put the merge first", key.Line+1, name))
				}
			}
			if key.Kind == yamlv3.ScalarNode && seen[key.Value] {
				*faults = append(*faults, fmt.Sprintf("line %d: key %#v already set in map", key.Line+1, key.Value))
			}
			seen[key.Value] = true
		}
	}
	for _, child := range n.Content {
		t.repeated(child, faults)
	}
}

func isMerge(key *yamlv3.Node) bool {
	return key.Kind == yamlv3.ScalarNode && key.Value == "<<" && (key.Tag == "!!merge" || key.Tag == "" || key.Tag == "!")
}

// replacedKeys are those of the maps that are merged which are set already.
func replacedKeys(merged *yamlv3.Node, set map[string]bool) []string {
	if merged.Kind == yamlv3.AliasNode {
		merged = merged.Alias
	}
	var found []string
	switch merged.Kind {
	case yamlv3.SequenceNode:
		for _, one := range merged.Content {
			found = append(found, replacedKeys(one, set)...)
		}
	case yamlv3.MappingNode:
		for i := 0; i < len(merged.Content); i += 2 {
			switch key := merged.Content[i]; {
			case isMerge(key):
				found = append(found, replacedKeys(merged.Content[i+1], set)...)
			case set[key.Value]:
				found = append(found, key.Value)
			}
		}
	}
	return found
}
