package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Columns stay where they are whatever is found or left out.
func TestNamespaceColumnDoesNotComeAndGo(t *testing.T) {
	of := func(scope report.Scope, several bool) *report.Report {
		r := onCluster(deploy("shop", "web", 1, live(1, 1), container("app", 1, 1, report.Probes{})))
		r.Scope, r.SeveralNamespaces = scope, several
		return r
	}
	for _, tt := range []struct {
		name string
		in   *report.Report
		want bool
	}{
		{"all of a cluster", of(report.Scope{AllNamespaces: true}, false), true},
		{"one of a cluster", of(report.Scope{Namespaces: []string{"shop"}}, false), false},
		{"files of one", of(report.Scope{AllNamespaces: true, Files: []string{"a.yaml"}}, false), false},
		{"files of several, of which one is left", of(report.Scope{AllNamespaces: true, Files: []string{"a.yaml"}}, true), true},
	} {
		if got := strings.HasPrefix(overview(t, tt.in, Options{}), "NAMESPACE "); got != tt.want {
			t.Errorf("%s: NAMESPACE %t", tt.name, got)
		}
	}
}

// Nothing found without Events is not that there is nothing.
func TestFindingsAreUnknownWithoutEvents(t *testing.T) {
	c := container("app", 1, 1, report.Probes{Liveness: httpLiveness("/")})
	c.Failures, c.Errors, c.Kills = nil, nil, nil
	r := onCluster(deploy("shop", "web", 1, live(1, 1), c))
	if got := findingsCell(rowsOf(r)[0]).text; got != "?" {
		t.Errorf("got %q", got)
	}
	if got := notes(r, Options{}); !strings.Contains(got, "?  in FINDINGS: ") {
		t.Error(got)
	}
	r.Workloads[0].Containers[0].Probes = report.Probes{}
	if got := findingsCell(rowsOf(r)[0]).text; got != "-" {
		t.Errorf("no probe can fail: got %q", got)
	}
}

// A readiness probe that failed a moment ago and is well again may fail once more: nothing is over.
func TestRecoveredIsNotOver(t *testing.T) {
	r := onCluster(deploy("shop", "web", 1, live(1, 1), on(container("app", 1, 1, report.Probes{Readiness: httpReadiness("/")}), "node-1")))
	share := 0.1
	r.Workloads[0].Containers[0].Pods[0].Evidence = []report.Evidence{{
		Probe: probe.Readiness, Failures: 5, FirstSeen: ago(300), LastSeen: ago(10), State: report.StateRecovered, PerCheck: &share, Messages: 1, Message: "refused",
	}}
	got := flat(detail(t, r, Options{}))
	if !strings.Contains(got, "failed readiness") || !strings.Contains(got, "1 in 10 checks") || !strings.Contains(got, "last 10s ago") || strings.Contains(got, "over readiness") {
		t.Error(got)
	}
}

// Containers with nothing to say take no more lines the more they are.
func TestManyContainersAlikeAreOneLine(t *testing.T) {
	all := []report.Container{container("app", 1, 1, report.Probes{Liveness: httpLiveness("/")})}
	for i := range 300 {
		all = append(all, container(fmt.Sprintf("c%d", i), 1, 1, report.Probes{}))
	}
	got := detail(t, onCluster(deploy("shop", "web", 1, live(1, 1), all...)), Options{})
	if n := len(linesOf(got)); n > 20 || !strings.Contains(flat(got), "300 containers (c0, c1, c2 and 297 more): no probes, 1 of 1 ready") {
		t.Errorf("%d lines:\n%s", n, got)
	}
}

func TestHeadersAreEscapedOnce(t *testing.T) {
	h := probe.Handler{Type: probe.HTTP, Path: "/", Headers: []probe.Header{{Name: "X\n", Value: "\x1b[0m"}}}
	if got := handlerCell(&report.Probe{Handler: report.Handler{Text: h.Text()}}).text; !strings.HasSuffix(got, `["X\n": "\x1b[0m"]`) {
		t.Error(got)
	}
}
