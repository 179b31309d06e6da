// profiled is kubectl-probes with profiles of the run written to the folder that PROFILE_DIR names: cpu.pprof,
// heap.pprof (what was alive after the last collection) and allocs.pprof. The shipped binary has no such thing.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
)

func main() {
	status, err := run(os.Getenv("PROFILE_DIR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "profiled:", err)
		os.Exit(1)
	}
	os.Exit(status)
}

func run(dir string) (status int, err error) {
	if dir == "" {
		return 0, errors.New("PROFILE_DIR is not set")
	}
	runtime.MemProfileRate = 64 << 10
	cpu, err := os.Create(filepath.Join(dir, "cpu.pprof"))
	if err != nil {
		return 0, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return 0, err
	}
	status = cli.Main(context.Background(), os.Args[1:], cli.SystemStreams())
	pprof.StopCPUProfile()
	return status, errors.Join(cpu.Close(), write(dir, "heap"), write(dir, "allocs"))
}

func write(dir, profile string) error {
	f, err := os.Create(filepath.Join(dir, profile+".pprof"))
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup(profile).WriteTo(f, 0), f.Close())
}
