package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	tableOfFile = "kubectl probes -f list.json"
	jsonOfFile  = "kubectl probes -f list.json -o json"
	pythonLoads = "Python's json.loads of it"
)

type filesResult struct {
	fileBytes int64
	figures   map[string]*figures // without Python where there is none
}

// fromFiles measures reading what kubectl printed of the cluster.
func (b *bench) fromFiles(ctx context.Context, s *server) error {
	file := filepath.Join(b.dir, "list.json")
	progress("writing the List with kubectl")
	dump := subject{name: "the List", argv: []string{b.kubectl(), "get", "pods", "-A", "-o", "json"}, stdout: file}
	if _, err := b.runner.run(ctx, dump, s.kubeconfig); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	subjects := []subject{
		{name: tableOfFile, argv: []string{b.binary, "-f", file}},
		{name: jsonOfFile, argv: []string{b.binary, "-f", file, "-o", "json"}},
	}
	if python, err := exec.LookPath("python3"); err == nil {
		loads := "import json, sys\nwith open(sys.argv[1], 'rb') as f:\n    json.loads(f.read())\n"
		subjects = append(subjects, subject{name: pythonLoads, argv: []string{python, "-c", loads, file}})
	} else {
		progress("no python3: its json.loads is not measured")
	}
	measured, err := b.runner.inTurns(ctx, b.rounds, b.share, subjects, s.kubeconfig)
	if err != nil {
		return err
	}
	b.results.files = &filesResult{info.Size(), measured}
	b.text.add("files", b.filesText(b.results.files))
	return nil
}

type overviewResult struct {
	Rows       int
	Pipe, Wide time.Duration // CPU time
}

// overview measures printing alone.
func (b *bench) overview(ctx context.Context) error {
	command, err := build(ctx, b.dir, "overview", "-gcflags", b.gcflags)
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, command).Output()
	if err != nil {
		return fmt.Errorf("overview: %w", err)
	}
	b.results.overview = &overviewResult{}
	return json.Unmarshal(out, b.results.overview)
}
