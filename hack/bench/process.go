package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// usage is what a process cost, as stopwatch prints it.
type usage struct {
	Wall, CPU time.Duration // CPU is user and system time
	RSS       int64         // the peak, in bytes
}

// subject is a command line that is measured.
type subject struct {
	name string
	argv []string
	// stdout is the file that takes what it prints; empty: nothing is kept.
	stdout string
}

// figures are what was measured of a subject: the fastest wall clock, the least CPU, the highest memory.
type figures struct {
	usage
	runs     int
	requests int
	bytes    int64 // received
	spent    time.Duration
}

// runner starts measured processes in an environment of their own.
type runner struct {
	stopwatch string
	env       []string
}

func (r runner) run(ctx context.Context, s subject, kubeconfig string) (usage, error) {
	stdout := s.stdout
	if stdout == "" {
		stdout = os.DevNull
	}
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, r.stopwatch, append([]string{stdout}, s.argv...)...)
	cmd.Env = slices.Concat(r.env, []string{"KUBECONFIG=" + kubeconfig})
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s: %w\n%s", s.name, err, complaints.String())
	}
	var u usage
	return u, json.Unmarshal(out.Bytes(), &u)
}

// inTurns runs subjects one after the other, and that again: each sees the same machine. The long ones sit out
// later rounds once they have had their share of time.
func (r runner) inTurns(ctx context.Context, rounds int, share time.Duration, subjects []subject, kubeconfig string) (map[string]*figures, error) {
	all := map[string]*figures{}
	for range rounds {
		for _, s := range subjects {
			f := all[s.name]
			if f == nil {
				f = &figures{usage: usage{Wall: time.Hour, CPU: time.Hour}}
				all[s.name] = f
			}
			if f.spent > share {
				continue
			}
			u, err := r.run(ctx, s, kubeconfig)
			if err != nil {
				return nil, err
			}
			f.Wall, f.CPU, f.RSS = min(f.Wall, u.Wall), min(f.CPU, u.CPU), max(f.RSS, u.RSS)
			f.runs++
			f.spent += u.Wall
		}
	}
	return all, nil
}

// newRunner builds what measures into dir. Measured programs get a home of their own, where kubectl's discovery
// cache stays from run to run as it does for a user.
func newRunner(ctx context.Context, dir string) (runner, error) {
	stopwatch, err := build(ctx, dir, "stopwatch")
	if err != nil {
		return runner{}, err
	}
	var env []string
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); name != "HOME" && !strings.HasPrefix(name, "KUBE") {
			env = append(env, kv)
		}
	}
	return runner{stopwatch, append(env, "HOME="+dir)}, nil
}

// build builds one of the commands beside this one, like a release.
func build(ctx context.Context, dir, command string, flags ...string) (string, error) {
	path := filepath.Join(dir, command)
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build", "-trimpath", "-o", path}, flags...), "./"+command)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", command, err, out)
	}
	return path, nil
}
