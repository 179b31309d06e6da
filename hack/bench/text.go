package main

import (
	"bufio"
	"cmp"
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// text is what was measured as Markdown: the sections of docs/performance.md by the names of their markers.
type text struct {
	order    []string
	sections map[string]string
}

// add prints a section as soon as it is there: a bench takes minutes.
func (t *text) add(name, content string) {
	fmt.Println(content)
	t.order = append(t.order, name)
	t.sections[name] = content
}

// into replaces the sections of a file, each between <!-- bench NAME --> and <!-- end -->.
func (t *text) into(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	content := string(raw)
	for _, name := range t.order {
		begin := "<!-- bench " + name + " -->\n"
		before, rest, found := strings.Cut(content, begin)
		_, after, ended := strings.Cut(rest, "<!-- end -->")
		if !found || !ended {
			return fmt.Errorf("%s has no %q with an end for the section that was measured", file, strings.TrimSpace(begin))
		}
		content = before + begin + t.sections[name] + "<!-- end -->" + after
	}
	return os.WriteFile(file, []byte(content), 0o644)
}

func (b *bench) filesText(f *filesResult) string {
	return fmt.Sprintf("A List of %s Pods as `%s` prints it, %.0f MB.\n\n", spaced(targetPods), getPodsJSON, megabytes(f.fileBytes)) + filesTable(f)
}

func (b *bench) sizeText(s sizeResult) string {
	return b.table(fmt.Sprintf("%s Pods of %.1f KB as protobuf, %.1f KB as JSON. %s.\n\n",
		spaced(s.pods), float64(s.podBytes.protobuf)/1e3, float64(s.podBytes.json)/1e3, b.machine()), s.figures, s.order)
}

func (b *bench) table(title string, all map[string]*figures, order []string) string {
	var out strings.Builder
	out.WriteString(title)
	out.WriteString("| what | wall s | CPU s | peak RSS MB | requests | MB received | runs |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, name := range order {
		f := all[name]
		requests, bytes := "", ""
		if f.requests > 0 {
			requests, bytes = strconv.Itoa(f.requests), fmt.Sprintf("%.2f", megabytes(f.bytes))
		}
		fmt.Fprintf(&out, "| %s | %s | %.0f | %s | %s | %d |\n", code(name), times(f), megabytes(f.RSS), requests, bytes, f.runs)
	}
	return out.String()
}

func filesTable(f *filesResult) string {
	var out strings.Builder
	out.WriteString("| what | wall s | CPU s | peak RSS MB | runs |\n|---|--:|--:|--:|--:|\n")
	for _, name := range []string{tableOfFile, jsonOfFile, pythonLoads} {
		if m := f.figures[name]; m != nil {
			fmt.Fprintf(&out, "| %s | %s | %.0f | %d |\n", code(name), times(m), megabytes(m.RSS), m.runs)
		}
	}
	return out.String()
}

func times(f *figures) string {
	return fmt.Sprintf("%.3f | %.3f", f.Wall.Seconds(), f.CPU.Seconds())
}

func code(name string) string {
	if strings.HasPrefix(name, "kubectl ") {
		return "`" + name + "`"
	}
	return name
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

// spaced writes 10000 as 10 000.
func spaced(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// machine says what it was measured on, and nothing by which to find it.
func (b *bench) machine() string {
	return fmt.Sprintf("%s/%s, %d cores, %s of memory, built with %s, API server %s on the same machine",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), memory(), b.builtWith(), b.server)
}

func (b *bench) builtWith() string { return cmp.Or(goVersionOf(b.binary), runtime.Version()) }

func memory() string {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return "unknown"
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kilobytes int64
		if _, err := fmt.Sscanf(lines.Text(), "MemTotal: %d kB", &kilobytes); err == nil {
			return fmt.Sprintf("%.0f GiB", float64(kilobytes)/(1<<20))
		}
	}
	return "unknown"
}

// goVersionOf reads the Go version that a binary was built with; empty where it does not say.
func goVersionOf(binary string) string {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return ""
	}
	return info.GoVersion
}
