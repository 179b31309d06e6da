package files

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadErrors(t *testing.T) {
	const bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
		"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n" +
		"g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g]\ni: &i [*h,*h,*h,*h,*h,*h,*h,*h,*h]\n"
	const ten = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\nspec:\n  template:\n    spec:\n      containers:\n" +
		"      - name: app\n        livenessProbe:\n          periodSeconds: ten\n"
	const tenJSON = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","namespace":"shop"},"spec":{"containers":[{"name":"a","livenessProbe":{"periodSeconds":"ten"}}]}}`
	tests := []struct {
		name, in string
		want     []string // lines
	}{
		{"wrong type", podYAML + "---\n" + ten, []string{
			"x: document 2 (from line 6): Deployment shop/api: spec.template.spec.containers.livenessProbe.periodSeconds: cannot read string as int32",
		}},
		{"wrong type in an item", `{"apiVersion":"v1","kind":"List","items":[` + podJSON + "," + tenJSON + `]}`, []string{
			"x: document 1: item 2: Pod shop/b: spec.containers.livenessProbe.periodSeconds: cannot read string as int32",
		}},
		{"wrong type of a custom object's name", "apiVersion: a.b/v1\nkind: X\nmetadata: {name: 5}\n", []string{
			"x: document 1: X: metadata.name is missing",
		}},
		{"a number too large", strings.ReplaceAll(ten, "ten", "99999999999"), []string{
			"x: document 1: Deployment shop/api: spec.template.spec.containers.livenessProbe.periodSeconds: cannot read number 99999999999 as int32",
		}},
		{"all bad documents", ten + "---\nkind: Pod\n---\n" + podYAML + "---\napiVersion: v1\n", []string{
			"x: document 1: Deployment shop/api: spec.template.spec.containers.livenessProbe.periodSeconds: cannot read string as int32",
			"x: document 2 (from line 12): apiVersion is missing",
			"x: document 4 (from line 19): kind is missing",
		}},
		{"no type in a list", `{"apiVersion":"v1","kind":"List","items":[` + bareJSON + `]}`, []string{"x: document 1: item 1: kind is missing"}},
		{"no type in a list with its kind last", `{"apiVersion":"v1","items":[` + podJSON + "," + bareJSON + `],"kind":"List"}`, []string{"x: document 1: item 2: kind is missing"}},
		{"no type of a list", `{"items":[` + bareJSON + `]}`, []string{"x: document 1: kind is missing"}},
		{"a type that is no text", `{"apiVersion":"v1","kind":"List","items":[{"kind":5}]}`, []string{"x: document 1: item 1: kind: cannot read number as string"}},
		{"an item that is none", `{"apiVersion":"v1","kind":"List","items":[null,3]}`, []string{
			"x: document 1: item 1: not an object", "x: document 1: item 2: not an object",
		}},
		{"items that are none", `{"apiVersion":"v1","kind":"List","items":"a"}`, []string{"x: document 1: line 1: items is not a list"}},
		{"no name", "apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop}\n", []string{"x: document 1: Pod: metadata.name is missing"}},
		{"a word", "hello\n", []string{"x: document 1: not an object"}},
		{"an array", "[" + podJSON + "]", []string{"x: document 1: not an object"}},
		{"bad yaml in the second document", podYAML + "---\na: b\n c: d\n", []string{
			"x: document 2: yaml: line 7: mapping values are not allowed in this context",
		}},
		{"a tab", "---\n" + podYAML + "---\nkind:\n\t- a\n", []string{
			"x: document 2: yaml: line 8: found character that cannot start any token",
		}},
		{"a key twice", podYAML + "---\nkind: Pod\napiVersion: v1\nkind: Service\n", []string{
			`x: document 2: yaml: line 8: key "kind" already set in map`,
		}},
		{"two keys twice", "a: 1\na: 2\nb: 1\nb: 2\n", []string{
			`x: document 1: yaml: line 2: key "a" already set in map; line 4: key "b" already set in map`,
		}},
		{"a key twice beside a merge", "a: &a {x: 1}\nb:\n  <<: *a\n  x: 2\n  x: 3\n", []string{
			`x: document 1: yaml: line 5: key "x" already set in map`,
		}},
		{"a key twice in json", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"hostNetwork":true,"hostNetwork":false}}`, []string{
			`x: document 1: Pod web: duplicate field "spec.hostNetwork"`,
		}},
		{"a bomb", bomb, []string{"x: document 1: yaml: with its aliases (*name) followed, the document is larger than 8 MiB"}},
		{"json with a comma too many", podJSON + "\n{\n \"kind\": \"Pod\",\n}\n", []string{
			"x: document 2: line 4: invalid character '}' looking for beginning of object key string",
		}},
		{"json with a comma too many deep inside", "{\n\"kind\": \"List\",\n\"apiVersion\": \"v1\", \"items\": [\n" + podJSON + ",\n{\n\"a\": [1,\n2,\n],\n\"b\":\n1}\n]}", []string{
			"x: document 1: line 8: invalid character ']' looking for beginning of value",
		}},
		{"json with a comma too few", "{\"kind\": \"List\", \"items\": [\n" + podJSON + "\n" + deployJSON + "\n]}", []string{
			"x: document 1: line 3: invalid character '{' after array element",
		}},
		{"json cut off", podJSON + "\n{\"kind\": \"List\",\n\"items\": [\n" + podJSON + ",", []string{
			"x: document 2: line 4: unexpected end of JSON input",
		}},
		{"json cut off in an item", "{\"kind\": \"List\",\n\"items\": [\n" + podJSON[:40], []string{
			"x: document 1: line 3: unexpected end of JSON input",
		}},
		{"json with a brace too many", podJSON + "\n}\n", []string{
			"x: document 2: line 2: invalid character '}' looking for beginning of value",
		}},
		{"bad yaml after json", podJSON + "\n---\na: b\n c: d\n", []string{
			"x: document 2: yaml: line 4: mapping values are not allowed in this context",
		}},
		{"a dump with logs", podJSON + "\n==== START logs for container app of pod shop/web ====\nhello\n", []string{
			"x: document 2: line 2: a dump with logs in it; kubectl cluster-info dump --output-directory keeps them apart",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, map[string]string{"x": test.in})
			start := time.Now()
			s, _, err := Read(context.Background(), Options{Filenames: []string{"x"}})
			if err == nil || s != nil && len(s.Gaps) == 0 {
				t.Fatalf("got %v and a snapshot %v without gaps", err, s != nil)
			}
			if diff := cmp.Diff(test.want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Error(diff)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestReadErrorsOfSeveralFiles(t *testing.T) {
	folderOf(t, map[string]string{"a.yaml": "kind: Pod\n", "b.yaml": podYAML, "c.json": "{\"a\""})
	_, _, err := Read(context.Background(), Options{Filenames: []string{"a.yaml", "missing.yaml", "b.yaml", "c.json"}})
	want := "the path \"missing.yaml\" does not exist\na.yaml: document 1: apiVersion is missing\nc.json: document 1: line 1: unexpected end of JSON input"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestReadErrorsAreBounded(t *testing.T) {
	folderOf(t, map[string]string{"x.yaml": strings.Repeat("kind: Pod\n---\n", 25)})
	_, _, err := Read(context.Background(), Options{Filenames: []string{"x.yaml"}})
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != maxProblems+1 || lines[maxProblems] != "and 5 more" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestReadOptions(t *testing.T) {
	tests := []struct {
		name string
		in   Options
		want string
	}{
		{"nothing", Options{}, "must specify one of -f and -k"},
		{"both", Options{Filenames: []string{"a"}, Kustomize: "b"}, "only one of -f or -k can be specified"},
		{"-k with -R", Options{Kustomize: "b", Recursive: true}, "the -k flag can't be used with -f or -R"},
		{"no stdin", Options{Filenames: []string{"-"}}, "there is no standard input to read"},
		{"a missing file", Options{Filenames: []string{"nosuch.yaml"}}, `the path "nosuch.yaml" does not exist`},
		{"a pattern without matches", Options{Filenames: []string{"*.nosuch"}}, `the path "*.nosuch" does not exist`},
		{"a bad pattern", Options{Filenames: []string{"[a"}}, `pattern "[a" is not valid: syntax error in pattern`},
		{"a bad URL", Options{Filenames: []string{"http://[::1"}}, `the URL "http://[::1" is not valid: parse "http://[::1": missing ']' in host`},
		{"a missing kustomization", Options{Kustomize: "nosuch"}, "nosuch: kustomize: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			_, _, err := Read(context.Background(), test.in)
			if err == nil || !strings.HasPrefix(filepath.ToSlash(err.Error()), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}
