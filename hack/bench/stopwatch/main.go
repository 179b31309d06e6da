// stopwatch runs a command and prints what it cost as JSON. It is a process of its own because Linux counts
// the memory of whoever starts a process as that process's peak (exec keeps the high-water mark of what it
// replaces): this one is small.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// usage is what a process cost; package main of hack/bench reads it.
type usage struct {
	Wall, CPU time.Duration // CPU is user and system time
	RSS       int64         // the peak, in bytes
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: stopwatch FILE-FOR-STDOUT COMMAND [ARG...]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "stopwatch:", err)
		os.Exit(1)
	}
}

func run(stdout, command string, args []string) error {
	out, err := os.Create(stdout)
	if err != nil {
		return err
	}
	cmd := exec.Command(command, args...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	start := time.Now()
	err = cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	if err := out.Close(); err != nil {
		return err
	}
	spent := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return json.NewEncoder(os.Stdout).Encode(usage{
		Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), RSS: spent.Maxrss * maxrssUnit,
	})
}
