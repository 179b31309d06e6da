package report

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func summaryOf(t *testing.T, s *snapshot.Snapshot) *Summary {
	t.Helper()
	r, err := Build(s, Options{Now: ago(0), Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.Summary
}

func TestSummaryOnlyWhenAsked(t *testing.T) {
	if r := build(t, readSnapshot(nil)); r.Summary != nil {
		t.Error("a Summary that nobody asked for")
	}
}

func TestSummaryOfCaptures(t *testing.T) {
	tests := []struct {
		name      string
		coverage  Coverage
		failing   int
		kills     int64
		drifted   int
		perMinute float64
	}{
		{"liveness-404", Coverage{Share{0, 2}, Share{1, 2}, Share{2, 2}, Share{0, 2}}, 2, 18, 0, 0}, // all in back-off
		{"rollout-stall", Coverage{Share{0, 1}, Share{1, 1}, Share{0, 1}, Share{0, 1}}, 1, 0, 1, 120},
		{"jobs", Coverage{Share{0, 3}, Share{0, 0}, Share{2, 3}, Share{0, 3}}, 1, 2, 0, 60},
		{"sidecar", Coverage{Share{1, 6}, Share{2, 6}, Share{1, 6}, Share{2, 6}}, 3, 11, 0, 60},
		{"sets", Coverage{Share{0, 2}, Share{2, 2}, Share{1, 2}, Share{0, 2}}, 2, 0, 0, 90},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := summaryOf(t, captureSnapshot(t, tt.name, newEvents))
			if diff := cmp.Diff(tt.coverage, got.Coverage); diff != "" {
				t.Error(diff)
			}
			if *got.Failing != tt.failing || *got.Kills != tt.kills || *got.Drifted != tt.drifted || got.CheckLoad.ChecksPerMinute != tt.perMinute {
				t.Errorf("failing %d, kills %d, drifted %d, %v checks a minute; want %+v", *got.Failing, *got.Kills, *got.Drifted, got.CheckLoad.ChecksPerMinute, tt)
			}
		})
	}
}

func TestSummaryOfTheUnknown(t *testing.T) {
	other := runningPod("other")
	other.Namespace = "bank"
	owned := runningPod("owned")
	owned.Owner = &snapshot.OwnerRef{Group: "apps", Kind: "StatefulSet", Name: "gone", UID: "gone"}
	noEvents := func(namespace string) []snapshot.Gap {
		return []snapshot.Gap{{What: "events", Namespace: namespace, Reason: snapshot.Forbidden}}
	}
	manifests := &snapshot.Snapshot{Objects: deployment("web", 2)[:1]}
	tests := []struct {
		name    string
		in      *snapshot.Snapshot
		gaps    []snapshot.Gap
		failing bool // known
		partial bool
		drifted bool // known
		unknown int
		load    bool
	}{
		{"all known", readSnapshot(pods(runningPod("web"), other)), nil, true, false, true, 0, true},
		{"Events of one namespace", readSnapshot(pods(runningPod("web"), other)), noEvents("bank"), true, true, true, 0, true},
		{"no Events", readSnapshot(pods(runningPod("web"), other)), noEvents(""), false, false, true, 0, true},
		{"a template that was not read", readSnapshot(pods(runningPod("web"), owned)), nil, true, false, true, 1, true},
		{"no template", readSnapshot(pods(owned)), nil, true, false, false, 1, true},
		{"nothing there", readSnapshot(nil), nil, true, false, true, 0, true},
		{"manifests", manifests, nil, false, false, true, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Gaps = tt.gaps
			got := summaryOf(t, tt.in)
			if (got.Failing != nil) != tt.failing || (got.Kills != nil) != tt.failing || got.EventsPartial != tt.partial {
				t.Errorf("failing %v, kills %v, partial %v", got.Failing, got.Kills, got.EventsPartial)
			}
			if (got.Drifted != nil) != tt.drifted || got.DriftUnknown != tt.unknown || (got.CheckLoad != nil) != tt.load {
				t.Errorf("drifted %v, unknown %d, load %v", got.Drifted, got.DriftUnknown, got.CheckLoad)
			}
		})
	}
}

func TestSummaryCountsWhatIsThere(t *testing.T) {
	batch := runningPod("import-1")
	batch.Owner = &snapshot.OwnerRef{Group: "batch", Kind: "Job", Name: "import", UID: "import"}
	s := readSnapshot(pods(batch, runningPod("web")))
	gone := runningPod("gone")
	s.Events = []*snapshot.Event{event(gone, "Killing", "Container app failed liveness probe, will be restarted", 4, 10*time.Minute, 5*time.Minute)}
	got := summaryOf(t, s)
	if got.Workloads != 2 || got.Containers != 2 || got.Jobs != 1 || *got.Kills != 4 {
		t.Errorf("%d workloads, %d containers, %d of Jobs, %d kills", got.Workloads, got.Containers, got.Jobs, *got.Kills)
	}
	if got.Detection.Readiness.Containers != 1 || got.Detection.Liveness.Containers != 2 || got.Detection.Readiness.Percentiles[0].Workload != "pod/web" {
		t.Errorf("detection of %+v", got.Detection)
	}
	if want := (Coverage{Share{0, 2}, Share{1, 1}, Share{2, 2}, Share{0, 2}}); got.Coverage != want {
		t.Errorf("coverage %+v, want %+v", got.Coverage, want)
	}
}

func TestSummaryTellsWhichBudgetsItLeavesOut(t *testing.T) {
	acts, never, unknown := &Probe{CanRun: true, Detection: &Detection{HangSeconds: 5}}, &Probe{WhyNot: "it has no handler"}, &Probe{CanRun: true}
	var rows []row
	for _, p := range []*Probe{acts, never, unknown, nil} {
		rows = append(rows, row{&Workload{}, &Container{Probes: Probes{Liveness: p}}})
	}
	if got := distribution(rows, probe.Liveness); got.Containers != 1 || got.NeverActs != 1 || got.Unknown != 1 {
		t.Errorf("%+v", got)
	}
}

// Each percentile is the smallest budget that at least that share of all does not exceed.
func TestPercentilesAreNearestRanks(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 200 {
		n := 1 + random.Intn(300)
		var rows []row
		var seconds []int64
		for i := range n {
			p := &Probe{Detection: &Detection{HangSeconds: int64(random.Intn(40))}}
			rows = append(rows, row{&Workload{Namespace: "shop", DisplayName: fmt.Sprintf("deploy/w%03d", i)}, &Container{Name: "app", Probes: Probes{Liveness: p}}})
			seconds = append(seconds, p.Detection.HangSeconds)
		}
		slices.Sort(seconds)
		got := distribution(rows, probe.Liveness)
		if got.Containers != n || len(got.Percentiles) != 6 {
			t.Fatalf("%d containers, %v", got.Containers, got.Percentiles)
		}
		for _, p := range got.Percentiles {
			at := slices.IndexFunc(rows, func(r row) bool { return r.workload.DisplayName == p.Workload })
			if naive := naivePercentile(seconds, p.Percentile); p.Seconds != naive || rows[at].container.Probes.Liveness.HeadlineSeconds() != naive {
				t.Fatalf("P%d of %v is %d, of %s, want %d", p.Percentile, seconds, p.Seconds, p.Workload, naive)
			}
		}
		random.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if diff := cmp.Diff(got, distribution(rows, probe.Liveness)); diff != "" {
			t.Fatalf("another order of rows gives another answer:\n%s", diff)
		}
	}
}

func naivePercentile(sorted []int64, percent int) int64 {
	for _, candidate := range sorted {
		atMost := 0
		for _, s := range sorted {
			if s <= candidate {
				atMost++
			}
		}
		if 100*atMost >= percent*len(sorted) {
			return candidate
		}
	}
	panic("unreachable: all are at most the largest")
}

func TestHistogramBounds(t *testing.T) {
	tests := []struct {
		seconds int64
		bucket  int
	}{{0, 0}, {10, 0}, {11, 1}, {30, 1}, {31, 2}, {60, 2}, {61, 3}, {120, 3}, {121, 4}, {300, 4}, {301, 5}, {1 << 40, 5}}
	for _, tt := range tests {
		got := histogram([]budget{{seconds: tt.seconds}})
		at := slices.IndexFunc(got, func(b Bucket) bool { return b.Count == 1 })
		if at != tt.bucket || len(got) != 6 || got[5].UpToSeconds != nil || *got[0].UpToSeconds != 10 {
			t.Errorf("%ds is in bucket %d, want %d of %+v", tt.seconds, at, tt.bucket, got)
		}
	}
}

func TestCheckLoad(t *testing.T) {
	every := func(handler probe.HandlerType, period int32) *probe.Probe {
		p := httpProbe()
		p.Handler, p.PeriodSeconds = probe.Handler{Type: handler, Port: intstr.FromInt32(8080)}, period
		return p
	}
	app := snapshot.Container{Name: "app", Startup: every(probe.TCP, 1), Readiness: every(probe.HTTP, 7), Liveness: every(probe.Exec, 10)}
	starting, down, ended, going := runningPod("starting", app), runningPod("down", app), runningPod("ended", app), runningPod("going", app)
	starting.Containers[0].Started = new(false)
	down.Containers[0].Running, down.Containers[0].Waiting = time.Time{}, "CrashLoopBackOff"
	ended.Phase, going.Deleted = "Succeeded", ago(0)
	ended.Asked, going.Asked = true, true
	web, far := runningPod("web", app), runningPod("far", app)
	far.Node = "node-0"
	tests := []struct {
		name string
		in   []*snapshot.Pod
		want CheckLoad
	}{
		{"nothing", nil, CheckLoad{}},
		{"not live, or not running", pods(down, ended, going), CheckLoad{}},
		{"until it has started", pods(starting), CheckLoad{60, HandlerLoads{TCP: 60}, &NodeLoad{"node-1", 60, 0}}},
		{"after that", pods(web), CheckLoad{14.6, HandlerLoads{HTTP: 8.6, Exec: 6}, &NodeLoad{"node-1", 14.6, 6}}},
		{"equal nodes: by name", pods(web, far), CheckLoad{29.1, HandlerLoads{HTTP: 17.1, Exec: 12}, &NodeLoad{"node-0", 14.6, 6}}},
		{"the busiest", pods(starting, far), CheckLoad{74.6, HandlerLoads{HTTP: 8.6, TCP: 60, Exec: 6}, &NodeLoad{"node-1", 60, 0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(&tt.want, summaryOf(t, readSnapshot(tt.in)).CheckLoad); diff != "" {
				t.Error(diff)
			}
		})
	}
}
