package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// hostile are inputs that are meant to cost much, or to be read as something else than they say.
func TestReadHostile(t *testing.T) {
	const (
		jsonLimit = "larger than 8 MiB, which no API server takes; a List is read item by item, with its items under \"items\"; what follows is not read"
		yamlLimit = "larger than 8 MiB, which no API server takes; a List is read item by item if its items are in block style (- ...) under \"items:\"; kubectl get -o json is always; what follows is not read"
		large     = maxObject + maxObject/8
	)
	tests := []struct {
		name string
		in   string
		want []string // errors
		pods int
	}{
		{"a bomb of text", "a: &a " + repeat("x", 1<<20) + "\nb: [" + repeat("*a,", 1<<20) + "]\n", []string{
			"x: document 1: yaml: with its aliases (*name) followed, the document is larger than 8 MiB",
		}, 0},
		{"an object with items", podYAML + "items: []\n---\n" + podYAML, []string{
			"x: document 1: it has items, which makes it a List, but its kind is Pod",
		}, 1},
		{"items that say what they are, in a list of something else", strings.NewReplacer("apiVersion: v1\nitems", "apiVersion: foo/v1\nitems", "kind: List", "kind: FooList").Replace(yamlList(podYAML)), nil, 1},
		{"many values", podYAML + "---\n[" + repeat("a,", 3<<20) + "a]\n---\n" + podYAML, []string{
			"x: document 2 (from line 6): more than 1048576 values in one document; divide it by ---, or use JSON (kubectl get -o json)",
		}, 1},
		{"a smaller bomb of text", "a: &a " + repeat("x", 1<<19) + "\nb: [" + repeat("*a,", 1000) + "]\n", []string{
			"x: document 1: yaml: with its aliases (*name) followed, the document is larger than 8 MiB",
		}, 0},
		{"a bomb of merges", mergeBomb(40), []string{
			"x: document 1: yaml: with its aliases (*name) followed, the document is larger than 8 MiB",
		}, 0},
		{"a bomb in an item", yamlList(podYAML) + "---\nitems:\n- a: 1\n- " + strings.ReplaceAll(mergeBomb(40), "\n", "\n  "), []string{
			"x: document 2: yaml: with its aliases (*name) followed, the document is larger than 8 MiB",
		}, 1},
		{"an anchor inside itself", podYAML + "---\na: 1\nb: &b [*b]\n", []string{
			"x: document 2: yaml: line 7: anchor 'b' value contains itself",
		}, 1},
		{"an anchor that is not there", "a: 1\nb: *c\n", []string{"x: document 1: yaml: unknown anchor 'c' referenced"}, 0},
		{"an alias of another item of a long list", yamlList(podYAML, "a: "+repeat("x", wholeYAML), "b: &l {c: 1}", "d: *l", podYAML), []string{
			"x: document 1: yaml: item from line 9: no anchor &l in this item for its *l: a List of this size is read item by item, and anchors of other items " +
				"are not followed; write it as JSON, or divide it by --- into parts that have their own anchors",
			"x: what follows is not read",
		}, 1},
		{"an alias of another item of a list that can be read as a whole", yamlList(podYAML, "b: &l {c: 1}", "a: "+repeat("x", wholeYAML), "d: *l", podYAML), []string{
			"x: document 1: item 2: kind is missing", "x: document 1: item 3: kind is missing", "x: document 1: item 4: kind is missing",
		}, 1},
		{"an ampersand in a list that is longer than a document may be", yamlList(podYAML, "a: /?b=c&d=e", "a: "+repeat("x", large/2), "a: x"+repeat("*y", large/2), podYAML), []string{
			"x: document 1: item 2 (from line 7): kind is missing", "x: document 1: item 3 (from line 8): kind is missing", "x: document 1: item 4 (from line 9): kind is missing",
		}, 1},
		{"a merge below the key that it replaces", "a: &a {port: 1}\nb:\n  port: 2\n  <<: *a\n", []string{
			`x: document 1: yaml: line 4: key "port" is set above the merge (<<), which kubectl lets win; put the merge first`,
		}, 0},
		{"keys of two notations", "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {1: a, '1': b}}\n", []string{
			`x: document 1: yaml: key "1" already set in map, in another notation`,
		}, 0},
		{"many keys twice", repeat("a: 1\n", 1000), []string{
			`x: document 1: yaml: line 2: key "a" already set in map; line 3: key "a" already set in map; line 4: key "a" already set in map; and 197 more`,
		}, 0},
		{"a long key twice", repeat("k", 600) + ": 1\n" + repeat("k", 600) + ": 1\n", []string{
			`x: document 1: yaml: line 2: key "` + strings.Repeat("k", 500-len(`yaml: line 2: key "`)) + " ...",
		}, 0},
		{"a key of a list twice", `{"apiVersion":"v1","kind":"List","items":[` + podJSON + `],"kind":"PodList"}`, []string{
			`x: document 1: duplicate field "kind"`,
		}, 1},
		{"items twice", `{"apiVersion":"v1","kind":"List","items":[` + podJSON + "],\n" + `"items":[]}`, []string{`x: document 1: duplicate field "items"`}, 1},
		{"items twice in yaml", yamlList(podYAML) + "items: []\n", []string{`x: document 1: yaml: line 10: key "items" already set in map`}, 1},
		{"a kind twice", "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[\n" + podJSON + ",\n" + strings.Replace(podJSON, `"kind"`, `"kind":"ConfigMap","kind"`, 1) + "]}", []string{
			`x: document 1: item 2 (from line 3): duplicate field "kind"`,
		}, 1},
		{"a field of a probe twice", "{}\n" + strings.Replace(podJSON, `"app"`, `"app","livenessProbe":{"periodSeconds":1,"periodSeconds":9}`, 1), []string{
			"x: document 1: kind is missing",
			`x: document 2 (from line 2): Pod shop/web: duplicate field "spec.containers[0].livenessProbe.periodSeconds"`,
		}, 0},
		{"a field of a probe twice in yaml", yamlList(podYAML, strings.Replace(podYAML, "{name: app}", "{name: app, livenessProbe: {periodSeconds: 1, periodSeconds: 9}}", 1), podYAML), []string{
			`x: document 1: item 2: yaml: line 10: key "periodSeconds" already set in map`,
		}, 1},
		{"what follows a document in flow style", "{apiVersion: v1, kind: Pod, metadata: {name: web}}\n{apiVersion: v1, kind: Pod, metadata: {name: other}}\n", []string{
			"x: document 1: yaml: line 2: did not find expected <document start>",
		}, 0},
		{"what stands further left", "  apiVersion: v1\n  kind: Pod\nmetadata: {name: web}\n", []string{
			"x: document 1: yaml: line 3: did not find expected <document start>",
		}, 0},
		{"json after a separator", "---\n" + podJSON + "\n" + podJSON, []string{"x: document 1: yaml: line 3: did not find expected <document start>"}, 0},
		{"line breaks of old", "# head\r" + strings.ReplaceAll(podYAML+"---\n"+podYAML, "\n", "\r"), []string{
			"x: document 1: yaml: another document begins inside, after a line break that is neither LF nor CRLF",
		}, 0},
		{"a sequence that is not closed", "a:\n  - b\n  c: d\n", []string{"x: document 1: yaml: line 3: did not find expected '-' indicator"}, 0},
		{"an open flow", "a: 1\nb: [1,\n2\nc: 3\n", []string{"x: document 1: yaml: line 4: did not find expected ',' or ']'"}, 0},
		{"an open quote on the first line", "a: 'b\n", []string{"x: document 1: yaml: line 2: found unexpected end of stream"}, 0},
		{"an error on the first line", "a: @\n", []string{"x: document 1: yaml: line 1: found character that cannot start any token"}, 0},
		{"a control character", "apiVersion: v1\nkind: \a\n", []string{"x: document 1: yaml: line 2: control characters are not allowed"}, 0},
		{"an open quote in an item", yamlList(podYAML, "a: \"b", podYAML), []string{"x: document 1: yaml: line 8: found unexpected end of stream"}, 1},
		{"an item further left", "kind: List\nitems:\n  - a: 1\n - b: 1\n", []string{
			"x: document 1: item 1 (from line 3): kind is missing",
			"x: document 1: yaml: line 4: neither an item nor a field of the list by its indentation",
		}, 0},
		{"line breaks in a name", "apiVersion: v1\nkind: Pod\nmetadata: {name: \"a\\nb\\r\", namespace: shop}\nspec: {hostNetwork: 3}\n", []string{
			`x: document 1: Pod shop/a\nb\r: spec.hostNetwork: cannot read number as bool`,
		}, 0},
		{"a number that is none", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {priority: .nan}\n", []string{
			"x: document 1: json: unsupported value: NaN",
		}, 0},
		{"an item that is wrong", yamlList(podYAML, strings.Replace(podYAML, "spec: {", "spec: {hostNetwork: 10, ", 1), "web", "~"), []string{
			"x: document 1: item 2 (from line 7): Pod shop/web: spec.hostNetwork: cannot read number as bool",
			"x: document 1: item 3 (from line 11): not an object",
			"x: document 1: item 4 (from line 12): not an object",
		}, 1},
		{"lists in lists", strings.Repeat(`{"kind":"List","apiVersion":"v1","items":[`, 20), []string{"x: document 1: line 1: more than 8 Lists in one another"}, 0},
		{"a list in a list", "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" + podJSON + ",\n{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" + podJSON + ",\n3]}]}", []string{
			"x: document 1: item 2.2 (from line 3): not an object",
		}, 1},
		{"deep json", `{"a":` + strings.Repeat("[", 1<<20), []string{"x: document 1: line 1: invalid character '[' exceeded max depth"}, 0},
		{"deep json objects", strings.Repeat(`{"a":`, 1<<20), []string{"x: document 1: line 1: invalid character '{' exceeded max depth"}, 0},
		{"deep yaml", "a: " + strings.Repeat("[", 1<<16), []string{"x: document 1: yaml: line 1: exceeded max depth of 10000"}, 0},
		{"deep yaml in block style", strings.Repeat("- ", 1<<16), []string{"x: document 1: yaml: line 1: exceeded max depth of 10000"}, 0},
		{"a tag twice", "a: 1\n%TAG !a! b\n%TAG !a! b\n", []string{"x: document 1: yaml: line 3: found duplicate %TAG directive"}, 0},
		{"many tags", "a: 1\n" + repeat("%TAG !a! b\n", 1<<20), []string{"x: document 1: more than 100 %TAG directives in one document"}, 0},
		{"a long string in json", podJSON + "\n{\"a\":\n\"" + repeat("x", large), []string{"x: document 2: line 3: " + jsonLimit}, 1},
		{"a long item in json", "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[\n" + podJSON + ",\n{\"a\":\n [" + repeat("1,", large), []string{"x: document 1: line 4: " + jsonLimit}, 1},
		{"a long key in json", "{\"" + repeat("x", large), []string{"x: document 1: line 1: " + jsonLimit}, 0},
		{"blanks in json", "{" + repeat(" ", 100) + "}" + repeat(" ", large), []string{"x: document 1: kind is missing", "x: document 2: line 1: " + jsonLimit}, 0},
		{"many maps", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[` + repeat("{},", 3<<18) + "{}]}}" + podJSON, []string{
			"x: document 1: more than 262144 maps ({) in one object, which no API server takes",
		}, 1},
		{"a long line", podYAML + "---\na: " + repeat("x", large), []string{"x: document 2 (from line 6): " + yamlLimit}, 1},
		{"a long document", podYAML + "---\n" + repeat("a: 1\n", large), []string{"x: document 2 (from line 6): " + yamlLimit}, 1},
		{"a long item", yamlList(podYAML, "a: |\n"+repeat(" x\n", large)), []string{"x: document 1: line 7: an item " + yamlLimit}, 1},
		{"a long tail", yamlList(podYAML) + repeat("a: 1\n", large), []string{"x: document 1: " + yamlLimit}, 1},
		{"blank lines", repeat("\n", large) + podYAML, nil, 1},
		{"comments", podYAML + "---\n" + repeat("# nothing\n", large) + "---\n" + podYAML, nil, 1},
		{"separators", repeat("---\n", 1<<20) + podYAML, nil, 1},
		{"zeros", string(make([]byte, large)), []string{"x: it is no text: it holds zero bytes (UTF-16 is read if it begins with a byte order mark)"}, 0},
		{"zeros further down", podYAML + "---\na: " + string(make([]byte, 100)), []string{"x: it is no text: it holds zero bytes (UTF-16 is read if it begins with a byte order mark)"}, 0},
		{"zeros far down", podYAML + "---\n" + repeat("# nothing\n", 1000) + "a: \x00", []string{"x: document 2: yaml: line 107: control characters are not allowed"}, 1},
		{"gzip", zipped(podYAML), []string{"x: it is compressed; unpack it first, with gunzip"}, 0},
		{"a program", "\x7fELF\x02\x01\x01\x00\x00", []string{"x: it is no text: it holds zero bytes (UTF-16 is read if it begins with a byte order mark)"}, 0},
		{"bytes that are no text", podYAML + "---\n\xff\xfe\xfd\n", []string{"x: document 2 (from line 6): not an object"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, map[string]string{"x": test.in})
			start := time.Now()
			s, _, err := Read(context.Background(), Options{Filenames: []string{"x"}})
			if took := time.Since(start); took > 30*time.Second { // what is quadratic takes hours
				t.Errorf("took %v", took)
			}
			if diff := cmp.Diff(test.want, errorLines(err)); diff != "" {
				t.Error(diff)
			}
			if pods := podsIn(s); pods != test.pods {
				t.Errorf("read %d Pods, want %d", pods, test.pods)
			}
		})
	}
}

func errorLines(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func podsIn(s *snapshot.Snapshot) int {
	if s == nil {
		return 0
	}
	return len(s.Pods)
}

// repeat makes at least size bytes of unit.
func repeat(unit string, size int) string { return strings.Repeat(unit, size/len(unit)+1) }

// mergeBomb stands for two to the n maps.
func mergeBomb(n int) string {
	var out strings.Builder
	out.WriteString("b0: &b0 {x: 1}\n")
	for i := range n {
		fmt.Fprintf(&out, "b%d: &b%d {<<: [*b%d, *b%d]}\n", i+1, i+1, i, i)
	}
	return out.String()
}

func zipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return out.String()
}

// endlessly repeats a text behind a beginning, and counts what was taken.
type endlessly struct {
	rest, unit string
	taken      int
}

func (e *endlessly) Read(p []byte) (int, error) {
	if e.rest == "" {
		e.rest = e.unit
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	e.taken += n
	return n, nil
}

// What never ends must be given up, and not before much of it has been read.
func TestReadGivesUpWhatNeverEnds(t *testing.T) {
	tests := []struct{ name, head, unit string }{
		{"zeros", "", "\x00"},
		{"a line", "a: ", "xxxxxxxx"},
		{"a document", "", "a: 1\n"},
		{"an item", "items:\n- a:\n", "  - b\n"},
		{"an item behind others", "items:\n- a: 1\n- b: |\n", "   text\n"},
		{"an item of a list that is not understood", "items:\n- a: 1\n- b: 'c\n- d: 1\n", "- d: 1\n"},
		{"what stands below a list", yamlList(podYAML), "a: 1\n"},
		{"a head of a list", "", "metadata: {}\n"},
		{"json text", `{"a":"`, "xxxxxxxx"},
		{"json numbers", `{"a":[`, "1,"},
		{"json fields of an item", `{"kind":"List","items":[{"a":[`, "1,"},
		{"json lists", "", `{"items":[`},
		{"json objects", "", `{"a":`},
		{"json blanks", "{", "        "},
		{"json items that wait for their kind", `{"items":[`, `{"a":"` + repeat("x", 1<<16) + `"},`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			from := &endlessly{rest: test.head, unit: repeat(test.unit, 64<<10)}
			_, _, err := Read(context.Background(), Options{Filenames: []string{"-"}, Stdin: from})
			if err == nil {
				t.Error("no error")
			}
			if most := maxWaiting + 2*maxObject; from.taken > most {
				t.Errorf("%d bytes were read, want at most %d", from.taken, most)
			}
		})
	}
}

func TestReadFoldersThatAreNone(t *testing.T) {
	folderOf(t, map[string]string{"k8s/a.yaml": podYAML, "k8s/sub/b.yaml": deployYAML})
	for link, target := range map[string]string{"k8s/sub/loop": "..", "k8s/self.yaml": "self.yaml", "k8s/up.yaml": ".."} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
	s, _, err := Read(context.Background(), Options{Filenames: []string{"k8s"}, Recursive: true})
	want := []string{"Deployment default/api k8s/sub/b.yaml#1", "Pod shop/web k8s/a.yaml#1"}
	if diff := cmp.Diff(want, listing(s)); diff != "" {
		t.Error(diff)
	}
	if lines := errorLines(err); len(lines) != 1 || !strings.HasPrefix(filepath.ToSlash(lines[0]), "k8s/self.yaml: open ") {
		t.Errorf("got %q", lines)
	}
}

func TestReadUTF16WithoutMark(t *testing.T) {
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String(podYAML)
	if err != nil {
		t.Fatal(err)
	}
	folderOf(t, map[string]string{"x.yaml": text})
	_, _, err = Read(context.Background(), Options{Filenames: []string{"x.yaml"}})
	if err == nil || !strings.Contains(err.Error(), "byte order mark") {
		t.Errorf("got %v", err)
	}
}

func TestNotesAreBounded(t *testing.T) {
	folderOf(t, map[string]string{"x.yaml": strings.Repeat(podYAML+"---\n", 100)})
	_, info := readFiles(t, "x.yaml")
	if n := len(info.Notes); n != maxProblems+1 || info.Notes[n-1] != "and 79 more notes about the files" {
		t.Errorf("%d notes, the last %q", n, info.Notes[n-1])
	}
}
