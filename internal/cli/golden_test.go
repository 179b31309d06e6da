package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

// TestCaptures shows every output for every capture of a real cluster, on a terminal and in a pipe, with
// what goes to stderr below.
func TestCaptures(t *testing.T) {
	captures, err := filepath.Glob("../../testdata/captures/*/pods.json")
	if err != nil || len(captures) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	outputs := []struct {
		name  string
		width int
		args  []string
	}{
		{"pipe.txt", 0, nil},
		{"terminal-80.txt", 80, nil},
		{"wide-pipe.txt", 0, []string{"-o", "wide"}},
		{"wide-terminal-160.txt", 160, []string{"-o", "wide"}},
		{"report.json", 0, []string{"-o", "json"}},
		{"report.yaml", 0, []string{"-o", "yaml"}},
		{"names.txt", 0, []string{"-o", "name"}},
	}
	for _, pods := range captures {
		dir := filepath.Dir(pods)
		for _, o := range outputs {
			name := filepath.Base(dir) + "/" + o.name
			t.Run(name, func(t *testing.T) {
				r := terminal(t, o.width, "", append([]string{"-f", dir}, o.args...)...)
				if r.status != ExitOK {
					t.Fatalf("ended with %d: %s", r.status, r.err)
				}
				if o.name == "report.json" {
					validate(t, []byte(r.out))
				}
				golden.Check(t, "captures/"+name, withStderr(r))
			})
		}
	}
}

// TestAllCaptures reads all of them at once, as a dump of several namespaces.
func TestAllCaptures(t *testing.T) {
	for name, width := range map[string]int{"pipe.txt": 0, "terminal-80.txt": 80, "terminal-160.txt": 160} {
		golden.Check(t, "captures/all/"+name, withStderr(terminal(t, width, "", "-f", "../../testdata/captures", "--sort-by=detection")))
	}
}

func withStderr(r result) string {
	if r.err == "" {
		return r.out
	}
	return r.out + "--- stderr\n" + r.err
}

func validate(t *testing.T, report []byte) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("the report is not what docs/report.schema.json says: %v", err)
	}
}

// TestGoldenReportsFollowTheSchema validates the golden files themselves.
func TestGoldenReportsFollowTheSchema(t *testing.T) {
	reports, err := filepath.Glob("testdata/captures/*/report.json")
	if err != nil || len(reports) == 0 {
		t.Fatalf("no golden reports: %v", err)
	}
	for _, file := range reports {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out, _, _ := bytes.Cut(raw, []byte("--- stderr\n"))
		validate(t, out)
	}
}
