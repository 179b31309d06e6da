package render

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

// captured is the Report of a capture of a real cluster, or of a part of it.
func captured(t *testing.T, capture string, targets ...snapshot.Target) *report.Report {
	t.Helper()
	read, _, err := files.Read(context.Background(), files.Options{Filenames: []string{"../../testdata/captures/" + capture}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := read.Select(snapshot.Query{Targets: targets}, nil)
	if err != nil {
		t.Fatal(err)
	}
	scope := report.Scope{Files: []string{capture}}
	for _, one := range targets {
		scope.Arguments = append(scope.Arguments, one.String())
	}
	r, err := report.Build(s, report.Options{Now: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), Scope: scope, Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	rules.Evaluate(r, rules.Options{})
	return r
}

func detail(t *testing.T, r *report.Report, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Detail(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// flat undoes wrapping, so that sentences can be looked for.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestDetailOfCaptures(t *testing.T) {
	for _, tt := range []struct {
		capture, target string
		says            []string
		not             []string
	}{
		{
			"rollout-stall", "deploy/web",
			[]string{
				"rollout stalled since 13:39 UTC (4m41s): bbdb5d966 does not become ready, 0 of 1 Pod (web-bbdb5d966-lbjdg); 3 of 3 Pods of 6d5f6bb85b keep serving",
				"ProgressDeadlineExceeded", "error rollout-stalled", "start readiness in web-6d5f6bb85b-r75sw: 1 failure",
				"drift readiness stale, 3 of 4 Pods: httpGet.path /healthz (the template: /ready-v2)",
			},
			[]string{"failing readiness in web-6d5f6bb85b-r75sw"},
		},
		{
			"liveness-404", "deploy/web",
			[]string{
				"error killed-by-probe app liveness: 2 of 2 Pods", "at least 12 kills", "2 CrashLoopBackOff",
				"restart 12 by the liveness probe, 2 for unknown reasons (no Event tells them any more)",
			},
			[]string{"by itself"},
		},
		{"liveness-404", "deploy/stubborn", []string{"restart 6 by the liveness probe, 1 for unknown reasons (no Event tells them any more)"}, nil},
		{"exec-timeout", "deploy/worker", []string{"restart 6 by the liveness probe", "2 errors (the check could not run, which counts for nothing)"}, []string{"probe-cannot-run"}},
		{
			"exec-timeout", "pod/exec-missing-command",
			[]string{"error probe-cannot-run app readiness", "errored readiness: at least 150 errors (the check could not run, which counts for nothing)", "stat /bin/sh: no such file or directory"},
			[]string{"failing readiness"},
		},
		{"sidecar", "deploy/live", []string{"error killed-by-probe proxy liveness", "restart proxy: 5 by the liveness probe", "app readiness http:5s, 1 of 1 ready"}, nil},
		{"kube-system", "pod/static-web-node-1", []string{"of node/node-1", "error killed-by-probe app liveness", "failing readiness: at least 15 failures"}, nil},
		{"jobs", "job/import", []string{"done, 1 finished", "ended stopped in import-9jwz5", "perhaps by the liveness probe"}, []string{"killed"}},
		{"jobs", "cj/report", []string{"1 Pod, 0 ready, 3 finished, 6 gone", "past readiness in 9 Pods"}, nil},
		{"sets", "sts/db", []string{"1 of 3 Pods, 0 ready", "svc/db: 0 of 1 endpoint ready", "OrderedReady", "out of svc/db"}, nil},
	} {
		name := tt.capture + "/" + strings.ReplaceAll(tt.target, "/", "-")
		t.Run(name, func(t *testing.T) {
			kind, object, _ := strings.Cut(tt.target, "/")
			r := captured(t, tt.capture, snapshot.Target{Type: kind, Name: object})
			got := flat(detail(t, r, Options{Width: 80}))
			for _, want := range tt.says {
				if !strings.Contains(got, want) {
					t.Errorf("does not say %q", want)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got, not) {
					t.Errorf("says %q", not)
				}
			}
			golden.Check(t, "captures/"+name+".80.txt", detail(t, r, Options{Width: 80}))
			golden.Check(t, "captures/"+name+".wide.160.txt", detail(t, r, Options{Wide: true, Width: 160}))
		})
	}
}

// A capture holds failures at every check: the rate is told, not only the count.
func TestDetailTellsTheRate(t *testing.T) {
	r := captured(t, "rollout-stall", snapshot.Target{Type: "deploy", Name: "web"})
	if got := flat(detail(t, r, Options{Wide: true})); !strings.Contains(got, "failing readiness in web-bbdb5d966-lbjdg: at least 154 failures, every check") {
		t.Error(got)
	}
	r.Workloads[0].Containers[0].Findings = nil // so that nothing has told it
	if got := flat(detail(t, r, Options{})); !strings.Contains(got, "failing readiness in web-bbdb5d966-lbjdg: at least 154 failures, every check") {
		t.Error(got)
	}
}

// What is named keeps its workload's name.
func TestDetailOfAPart(t *testing.T) {
	pod := detail(t, captured(t, "liveness-404", snapshot.Target{Type: "pod", Name: "web-65bb45864c-wvzz4"}), Options{})
	if !strings.HasPrefix(pod, "pod/web-65bb45864c-wvzz4 of deploy/web -n liveness-404   1 Pod, 0 ready") || !strings.Contains(pod, "asks GET :http/live every 3s") {
		t.Error(pod)
	}
	set := detail(t, captured(t, "rollout-stall", snapshot.Target{Type: "rs", Name: "web-6d5f6bb85b"}), Options{})
	if !strings.HasPrefix(set, "rs/web-6d5f6bb85b of deploy/web -n rollout-stall   3 Pods, 3 ready") {
		t.Error(set)
	}
	lone := detail(t, captured(t, "rollout-stall", snapshot.Target{Type: "rs", Name: "web-bbdb5d966"}), Options{})
	if !strings.HasPrefix(lone, "rs/web-bbdb5d966 of deploy/web ") || strings.Contains(lone, "and waits 1s") {
		t.Errorf("an owner of one Pod is not that Pod:\n%s", lone)
	}
}

func TestOverviewOfCaptures(t *testing.T) {
	for _, tt := range []struct {
		capture string
		rows    []string
	}{
		{"rollout-stall", []string{"deploy/web  app  3/4  0  -  readiness:1  -  http:5s*  -  rollout-stalled"}},
		{"liveness-404", []string{
			"deploy/stubborn  app  0/1  7  0s  liveness:1  -  -  http:10s  killed-by-probe +1",
			"deploy/web  app  0/2  14  12s  liveness:2  -  http:5s  http:10s  killed-by-probe",
		}},
		{"jobs", []string{"job/import  app  done  0  9m19s  -  -  -  http:10s  -"}},
	} {
		var got []string
		for _, cells := range cellsOf(overview(t, captured(t, tt.capture), Options{NoHeaders: true})) {
			got = append(got, strings.Join(cells, "  "))
		}
		for _, want := range tt.rows {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no row %q in\n%s", tt.capture, want, strings.Join(got, "\n"))
			}
		}
	}
}
