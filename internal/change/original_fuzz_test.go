package change

import (
	"encoding/json"
	"path"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// FuzzOriginals reads the annotation, which anybody may have written: it is an error, or it comes back as it was.
func FuzzOriginals(f *testing.F) {
	for _, seed := range []string{
		`{"app":{"liveness":{"httpGet":{"path":"/","port":8080}},"startup":null}}`, `{}`, `null`, `[]`, `{"app":null}`, `{"app":{"liveness":1e999}}`,
		`{"app":{"liveness":{"periodSeconds":10000000000000000001}}}`, `{"\u202e":{"x":"\ud800"}}`, "", "{", `{"a":{"b":{}},"a":{"c":{}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		read := func(value string) (originals, error) {
			return readOriginals(&Subject{Meta: metav1.ObjectMeta{Annotations: map[string]string{snapshot.OriginalAnnotation: value}}, Pod: &corev1.Pod{}})
		}
		first, err := read(value)
		if err != nil {
			return
		}
		text, err := first.text()
		if err != nil {
			t.Fatal(err)
		}
		if text == "" {
			return
		}
		again, err := read(text)
		if err != nil {
			t.Fatalf("%s cannot be read back: %v", text, err)
		}
		for container := range first {
			for _, kind := range probe.Kinds() {
				key := probeKey{container, kind}
				was, knew := first.get(key)
				is, knows := again.get(key)
				if knew != knows || !sameJSON(was, is) {
					t.Errorf("%v was %s and is %s", key, was, is)
				}
			}
		}
		if kept := first.with(nil); len(kept) > len(first) {
			t.Errorf("%d containers became %d", len(first), len(kept))
		}
	})
}

// FuzzGlob: a pattern that is taken when it is typed never fails later on, whatever a container is called.
func FuzzGlob(f *testing.F) {
	f.Add("app*", "app-1")
	f.Add("[a-", "a")
	f.Add("a*[", "xa[")
	f.Add(`\`, `\`)
	f.Add("[]a]*?", "]")
	f.Fuzz(func(t *testing.T, glob, name string) {
		if _, err := path.Match(glob, ""); err != nil {
			return
		}
		if _, err := path.Match(glob, name); err != nil {
			t.Errorf("%q is taken, and fails on %q: %v", glob, name, err)
		}
	})
}

// FuzzSameJSON: equality does not depend on how a probe is written.
func FuzzSameJSON(f *testing.F) {
	f.Add(`{"a":1,"b":[1,2]}`, `{"b":[1,2],"a":1}`)
	f.Add(`1`, `1.0`)
	f.Add("", "null")
	f.Fuzz(func(t *testing.T, a, b string) {
		if sameJSON([]byte(a), []byte(b)) != sameJSON([]byte(b), []byte(a)) {
			t.Error("equal one way and not the other")
		}
		var x, y any
		if json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && sameJSON([]byte(a), []byte(b)) && !reflect.DeepEqual(x, y) {
			t.Errorf("%s and %s are not the same", a, b)
		}
	})
}
