// size prints what the built binary costs: its size, and the start-up time of --help beside a bare program
// with the same libraries, run in turns so that both see the same machine. Only the size can fail: it is
// the same everywhere.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	maxMegabytes = 34
	runs         = 40
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: size BINARY")
		os.Exit(1)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func run(binary string) error {
	info, err := os.Stat(binary)
	if err != nil {
		return err
	}
	bare, clean, err := buildBare()
	if err != nil {
		return err
	}
	defer clean()
	ours, theirs, err := fastest(binary, bare)
	if err != nil {
		return err
	}
	megabytes := float64(info.Size()) / 1e6
	fmt.Printf("size      %.1f MB, at most %d\n", megabytes, maxMegabytes)
	fmt.Printf("--help    %.1f ms, bare cobra and cli-runtime %.1f ms, ratio %.2f (fastest of %d, in turns)\n",
		ms(ours), ms(theirs), float64(ours)/float64(theirs), runs)
	if megabytes > maxMegabytes {
		return fmt.Errorf("%s has %.1f MB, more than %d", binary, megabytes, maxMegabytes)
	}
	return nil
}

func buildBare() (path string, clean func(), err error) {
	dir, err := os.MkdirTemp("", "kubectl-probes-size-")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "bare")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./bare")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		clean()
		return "", nil, fmt.Errorf("build the bare program: %w\n%s", err, out)
	}
	return path, clean, nil
}

func fastest(a, b string) (ours, theirs time.Duration, err error) {
	ours, theirs = time.Hour, time.Hour
	for range runs {
		for program, best := range map[string]*time.Duration{a: &ours, b: &theirs} {
			start := time.Now()
			if err := exec.Command(program, "--help").Run(); err != nil {
				return 0, 0, fmt.Errorf("%s --help: %w", program, err)
			}
			*best = min(*best, time.Since(start))
		}
	}
	return ours, theirs, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
