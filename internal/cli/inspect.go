package cli

import (
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

// inspectFlags are exactly what the command line of the root command says.
type inspectFlags struct {
	connection *genericclioptions.ConfigFlags

	allNamespaces bool
	selector      string
	containers    []string
	filenames     []string
	recursive     bool
	kustomize     string
	output        string
	sortBy        string
	color         string
	noHeaders     bool
	chunkSize     int64
}

func (f *inspectFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "Read all namespaces; -n is ignored.")
	flags.StringVarP(&f.selector, "selector", "l", "", "Selector (label query) on Pod labels; for workloads without Pods, on their template's labels. Supports '=', '==', '!=', 'in', 'notin'.")
	flags.StringSliceVarP(&f.containers, "container", "c", nil, "Only these containers: names or anchored globs ('web*' does not match 'myweb').")
	flags.StringSliceVarP(&f.filenames, "filename", "f", nil, "Read manifests, 'kubectl get -o yaml|json' output, Lists, or a 'kubectl cluster-info dump' folder instead of a cluster: files, folders, URLs, '-' for stdin.")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "Process the folders used in -f, --filename recursively.")
	flags.StringVarP(&f.kustomize, "kustomize", "k", "", "Read a kustomization folder instead of a cluster.")
	flags.StringVarP(&f.output, "output", "o", "", "Output format: wide, json, yaml, kyaml, name, jsonpath=..., jsonpath-as-json=..., jsonpath-file=...")
	flags.StringVar(&f.sortBy, "sort-by", "name", "Order of the rows: name or detection (longest detection budget first).")
	flags.StringVar(&f.color, "color", "auto", "When to color: auto, always or never. NO_COLOR is respected by auto.")
	flags.BoolVar(&f.noHeaders, "no-headers", false, "Don't print headers (default print headers).")
	flags.Int64Var(&f.chunkSize, "chunk-size", 500, "Return large lists in chunks rather than all at once. Pass 0 to disable.")
}

// inspectOptions are what a run needs, with everything decided.
type inspectOptions struct {
	streams    Streams
	connection *genericclioptions.ConfigFlags
	query      snapshot.Query
	files      *files.Options // nil: a cluster
	chunkSize  int64
	scope      report.Scope
	printer    printers.ResourcePrinter // nil: the table
	names      bool
	table      render.Options
}

func (f *inspectFlags) options(cmd *cobra.Command, args []string, streams Streams) (*inspectOptions, error) {
	o := &inspectOptions{streams: streams, connection: f.connection, chunkSize: f.chunkSize}
	if f.chunkSize < 0 {
		return nil, usageError(cmd, "--chunk-size must be 0 or greater")
	}
	if err := f.presentation(cmd, o); err != nil {
		return nil, err
	}
	targets, err := parseTargets(args)
	if err != nil {
		return nil, usageError(cmd, "%s", err)
	}
	selector, err := labels.Parse(f.selector)
	if err != nil {
		return nil, fmt.Errorf("--selector: %w", err)
	}
	for _, glob := range f.containers {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return nil, usageError(cmd, "-c %q is not a container name or glob", glob)
		}
	}
	o.query = snapshot.Query{AllNamespaces: f.allNamespaces, Selector: selector, Targets: targets}
	o.scope = report.Scope{Selector: f.selector, Arguments: args, Containers: f.containers, Files: f.filenames}
	if f.kustomize != "" || len(f.filenames) > 0 {
		return o, f.fromFiles(cmd, o)
	}
	if f.recursive {
		return nil, usageError(cmd, "-R needs -f")
	}
	return o, f.fromCluster(o)
}

// presentation decides how to print before anything is read.
func (f *inspectFlags) presentation(cmd *cobra.Command, o *inspectOptions) error {
	if !slices.Contains([]string{"name", "detection"}, f.sortBy) {
		return usageError(cmd, "--sort-by must be name or detection, not %q", f.sortBy)
	}
	color, err := useColor(f.color, o.streams)
	if err != nil {
		return usageError(cmd, "%s", err)
	}
	o.table = render.Options{NoHeaders: f.noHeaders, Color: color, Width: o.streams.Width, SortBy: f.sortBy}
	switch f.output {
	case "":
	case "wide":
		o.table.Wide = true
	case "name":
		o.names = true
	default:
		o.printer, err = machinePrinter(f.output)
		return err
	}
	return nil
}

func (f *inspectFlags) fromFiles(cmd *cobra.Command, o *inspectOptions) error {
	if f.kustomize != "" && len(f.filenames) > 0 {
		return usageError(cmd, "only one of -f and -k can be given")
	}
	namespace := *f.connection.Namespace
	if !f.allNamespaces {
		o.query.Namespace = namespace
	}
	if f.kustomize != "" {
		o.scope.Files = []string{f.kustomize}
	}
	if o.query.Namespace != "" {
		o.scope.Namespaces = []string{o.query.Namespace}
	} else {
		o.scope.AllNamespaces = true
	}
	o.files = &files.Options{
		Filenames: f.filenames, Recursive: f.recursive, Kustomize: f.kustomize,
		Stdin: o.streams.In, DefaultNamespace: namespace,
	}
	return nil
}

func (f *inspectFlags) fromCluster(o *inspectOptions) error {
	loader := f.connection.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return err
	}
	o.scope.Context = raw.CurrentContext
	if *f.connection.Context != "" {
		o.scope.Context = *f.connection.Context
	}
	if f.allNamespaces {
		o.scope.AllNamespaces = true
		return nil
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return err
	}
	o.query.Namespace = namespace
	o.scope.Namespaces = []string{namespace}
	return nil
}

// run is the whole way: read, build, print.
func (o *inspectOptions) run(ctx context.Context) error {
	now := o.streams.Now()
	s, err := o.read(ctx, now)
	if err != nil {
		return err
	}
	r, err := report.Build(s, report.Options{Now: now, Scope: o.scope, Containers: o.scope.Containers})
	if err != nil {
		return err
	}
	return o.print(r)
}

func (o *inspectOptions) read(ctx context.Context, now time.Time) (*snapshot.Snapshot, error) {
	if o.files != nil {
		read, info, err := files.Read(ctx, *o.files)
		if err != nil {
			return nil, err
		}
		for _, note := range info.Notes {
			fmt.Fprintln(o.streams.ErrOut, render.Escape(note))
		}
		return read.Select(o.query, nil)
	}
	options := live.Options{
		ChunkSize: o.chunkSize, Events: true, AsOf: now, Version: version(),
		ErrOut: o.streams.ErrOut, Color: o.table.Color,
	}
	clients, err := live.NewClients(o.connection, options)
	if err != nil {
		return nil, err
	}
	return live.Read(ctx, clients, o.query, options)
}

func (o *inspectOptions) print(r *report.Report) error {
	if o.printer != nil {
		return o.printer.PrintObj(r, o.streams.Out)
	}
	if len(r.Workloads) == 0 {
		render.Notes(o.streams.ErrOut, r, o.table)
		fmt.Fprintln(o.streams.ErrOut, o.nothingFound())
		return nil
	}
	if o.names {
		return printNames(o.streams.Out, r)
	}
	if err := render.Overview(o.streams.Out, r, o.table); err != nil {
		return err
	}
	render.Notes(o.streams.ErrOut, r, o.table)
	return nil
}

// nothingFound is kubectl's line for an empty result.
func (o *inspectOptions) nothingFound() string {
	if len(o.scope.Namespaces) == 1 {
		return fmt.Sprintf("No resources found in %s namespace.", o.scope.Namespaces[0])
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
		if _, err := fmt.Fprintf(w, "%s/%s\n", kind, render.Escape(wl.Name)); err != nil {
			return err
		}
	}
	return nil
}
