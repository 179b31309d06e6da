// Command bench measures the built binary as whole processes against a real API server, beside what reading the
// same costs at least and what kubectl takes. Nothing here is a test: figures are the best of several runs, taken in
// turns, and what counts are ratios within one run. See docs/performance.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	binary, assets string
	gcflags        string
	pods           []int
	rounds         int
	share          time.Duration
	jsonUpTo       int
	write, profile string
	hold           string
	requests       bool
	parts          []string
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	pods := flags.String("pods", "100 1000 10000", "how many Pods, several sizes with blanks between")
	flags.IntVar(&o.rounds, "rounds", 7, "how often each command runs, in turns")
	flags.DurationVar(&o.share, "share", 45*time.Second, "after that much time a command sits out the other rounds")
	flags.IntVar(&o.jsonUpTo, "json-up-to", 10_000, "the most Pods at which kubectl get -o json runs: it takes 250 MB a thousand")
	flags.StringVar(&o.gcflags, "gcflags", "", "compiler flags of the binary, for what is built of the same code here")
	flags.StringVar(&o.write, "write", "", "the file whose tables are replaced by what was measured")
	flags.BoolVar(&o.requests, "requests", false, "tell each request that the proxy saw")
	flags.StringVar(&o.profile, "profile", "", "write profiles of one run at each size into this folder, and measure nothing")
	flags.StringVar(&o.hold, "hold", "", "serve this dataset (spread or crowded, with the first of --pods) until Ctrl-C, and measure nothing")
	parts := flags.String("parts", "clusters files named weight overview", "what to measure")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "Usage: go run . [flags] BINARY ASSETS")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() != 2 {
		flags.Usage()
		return o, errors.New("want the binary, and the folder with etcd, kube-apiserver and kubectl")
	}
	o.parts = strings.Fields(*parts)
	o.binary, o.assets = flags.Arg(0), flags.Arg(1)
	for _, word := range strings.Fields(*pods) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return o, fmt.Errorf("--pods: %q is no number of Pods", word)
		}
		o.pods = append(o.pods, n)
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "kubectl-probes-bench-")
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	b := &bench{options: o, dir: dir, cache: filepath.Join(cache, "kubectl-probes", "bench"), text: text{sections: map[string]string{}}}
	return errors.Join(b.run(ctx), os.RemoveAll(dir))
}

// bench is one run.
type bench struct {
	options
	dir, cache string
	runner     runner
	floor      string // the binary
	server     string // its version
	results    results
	text       text
}

func (b *bench) run(ctx context.Context) (err error) {
	if b.runner, err = newRunner(ctx, b.dir); err != nil {
		return err
	}
	switch {
	case b.hold != "":
		return b.serve(ctx)
	case b.profile != "":
		return b.profiles(ctx)
	}
	if b.floor, err = build(ctx, b.dir, "floor"); err != nil {
		return err
	}
	for _, pods := range b.pods {
		if err := b.size(ctx, pods); err != nil {
			return fmt.Errorf("with %d Pods: %w", pods, err)
		}
	}
	if slices.Contains(b.pods, targetPods) {
		if err := b.targetsOnly(ctx); err != nil {
			return err
		}
	}
	if b.write != "" {
		return b.text.into(b.write)
	}
	return nil
}

// targetsOnly measures what is measured at one size alone.
func (b *bench) targetsOnly(ctx context.Context) error {
	if b.wants("named") {
		if err := b.crowd(ctx, targetPods); err != nil {
			return fmt.Errorf("one named workload: %w", err)
		}
	}
	if b.wants("weight") {
		if err := b.weigh(ctx); err != nil {
			return fmt.Errorf("larger Pods: %w", err)
		}
	}
	if b.wants("overview") {
		if err := b.overview(ctx); err != nil {
			return err
		}
	}
	b.text.add("targets", b.targetsText())
	return nil
}

func (b *bench) wants(part string) bool { return slices.Contains(b.parts, part) }

// on starts a server with a dataset, does something with it, and stops it.
func (b *bench) on(ctx context.Context, d dataset, do func(*server) error) error {
	s, err := d.serve(ctx, b.assets, b.cache, b.dir)
	if err != nil {
		return err
	}
	b.server = s.version
	return errors.Join(do(s), s.stop())
}

// serve lets a person look at a server.
func (b *bench) serve(ctx context.Context) error {
	datasets := map[string]func(int) dataset{"spread": spread, "crowded": crowded}
	of := datasets[b.hold]
	if of == nil {
		return fmt.Errorf("--hold: no dataset %q", b.hold)
	}
	return b.on(ctx, of(b.pods[0]), func(s *server) error {
		progress("KUBECONFIG=%s", s.kubeconfig)
		<-ctx.Done()
		return nil
	})
}

// progress goes to stderr: stdout is for the tables.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}
