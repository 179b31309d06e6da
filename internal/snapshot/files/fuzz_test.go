package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// FuzzRead reads anything: it must end, never panic, and what it returns must agree with itself.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		podYAML, deployYAML, podJSON, "---\n" + podYAML + "---\n" + deployYAML + "...\n", yamlList(podYAML, deployYAML),
		`{"apiVersion":"v1","kind":"List","items":[` + podJSON + "," + deployJSON + `]}`,
		`{"items":[` + bareJSON + `,null,[1],{"items":[]}],"apiVersion":"v1","kind":"PodList"}`,
		"a: &a [x]\nb: {<<: {c: *a}, d: *a}\n", podJSON + "\n---\n" + podYAML, "\ufeff{a: 1}\r\n", "\xff\xfe{\x00}\x00",
		"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: c}]}}}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, info, err := Read(context.Background(), Options{Filenames: []string{"-"}, Stdin: bytes.NewReader(text)})
		if s == nil {
			if err == nil || info != nil {
				t.Fatalf("no snapshot, info %v, error %v", info, err)
			}
			return
		}
		checkSnapshot(t, s, info, err)
	})
}

// checkSnapshot checks what must hold of whatever was read.
func checkSnapshot(t *testing.T, s *snapshot.Snapshot, info *Info, err error) {
	t.Helper()
	kept := len(s.Pods) + len(s.Objects) + len(s.Services) + len(s.Nodes) + len(s.Events) + len(s.EndpointSlices)
	if kept > info.Objects {
		t.Errorf("kept %d objects of %d that were read", kept, info.Objects)
	}
	if (err != nil) != hasFileGap(s) {
		t.Errorf("error %v beside gaps %v", err, s.Gaps)
	}
	for _, p := range s.Pods {
		if p.Name == "" || p.Namespace == "" || p.UID == "" || p.Spec == nil || p.Source.File != snapshot.Stdin || p.Source.Document == 0 {
			t.Errorf("a Pod without what tells it from others: %+v", p)
		}
		s.Running = s.Running || p.HasStatus
	}
	for _, o := range s.Objects {
		if o.Name == "" || o.Kind == "" || o.UID == "" || o.Source.Document == 0 {
			t.Errorf("an object without what tells it from others: %+v", o)
		}
	}
	if _, err := s.Select(snapshot.Query{}, nil); err != nil {
		t.Errorf("Select: %v", err)
	}
}

func hasFileGap(s *snapshot.Snapshot) bool {
	for _, g := range s.Gaps {
		if g.What == "files" {
			return true
		}
	}
	return false
}

func yamlList(documents ...string) string {
	var out strings.Builder
	out.WriteString("apiVersion: v1\nitems:\n")
	for _, doc := range documents {
		out.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(doc), "\n", "\n  ") + "\n")
	}
	out.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	return out.String()
}

// FuzzYAMLList: a List that is read item by item is what it is as a whole, or an error.
func FuzzYAMLList(f *testing.F) {
	for _, seed := range []string{
		yamlList(podYAML, deployYAML), yamlList("a: |\n  x\n\n  y", "b: \"c\n  d\"", "c: >+\n  e\n\n\n"),
		"kind: List\nitems: # all\n\n# here\n  - a: 1\n  # there\n  -\n    b: 2\n  - - c\n    - d\nmetadata: {}\n",
		"items:\n- \"a\n- b\"\n- c: [1,\n- 2]\nkind: List\n", "items:\n- a\nitems:\n- b\n", "items:\n- a: 1\r\n- b\r- c\n",
		"items:\n- &a x\n- *a\n", "a:\nitems:\n-\na: 1\n", "items:\n- /?a=b&c\n- '*'\n", "items:\n- {a: 1, a: 2}\n- b\n", "items:\n  - a\n - b\n", "items:\n- ? a\n  : b\n- !!str 1\n- |\n x\n-\n",
		"  kind: List\nitems:\n- a\n", "items:\n- a\n{kind: List}\n", "items:\n- |2\n    a\n-\ta: 1\n- 'it''s'\n#\n- ~\nkind: x # y\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, "\ufeff") {
			t.Skip() // the reader makes it so
		}
		s := &splitter{text: newText(strings.NewReader(text))}
		doc, err := s.next()
		if err != nil {
			return
		}
		list, ok := newBlockList(&doc, s)
		if !ok {
			return
		}
		converted, err := readList(list)
		if err != nil {
			return
		}
		var read any
		if twice, err := kjson.UnmarshalStrict(converted, &read, kjson.DisallowDuplicateFields); err != nil || len(twice) > 0 {
			return // a field above the items and below them again, which the reader of the JSON refuses
		}
		whole, err := parseYAML(doc.text, doc.line)
		if err != nil {
			t.Fatalf("item by item: %s\nas a whole: %v", converted, err)
		}
		checkSameJSON(t, whole, converted)
	})
}

func readList(list *blockList) ([]byte, error) {
	var out []byte
	for buffer := make([]byte, 64); ; {
		n, err := list.Read(buffer)
		out = append(out, buffer[:n]...)
		switch {
		case list.fault != nil:
			return nil, list.fault
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
	}
}

func checkSameJSON(t *testing.T, want any, got []byte) {
	t.Helper()
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(raw, &a), json.Unmarshal(got, &b)); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}
