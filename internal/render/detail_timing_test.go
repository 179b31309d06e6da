package render

import (
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// No figure stands under a header that is not true of it: what a start is allowed is no failure that goes on.
func TestStartupHasHeadersOfItsOwn(t *testing.T) {
	r := onCluster(deploy("shop", "web", 1, live(1, 1), container("app", 1, 1, report.Probes{Startup: slowStart("/health"), Liveness: httpLiveness("/health")})))
	lines := linesOf(detail(t, r, Options{}))
	var table []string
	for i, line := range lines {
		if strings.Contains(line, "PERIOD") {
			table = lines[i : i+4]
		}
	}
	for i, want := range [][2]string{{"SURELY", "AT MOST"}, {"2m24s", "2m36s"}, {"AT ONCE", "HANG"}, {"30s", "31s"}} {
		first, second := strings.Index(table[0], "SURELY"), strings.Index(table[0], "AT MOST")
		if !strings.HasPrefix(table[i][first:], want[0]) || !strings.HasPrefix(table[i][second:], want[1]) {
			t.Errorf("line %d: %q, want %v under SURELY and AT MOST", i, table[i], want)
		}
	}
}

func TestTimingTellsWhatComesOnTop(t *testing.T) {
	exec, grpc := httpLiveness("/"), httpLiveness("/")
	exec.Handler, grpc.Handler = report.Handler{Type: "exec", Text: "exec true"}, report.Handler{Type: "grpc", Text: "grpc :9090"}
	r := onCluster(deploy("shop", "web", 1, live(1, 1),
		container("exec", 1, 1, report.Probes{Liveness: exec}), container("grpc", 1, 1, report.Probes{Liveness: grpc}), container("http", 1, 1, report.Probes{Liveness: httpLiveness("/")})))
	got := flat(detail(t, r, Options{Wide: true}))
	for _, want := range []string{"at worst 2m more where the runtime hangs", "before v1.38 takes the whole timeout to notice a refused connection", "It has at most 30s for preStop"} {
		if !strings.Contains(got, want) {
			t.Errorf("does not say %q:\n%s", want, got)
		}
	}
	if strings.Count(got, "the whole timeout") != 1 || strings.Count(got, "runtime hangs") != 1 {
		t.Error("a caveat is told of another handler")
	}
}

func TestProbeThatCannotRunHasNoBudget(t *testing.T) {
	p := httpLiveness("/")
	p.WhyNot = `its container has no port named "wbe"`
	r := onCluster(deploy("shop", "web", 1, live(1, 1), container("app", 1, 1, report.Probes{Liveness: p})))
	if got := probeCell(rowsOf(r)[0], probe.Liveness).text; got != "http:!" {
		t.Errorf("got %q", got)
	}
	if got := notes(r, Options{}); !strings.Contains(got, "!  in a probe: no check can be made") {
		t.Error(got)
	}
	got := flat(detail(t, r, Options{Wide: true}))
	for _, want := range []string{"never never cannot run", `liveness never acts: its container has no port named "wbe"`} {
		if !strings.Contains(got, want) {
			t.Errorf("does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "31s") {
		t.Error("a budget is told")
	}
}
