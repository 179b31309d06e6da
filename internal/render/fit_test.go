package render

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
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

// Names are pasted back as arguments, and a number with a digit less is another number.
func TestFitTouchesNeitherNamesNorNumbers(t *testing.T) {
	whole := cellsOf(overview(t, everywhere(), Options{Wide: true}))
	for _, width := range []int{1, 20, 60, 80, 100, 120, 160, 200} {
		for i, line := range cellsOf(overview(t, everywhere(), Options{Wide: true, Width: width})) {
			for j, header := range whole[0] {
				mayGive := header == "REASON" || header == "FINDINGS" || header == "ROOT-OWNER" || header == "DRIFT" || strings.HasSuffix(header, "-HANDLER")
				if !mayGive && line[j] != whole[i][j] {
					t.Errorf("width %d, %s: got %q, want %q", width, header, line[j], whole[i][j])
				}
			}
		}
	}
}

// cellsOf are the cells of each line: none holds two blanks, and none is empty.
func cellsOf(table string) [][]string {
	var lines [][]string
	for _, line := range linesOf(table) {
		lines = append(lines, regexp.MustCompile("  +").Split(line, -1))
	}
	return lines
}

// A table that cannot fit keeps what it has; the terminal would break it anyway.
func TestWhatCannotFitStaysWhole(t *testing.T) {
	if got, want := overview(t, everywhere(), Options{Width: 60}), overview(t, everywhere(), Options{}); got != want {
		t.Errorf("got\n%s", got)
	}
}

// Where cutting does not make a table fit, what is cut is only missing; where the terminal breaks a row anyway, no more is
// cut than spares it a line.
func TestNothingIsCutInVain(t *testing.T) {
	c := container("app", 3, 3, report.Probes{Readiness: acting("http", "http :8080/readyz/with/a/long/path", 18)})
	c.Drift = []report.Drift{stale(probe.Readiness, 2, "httpGet.path")}
	r := onCluster(deploy("shop", "web", 3, live(3, 3), c))
	whole := overview(t, r, Options{Wide: true})
	longest := 0
	for _, line := range linesOf(whole) {
		longest = max(longest, displayWidth(line))
	}
	for _, width := range []int{40, 80, 160, 170, 183, 200} {
		got := overview(t, r, Options{Wide: true, Width: width})
		if cut := strings.Contains(got, ellipsis); cut && (linesIn(got, width) >= linesIn(whole, width)) || !cut && got != whole {
			t.Errorf("width %d, of %d:\n%s", width, longest, got)
		}
	}
	c.Probes.Readiness.Handler.Text = "exec sh -c '" + strings.Repeat("redis-cli ping && ", 30) + "true'"
	r = onCluster(deploy("shop", "web", 3, live(3, 3), c))
	if got := linesIn(overview(t, r, Options{Wide: true, Width: 80}), 80); got > 4 {
		t.Errorf("a header and a row take %d lines", got)
	}
}

// linesIn is how many lines of a terminal a text takes.
func linesIn(text string, width int) int {
	lines := 0
	for _, line := range linesOf(text) {
		lines += max(1, (displayWidth(line)+width-1)/width)
	}
	return lines
}

func TestFitFillsTheTerminal(t *testing.T) {
	r := shop()
	for _, width := range []int{225, 235, 245, 255} {
		widest := 0
		for _, line := range linesOf(overview(t, r, Options{Wide: true, Width: width})) {
			widest = max(widest, displayWidth(line))
		}
		// a last column of which the longest cell is not the widest row's may leave some
		if widest > width || widest < width-2 {
			t.Errorf("width %d: the widest line has %d", width, widest)
		}
	}
}

// Reasons give last, and then keep how many there are.
func TestReasonsGiveLast(t *testing.T) {
	c := container("web", 0, 2, report.Probes{Readiness: acting("exec", "exec "+strings.Repeat("x", 60), 3)})
	c.Causes = []report.Cause{{Cause: "CreateContainerConfigError", Pods: 1}, {Cause: "readiness", Pods: 1}}
	r := onCluster(deploy("a", "x", 2, live(0, 2), c))
	for width, want := range map[int]string{0: "CreateContainerConfigError:1 +1", 166: "CreateContainerConfigError:1 +1", 145: "CreateCo…or:1 +1"} {
		got := overview(t, r, Options{Wide: true, Width: width})
		if !strings.Contains(got, " "+want+" ") || strings.Contains(got, "…") != (width > 0) {
			t.Errorf("width %d:\n%s", width, got)
		}
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
