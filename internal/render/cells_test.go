package render

import (
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func TestProbeCell(t *testing.T) {
	readiness := report.Probes{Readiness: acting("http", "GET :80/", 31)}
	drifted := []report.Drift{stale(probe.Readiness, 1, "httpGet.path")}
	rewritten := []report.Rewritten{{Probe: probe.Readiness, Change: report.Fields}}
	for _, tt := range []struct {
		name     string
		in       report.Container
		template report.TemplateState
		want     cell
	}{
		{"none", report.Container{}, report.TemplateKnown, cell{text: "-", tint: grey}},
		{"http", report.Container{Probes: readiness}, report.TemplateKnown, cell{text: "http:31s"}},
		{"drift", report.Container{Probes: readiness, Drift: drifted}, report.TemplateKnown, cell{text: "http:31s*", tint: yellow}},
		{"drift of another probe", report.Container{Probes: readiness, Drift: []report.Drift{stale(probe.Liveness, 1)}}, report.TemplateKnown, cell{text: "http:31s"}},
		{"rewritten is not drift", report.Container{Probes: readiness, Rewritten: rewritten}, report.TemplateKnown, cell{text: "http:31s"}},
		{"only elsewhere", report.Container{Drift: drifted}, report.TemplateKnown, cell{text: "-*", tint: yellow}},
		{"unknown template", report.Container{Probes: readiness}, report.TemplateUnknown, cell{text: "http:31s?"}},
		{"none, unknown template", report.Container{}, report.TemplateUnknown, cell{text: "-?", tint: grey}},
		{"stands for itself", report.Container{Probes: readiness}, report.TemplateNone, cell{text: "http:31s"}},
		{"no handler", report.Container{Probes: report.Probes{Readiness: acting("", "no handler", 31)}}, report.TemplateKnown, cell{text: "?:31s"}},
		{"no figures", report.Container{Probes: report.Probes{Readiness: &report.Probe{Handler: report.Handler{Type: "tcp"}}}}, report.TemplateKnown, cell{text: "tcp:?"}},
		{"fails at once later than it hangs", report.Container{Probes: report.Probes{Readiness: &report.Probe{
			Handler: report.Handler{Type: "exec"}, Detection: &report.Detection{AtOnceSeconds: 3661, HangSeconds: 60},
		}}}, report.TemplateKnown, cell{text: "exec:1h1m1s"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := row{workload: &report.Workload{Template: tt.template}, container: &tt.in}
			if got := probeCell(r, probe.Readiness); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestDriftCell(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in       report.Container
		template report.TemplateState
		want     cell
	}{
		{"none", report.Container{Total: 3}, report.TemplateKnown, cell{text: "-", tint: grey}},
		{
			"stale",
			report.Container{Total: 3, Drift: []report.Drift{stale(probe.Readiness, 2, "httpGet.path")}},
			report.TemplateKnown,
			cell{text: "readiness: stale 2/3 httpGet.path", tint: yellow},
		},
		{
			"changed, several fields",
			report.Container{Total: 3, Drift: []report.Drift{
				{Probe: probe.Liveness, Kind: report.Changed, Change: report.Fields, Pods: 1, Fields: []report.Field{{Field: "periodSeconds"}, {Field: "x"}, {Field: "y"}}},
			}},
			report.TemplateKnown,
			cell{text: "liveness: changed 1/3 periodSeconds +2", tint: yellow},
		},
		{
			"added and removed",
			report.Container{Total: 3, Drift: []report.Drift{
				{Probe: probe.Startup, Kind: report.Stale, Change: report.Added, Pods: 3},
				{Probe: probe.Liveness, Kind: report.Changed, Change: report.Removed, Pods: 1},
			}},
			report.TemplateKnown,
			cell{text: "startup: stale 3/3 added; liveness: changed 1/3 removed", tint: yellow},
		},
		{"no field named", report.Container{Total: 3, Drift: []report.Drift{stale(probe.Readiness, 2)}}, report.TemplateKnown, cell{text: "readiness: stale 2/3", tint: yellow}},
		{
			"rewritten",
			report.Container{Total: 2, Rewritten: []report.Rewritten{{Probe: probe.Readiness, Change: report.Fields, Pods: 2, Fields: []report.Field{{Field: "httpGet.port"}}}}},
			report.TemplateKnown,
			cell{text: "readiness: rewritten 2/2 httpGet.port"},
		},
		{"injected", report.Container{Total: 2, OnlyIn: report.OnlyInPods, Injected: true}, report.TemplateKnown, cell{text: "only in Pods"}},
		{"not there yet", report.Container{OnlyIn: report.OnlyInTemplate}, report.TemplateKnown, cell{text: "only in template"}},
		{"unknown", report.Container{Total: 2, Variants: make([]report.Variant, 1)}, report.TemplateUnknown, cell{text: "?"}},
		{"unknown, Pods differ", report.Container{Total: 2, Variants: make([]report.Variant, 2)}, report.TemplateUnknown, cell{text: "? (2 variants)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := row{workload: &report.Workload{Template: tt.template}, container: &tt.in}
			if got := driftCell(r); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestNodesCell(t *testing.T) {
	gone := report.Container{Pods: []report.Pod{{Phase: report.Terminating, Node: "node-9"}, {Phase: report.Live}}}
	for _, tt := range []struct {
		name string
		in   report.Container
		want string
	}{
		{"no Pods", report.Container{}, "-"},
		{"one Pod", on(report.Container{}, "node-1"), "node-1"},
		{"one node", on(report.Container{}, "node-1", "node-1"), "node-1"},
		{"several nodes", on(report.Container{}, "node-1", "node-2", "node-1"), "2"},
		{"unscheduled and terminating ones", gone, "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := nodesCell(row{container: &tt.in}).text; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRootOwner(t *testing.T) {
	for _, tt := range []struct {
		in   *report.OwnerRef
		want string
	}{
		{nil, "-"},
		{&report.OwnerRef{Kind: "Node", Name: "cp-1"}, "node/cp-1"},
		{&report.OwnerRef{Kind: "Prometheus", Group: "monitoring.coreos.com", Name: "k8s"}, "prometheus.monitoring.coreos.com/k8s"},
	} {
		if got := rootOwnerCell(row{workload: &report.Workload{RootOwner: tt.in}}).text; got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestHandlerCell(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   *report.Probe
		want string
	}{
		{"no probe", nil, "-"},
		{"no text", acting("", "", 3), "-"},
		{"escaped", acting("exec", "exec sh -c 'a\nb'", 3), `exec sh -c 'a\nb'`},
		{"no blanks at its ends", acting("exec", " exec x  ", 3), "exec x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := handlerCell(tt.in).text; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWideSkipsWhatNoRowHas(t *testing.T) {
	w := deploy("a", "x", 1, live(1, 1), container("c", 1, 1, report.Probes{Liveness: acting("tcp", "tcp :1", 3)}))
	want := "WORKLOAD  CONTAINER  READY  RESTARTS  LAST  REASON  STARTUP  READINESS  LIVENESS  FINDINGS  FAILURES  KILLS  NODES  DRIFT  LIVENESS-HANDLER"
	if got := linesOf(overview(t, onCluster(w), Options{Wide: true}))[0]; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	w.RootOwner = &report.OwnerRef{Kind: "Node", Name: "n"}
	if got := overview(t, onCluster(w), Options{Wide: true}); !strings.Contains(got, "NODES  ROOT-OWNER  DRIFT") {
		t.Errorf("got\n%s", got)
	}
}
