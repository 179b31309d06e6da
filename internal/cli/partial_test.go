package cli

import (
	"strings"
	"testing"
)

// What could be read is shown, what could not is said once, and the status tells.
func TestPartOfTheFiles(t *testing.T) {
	good := dump(t, running("web", nil, app(httpProbe("/"))))
	broken := write(t, "broken.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: half\n")
	r := terminal(t, 0, "", "-f", good, "-f", broken)
	if r.status != ExitError || !strings.Contains(r.out, "pod/web") {
		t.Errorf("ended with %d: %s%s", r.status, r.out, r.err)
	}
	if n := strings.Count(r.err, "broken.yaml"); n != 1 {
		t.Errorf("broken.yaml is named %d times:\n%s", n, r.err)
	}
	if r := terminal(t, 0, "", "-f", broken); r.status != ExitError || strings.Contains(r.err, "No resources found") {
		t.Errorf("nothing but a broken file ends with %d: %s", r.status, r.err)
	}
	r = terminal(t, 0, "", "-f", good, "-f", broken, "-o", "jsonpath={.gaps[?(@.what==\"files\")].name}")
	if !strings.Contains(r.out, "broken.yaml") {
		t.Errorf("the report does not name the file: %s", r.out)
	}
}
