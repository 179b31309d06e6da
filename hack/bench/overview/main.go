// overview prints how much CPU time printing a large overview takes, of the fastest of a few printings. It measures
// inside the process, since making the rows takes longer than printing them.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

const (
	workloads   = 10_000
	podsEach    = 2 // of a workload's Pods: a row is no wider for more
	repetitions = 7
)

// result is read by package main of hack/bench.
type result struct {
	Rows       int
	Pipe, Wide time.Duration // CPU time: into a pipe, and -o wide on a terminal of 200 columns
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "overview:", err)
		os.Exit(1)
	}
}

func run() error {
	r, err := made()
	if err != nil {
		return err
	}
	var res result
	for _, w := range r.Workloads {
		res.Rows += len(w.Containers)
	}
	if res.Pipe, err = cheapest(r, render.Options{}); err != nil {
		return err
	}
	if res.Wide, err = cheapest(r, render.Options{Wide: true, Width: 200, Color: true}); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(res)
}

func made() (*report.Report, error) {
	now := time.Now()
	shape := fleet.Shape{Pods: workloads * fleet.PodsEach, Namespaces: 50, Prefix: "team", Now: now}
	r, err := report.Build(shape.Snapshot(podsEach), report.Options{Now: now})
	if err != nil {
		return nil, err
	}
	rules.Evaluate(r, rules.Options{})
	return r, nil
}

func cheapest(r *report.Report, o render.Options) (time.Duration, error) {
	best := time.Hour
	for range repetitions {
		runtime.GC() // what is left of the last one is not this one's
		before, err := spent()
		if err != nil {
			return 0, err
		}
		if err := render.Overview(io.Discard, r, o); err != nil {
			return 0, err
		}
		after, err := spent()
		if err != nil {
			return 0, err
		}
		best = min(best, after-before)
	}
	return best, nil
}

// spent is the CPU time of the process so far, the garbage collector's included.
func spent() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
