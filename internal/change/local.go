package change

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// Manifest is one file with YAML documents or JSON objects.
type Manifest struct {
	Name string
	Data []byte
}

// LocalOptions say what to change in manifests.
type LocalOptions struct {
	// Wanted chooses among the objects that have Pod templates or are Pods; nil: all of them.
	Wanted func(ref Ref, labels map[string]string) bool
	// Format is yaml or json; empty: every document as it came.
	Format string
}

// Local changes manifests without asking a server: of a workload the template. Documents in which nothing changes come
// out byte for byte and in order.
func Local(r Request, in []Manifest, o LocalOptions) ([]byte, *Plan, error) {
	var docs []*document
	var errs []error
	for _, m := range in {
		read, err := readDocuments(m)
		docs = append(docs, read...)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	var targets []Target
	var places []place
	for _, d := range docs {
		for _, object := range d.objects {
			if o.Wanted == nil || o.Wanted(object.subject.Ref, object.labels) {
				targets = append(targets, Target{Subject: object.subject, Named: true, Manifest: true})
				places = append(places, place{d, object.path})
			}
		}
	}
	plan, err := NewPlan(r, targets)
	if err != nil {
		return nil, nil, err
	}
	for i := range plan.Objects {
		object := &plan.Objects[i]
		at := places[indexOf(targets, object.Subject)]
		if err := at.doc.change(object, at.path); err != nil {
			return nil, nil, fmt.Errorf("%s: document %d: %w", at.doc.file, at.doc.number, err)
		}
	}
	out, err := writeDocuments(docs, o.Format)
	return out, plan, err
}

type place struct {
	doc  *document
	path []string
}

func indexOf(targets []Target, s *Subject) int {
	for i, t := range targets {
		if t.Subject == s {
			return i
		}
	}
	return -1
}

// document is one document, and the objects in it that have probes.
type document struct {
	file    string
	number  int
	text    []byte // as it came, with the line that begins it
	json    bool   // it is JSON
	changed bool
	objects []inDocument
}

type inDocument struct {
	subject *Subject
	path    []string // to the object: empty, or items and an index
	labels  map[string]string
}

func readDocuments(m Manifest) ([]*document, error) {
	var out []*document
	var errs []error
	texts, isJSON := split(m.Data)
	for i, text := range texts {
		d := &document{file: m.Name, number: i + 1, text: text, json: isJSON}
		if err := d.read(); err != nil {
			errs = append(errs, fmt.Errorf("%s: document %d: %w", m.Name, d.number, err))
		}
		out = append(out, d)
	}
	return out, errors.Join(errs...)
}

func (d *document) read() error {
	data, err := jsonOf(d.text)
	if err != nil {
		return err
	}
	if string(data) == "null" {
		return nil
	}
	return d.find(data, nil)
}

// find adds an object, or those in a List.
func (d *document) find(data []byte, path []string) error {
	var object struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil // no object of Kubernetes: it passes through
	}
	if strings.HasSuffix(object.Kind, "List") && object.Items != nil {
		for i, item := range object.Items {
			if err := d.find(item, append(append([]string{}, path...), "items", strconv.Itoa(i))); err != nil {
				return fmt.Errorf("item %d: %w", i+1, err)
			}
		}
		return nil
	}
	gk := object.GroupVersionKind().GroupKind()
	read := WorkloadFromJSON
	if gk == (schema.GroupKind{Kind: "Pod"}) {
		read = PodFromJSON
	} else if _, known := templatePath(gk); !known {
		return nil
	}
	s, err := read(data)
	if err != nil {
		return err
	}
	labels := object.Metadata.Labels
	if s.Pod == nil {
		if labels, err = templateLabels(data, gk); err != nil {
			return err
		}
	}
	d.objects = append(d.objects, inDocument{s, path, labels})
	return nil
}

// templateLabels are those a selector is held against: of the Pods to come.
func templateLabels(data []byte, gk schema.GroupKind) (map[string]string, error) {
	path, _ := templatePath(gk)
	raw, err := at(data, append(path, "metadata", "labels")...)
	if err != nil {
		return nil, err
	}
	labels := map[string]string{}
	return labels, json.Unmarshal(orNull(raw), &labels)
}

// change writes an object's changes into the document.
func (d *document) change(p *ObjectPlan, path []string) error {
	if !p.Changed() {
		return nil
	}
	edit := editYAML
	if d.json {
		edit = editJSON
	}
	for _, c := range p.Changes {
		if c.Action == Unchanged {
			continue
		}
		at := append(append([]string{}, path...), strings.Split(strings.TrimPrefix(p.pointer(c.slot, fieldOf(c.Kind)), "/"), "/")...)
		text, err := edit(d.text, at, c.after)
		if err != nil {
			return err
		}
		if err := onlyThat(d.text, text, at, c.after); err != nil {
			return refuse(p.Ref, "container %s: %s", c.Container, err)
		}
		d.text, d.changed = text, true
	}
	return nil
}

// onlyThat makes sure that nothing else has changed: an anchor in YAML puts one text into several places, and of a key
// that is there twice the other may be the one that counts.
func onlyThat(before, after []byte, at []string, value json.RawMessage) error {
	was, err := jsonOf(before)
	if err != nil {
		return err
	}
	want, err := editJSON(was, at, value)
	if err != nil {
		return err
	}
	got, err := jsonOf(after)
	if err == nil && sameJSON(want, got) {
		return nil
	}
	if _, err := yaml.YAMLToJSONStrict(before); err != nil {
		return fmt.Errorf("its document cannot be written back unchanged: %w", err)
	}
	if sharesText(before) {
		return errors.New("its probe shares text with other places through a YAML anchor or merge: write it out first")
	}
	return errors.New("its document cannot be written back unchanged")
}

// sharesText tells whether a YAML document has anchors.
func sharesText(text []byte) bool {
	var document yamlv3.Node
	if yamlv3.Unmarshal(text, &document) != nil {
		return false
	}
	var has func(n *yamlv3.Node) bool
	has = func(n *yamlv3.Node) bool { return n.Anchor != "" || slices.ContainsFunc(n.Content, has) }
	return has(&document)
}

// writeDocuments joins the documents. Where one does not end its last line, or does not begin with a mark, what keeps it
// apart from the next is added.
func writeDocuments(docs []*document, format string) ([]byte, error) {
	var out bytes.Buffer
	for i, d := range docs {
		text := d.text
		var err error
		switch {
		case format == "json" && !d.json:
			text, err = toIndentedJSON(d.text)
		case format == "yaml" && d.json:
			text, err = yaml.JSONToYAML(d.text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: document %d: %w", d.file, d.number, err)
		}
		asYAML := format == "yaml" || format == "" && !d.json
		if i > 0 && asYAML && !bytes.HasPrefix(text, []byte("---")) && docs[i-1].file != d.file || i > 0 && format == "yaml" && d.json {
			out.WriteString("---\n")
		}
		out.Write(text)
		if len(text) > 0 && text[len(text)-1] != '\n' && (i+1 < len(docs) || d.changed) {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}
