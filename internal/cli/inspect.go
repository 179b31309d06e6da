package cli

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
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
	summary       string
	only          []string
	failOn        []string
	noFindings    bool
	noSuppress    bool
	color         string
	noHeaders     bool
	chunkSize     int64
}

func (f *inspectFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "Read all namespaces; -n is ignored.")
	flags.StringVarP(&f.selector, "selector", "l", "", "Selector (label query) on Pod labels; for workloads without Pods, on their template's labels. Supports '=', '==', '!=', 'in', 'notin'.")
	flags.StringSliceVarP(&f.containers, "container", "c", nil, "Only these containers: names or anchored globs ('web*' does not match 'myweb').")
	flags.StringSliceVarP(&f.filenames, "filename", "f", nil, "Read manifests, 'kubectl get -o yaml|json' output, Lists, or a 'kubectl cluster-info dump' folder instead of a cluster: files, folders, URLs, '-' for stdin. A folder of which a subfolder holds pods.json or pods.yaml counts as a dump, and is read with all its subfolders.")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "Process the folders used in -f, --filename recursively.")
	flags.StringVarP(&f.kustomize, "kustomize", "k", "", "Read a kustomization folder instead of a cluster.")
	flags.StringVarP(&f.output, "output", "o", "", "Output format: wide, json, yaml, kyaml, name, jsonpath=..., jsonpath-as-json=..., jsonpath-file=...")
	flags.StringVar(&f.sortBy, "sort-by", render.SortByName, "Order of the rows: name, severity (what needs a person first) or detection (longest detection budget first).")
	flags.StringVar(&f.summary, "summary", "", "All workloads in figures: only, show or hide. Alone it means show; by default tables hide it. It counts what --only hides too.")
	flags.Lookup("summary").NoOptDefVal = summaryShow
	flags.StringArrayVar(&f.only, "only", nil, "Keep only these rows, comma = or: a severity and above ("+strings.Join(words(report.Severities()), ", ")+"), a rule id, or "+strings.Join(words(report.Facts()), ", ")+". The others are hidden: --fail-on and the summary count them all the same.")
	flags.StringArrayVar(&f.failOn, "fail-on", nil, "Exit with 2 when there is a finding of these, comma = or: a severity and above, or a rule id. Rows that --only hides are judged too.")
	flags.BoolVar(&f.noFindings, "no-findings", false, "Leave the rules out, and the FINDINGS column with them.")
	flags.BoolVar(&f.noSuppress, "no-suppress", false, "Pass over the annotations that suppress findings.")
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
	summary    string
	only       rules.Selection
	failOn     rules.Selection
	rules      *rules.Options // nil: the rules are left out
}

// What --summary takes.
const (
	summaryOnly = "only"
	summaryShow = "show"
	summaryHide = "hide"
)

func words[T ~string](all []T) []string {
	var out []string
	for _, w := range all {
		out = append(out, string(w))
	}
	return out
}

func (f *inspectFlags) options(cmd *cobra.Command, args []string, streams Streams) (*inspectOptions, error) {
	o := &inspectOptions{streams: streams, connection: f.connection, chunkSize: f.chunkSize}
	if f.chunkSize < 0 {
		return nil, usageError(cmd, "--chunk-size must be 0 or greater")
	}
	if err := f.presentation(cmd, args, o); err != nil {
		return nil, err
	}
	if err := f.selections(cmd, o); err != nil {
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
	if err := notEmpty(cmd, "filename", "kustomize", "container"); err != nil {
		return nil, err
	}
	o.query = snapshot.Query{AllNamespaces: f.allNamespaces, Selector: selector, Targets: targets}
	o.scope = report.Scope{Selector: f.selector, Arguments: args, Containers: f.containers, Only: strings.FieldsFunc(strings.Join(f.only, ","), func(r rune) bool { return r == ',' || r == ' ' }), Files: f.filenames}
	if f.kustomize != "" || len(f.filenames) > 0 {
		return o, f.fromFiles(cmd, o)
	}
	if f.recursive {
		return nil, usageError(cmd, "-R needs -f")
	}
	return o, f.fromCluster(o)
}

// notEmpty refuses the flags that are given and say nothing, as an unset variable of a script does: -f "" is not to
// read the cluster instead.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		flag := cmd.Flags().Lookup(name)
		if flag.Changed && (flag.Value.String() == "" || flag.Value.String() == "[]") {
			return usageError(cmd, "--%s must not be empty", name)
		}
	}
	return nil
}

// presentation decides how to print before anything is read.
func (f *inspectFlags) presentation(cmd *cobra.Command, args []string, o *inspectOptions) error {
	if !slices.Contains([]string{render.SortByName, render.SortBySeverity, render.SortByDetection}, f.sortBy) {
		return usageError(cmd, "--sort-by must be name, severity or detection, not %q", f.sortBy)
	}
	if err := f.chooseSummary(cmd, args, o); err != nil {
		return err
	}
	color, err := useColor(f.color, o.streams)
	if err != nil {
		return usageError(cmd, "%s", err)
	}
	o.table = render.Options{NoHeaders: f.noHeaders, NoFindings: f.noFindings, Color: color, Width: o.streams.Width, SortBy: f.sortBy}
	switch f.output {
	case "":
	case "wide":
		o.table.Wide = true
	case "name":
		o.names = true
	default:
		o.printer, err = machinePrinter(f.output, "wide", "name")
		return err
	}
	return nil
}

// chooseSummary leaves the Summary out of tables unless asked; in JSON and YAML it is there unless hidden.
func (f *inspectFlags) chooseSummary(cmd *cobra.Command, args []string, o *inspectOptions) error {
	values := []string{summaryOnly, summaryShow, summaryHide}
	if f.summary != "" && !slices.Contains(values, f.summary) {
		return usageError(cmd, "--summary must be only, show or hide, not %q", f.summary)
	}
	if f.summary == summaryShow && len(args) > 0 && slices.Contains(values, args[0]) {
		return usageError(cmd, "did you mean --summary=%s?", args[0])
	}
	o.summary = f.summary
	if o.summary == "" {
		o.summary = summaryHide
		if f.output == "json" || f.output == "yaml" || f.output == "kyaml" || strings.HasPrefix(f.output, "jsonpath") {
			o.summary = summaryShow
		}
	}
	return nil
}

// selections are what --only and --fail-on ask for; given again, they add up.
func (f *inspectFlags) selections(cmd *cobra.Command, o *inspectOptions) (err error) {
	if cmd.Flags().Changed("only") {
		if o.only, err = rules.ParseSelection(strings.Join(f.only, ",")); err != nil {
			return usageError(cmd, "--only: %s", err)
		}
	}
	if cmd.Flags().Changed("fail-on") {
		if o.failOn, err = rules.ParseFailOn(strings.Join(f.failOn, ",")); err != nil {
			return usageError(cmd, "--fail-on: %s", err)
		}
	}
	if f.noFindings {
		if !o.failOn.Empty() || o.only.NeedsFindings() {
			return usageError(cmd, "--fail-on, and severities and rules in --only, need the findings that --no-findings leaves out")
		}
		return nil
	}
	o.rules = &rules.Options{NoSuppress: f.noSuppress}
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
	client, err := downloader(f.connection)
	o.files = &files.Options{
		Filenames: f.filenames, Recursive: f.recursive, Kustomize: f.kustomize,
		Stdin: o.streams.In, DefaultNamespace: namespace, HTTPClient: client,
	}
	return err
}

// downloader reads the URLs of -f, within --request-timeout as the requests to a server.
func downloader(connection *genericclioptions.ConfigFlags) (*http.Client, error) {
	timeout, err := clientcmd.ParseTimeout(*connection.Timeout)
	if err != nil {
		return nil, fmt.Errorf("--request-timeout: %w", err)
	}
	return &http.Client{Timeout: timeout}, nil
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
