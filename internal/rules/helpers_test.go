package rules

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
)

// ago is a time before the instant at which the Reports here are judged.
func ago(d time.Duration) metav1.Time {
	return metav1.NewTime(time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC).Add(-d))
}

func agoPointer(d time.Duration) *metav1.Time {
	t := ago(d)
	return &t
}

// read evaluates what files say; "-" is text.
func read(t *testing.T, o Options, text string, paths ...string) *report.Report {
	t.Helper()
	return readContainers(t, o, nil, text, paths...)
}

func readContainers(t *testing.T, o Options, containers []string, text string, paths ...string) *report.Report {
	t.Helper()
	s, _, err := files.Read(context.Background(), files.Options{Filenames: paths, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Select(snapshot.Query{AllNamespaces: true}, nil); err != nil {
		t.Fatal(err)
	}
	r, err := report.Build(s, report.Options{Now: ago(0).Time, Containers: containers})
	if err != nil {
		t.Fatal(err)
	}
	Evaluate(r, o)
	return r
}

// capture evaluates one of the captures of a real cluster.
func capture(t *testing.T, name string) *report.Report {
	t.Helper()
	root := "../../testdata/captures"
	return read(t, Options{}, "", filepath.Join(root, "nodes.json"), filepath.Join(root, name))
}

// deployment is a manifest whose container is named app and has these fields.
func deployment(fields string) string {
	return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
` + indent(fields, "        ")
}

func service() string {
	return "\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}}\n"
}

func indent(text, by string) string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		out = append(out, by+strings.TrimPrefix(line, "\t\t"))
	}
	return strings.Join(out, "\n") + "\n"
}

// found lists findings as "app liveness rule".
func foundIn(r *report.Report) []string {
	var all []string
	for _, w := range r.Workloads {
		for _, c := range w.Containers {
			for _, f := range c.Findings {
				text := c.Name + " " + string(f.Probe) + " " + f.Rule
				if f.Suppressed {
					text += " suppressed"
				}
				all = append(all, text)
			}
		}
	}
	return all
}

func findingOf(t *testing.T, r *report.Report, rule string) report.Finding {
	t.Helper()
	for _, w := range r.Workloads {
		for _, c := range w.Containers {
			if i := slices.IndexFunc(c.Findings, func(f report.Finding) bool { return f.Rule == rule }); i >= 0 {
				return c.Findings[i]
			}
		}
	}
	t.Fatalf("%s did not fire: %v", rule, foundIn(r))
	return report.Finding{}
}

// httpProbe asks every ten seconds and acts at the third failure.
func httpProbe(path string) *report.Probe {
	port := intstr.FromInt32(8080)
	return described(probe.Liveness, &report.Probe{
		Handler: report.Handler{Type: "http", Text: "GET :8080" + path, Path: path, Scheme: "HTTP", Port: &port},
		Config:  report.Config{PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3},
	})
}

func described(kind probe.Kind, p *report.Probe) *report.Probe {
	b := budget(p, func(*probe.Probe) {})
	first := b.FirstCheck()
	p.FirstCheck = &report.Window{EarliestSeconds: first.EarliestSeconds, LatestSeconds: first.LatestSeconds}
	if kind == probe.Startup {
		a := b.StartupAllowance(probe.Ticks)
		p.Allowance, p.Detection = &report.Allowance{GuaranteedSeconds: a.GuaranteedSeconds, LongestSeconds: a.LongestSeconds}, nil
		return p
	}
	d := b.Detection(probe.Ticks)
	p.Detection = &report.Detection{AtOnceSeconds: d.AtOnceSeconds, HangSeconds: d.HangSeconds}
	return p
}

// readyPod has been running and ready for half an hour.
func readyPod(name string) report.Pod {
	zero := 0
	yes := true
	return report.Pod{
		Name: name, Phase: report.Live, Variant: &zero, Node: "node-1", Ready: true, PodReady: true, Started: &yes, State: "running",
		StartedAt: agoPointer(30 * time.Minute), ReadySince: agoPointer(29 * time.Minute), Evidence: []report.Evidence{}, Kills: []report.Kill{},
	}
}

func down(p report.Pod) report.Pod {
	p.Ready, p.PodReady, p.ReadySince = false, false, nil
	return p
}

func with(p report.Pod, evidence ...report.Evidence) report.Pod {
	p.Evidence = evidence
	return p
}

func killed(p report.Pod, kind probe.Kind, count int64, first, last time.Duration) report.Pod {
	p.Kills = []report.Kill{{Probe: kind, Count: count, FirstSeen: ago(first), LastSeen: ago(last)}}
	return p
}

func failures(kind probe.Kind, n int64, state report.EvidenceState, first, last time.Duration) report.Evidence {
	return report.Evidence{
		Probe: kind, Failures: n, FirstSeen: ago(first), LastSeen: ago(last), State: state,
		Messages: 1, Message: "HTTP probe failed with statuscode: 503",
	}
}

// cluster is a Report of deploy/web in shop, whose container app has readiness and liveness probes. Each change
// is made before the rules look.
func cluster(pods []report.Pod, changes ...func(*report.Report, *report.Workload, *report.Container)) *report.Report {
	probes := report.Probes{Readiness: httpProbe("/ready"), Liveness: httpProbe("/live")}
	c := report.Container{
		Name: "app", Total: len(pods), Probes: probes, Pods: pods,
		Variants: []report.Variant{{Pods: len(pods), Template: true, Probes: probes}},
	}
	for _, p := range pods {
		if p.Ready {
			c.Ready++
		}
		for _, e := range p.Evidence {
			if e.State == report.StateNow {
				c.Causes = append(c.Causes, report.Cause{Cause: string(e.Probe), Pods: 1})
			}
		}
	}
	w := report.Workload{
		Kind: "Deployment", Group: "apps", Namespace: "shop", Name: "web", DisplayName: "deploy/web", Template: report.TemplateKnown,
		Pods: report.PodCounts{Total: len(pods), Ready: c.Ready}, Services: []report.Service{{Name: "web"}},
	}
	r := &report.Report{GeneratedAt: ago(0), AsOf: agoPointer(0), Running: true, ServerVersion: "v1.34.2"}
	for _, change := range changes {
		change(r, &w, &c)
	}
	w.Containers = []report.Container{c}
	r.Workloads = []report.Workload{w}
	Evaluate(r, Options{})
	return r
}

// hasProbes gives the container these probes.
func hasProbes(p report.Probes) func(*report.Report, *report.Workload, *report.Container) {
	return func(_ *report.Report, _ *report.Workload, c *report.Container) {
		c.Probes, c.Variants[0].Probes = p, p
	}
}

func onServer(version string) func(*report.Report, *report.Workload, *report.Container) {
	return func(r *report.Report, _ *report.Workload, _ *report.Container) { r.ServerVersion = version }
}

// stalled makes a rollout of the Pods of revision "new" stand still.
func stalled(_ *report.Report, w *report.Workload, _ *report.Container) {
	yes, ready := true, 2
	w.Rollout = &report.Rollout{State: report.RolloutStalled, Since: agoPointer(20 * time.Minute), NewRevision: "new", KeepServing: &yes, OldReady: &ready}
}

func ofRevision(revision string, p report.Pod) report.Pod {
	p.Revision = revision
	return p
}
