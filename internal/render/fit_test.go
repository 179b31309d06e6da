package render

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name        string
		in          string
		width       int
		middle, end string
	}{
		{"fits", "deploy/web", 10, "deploy/web", "deploy/web"},
		{"even", "deploy/checkout-v2", 10, "deplo…t-v2", "deploy/ch…"},
		{"odd", "deploy/checkout-v2", 11, "deplo…ut-v2", "deploy/che…"},
		{"one column", "deploy", 1, "…", "…"},
		{"wide characters never overflow", "日本語日本語", 6, "日…語", "日本…"},
		{"a mark stays with its letter", "aaaae\u0301b", 4, "aa…b", "aaa…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cutMiddle(tt.in, tt.width); got != tt.middle {
				t.Errorf("middle: got %q, want %q", got, tt.middle)
			}
			if got := cutEnd(tt.in, tt.width); got != tt.end {
				t.Errorf("end: got %q, want %q", got, tt.end)
			}
		})
	}
}

func TestFitNeverTouchesNumbers(t *testing.T) {
	whole := linesOf(overview(t, everywhere(), Options{}))
	for _, width := range []int{1, 20, 60, 80, 100, 120, 200} {
		for i, line := range linesOf(overview(t, everywhere(), Options{Width: width})) {
			got, want := strings.Fields(line), strings.Fields(whole[i])
			for j := range want {
				if j >= 3 && got[j] != want[j] {
					t.Errorf("width %d: got %q, want %q", width, got[j], want[j])
				}
			}
		}
	}
}

func TestAllNamespacesFitEightyColumns(t *testing.T) {
	for _, line := range linesOf(overview(t, everywhere(), Options{Width: 80})) {
		if displayWidth(line) > 80 {
			t.Errorf("%d columns: %q", displayWidth(line), line)
		}
	}
}

// A table that cannot fit keeps its names readable; it would be broken by the terminal anyway.
func TestWhatCannotFitStaysReadable(t *testing.T) {
	got := overview(t, everywhere(), Options{Width: 60})
	if !strings.Contains(got, "rollout.argoproj.io/cart ") || !strings.Contains(got, "payments-production ") {
		t.Errorf("got\n%s", got)
	}
}

func TestFitFillsTheTerminal(t *testing.T) {
	for _, width := range []int{80, 85, 90, 100, 110} {
		widest := 0
		for _, line := range linesOf(overview(t, everywhere(), Options{Width: width})) {
			widest = max(widest, displayWidth(line))
		}
		// a last column of which the longest cell is not the widest row's may leave some
		if widest > width || widest < width-2 {
			t.Errorf("width %d: the widest line has %d", width, widest)
		}
	}
}

func TestFitLeavesShortColumnsWhole(t *testing.T) {
	r := onCluster(
		deploy("a", strings.Repeat("long-", 20), 1, live(1, 1), container("web", 1, 1, report.Probes{})),
		deploy("b", "x", 1, live(1, 1), container("istio-proxy", 1, 1, report.Probes{})))
	got := overview(t, r, Options{Width: 90})
	if !strings.Contains(got, "istio-proxy") || !strings.Contains(got, "deploy/x") || !strings.Contains(got, "…") {
		t.Errorf("got\n%s", got)
	}
}

func TestTerminalWidth(t *testing.T) {
	for _, tt := range []struct {
		name, columns string
		size          int
		err           error
		want          int
	}{
		{"the terminal's own", "", 132, nil, 132},
		{"COLUMNS wins", "100", 132, nil, 100},
		{"COLUMNS of no use", "wide", 132, nil, 132},
		{"COLUMNS of zero", "0", 132, nil, 132},
		{"unknown", "", 0, errors.New("inappropriate ioctl"), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := terminalWidth(tt.columns, func() (int, int, error) { return tt.size, 40, tt.err }); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestAPipeHasNoWidth(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if got := Width(w); got != 0 {
		t.Errorf("got %d", got)
	}
}
