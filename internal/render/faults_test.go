package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// A handler of several lines must not push the last rows out of the table.
func TestPeerFault23NoRowIsLost(t *testing.T) {
	r := onCluster()
	for i := range 20 {
		script := "exec sh -c 'set -e\nfor i in 1 2 3; do\r\n\tcheck $i\ndone\n'"
		r.Workloads = append(r.Workloads, deploy("shop", fmt.Sprint("db-", i), 1, live(1, 1),
			container("db", 1, 1, report.Probes{Readiness: acting("exec", script, 18), Liveness: acting("exec", script, 120)})))
	}
	for _, o := range []Options{{Wide: true}, {Wide: true, Width: 160, Color: true}} {
		lines := linesOf(overview(t, r, o))
		if len(lines) != 21 {
			t.Fatalf("%d lines, want 21", len(lines))
		}
		for i, line := range lines[1:] {
			if !strings.HasPrefix(line, fmt.Sprintf("deploy/db-%d ", i)) {
				t.Errorf("line %d is %q", i, line)
			}
		}
	}
}

// Drift of headers, or of a newline alone, must name what differs and never show two equal sides.
func TestPeerFault26HeaderDriftIsNamed(t *testing.T) {
	c := container("web", 2, 2, report.Probes{Readiness: acting("http", "GET :80/", 3)})
	c.Drift = []report.Drift{stale(probe.Readiness, 2, "httpGet.httpHeaders")}
	got := overview(t, onCluster(deploy("shop", "web", 2, live(2, 2), c)), Options{Wide: true})
	if !strings.Contains(got, "readiness: stale 2/2 httpGet.httpHeaders") || !strings.Contains(got, "tcp:3s*") && !strings.Contains(got, "http:3s*") {
		t.Errorf("got\n%s", got)
	}
	for _, sides := range [][2]string{{"a\nb", `a\nb`}, {"a b", "a\u00a0b"}, {"a", "a\u200b"}, {"a", "a "}, {"a\\", "a\\\\"}} {
		if Escape(sides[0]) == Escape(sides[1]) {
			t.Errorf("%q and %q look the same", sides[0], sides[1])
		}
	}
}

// No column may claim a number that nothing was read for.
func TestPeerFault34NoColumnClaimsWhatWasNotRead(t *testing.T) {
	notAsked := shop()
	for i := range notAsked.Workloads {
		for j := range notAsked.Workloads[i].Containers {
			notAsked.Workloads[i].Containers[j].Findings = nil
		}
	}
	for _, got := range []string{overview(t, shop(), Options{NoFindings: true}), overview(t, notAsked, Options{})} {
		if strings.Contains(got, "FINDINGS") || strings.Contains(got, "killed-by-probe") {
			t.Errorf("findings are claimed:\n%s", got)
		}
	}
	manifest := ofFiles(deploy("shop", "web", 3, live(0, 0), container("web", 0, 0, report.Probes{})))
	if got := linesOf(overview(t, manifest, Options{NoHeaders: true}))[0]; got != "deploy/web  web  -  -  -  -  -  -  -  -" {
		t.Errorf("a manifest says %q", got)
	}
}

// Standard output is the table alone: a header and a line a row, for sort, wc and tail.
func TestPeerFault44OnlyTheTableOnStdout(t *testing.T) {
	if got, want := len(linesOf(overview(t, everywhere(), Options{NoHeaders: true}))), len(rowsOf(everywhere())); got != want {
		t.Errorf("%d lines for %d rows", got, want)
	}
}

// On a terminal long commands are cut and DRIFT stays in sight; in a pipe everything is whole.
func TestPeerFault45WideTruncatesOnATerminal(t *testing.T) {
	command := "exec sh -c '" + strings.Repeat("redis-cli ping && ", 30) + "true'"
	c := container("redis", 3, 3, report.Probes{Readiness: acting("exec", command, 18), Liveness: acting("exec", command, 120)})
	c.Drift = []report.Drift{stale(probe.Readiness, 2, "exec.command")}
	r := onCluster(deploy("shop", "redis", 3, live(3, 3), c))

	for _, line := range linesOf(overview(t, r, Options{Wide: true, Width: 180})) {
		if displayWidth(line) > 180 {
			t.Errorf("%d columns: %q", displayWidth(line), line)
		}
	}
	terminal := overview(t, r, Options{Wide: true, Width: 180})
	if !strings.Contains(terminal, "…") || !strings.Contains(terminal, "readiness: stale 2/3…") || strings.Count(terminal, "exec sh -c") != 2 {
		t.Errorf("got\n%s", terminal)
	}
	if pipe := overview(t, r, Options{Wide: true}); strings.Count(pipe, command) != 2 || strings.Contains(pipe, "…") {
		t.Errorf("not whole in a pipe:\n%s", pipe)
	}
}

// A container that is not ready, or that was restarted, must not look calm.
func TestPeerFault49ColourShowsUnready(t *testing.T) {
	c := container("web", 0, 5, report.Probes{})
	c.Restarts = 40
	got := overview(t, onCluster(deploy("shop", "web", 5, live(0, 5), c)), Options{Color: true})
	if !strings.Contains(got, "\x1b[31m0/5\x1b[") || !strings.Contains(got, "\x1b[33m40\x1b[") {
		t.Errorf("got %q", got)
	}
	c.Ready, c.Restarts = 5, 0
	calm := overview(t, onCluster(deploy("shop", "web", 5, live(5, 5), c)), Options{Color: true})
	if strings.Contains(calm, "\x1b[31m") || strings.Contains(calm, "\x1b[33m") {
		t.Errorf("an alarm for nothing: %q", calm)
	}
}

// Two rows of the same name in two namespaces must be told apart, however they were asked for.
func TestPeerFault52NamespaceColumn(t *testing.T) {
	api := func(namespace string) report.Workload {
		return deploy(namespace, "api", 1, live(0, 0), container("api", 0, 0, report.Probes{}))
	}
	two := linesOf(overview(t, ofFiles(api("pay"), api("shop")), Options{}))
	if !strings.HasPrefix(two[0], "NAMESPACE  WORKLOAD ") || !strings.HasPrefix(two[1], "pay  ") || !strings.HasPrefix(two[2], "shop  ") {
		t.Errorf("got %q", two)
	}
	if one := overview(t, ofFiles(api("shop"), api("shop")), Options{}); strings.Contains(one, "NAMESPACE") {
		t.Errorf("one namespace needs no column:\n%s", one)
	}
}

// What an application or a manifest wrote reaches neither a terminal nor a pipe as it is.
func TestPeerFault53Escaped(t *testing.T) {
	evil := "\x1b[2J\u202egnp.exe\r\n\u009b31m\x07"
	w := deploy(evil, evil, 1, live(1, 1), on(container(evil, 1, 1, report.Probes{Liveness: acting("exec", "exec "+evil, 3)}), evil))
	w.DisplayName = "deploy/" + evil
	w.RootOwner = &report.OwnerRef{Kind: evil, Group: evil, Name: evil}
	r := onCluster(w, deploy("b", "b", 1, live(1, 1), container("b", 1, 1, report.Probes{})))
	r.Workloads[0].Containers[0].Causes = []report.Cause{{Cause: evil, Pods: 1}}
	r.Gaps = []report.Gap{{What: evil, Namespace: evil, Name: evil, Reason: "error", Message: evil}}
	for _, o := range []Options{{Wide: true}, {Wide: true, Width: 2000}, {}} {
		got := overview(t, r, o)
		if strings.ContainsAny(got, "\x1b\r\a\u202e\u009b") || !strings.Contains(got, `\x1b[2J\u202egnp.exe\r\n\u009b31m\x07`) {
			t.Errorf("stdout: %q", got)
		}
		if stderr := notes(r, o); strings.ContainsAny(stderr, "\x1b\r\a\u202e\u009b") || strings.Count(stderr, "\n") > 2 {
			t.Errorf("stderr: %q", stderr)
		}
	}
}
