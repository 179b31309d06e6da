package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

// run is the whole way: read, build, print.
func (o *inspectOptions) run(ctx context.Context) error {
	now, reading := o.streams.Now(), newProgress()
	end := reading.show(o.streams, o.scope.Files)
	defer end()
	s, incomplete := o.read(ctx, now, reading)
	if s == nil {
		return incomplete
	}
	r, err := report.Build(s, report.Options{Now: now, Scope: o.scope, Containers: o.scope.Containers, Summary: o.summary != summaryHide})
	if err != nil {
		return err
	}
	if o.rules != nil {
		rules.Evaluate(r, *o.rules)
		for _, note := range rules.Misspelled(r) {
			fmt.Fprintln(o.streams.ErrOut, render.Escape(note))
		}
	}
	verdict := o.judge(r)
	nothing := o.nothingFound()
	if !o.only.Empty() {
		nothing = o.keep(r, verdict)
		if errors.Is(verdict, errMatched) && !o.failOn.Any(r) {
			fmt.Fprintln(o.streams.ErrOut, "--fail-on matched in rows that --only hides")
		}
	}
	if incomplete != nil {
		nothing = "" // none was found, but not all was read
	}
	if o.summary == summaryOnly {
		r.Workloads = []report.Workload{}
	}
	end()
	if err := o.print(r, nothing); err != nil {
		return err
	}
	if incomplete != nil && errors.Is(verdict, errMatched) {
		printError(o.streams.ErrOut, incomplete) // a match wins
		return verdict
	}
	return errors.Join(incomplete, verdict)
}

// judge is what --fail-on and --only have to say about the exit status: a match wins over what a gap keeps from
// being decided.
func (o *inspectOptions) judge(r *report.Report) error {
	if o.failOn.Any(r) {
		return exitError{errMatched, ExitFindings}
	}
	undecided := append(rules.Undecided(r, o.failOn), rules.Undecided(r, o.only)...)
	if len(undecided) == 0 {
		return nil
	}
	slices.Sort(undecided)
	return errors.New(strings.Join(slices.Compact(undecided), "\n"))
}

// errMatched ends a run whose output has said everything.
var errMatched = errors.New("--fail-on matched")

// read returns what could be read, and an error with it when that is not all of the files.
func (o *inspectOptions) read(ctx context.Context, now time.Time, reading *progress) (*snapshot.Snapshot, error) {
	if o.files != nil {
		o.files.Progress = reading.file
		read, info, incomplete := files.Read(ctx, *o.files)
		if read == nil {
			return nil, incomplete
		}
		for _, note := range info.Notes {
			fmt.Fprintln(o.streams.ErrOut, render.Escape(note))
		}
		selected, err := read.Select(o.query, nil)
		if err != nil {
			return nil, errors.Join(incomplete, err)
		}
		return selected, incomplete
	}
	options := live.Options{
		ChunkSize: o.chunkSize, Events: true, ServerVersion: true, AsOf: now, Version: version(),
		ErrOut: o.streams.ErrOut, Escape: render.Escape, Color: o.table.Color && o.streams.errIsTerminal(), Progress: reading.list,
	}
	clients, err := live.NewClients(o.connection, options)
	if err != nil {
		return nil, err
	}
	reading.await(o.connection)
	return live.Read(ctx, clients, o.query, options)
}

// keep drops the rows that --only does not ask for, and returns the line for when none is left. Where a gap keeps
// that from being decided, the verdict says so, and nothing may be said to be none.
func (o *inspectOptions) keep(r *report.Report, verdict error) string {
	all := len(r.Workloads)
	total := o.only.Keep(r)
	switch {
	case all == 0:
		return o.nothingFound()
	case verdict != nil:
		return ""
	default:
		return o.only.NothingLeft(r, total)
	}
}

// print prints the report, and nothing, a line, where it has no row. What is for people is written at once, so that an
// interrupt leaves no half of a table.
func (o *inspectOptions) print(r *report.Report, nothing string) error {
	if o.printer != nil {
		return o.printer.PrintObj(machineReadable{r}, o.streams.dataOut())
	}
	if len(r.Workloads) == 0 && o.summary != summaryOnly {
		render.Notes(o.streams.ErrOut, r, o.table)
		if nothing != "" {
			fmt.Fprintln(o.streams.ErrOut, nothing)
		}
		return nil
	}
	var text bytes.Buffer
	if err := o.show(&text, r); err != nil {
		return err
	}
	if _, err := text.WriteTo(o.streams.Out); err != nil {
		return err
	}
	if o.summary != summaryOnly && !o.names && !o.isDetail(r) { // these say everything themselves
		table := o.table
		table.Summary = o.summary == summaryShow
		render.Notes(o.streams.ErrOut, r, table)
	}
	return nil
}

// show is what people read.
func (o *inspectOptions) show(w io.Writer, r *report.Report) error {
	view := render.Overview
	switch {
	case o.summary == summaryOnly:
		return render.Summary(w, r, o.table)
	case o.names:
		return printNames(w, r)
	case o.isDetail(r):
		view = render.Detail
	}
	if err := view(w, r, o.table); err != nil || o.summary != summaryShow {
		return err
	}
	fmt.Fprintln(w)
	return render.Summary(w, r, o.table)
}

// isDetail says whether exactly one thing was named, not just a type, and one workload came of it.
func (o *inspectOptions) isDetail(r *report.Report) bool {
	if len(o.query.Targets) != 1 || len(r.Workloads) != 1 {
		return false
	}
	target := o.query.Targets[0]
	return target.Name != "" || names(target.Word, &r.Workloads[0])
}

// names says of a word, which may be a type, that it is the name of a workload or of one of its Pods.
func names(word string, w *report.Workload) bool {
	if word == w.Name {
		return true
	}
	return slices.ContainsFunc(w.Containers, func(c report.Container) bool {
		return slices.ContainsFunc(c.Pods, func(p report.Pod) bool { return p.Name == word })
	})
}

// nothingFound is kubectl's line for an empty result.
func (o *inspectOptions) nothingFound() string {
	if len(o.scope.Namespaces) == 1 {
		return fmt.Sprintf("No resources found in %s namespace.", render.Escape(o.scope.Namespaces[0]))
	}
	return "No resources found"
}

// printNames prints workloads in kubectl's form: deployment.apps/web.
func printNames(w io.Writer, r *report.Report) error {
	for _, wl := range r.Workloads {
		kind := strings.ToLower(wl.Kind)
		if wl.Group != "" {
			kind += "." + wl.Group
		}
		if _, err := fmt.Fprintln(w, render.Escape(kind+"/"+wl.Name)); err != nil {
			return err
		}
	}
	return nil
}
