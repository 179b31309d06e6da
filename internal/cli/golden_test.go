package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

// TestCaptures shows every output for every capture of a real cluster, on a terminal and in a pipe, with
// what goes to stderr below.
func TestCaptures(t *testing.T) {
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
		{"summary.txt", 0, []string{"--summary=only"}},
	}
	for _, dir := range captures(t) {
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

// TestDetails shows every workload of the captures by itself, in a pipe and on a terminal.
func TestDetails(t *testing.T) {
	for name, width := range map[string]int{"details-pipe.txt": 0, "details-terminal-80.txt": 80} {
		for _, dir := range captures(t) {
			var all strings.Builder
			for _, w := range reportOf(t, "-f", dir).Workloads {
				r := terminal(t, width, "", "-f", dir, w.DisplayName)
				all.WriteString("$ kubectl probes " + w.DisplayName + "\n" + withStderr(r) + "\n")
			}
			golden.Check(t, "captures/"+filepath.Base(dir)+"/"+name, all.String())
		}
	}
}

func captures(t *testing.T) []string {
	t.Helper()
	pods, err := filepath.Glob("../../testdata/captures/*/pods.json")
	if err != nil || len(pods) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	var dirs []string
	for _, file := range pods {
		dirs = append(dirs, filepath.Dir(file))
	}
	return dirs
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
