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

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
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

// ErrNoneWanted says that manifests hold nothing that was wanted.
var ErrNoneWanted = errors.New("no Pods and no workloads")

// maxHeld bounds the documents of all manifests, and the objects in them: what is printed is all of them or nothing, so
// they are held at once, and a small one takes a hundred times its text.
const maxHeld = 1 << 16

// Local changes manifests without asking a server: of a workload the template. Documents in which nothing changes come
// out byte for byte and in order.
func Local(r Request, in []Manifest, o LocalOptions) ([]byte, *Plan, error) {
	var docs []*document
	var errs []error
	held := 0
	for _, m := range in {
		read, err := readDocuments(m, &held)
		docs = append(docs, read...)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	var targets []Target
	var places []place
	owners := controllers(docs)
	for _, d := range docs {
		for _, object := range d.objects {
			if o.Wanted == nil || o.Wanted(object.subject.Ref, object.labels) {
				targets = append(targets, Target{Subject: object.subject, Named: true, Manifest: true, Elsewhere: owners.elsewhere(object.subject)})
				places = append(places, place{d, object.path})
			}
		}
	}
	if len(targets) == 0 {
		return nil, nil, ErrNoneWanted
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

// ownership is what controls the objects of all documents, those that were not wanted too.
type ownership map[Ref]*metav1.OwnerReference

func controllers(docs []*document) ownership {
	out := ownership{}
	for _, d := range docs {
		for _, object := range d.objects {
			if owner := metav1.GetControllerOfNoCopy(&object.subject.Meta); owner != nil {
				out[object.subject.bare()] = owner
			}
		}
	}
	return out
}

// elsewhere says what is to be changed in the place of an object that something else makes; empty where nothing does.
func (o ownership) elsewhere(s *Subject) string {
	if s.Pod != nil && isStatic(s.Pod) {
		return mirrored(s.Pod)
	}
	if top := o.top(s); top != "" {
		return fmt.Sprintf("made by %s: change that", top)
	}
	return ""
}

// top is the highest that is known to control an object. In files that were made up, objects can control each other in
// a circle.
func (o ownership) top(s *Subject) string {
	at, out := s.bare(), ""
	for range len(o) {
		owner := o[at]
		if owner == nil {
			break
		}
		out = ownerText(owner)
		gv, _ := schema.ParseGroupVersion(owner.APIVersion) // a bad one is that of no object
		at = Ref{Group: gv.Group, Kind: owner.Kind, Namespace: at.Namespace, Name: owner.Name}
	}
	return out
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
	line    int    // where the text begins in the file
	text    []byte // as it came, with the line that begins it
	json    bool   // it is JSON
	marked  bool   // a byte order mark stands before it
	changed bool
	objects []inDocument
}

type inDocument struct {
	subject *Subject
	path    []string // to the object: empty, or items and an index
	labels  map[string]string
}

func readDocuments(m Manifest, held *int) ([]*document, error) {
	var out []*document
	var errs []error
	data, marked := bytes.CutPrefix(m.Data, []byte(byteOrderMark))
	line := 1
	for i, p := range split(data) {
		if *held++; *held > maxHeld {
			return nil, errors.Join(append(errs, tooMany())...)
		}
		d := &document{file: m.Name, number: i + 1, line: line, text: p.text, json: p.json, marked: marked && i == 0}
		if err := d.read(held); err != nil {
			errs = append(errs, fmt.Errorf("%s: document %d: %w", m.Name, d.number, err))
		}
		out = append(out, d)
		line += bytes.Count(p.text, []byte("\n"))
	}
	return out, errors.Join(errs...)
}

// byteOrderMark is what some editors begin a file with.
const byteOrderMark = "\ufeff"

func tooMany() error {
	return fmt.Errorf("more than %d documents and objects, which are held at once: give fewer files at a time", maxHeld)
}

func (d *document) read(held *int) error {
	data, err := d.toJSON(d.text)
	if err != nil || data == nil {
		return err
	}
	return d.find(data, nil, held)
}

// toJSON is the JSON of the document, or of what is to become of it.
func (d *document) toJSON(text []byte) ([]byte, error) { return files.ToJSON(text, d.line) }

// find adds an object, or those in a List.
func (d *document) find(data []byte, path []string, held *int) error {
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
		if len(path) >= 2*files.MaxLists { // a step is the field and the index
			return fmt.Errorf("more than %d Lists in one another", files.MaxLists)
		}
		for i, item := range object.Items {
			if err := d.find(item, append(append([]string{}, path...), "items", strconv.Itoa(i)), held); err != nil {
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
	if *held++; *held > maxHeld {
		return tooMany()
	}
	s, err := read(data)
	if err != nil {
		return err
	}
	s.File = d.file
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
		if err := d.onlyThat(text, at, c.after); err != nil {
			return refuse(p.bare(), "container %s: %s", c.Container, err) // the document is named with its file
		}
		d.text, d.changed = text, true
	}
	return nil
}

// onlyThat makes sure that nothing else has changed: an anchor in YAML puts one text into several places.
func (d *document) onlyThat(after []byte, at []string, value json.RawMessage) error {
	was, err := d.toJSON(d.text)
	if err != nil {
		return err
	}
	want, err := editJSON(was, at, value)
	if err != nil {
		return err
	}
	got, err := d.toJSON(after)
	switch {
	case err == nil && sameJSON(want, got):
		return nil
	case sharesText(d.text):
		return errors.New("its probe shares text with other places through a YAML anchor or merge: write it out first")
	case err != nil:
		return fmt.Errorf("its document cannot be written back unchanged: %w", err)
	default:
		return errors.New("its document cannot be written back unchanged")
	}
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
			text, err = d.indentedJSON()
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
		if i == 0 && d.marked && (format == "" || d.json == (format == "json")) { // further down it would be part of a name
			out.WriteString(byteOrderMark)
		}
		out.Write(text)
		endsFile := i+1 < len(docs) && docs[i+1].file != d.file
		if len(text) > 0 && text[len(text)-1] != '\n' && (endsFile || d.changed) {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}
