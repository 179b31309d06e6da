package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

func summaryText(t *testing.T, r *report.Report, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Summary(&out, r, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func upTo(seconds ...int64) []report.Bucket {
	var out []report.Bucket
	for _, s := range seconds {
		out = append(out, report.Bucket{UpToSeconds: &s})
	}
	return append(out, report.Bucket{})
}

// figures is shop in figures.
func figures() *report.Report {
	r := everywhere()
	failing, kills, drifted := 1, int64(12), 1
	readiness := upTo(10, 30, 60, 120, 300)
	readiness[1].Count, readiness[2].Count, readiness[5].Count = 2, 40, 1
	liveness := upTo(10, 30, 60, 120, 300)
	liveness[2].Count = 1
	of := func(percentile int, seconds int64, namespace, workload, container string) report.Percentile {
		return report.Percentile{Percentile: percentile, Seconds: seconds, Namespace: namespace, Workload: workload, Container: container}
	}
	r.Summary = &report.Summary{
		Workloads: 12, Containers: 45, Jobs: 2,
		Coverage: report.Coverage{
			Startup: report.Share{Count: 1, Of: 45}, Readiness: report.Share{Count: 43, Of: 43},
			Liveness: report.Share{Count: 44, Of: 45}, None: report.Share{Count: 0, Of: 45},
		},
		Detection: report.Detecting{
			Readiness: report.Distribution{Containers: 43, Histogram: readiness, Percentiles: []report.Percentile{
				of(100, 3600, "payments-production", "deploy/fraud-detection-model-server", "model-server-gpu"), of(99, 3600, "payments-production", "deploy/fraud-detection-model-server", "model-server-gpu"),
				of(90, 61, "shop", "deploy/web", "istio-proxy"), of(50, 31, "shop", "deploy/api", "api"), of(10, 18, "shop", "sts/db", "db"), of(0, 16, "shop", "deploy/web", "web"),
			}},
			Liveness: report.Distribution{Containers: 1, Histogram: liveness, Percentiles: []report.Percentile{
				of(100, 31, "shop", "deploy/catalog", "catalog"), of(99, 31, "shop", "deploy/catalog", "catalog"), of(90, 31, "shop", "deploy/catalog", "catalog"),
				of(50, 31, "shop", "deploy/catalog", "catalog"), of(10, 31, "shop", "deploy/catalog", "catalog"), of(0, 31, "shop", "deploy/catalog", "catalog"),
			}},
		},
		Failing: &failing, Kills: &kills, Drifted: &drifted, DriftUnknown: 1,
		CheckLoad: &report.CheckLoad{
			ChecksPerMinute: 512.5, ByHandler: report.HandlerLoads{HTTP: 480, TCP: 0, GRPC: 2.5, Exec: 30},
			BusiestNode: &report.NodeLoad{Name: "ip-10-0-12-34.eu-west-1.compute.internal", ChecksPerMinute: 240, ExecChecksPerMinute: 24},
		},
	}
	return r
}

func TestSummaryGolden(t *testing.T) {
	unread := figures()
	unread.Summary.Failing, unread.Summary.Kills, unread.Summary.Drifted, unread.Summary.EventsPartial = nil, nil, nil, true
	unread.Summary.Detection = report.Detecting{}
	manifest := figures()
	manifest.Running, manifest.Summary.CheckLoad = false, nil
	for _, tt := range []struct {
		name   string
		report *report.Report
		in     Options
	}{
		{"80.ansi", figures(), Options{Width: 80, Color: true}},
		{"160.txt", figures(), Options{Width: 160}},
		{"pipe.txt", figures(), Options{}},
		{"unread.txt", unread, Options{Width: 80}},
		{"manifest.txt", manifest, Options{Width: 80}},
		{"captures_80.txt", captured(t, ""), Options{Width: 80}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden.Check(t, "summary/"+tt.name, summaryText(t, tt.report, tt.in))
		})
	}
}

func TestSummaryTellsWhichBudgetsItLeavesOut(t *testing.T) {
	r := figures()
	r.Summary.Detection.Liveness.NeverActs = 1
	r.Summary.Detection.Readiness = report.Distribution{Unknown: 2}
	expect(t, summaryText(t, r, Options{}), "before liveness acts (", "; of 1 more it can never act)", "before readiness acts (0 containers; of 2 more that is unknown)")
}

func TestSummaryOfNoneIsNothing(t *testing.T) {
	if got := summaryText(t, shop(), Options{}); got != "" {
		t.Errorf("got %q", got)
	}
	empty := onCluster()
	empty.Summary = &report.Summary{}
	if got := summaryText(t, empty, Options{}); !strings.HasPrefix(got, "Summary: 0 containers in 0 workloads\n") || strings.Contains(got, "NaN") {
		t.Errorf("got %q", got)
	}
}

func TestSummaryReturnsTheWritersError(t *testing.T) {
	if err := Summary(&fullDisk{5}, figures(), Options{}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

// The Summary has a place of its own, names a container only once for what is its own, and fits 80 columns.
func TestPeerFault44SummaryIsApartAndShort(t *testing.T) {
	r := figures()
	if got := overview(t, r, Options{}); strings.Contains(got, "Summary") {
		t.Errorf("the overview has it:\n%s", got)
	}
	got := summaryText(t, r, Options{Width: 80})
	if strings.Count(got, "deploy/catalog -n shop -c catalog\n") != 1 || !strings.Contains(got, "P100-P0 ") {
		t.Errorf("got\n%s", got)
	}
	for _, line := range linesOf(got) {
		if displayWidth(line) > 80 && !strings.Contains(line, "fraud-detection-model-server") && !strings.Contains(line, "compute.internal") {
			t.Errorf("%d columns: %q", displayWidth(line), line)
		}
	}
}

func TestBarsAreNeverEmptyForSome(t *testing.T) {
	for _, tt := range []struct{ count, most, want int }{{0, 10, 0}, {1, 1000, 1}, {10, 10, barWidth}, {5, 10, barWidth / 2}} {
		if got := strings.Count(bar(tt.count, tt.most), "█"); got != tt.want {
			t.Errorf("%d of %d: %d blocks, want %d", tt.count, tt.most, got, tt.want)
		}
	}
}

func TestOnlyAllIsHundredPercent(t *testing.T) {
	for _, tt := range []struct {
		in   report.Share
		want string
	}{{report.Share{}, "-"}, {report.Share{Count: 0, Of: 9}, "0%"}, {report.Share{Count: 1, Of: 999}, "1%"}, {report.Share{Count: 998, Of: 999}, "99%"}, {report.Share{Count: 9, Of: 9}, "100%"}} {
		if got := percent(tt.in); got != tt.want {
			t.Errorf("%+v: got %s, want %s", tt.in, got, tt.want)
		}
	}
}
