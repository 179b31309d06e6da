package cli

import (
	"context"
	"errors"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/change"
	"github.com/kubectl-probes/kubectl-probes/internal/render"
)

// apply makes the changes, or tells what they would be, and prints what came of them.
func (o *setOptions) apply(ctx context.Context, api change.API, plan *change.Plan) error {
	p := o.text()
	p.Start(plan)
	o.streams.screen.change()
	// A change that was begun is finished also where nobody reads any more: half of the Pods changed, and nothing said of
	// it, is what nobody asked for. Writing then fails without a signal.
	signal.Ignore(syscall.SIGPIPE)
	results, err := o.results(ctx, api, plan, p)
	p.Finish(results)
	if err == nil {
		err = change.Err(results, o.answers)
	}
	if o.printer != nil {
		return errors.Join(err, o.printer.PrintObj(machineReadable{change.NewResult(results)}, o.streams.dataOut()))
	}
	return err
}

// text is the printer for people; where the output is for machines, it has standard error alone.
func (o *setOptions) text() *change.Printer {
	p := &change.Printer{Out: o.streams.Out, Err: o.streams.ErrOut, FieldManager: o.fieldManager, Names: o.output == "name", Escape: render.Escape, Width: render.DisplayWidth}
	if o.dryRun != "none" {
		p.DryRun = o.dryRun
	}
	if o.printer != nil {
		p.Out = io.Discard
	}
	return p
}

func (o *setOptions) results(ctx context.Context, api change.API, plan *change.Plan, p *change.Printer) ([]change.ObjectResult, error) {
	if o.dryRun == "client" {
		results := change.Preview(plan)
		for _, r := range results {
			p.Result(r)
		}
		return results, nil
	}
	a := &change.Applier{
		API: api, Clock: runClock{o.streams.Now}, FieldManager: o.fieldManager, DryRun: o.dryRun == "server",
		AtOnce: o.atOnce, Done: p.Result, Watching: p.Watch,
	}
	if o.wait {
		a.Wait = o.timeout
	}
	return a.Apply(ctx, plan)
}

// runClock is the time of the run, and the way to wait in it.
type runClock struct{ now func() time.Time }

func (c runClock) Now() time.Time { return c.now() }

func (c runClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
