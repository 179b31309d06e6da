package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-probes/kubectl-probes/internal/change"
	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
)

// checkLocal tells which flags mean nothing where nothing is sent.
func (f *setFlags) checkLocal(given func(flag string) bool) error {
	switch {
	case !f.local:
		return nil
	case len(f.filenames) == 0:
		return errors.New("--local changes manifests: give them with -f")
	case f.dryRun == "server":
		return errors.New("cannot specify --local and --dry-run=server - did you mean --dry-run=client?")
	case f.pods:
		return errors.New("cannot specify --local and --pods: a manifest has no running Pods; --local changes templates, with or without --pod-template")
	}
	for _, flag := range []string{"at-once", "wait", "timeout", "field-manager"} {
		if given(flag) {
			return fmt.Errorf("cannot specify --local and --%s: nothing is sent to a server", flag)
		}
	}
	return nil
}

// checkLocalTarget refuses what has no containers in a manifest.
func (f *setFlags) checkLocalTarget(t snapshot.Target) error {
	switch {
	case isService(t):
		return fmt.Errorf("%s: a Service has no template: name the workloads behind it, or choose them with -l", t)
	case isNode(t):
		return aNode(t)
	case isPod(t) && f.template:
		return noTemplate(t)
	default:
		return nil
	}
}

// runLocal prints the manifests with the change, and asks no cluster.
func (o *setOptions) runLocal(ctx context.Context) error {
	if !slices.Contains([]string{"", "yaml", "json", "name"}, o.output) {
		return fmt.Errorf("--local prints manifests: -o is yaml, json or name, not %s", o.output)
	}
	in, err := o.manifests(ctx)
	if err != nil {
		return err
	}
	w := &wanting{setOptions: o, found: map[snapshot.Target]bool{}}
	options := change.LocalOptions{Wanted: w.wanted}
	if o.output != "name" {
		options.Format = o.output
	}
	out, plan, err := change.Local(o.request, in, options)
	if err := w.missing(in, err); err != nil {
		return err
	}
	p := &change.Printer{Out: io.Discard, Err: o.streams.ErrOut, Names: true, Escape: render.Escape, Width: render.DisplayWidth}
	if o.output == "name" {
		p.Out = o.streams.Out
	}
	p.Start(plan)
	results := change.Preview(plan)
	for _, r := range results {
		p.Result(r)
	}
	p.Finish(results)
	if o.output == "name" {
		return nil
	}
	_, err = o.streams.dataOut().Write(out)
	return err
}

// wanting chooses among the objects of manifests, and remembers which targets were among them.
type wanting struct {
	*setOptions
	found map[snapshot.Target]bool
}

// wanted holds an object against names, namespace and selector, as a reading of the files would.
func (w *wanting) wanted(ref change.Ref, podLabels map[string]string) bool {
	if namespace := *w.connection.Namespace; namespace != "" && ref.Namespace != "" && ref.Namespace != namespace {
		return false
	}
	if !w.query.Selector.Matches(labels.Set(podLabels)) {
		return false
	}
	if len(w.query.Targets) == 0 {
		return !w.template || ref.Kind != "Pod"
	}
	wanted := false
	for _, t := range w.query.Targets {
		if isOfType(t, ref.Group, ref.Kind) && (t.Name == "" || t.Name == ref.Name) {
			w.found[t], wanted = true, true
		}
	}
	return wanted
}

// missing says what was named and is not there, or that nothing is; anything else that is wrong comes after that.
func (w *wanting) missing(in []change.Manifest, err error) error {
	where := "in " + sources(in)
	if namespace := *w.connection.Namespace; namespace != "" {
		where = "in namespace " + namespace + " " + where
	}
	var errs []error
	for _, t := range w.query.Targets {
		if !w.found[t] && t.Name != "" {
			errs = append(errs, fmt.Errorf("%s %q not found %s", resourceOf(t), t.Name, where))
		}
	}
	none := errors.Is(err, change.ErrNoneWanted)
	switch {
	case len(errs) > 0 && (err == nil || none || len(w.found) > 0): // the manifests could be read
		return errors.Join(errs...)
	case !none:
		return err
	}
	var types []string
	for _, t := range w.query.Targets {
		types = append(types, resourceOf(t))
	}
	what := strings.Join(types, " and ")
	switch {
	case what == "" && w.template:
		what = "workloads"
	case what == "":
		what = "Pods and no workloads"
	}
	if w.selector != "" {
		where = "with labels " + w.selector + " " + where
	}
	return fmt.Errorf("there are no %s %s", what, where)
}

func resourceOf(t snapshot.Target) string {
	if kind, ok := snapshot.BuiltinKind(t.Type); ok {
		return snapshot.ResourceName(kind)
	}
	return t.Type
}

// sources names where manifests came from.
func sources(in []change.Manifest) string {
	switch len(in) {
	case 0:
		return "what -f names"
	case 1:
		return in[0].Name
	default:
		return fmt.Sprintf("%s and %d more files", in[0].Name, len(in)-1)
	}
}

func (o *setOptions) manifests(ctx context.Context) ([]change.Manifest, error) {
	client, err := downloader(o.connection)
	if err != nil {
		return nil, err
	}
	reading := files.Options{Filenames: o.filenames, Recursive: o.recursive, Stdin: o.streams.In, HTTPClient: client}
	texts, notes, err := files.ReadTexts(ctx, reading)
	for _, note := range notes {
		fmt.Fprintln(o.streams.ErrOut, render.Escape(piped(note)))
	}
	var in []change.Manifest
	for _, text := range texts {
		in = append(in, change.Manifest(text))
	}
	return in, err
}

// piped says of a kustomization, which a reading of files builds with a flag that set does not have, how it is built
// here.
func piped(note string) string {
	file, rest, leftOut := strings.Cut(note, " is left out: -k ")
	folder, builds := strings.CutSuffix(rest, " builds it")
	if !leftOut || !builds {
		return note
	}
	return fmt.Sprintf("%s is left out: to build it, kubectl kustomize %s | kubectl probes set -f - --local ...", file, probe.QuoteWords(folder))
}
