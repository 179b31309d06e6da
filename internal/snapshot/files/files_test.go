package files

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"
)

func TestReadFormats(t *testing.T) {
	both := []string{"Deployment default/api x#2", "Pod shop/web x#1"}
	tests := []struct {
		name, in string
		want     []string
	}{
		{"yaml", podYAML, []string{"Pod shop/web x#1"}},
		{"json", podJSON, []string{"Pod shop/web x#1"}},
		{"documents", podYAML + "---\n" + deployYAML, both},
		{"a document ends by dots", podYAML + "...\n" + deployYAML, both},
		{"windows", "\ufeff" + strings.ReplaceAll("---\n"+podYAML+"---\n"+deployYAML, "\n", "\r\n"), both},
		{"joined files with marks", podYAML + "\ufeff---\n" + deployYAML, both},
		{
			"empty documents count", "---\n---\n" + podYAML + "---\n# nothing\n---\n" + deployYAML,
			[]string{"Deployment default/api x#4", "Pod shop/web x#2"},
		},
		{"what stands before the first separator is none", "# head\n\n---\n" + podYAML + "---\n" + deployYAML, both},
		{"directive", "%YAML 1.1\n---\n" + podYAML + "---\n" + deployYAML, both},
		{"comment behind the separator", "--- # first\n" + podYAML + "--- # second\n" + deployYAML, both},
		{"content behind the separator", "--- " + podJSON + "\n--- " + deployJSON + "\n", both},
		{
			"dashes that separate nothing", "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, annotations: {a: '\n ---\n ----'}}\n----: 1\n",
			[]string{"Pod shop/web x#1"},
		},
		{"flow style is yaml", "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}", []string{"Pod shop/web x#1"}},
		{"json values one after another", podJSON + deployJSON, both},
		{"json values on lines", podJSON + "\n" + deployJSON + "\n", both},
		{"json values with separators", podJSON + "\n---\n" + deployJSON + "\n", both},
		{"json, then yaml", podJSON + "\n---\n" + deployYAML, both},
		{
			"list", `{"apiVersion":"v1","kind":"List","items":[` + podJSON + "," + deployJSON + `]}`,
			[]string{"Deployment default/api x#1", "Pod shop/web x#1"},
		},
		{"list with its kind last", `{"apiVersion":"v1","items":[` + podJSON + `],"kind":"List"}`, []string{"Pod shop/web x#1"}},
		{
			"list in yaml", "apiVersion: v1\nkind: List\nitems:\n- " + podJSON + "\n- " + deployJSON,
			[]string{"Deployment default/api x#1", "Pod shop/web x#1"},
		},
		{
			"list in a list", `{"apiVersion":"v1","kind":"List","items":[{"kind":"List","apiVersion":"v1","items":[` + podJSON + `]},` + deployJSON + `]}`,
			[]string{"Deployment default/api x#1", "Pod shop/web x#1"},
		},
		{"typed list", `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[` + bareJSON + `]}`, []string{"Pod shop/web x#1"}},
		{"typed list with its kind last", `{"apiVersion":"v1","items":[` + bareJSON + `],"kind":"PodList"}`, []string{"Pod shop/web x#1"}},
		{"typed list with its version last", `{"kind":"PodList","items":[` + bareJSON + `],"apiVersion":"v1"}`, []string{"Pod shop/web x#1"}},
		{"typed list of another group", "apiVersion: apps/v1\nkind: DeploymentList\nitems: [{metadata: {name: api}}]", []string{"Deployment default/api x#1"}},
		{"a type at the end", `{"metadata":{"name":"web","namespace":"shop"},"kind":"Pod","apiVersion":"v1"}`, []string{"Pod shop/web x#1"}},
		{"list of nothing", `{"kind":"PodList","apiVersion":"v1","items":null}`, []string{}},
		{"nothing", "", []string{}},
		{"blanks", "\n \n", []string{}},
		{"comments", "# a\n---\n# b\n", []string{}},
		{
			"kinds of no use", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: d}\n",
			[]string{},
		},
		{"a name yet to be generated", "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: once-}\n", []string{"Job default/once- x#1"}},
		{"an old group", "apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: api}\n", []string{"Deployment default/api x#1"}},
		{"names are case-sensitive", "apiVersion: v1\nkind: Pod\nMETADATA: {name: x}\nmetadata: {name: web, namespace: shop}\nSpec: 5\n", []string{"Pod shop/web x#1"}},
		{
			"anchors", "apiVersion: v1\nkind: Pod\nmetadata: &m {name: web, namespace: shop}\nspec: {containers: [{name: a, livenessProbe: &p {tcpSocket: {port: 1}}, readinessProbe: *p}]}\n",
			[]string{"Pod shop/web x#1"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, map[string]string{"x": test.in})
			s, _ := readFiles(t, "x")
			if diff := cmp.Diff(test.want, listing(s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadUTF16(t *testing.T) {
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		text, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(podJSON + "\r\n")
		if err != nil {
			t.Fatal(err)
		}
		folderOf(t, map[string]string{"x.json": text})
		s, _ := readFiles(t, "x.json")
		if diff := cmp.Diff([]string{"Pod shop/web x.json#1"}, listing(s)); diff != "" {
			t.Errorf("%v: %s", order, diff)
		}
	}
}

func TestReadKeepsAProbe(t *testing.T) {
	folderOf(t, map[string]string{"x.yaml": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: api}
spec:
  template:
    spec:
      containers:
      - name: app
        livenessProbe: &base
          httpGet: {path: /live, port: 8080}
          periodSeconds: 7
        readinessProbe:
          <<: *base
          periodSeconds: 9
`})
	s, _ := readFiles(t, "x.yaml")
	c := s.Objects[0].Template.Spec.Containers[0]
	if c.Liveness.PeriodSeconds != 7 || c.Readiness.PeriodSeconds != 9 || c.Readiness.Path != "/live" {
		t.Errorf("liveness %+v, readiness %+v", c.Liveness, c.Readiness)
	}
}

func TestReadStdin(t *testing.T) {
	s, info := mustRead(t, Options{Filenames: []string{"-", "-"}, Stdin: strings.NewReader(podYAML)})
	if diff := cmp.Diff([]string{"Pod shop/web -#1"}, listing(s)); diff != "" {
		t.Error(diff)
	}
	if info.Files != 1 {
		t.Errorf("read %d streams, want 1", info.Files)
	}
}

func TestReadCounts(t *testing.T) {
	folderOf(t, map[string]string{
		"a.yaml": "---\n---\n" + podYAML + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
		"b.json": `{"apiVersion":"v1","kind":"List","items":[` + podJSON + "," + deployJSON + `]}`,
	})
	_, info := readFiles(t, "a.yaml", "b.json")
	info.Notes = nil
	want := &Info{Files: 2, Documents: 3, Objects: 4, Skipped: map[string]int{"ConfigMap": 1}}
	if diff := cmp.Diff(want, info); diff != "" {
		t.Error(diff)
	}
}

func TestReadFillsInWhatAManifestLeavesOut(t *testing.T) {
	folderOf(t, map[string]string{"x.yaml": deployYAML + "---\n" + podYAML + "---\napiVersion: example.com/v1\nkind: App\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: c}]}}}\n"})
	s, _ := mustRead(t, Options{Filenames: []string{"x.yaml"}, DefaultNamespace: "team"})
	want := []string{"App team/a x.yaml#3", "Deployment team/api x.yaml#1", "Pod shop/web x.yaml#2"}
	if diff := cmp.Diff(want, listing(s)); diff != "" {
		t.Error(diff)
	}
	uids := map[string]bool{string(s.Pods[0].UID): true}
	for _, o := range s.Objects {
		uids[string(o.UID)] = true
	}
	if len(uids) != 3 || uids[""] {
		t.Errorf("UIDs are not one of each: %v", uids)
	}
}

func TestReadGivesItemsUIDsOfTheirOwn(t *testing.T) {
	nameless := strings.ReplaceAll(deployJSON, `"name":"api"`, `"generateName":"api-"`)
	folderOf(t, map[string]string{"x.json": `{"apiVersion":"v1","kind":"List","items":[` + nameless + `,{"apiVersion":"v1","kind":"List","items":[` + nameless + `]},` + nameless + `]}`})
	s, _ := readFiles(t, "x.json")
	uids := map[string]bool{}
	for _, o := range s.Objects {
		uids[string(o.UID)] = true
	}
	if len(s.Objects) != 3 || len(uids) != 3 {
		t.Errorf("%d objects with UIDs %v", len(s.Objects), uids)
	}
}

// endless is a stream of Pods that calls off the reading after some.
type endless struct {
	cancel func()
	left   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left--; e.left == 0 {
		e.cancel()
	}
	if e.left < -1000 {
		return 0, io.ErrUnexpectedEOF
	}
	return copy(p, podJSON), nil
}

func TestReadStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, _, err := Read(ctx, Options{Filenames: []string{"-"}, Stdin: &endless{cancel, 2000}})
	if !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("got %v and %v, want a cancellation", s, err)
	}
}
