package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// What could be read is worth something, and what could not is said.
func TestReadKeepsWhatCouldBeRead(t *testing.T) {
	bad := strings.Replace(podJSON, `"spec":{`, `"spec":{"hostNetwork":"10",`, 1)
	other := strings.Replace(podJSON, `"web"`, `"other"`, 1)
	web, deploy := "Pod shop/web %#1", "Deployment default/api %#1"
	tests := []struct {
		name  string
		in    map[string]string
		names []string
		want  []string
		gaps  map[string]string
	}{
		{
			"a file that is cut off",
			map[string]string{"a.json": podJSON, "b.json": `{"kind":"List","apiVersion":"v1","items":[` + deployJSON + `,{"a`},
			[]string{"."},
			[]string{at(deploy, "b.json"), at(web, "a.json")},
			map[string]string{"b.json": "b.json: document 1: line 1: unexpected end of JSON input"},
		},
		{
			"a bad item",
			map[string]string{"x": `{"kind":"List","apiVersion":"v1","items":[` + podJSON + "," + strings.Replace(bad, `"web"`, `"bad"`, 1) + "," + other + `]}`},
			[]string{"x"},
			[]string{"Pod shop/other x#1", at(web, "x")},
			map[string]string{"x": "x: document 1: item 2: Pod shop/bad: spec.hostNetwork: cannot read string as bool"},
		},
		{
			"a bad document",
			map[string]string{"x": podYAML + "---\na: b\n c: d\n---\n" + deployYAML},
			[]string{"x"},
			[]string{"Deployment default/api x#3", at(web, "x")},
			map[string]string{"x": "x: document 2: yaml: line 7: mapping values are not allowed in this context"},
		},
		{
			"a path that does not exist",
			map[string]string{"x": podYAML},
			[]string{"missing.yaml", "./x"},
			[]string{at(web, "./x")},
			map[string]string{"missing.yaml": `the path "missing.yaml" does not exist`},
		},
		{"nothing but problems", map[string]string{"x": bad}, []string{"x", "y"}, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, test.in)
			s, info, err := Read(context.Background(), Options{Filenames: test.names})
			if err == nil || (s == nil) != (test.want == nil) || (info == nil) != (s == nil) {
				t.Fatalf("snapshot %v, info %v, error %v", s, info, err)
			}
			if s == nil {
				return
			}
			if diff := cmp.Diff(test.want, listing(s)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.gaps, problemsIn(t, s)); diff != "" {
				t.Error(diff)
			}
			if info.Objects != len(test.want) {
				t.Errorf("counted %d objects, want %d", info.Objects, len(test.want))
			}
		})
	}
}

func at(text, file string) string { return strings.Replace(text, "%", file, 1) }

// problemsIn are the Gaps of files by their names.
func problemsIn(t *testing.T, s *snapshot.Snapshot) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, g := range s.Gaps {
		if g.What == "services" { // of manifests
			continue
		}
		if g.What != "files" || g.Reason != snapshot.Failed {
			t.Errorf("a gap %v", g)
		}
		found[filepath.ToSlash(g.Name)] = filepath.ToSlash(g.Message)
	}
	return found
}

func TestReadGoesOnPastWhatIsClosed(t *testing.T) {
	folderOf(t, map[string]string{"k8s/a.yaml": podYAML, "k8s/b.yaml": deployYAML, "k8s/sub/c.yaml": deployYAML})
	for _, closed := range []string{"k8s/b.yaml", "k8s/sub"} {
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod("k8s/sub", 0o755) })
	if _, err := os.ReadDir("k8s/sub"); err == nil {
		t.Skip("nothing is closed to this user")
	}
	s, _, err := Read(context.Background(), Options{Filenames: []string{"k8s"}, Recursive: true})
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff([]string{"Pod shop/web k8s/a.yaml#1"}, listing(s)); diff != "" {
		t.Error(diff)
	}
	if got := problemsIn(t, s); len(got) != 2 || got["k8s/b.yaml"] == "" || got["k8s/sub"] == "" {
		t.Errorf("gaps %v", got)
	}
}

func TestProblemsAsGapsAreBounded(t *testing.T) {
	folderOf(t, map[string]string{"x": strings.Repeat("kind: Pod\n---\n", 25) + podYAML})
	s, _, err := Read(context.Background(), Options{Filenames: []string{"x"}})
	const before = 1 // that of Services
	if err == nil || len(s.Gaps) != before+maxProblems+1 || s.Gaps[before+maxProblems].Message != "and 5 more" {
		t.Errorf("gaps %v", s.Gaps)
	}
}
