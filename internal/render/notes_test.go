package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func TestNotes(t *testing.T) {
	calm := deploy("shop", "web", 1, live(1, 1), container("web", 1, 1, report.Probes{Readiness: acting("tcp", "tcp :1", 3)}))
	drifted := deploy("shop", "web", 1, live(1, 1), report.Container{Name: "web", Ready: 1, Total: 1, Failures: number(0), Kills: &report.Kills{}, Drift: []report.Drift{stale(probe.Startup, 1)}})
	unknown := calm
	unknown.Template = report.TemplateUnknown
	bare := deploy("shop", "web", 1, live(1, 1), container("web", 1, 1, report.Probes{Startup: starting("", "no handler", 3)}))
	bare.Containers[0].Probes.Startup.WhyNot = "it has no handler"
	nonsense := deploy("shop", "web", 1, live(1, 1), container("web", 1, 1, report.Probes{Readiness: &report.Probe{Handler: report.Handler{Type: "tcp"}}}))
	job := report.Workload{Kind: "Job", Group: "batch", DisplayName: "job/x", Containers: []report.Container{{Name: "x"}}}
	done := job
	done.Done = true
	restarted := deploy("shop", "web", 1, live(1, 1), report.Container{Name: "web", Ready: 1, Total: 1, Restarts: 2, Causes: []report.Cause{{Cause: lost, Pods: 1}, {Cause: "exit-1", Pods: 1}}})
	withSummary := func(r *report.Report) *report.Report {
		r.Summary = &report.Summary{Failing: new(1)}
		return r
	}
	custom := report.Workload{Kind: "CloneSet", Group: "apps.kruise.io", Containers: []report.Container{{Name: "x"}}}

	for _, tt := range []struct {
		name string
		in   *report.Report
		o    Options
		want string
	}{
		{"nothing to say", onCluster(calm), Options{}, ""},
		{"an injected container needs none", onCluster(deploy("shop", "web", 1, live(1, 1), report.Container{Ready: 1, Total: 1, OnlyIn: report.OnlyInPods, Injected: true})), Options{}, ""},
		{"drift", onCluster(drifted), Options{}, "*  some running Pods have another probe than the template (-o wide shows how)\n"},
		{"drift in wide", onCluster(drifted), Options{Wide: true}, "*  some running Pods have another probe than the template (see DRIFT)\n" + caveat + "\n"},
		{"the summary has said so", withSummary(onCluster(drifted)), Options{Wide: true, Summary: true}, "*  some running Pods have another probe than the template (see DRIFT)\n"},
		{"no Events were read", onCluster(restarted), Options{}, "?  in REASON: restarted, and why is in Events that could not be read\n"},
		{"unknown template", onCluster(unknown), Options{}, "?  after a probe: its template could not be read, so drift is unknown\n"},
		{"no handler", onCluster(bare), Options{}, "!  in a probe: no check can be made (a port that does not exist, or no handler), so it never acts\n"},
		{"no figures", onCluster(nonsense), Options{}, "?  for the time of a probe: it has a number that no API server takes, and nothing follows from that\n"},
		{"job", onCluster(job), Options{}, "-  in READY: Jobs and CronJobs keep no Pods ready\n"},
		{"done says so itself", onCluster(done), Options{}, ""},
		{"several reasons", onCluster(job, custom), Options{}, "-  in READY: Jobs and CronJobs keep no Pods ready; no live Pods, and how many are wanted is not known\n"},
		{"manifest", ofFiles(calm), Options{}, "-  in READY: a manifest without running Pods\n"},
		{"manifest without Pods", ofFiles(deploy("shop", "web", 3, live(0, 0), report.Container{})), Options{}, "-  in READY: a manifest without running Pods\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, notes(tt.in, tt.o)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGapNotes(t *testing.T) {
	var everyKind []report.Gap
	for i := range 2 {
		everyKind = append(everyKind, report.Gap{What: fmt.Sprintf("kind%d.example.com", i), Namespace: "shop", Reason: "forbidden"},
			report.Gap{What: fmt.Sprintf("kind%d.example.com", i), Namespace: "pay", Reason: "forbidden"})
	}
	for _, tt := range []struct {
		name string
		in   []report.Gap
		want []string
	}{
		{"none", nil, nil},
		{
			"one",
			[]report.Gap{{What: "deployments.apps", Namespace: "shop", Reason: "forbidden", Message: "User x cannot list"}},
			[]string{"forbidden in shop: deployments.apps (templates and drift unknown)"},
		},
		{
			"Events",
			[]report.Gap{{What: "events", Namespace: "shop", Reason: "forbidden"}, {What: "events", Namespace: "pay", Reason: "forbidden"}},
			[]string{"forbidden in shop, pay: events (why containers were restarted, and failures of probes, unknown)"},
		},
		{
			"files need not hold everything",
			[]report.Gap{{What: "services", Reason: "absent"}, {What: "nodes", Reason: "absent"}},
			nil,
		},
		{"everywhere", []report.Gap{{What: "jobs.batch", Reason: "timeout"}}, []string{"timeout in all namespaces: jobs.batch (templates and drift unknown)"}},
		{
			"namespaces of one kind",
			[]report.Gap{
				{What: "deployments.apps", Namespace: "a", Reason: "forbidden"},
				{What: "services", Namespace: "a", Reason: "forbidden"},
				{What: "deployments.apps", Namespace: "b", Reason: "forbidden"},
				{What: "deployments.apps", Namespace: "c", Reason: "forbidden"},
				{What: "deployments.apps", Namespace: "d", Reason: "forbidden"},
				{What: "deployments.apps", Namespace: "e", Reason: "timeout"},
			},
			[]string{
				"forbidden in a, b, c and 1 more: deployments.apps (templates and drift unknown)", "forbidden in a: services",
				"timeout in e: deployments.apps (templates and drift unknown)",
			},
		},
		{
			"absent objects",
			[]report.Gap{
				{What: "replicasets.apps", Namespace: "shop", Name: "web-1", Reason: "absent"}, {What: "replicasets.apps", Namespace: "shop", Name: "web-2", Reason: "absent"},
			},
			[]string{"replicasets.apps shop/web-1, shop/web-2: absent (revisions and drift unknown)"},
		},
		{"of no namespace", []report.Gap{{What: "nodes", Name: "cp-1", Reason: "absent"}}, []string{"nodes cp-1: absent (whether Pods are down with their node unknown)"}},
		{
			"an error in its own words",
			[]report.Gap{{What: "rollouts.argoproj.io", Namespace: "shop", Reason: "error", Message: "webhook \x1b[31mfailed\nagain"}},
			[]string{`error in shop: rollouts.argoproj.io: webhook \x1b[31mfailed\nagain (templates and drift unknown)`},
		},
		{"all kinds of the same places", everyKind, []string{"forbidden in shop, pay: kind0.example.com, kind1.example.com (templates and drift unknown)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := len(tt.in)
			if diff := cmp.Diff(tt.want, gapNotes(tt.in, true)); diff != "" {
				t.Error(diff)
			}
			if len(tt.in) != before {
				t.Error("the Report's gaps were changed")
			}
		})
	}
}

func TestAServerHasToServeWhatFilesNeedNotHold(t *testing.T) {
	got := gapNotes([]report.Gap{{What: "services", Namespace: "shop", Reason: "absent"}}, false)
	if diff := cmp.Diff([]string{"absent in shop: services"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLongErrorIsCut(t *testing.T) {
	got := gapNotes([]report.Gap{{What: "x", Namespace: "y", Reason: "error", Message: strings.Repeat("long ", 200)}}, false)[0]
	if displayWidth(got) > 250 || !strings.Contains(got, "…") {
		t.Errorf("got %q", got)
	}
}
