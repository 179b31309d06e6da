package report

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
)

const (
	capturesFolder = "../../testdata/captures"
	coreEvents     = "events.json"
	newEvents      = "events.events.k8s.io.json"
)

func captureNames(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(capturesFolder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatal("there are no captures")
	}
	return names
}

// captureSnapshot reads a capture and its nodes, without the files of those names.
func captureSnapshot(t *testing.T, name string, without ...string) *snapshot.Snapshot {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(capturesFolder, name, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	inputs := []string{filepath.Join(capturesFolder, "nodes.json")}
	for _, path := range paths {
		if !slices.Contains(without, filepath.Base(path)) {
			inputs = append(inputs, path)
		}
	}
	s, _, err := files.Read(context.Background(), files.Options{Filenames: inputs})
	if err != nil {
		t.Fatal(err)
	}
	s, err = s.Select(snapshot.Query{AllNamespaces: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func readCapture(t *testing.T, name string) *Report {
	t.Helper()
	return build(t, captureSnapshot(t, name, newEvents))
}

func TestCapturesAreAlikeInBothFormsOfEvents(t *testing.T) {
	for _, name := range captureNames(t) {
		t.Run(name, func(t *testing.T) {
			core, other := captureSnapshot(t, name, newEvents), captureSnapshot(t, name, coreEvents)
			both := *core
			catchUp(t, core, other)
			want := build(t, core)
			if diff := cmp.Diff(want, build(t, other)); diff != "" {
				t.Errorf("core/v1 and events.k8s.io/v1 (-core +new):\n%s", diff)
			}
			both.AsOf, both.Events = core.AsOf, slices.Concat(core.Events, other.Events)
			if diff := cmp.Diff(want, build(t, &both)); diff != "" {
				t.Errorf("core/v1 and both at once (-core +both):\n%s", diff)
			}
		})
	}
}

// catchUp brings Events of the first reading to the second, which was made a moment later: in the capture jobs
// one was written in between.
func catchUp(t *testing.T, first, second *snapshot.Snapshot) {
	t.Helper()
	later := map[types.UID]*snapshot.Event{}
	for _, e := range second.Events {
		later[e.UID] = e
	}
	if len(first.Events) != len(second.Events) || len(later) != len(second.Events) || len(later) == 0 {
		t.Fatalf("%d and %d Events, with %d UIDs", len(first.Events), len(second.Events), len(later))
	}
	for _, e := range first.Events {
		if now := later[e.UID]; now != nil && now.Count > e.Count {
			e.Count, e.Last = now.Count, now.Last
		}
	}
	first.AsOf = second.AsOf
}

// figures are what a capture must show of one container.
type figures struct {
	failures, errors, liveness, startup int64
	causes, restarts                    string
}

func TestCaptures(t *testing.T) {
	for capture, containers := range map[string]map[string]figures{
		"exec-timeout": {
			"deploy/worker app":            {19, 2, 6, 0, "liveness:1", "liveness:6 ?:1"},
			"pod/exec-exit1 app":           {149, 0, 0, 0, "readiness:1", ""},
			"pod/exec-missing-command app": {0, 150, 0, 0, "readiness:1", ""},
		},
		"grpc-failing": {
			"deploy/api app":               {21, 0, 6, 0, "liveness:1", "liveness:6 ?:1"},
			"pod/grpc-hang app":            {147, 0, 0, 0, "readiness:1", ""},
			"pod/grpc-not-grpc app":        {152, 0, 0, 0, "readiness:1", ""},
			"pod/grpc-refused app":         {152, 0, 0, 0, "readiness:1", ""},
			"pod/grpc-unknown-service app": {152, 0, 0, 0, "readiness:1", ""},
		},
		"jobs": {
			"cj/report app":  {145, 0, 2, 0, "readiness:1", ""},
			"job/import app": {0, 0, 0, 0, "", ""},
			"job/ok app":     {0, 0, 0, 0, "", ""},
		},
		"kube-system":   {"pod/static-web-node-1 app": {21, 0, 6, 0, "liveness:1", "liveness:6 ?:1"}},
		"liveness-404":  {"deploy/web app": {27, 0, 12, 0, "liveness:2", "liveness:12 ?:2"}, "deploy/stubborn app": {15, 0, 6, 0, "liveness:1", "liveness:6 ?:1"}},
		"rollout-stall": {"deploy/web app": {155, 0, 0, 0, "readiness:1", ""}},
		"sets":          {"ds/agent app": {152, 0, 0, 0, "readiness:1", ""}, "sts/db app": {152, 0, 0, 0, "readiness:1", ""}},
		"sidecar": {
			"deploy/live app":           {0, 0, 0, 0, "", ""},
			"deploy/live proxy":         {12, 0, 5, 0, "liveness:1", "liveness:5 ?:2"},
			"pod/sidecar-ready app":     {0, 0, 0, 0, "", ""},
			"pod/sidecar-ready proxy":   {152, 0, 0, 0, "readiness:1", ""},
			"pod/sidecar-startup app":   {0, 0, 0, 0, "Init:1", ""},
			"pod/sidecar-startup proxy": {16, 0, 0, 6, "startup:1", "startup:6 ?:1"},
		},
		"startup-failing": {"deploy/slow app": {20, 0, 0, 6, "startup:1", "startup:6 ?:1"}, "pod/startup-404 app": {16, 0, 0, 6, "startup:1", "startup:6 ?:1"}},
		"tcp-refused":     {"deploy/db app": {152, 0, 0, 0, "readiness:1", ""}, "pod/tcp-live app": {15, 0, 6, 0, "liveness:1", "liveness:6 ?:1"}},
	} {
		t.Run(capture, func(t *testing.T) {
			got := map[string]figures{}
			for _, w := range readCapture(t, capture).Workloads {
				if len(w.Mixed) > 0 {
					t.Errorf("%s: not given to a container: %v", w.DisplayName, w.Mixed)
				}
				for _, c := range w.Containers {
					got[w.DisplayName+" "+c.Name] = figures{*c.Failures, *c.Errors, c.Kills.Liveness, c.Kills.Startup, causesText(c), restartsText(c)}
				}
			}
			if diff := cmp.Diff(containers, got, cmp.AllowUnexported(figures{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func causesText(c Container) string {
	var all []string
	for _, cause := range c.Causes {
		all = append(all, sprint(cause.Cause, int64(cause.Pods)))
	}
	return strings.Join(all, " ")
}

func restartsText(c Container) string {
	var all []string
	for _, cause := range c.RestartCauses {
		all = append(all, sprint(cause.Cause, cause.Restarts))
	}
	return strings.Join(all, " ")
}

func TestCaptureRolloutStallTellsNewPodsFromOld(t *testing.T) {
	c := containerNamed(t, workloadNamed(t, readCapture(t, "rollout-stall"), "deploy/web"), "app")
	stalled := podNamed(t, c, "web-bbdb5d966-lbjdg").Evidence
	if len(stalled) != 1 || stalled[0].Failures != 154 || stalled[0].State != StateNow || stalled[0].PerCheck == nil || *stalled[0].PerCheck != 1 {
		t.Errorf("the new Pod: %+v, want 154 failures now at every check", stalled)
	}
	old := podNamed(t, c, "web-6d5f6bb85b-r75sw").Evidence
	if len(old) != 1 || old[0].Failures != 1 || old[0].State != StateStarting || old[0].PerCheck != nil {
		t.Errorf("the old Pod: %+v, want one failure while starting", old)
	}
}

func TestCaptureJobsClaimsNoKillWithoutProof(t *testing.T) {
	c := containerNamed(t, workloadNamed(t, readCapture(t, "jobs"), "job/import"), "app")
	p := podNamed(t, c, "import-9jwz5")
	if len(p.Kills) != 0 || p.PossibleKill == nil || p.PossibleKill.Probe != probe.Liveness {
		t.Errorf("kills %v, possible %v: want a possible liveness kill and no proven one", p.Kills, p.PossibleKill)
	}
	if p.Evidence[0].State != StatePast {
		t.Errorf("evidence of a finished Pod is %s, want past", p.Evidence[0].State)
	}
}

func TestCaptureJobsKnowsPodsOfJobsThatAreGone(t *testing.T) {
	w := workloadNamed(t, readCapture(t, "jobs"), "cj/report")
	if w.Pods.Gone != 6 {
		t.Errorf("%d Pods gone, want 6", w.Pods.Gone)
	}
	p := podNamed(t, containerNamed(t, w, "app"), "report-29932663-lbmzx")
	if p.Phase != Gone || p.Node != "node-1" || len(p.Kills) != 1 || p.Kills[0].Count != 2 {
		t.Errorf("%+v, want a Pod that is gone and was killed twice on node-1", p)
	}
}

func TestCaptureJobsKnowsWhenFinishedPodsEnded(t *testing.T) {
	r := readCapture(t, "jobs")
	for job, ended := range map[string]string{"job/import": "13:39:10", "job/ok": "13:39:16", "cj/report": "13:47:40"} {
		c := containerNamed(t, workloadNamed(t, r, job), "app")
		if c.LastEnd == nil || c.LastEnd.UTC().Format(time.TimeOnly) != ended {
			t.Errorf("%s ended at %v, want %s", job, c.LastEnd, ended)
		}
	}
}
