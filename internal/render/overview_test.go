package render

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

func TestOverviewGolden(t *testing.T) {
	for _, tt := range []struct {
		name   string
		report *report.Report
		in     Options
	}{
		{"shop_pipe.txt", shop(), Options{}},
		{"shop_80.ansi", shop(), Options{Width: 80, Color: true}},
		{"shop_160.ansi", shop(), Options{Width: 160, Color: true}},
		{"shop_noheaders.txt", shop(), Options{NoHeaders: true}},
		{"shop_detection.txt", shop(), Options{SortBy: SortByDetection}},
		{"shop_wide_pipe.txt", shop(), Options{Wide: true}},
		{"shop_wide_80.ansi", shop(), Options{Wide: true, Width: 80, Color: true}},
		{"shop_wide_160.ansi", shop(), Options{Wide: true, Width: 160, Color: true}},
		{"everywhere_pipe.txt", everywhere(), Options{}},
		{"everywhere_80.ansi", everywhere(), Options{Width: 80, Color: true}},
		{"everywhere_wide_160.ansi", everywhere(), Options{Wide: true, Width: 160, Color: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden.Check(t, tt.name, overview(t, tt.report, tt.in)+"--- stderr\n"+notes(tt.report, tt.in))
		})
	}
}

func TestOverviewOfNothingPrintsNothing(t *testing.T) {
	if got := overview(t, onCluster(), Options{Wide: true}); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestOverviewKeepsAWorkloadWithoutContainers(t *testing.T) {
	w := report.Workload{Kind: "Rollout", Group: "argoproj.io", DisplayName: "rollout.argoproj.io/x", Template: report.TemplateUnknown}
	got := linesOf(overview(t, onCluster(w), Options{NoHeaders: true}))
	want := "rollout.argoproj.io/x  -  -  0  -  -  -?  -?  -?"
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSortByDetection(t *testing.T) {
	never := &report.Probe{Handler: report.Handler{Type: "http"}, WhyNot: "it has no handler"}
	r := onCluster(
		deploy("a", "none", 1, live(1, 1), container("c", 1, 1, report.Probes{})),
		deploy("a", "startup", 1, live(1, 1), container("c", 1, 1, report.Probes{Startup: starting("tcp", "", 9999)})),
		deploy("a", "short", 1, live(1, 1), container("c", 1, 1, report.Probes{Readiness: acting("tcp", "", 10)})),
		deploy("a", "long", 1, live(1, 1), container("c", 1, 1, report.Probes{Readiness: acting("tcp", "", 2), Liveness: acting("tcp", "", 3600)})),
		deploy("a", "never", 1, live(1, 1), container("c", 1, 1, report.Probes{Readiness: acting("tcp", "", 1), Liveness: never})),
		deploy("a", "short2", 1, live(1, 1), container("c", 1, 1, report.Probes{Liveness: acting("tcp", "", 10)})),
	)
	want := []string{"never", "long", "short", "short2", "none", "startup"}
	for i := range 40 { // enough for an unstable sort to show
		name := fmt.Sprint("also-none-", i)
		r.Workloads = append(r.Workloads, deploy("a", name, 1, live(1, 1), container("c", 1, 1, report.Probes{})))
		want = append(want, name)
	}
	var got []string
	for _, line := range linesOf(overview(t, r, Options{NoHeaders: true, SortBy: SortByDetection})) {
		got = append(got, strings.TrimPrefix(strings.Fields(line)[0], "deploy/"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if r.Workloads[0].Name != "none" {
		t.Error("the Report itself was reordered")
	}
}

func TestUnknownOrderIsAnError(t *testing.T) {
	if err := Overview(&strings.Builder{}, shop(), Options{SortBy: "size"}); err == nil {
		t.Error("no error")
	}
}

type fullDisk struct{ room int }

var errFull = errors.New("disk full")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestOverviewReturnsTheWritersError(t *testing.T) {
	for name, r := range map[string]*report.Report{"few rows": shop(), "many rows": many(maxTablewriterRows + 1)} {
		for _, room := range []int{0, 5000} {
			if room > len(overview(t, r, Options{})) {
				continue
			}
			if err := Overview(&fullDisk{room}, r, Options{}); !errors.Is(err, errFull) {
				t.Errorf("%s, room for %d bytes: got %v", name, room, err)
			}
		}
	}
}
