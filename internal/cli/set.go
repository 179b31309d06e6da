package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-probes/kubectl-probes/internal/change"
	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

const setLong = `Change probes of running Pods, of a workload's template, or of manifests.

A Pod, or with --pods the Pods of a workload, is changed now and without a restart, until it is replaced; the output
says what the kubelet makes of it and how to undo it. That alone needs an API server and kubelets with the feature gate
MutableContainerProbes (KEP-6318). --pod-template changes a workload's template, which starts a rollout. --local changes
the manifests of -f and prints them, and sends nothing.

FIELD=VALUE: delay, period, timeout, success, failure, grace (or the API's names; 30, 30s, 2m), and one handler:
http=[https://][HOST]:PORT/PATH, tcp=[HOST]:PORT, grpc=:PORT[/SERVICE], exec=COMMAND... (takes the rest). A handler
replaces the whole handler, and adds the probe where there is none. A probe in the API's JSON replaces it as a whole.`

const setExample = `  # In an incident: no more liveness restarts of this Pod
  kubectl probes set pod/web-0 --liveness-off

  # What would that do?
  kubectl probes set pod/web-0 --liveness=period=20,failure=6 --dry-run=client

  # All running Pods of a Deployment, one container of them
  kubectl probes set deploy/web -c app --pods --readiness=http=:8080/ready,timeout=3

  # As it was before the first change
  kubectl probes set pod/web-0 --restore

  # In the template, with a rollout
  kubectl probes set deploy/web --pod-template --startup=exec='cat /tmp/ready'

  # In a manifest
  kubectl probes set -f deploy.yaml --local --liveness=failure=5 > new.yaml`

// setFlags are exactly what the command line of set says.
type setFlags struct {
	connection *genericclioptions.ConfigFlags

	values       map[probe.Kind]*[]string
	off          map[probe.Kind]*bool
	restore      bool
	containers   []string
	selector     string
	all          bool
	filenames    []string
	recursive    bool
	pods         bool
	template     bool
	local        bool
	dryRun       string
	output       string
	fieldManager string
	wait         bool
	timeout      time.Duration
	atOnce       bool
}

func newSetCommand(streams Streams, connection *genericclioptions.ConfigFlags) *cobra.Command {
	flags := &setFlags{connection: connection, values: map[probe.Kind]*[]string{}, off: map[probe.Kind]*bool{}}
	cmd := &cobra.Command{
		Use:     "set (POD | TYPE/NAME ... | -l SELECTOR | -f FILE) [-c CONTAINER] CHANGE... [flags]",
		Short:   "Change probes of running Pods, templates or manifests",
		Long:    setLong,
		Example: setExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Equal(args, []string{"help"}) && !changesAnything(cmd) {
				return cmd.Help()
			}
			options, err := flags.options(cmd, args, streams)
			if err != nil {
				return err
			}
			return options.run(cmd.Context())
		},
	}
	cmd.SetFlagErrorFunc(setFlagError)
	flags.add(cmd)
	flags.complete(cmd, &completer{connection, streams.Now})
	return cmd
}

// changesAnything tells a Pod of the name help from the word.
func changesAnything(cmd *cobra.Command) bool {
	flags := cmd.Flags()
	changes := flags.Changed("restore")
	for _, kind := range probe.Kinds() {
		changes = changes || flags.Changed(string(kind)) || flags.Changed(string(kind)+"-off")
	}
	return changes
}

func (f *setFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	for _, kind := range probe.Kinds() {
		f.values[kind], f.off[kind] = new([]string), new(bool)
		flags.StringArrayVar(f.values[kind], string(kind), nil, fmt.Sprintf("Change the %s probe: FIELD=VALUE[,...], or a whole probe as JSON.", kind))
		flags.BoolVar(f.off[kind], string(kind)+"-off", false, fmt.Sprintf("Take the %s probe away.", kind))
	}
	flags.BoolVar(&f.restore, "restore", false, "Put all three probes back to what they were before the first change, or to the template the Pod was made from.")
	flags.StringSliceVarP(&f.containers, "container", "c", nil, "Only these containers: names or anchored globs. Default: the one that can be meant.")
	flags.StringVarP(&f.selector, "selector", "l", "", "Selector (label query) on Pod labels.")
	flags.BoolVar(&f.all, "all", false, "All Pods of the namespace, or all objects of the type that is named.")
	flags.StringSliceVarP(&f.filenames, "filename", "f", nil, "The Pods or workloads named in these files.")
	flags.BoolVarP(&f.recursive, "recursive", "R", false, "Process the folders used in -f, --filename recursively.")
	flags.BoolVar(&f.pods, "pods", false, "Of workloads: change their running Pods.")
	flags.BoolVar(&f.template, "pod-template", false, "Of workloads: change their template, which starts a rollout.")
	flags.BoolVar(&f.local, "local", false, "Send nothing: print the manifests of -f with the change.")
	flags.StringVar(&f.dryRun, "dry-run", "none", `Must be "none", "server", or "client". If client, only print what would happen. If server, have the server check it without keeping it.`)
	flags.Lookup("dry-run").NoOptDefVal = "client"
	flags.StringVarP(&f.output, "output", "o", "", "Output format: json, yaml, kyaml, name, jsonpath=...")
	flags.StringVar(&f.fieldManager, "field-manager", change.FieldManager, "Name under which the change is recorded.")
	flags.BoolVar(&f.wait, "wait", true, "Wait for the node to say that the change is in force. Given explicitly, no answer is a failure.")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Second, "How long --wait waits.")
	flags.BoolVar(&f.atOnce, "at-once", false, "Change all Pods without waiting for the first to stay well.")
}

// setFlagError knows the flags of oc set probe, and those of the other verbs.
func setFlagError(cmd *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown shorthand flag: 'A'") || err.Error() == "unknown flag: --all-namespaces" {
		return usageError(cmd, "%s: set changes one namespace at a time; choose it with -n", err)
	}
	if name, found := strings.CutPrefix(err.Error(), "unknown flag: --"); found {
		if spelling, ok := probe.OtherSpelling(probe.Liveness, name); ok {
			return usageError(cmd, "%s: here it is written %s (or --readiness, --startup)", err, spelling)
		}
		if meant := nearestFlag(cmd, name); meant != "" {
			return usageError(cmd, "%s: did you mean --%s?", err, meant)
		}
	}
	return usageError(cmd, "%s", err)
}

// nearestFlag is empty where no flag begins like the word: who wrote --tail did not mean --all.
func nearestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && name != "" && strings.HasPrefix(f.Name, strings.ToLower(name[:1])) {
			names = append(names, f.Name)
		}
	})
	return probe.Nearest(name, names)
}

// setOptions are what a run needs, with everything decided.
type setOptions struct {
	setFlags
	streams Streams
	request change.Request
	query   snapshot.Query
	printer printers.ResourcePrinter // nil: text
	answers bool                     // a node that does not answer is a failure
}

func (f *setFlags) options(cmd *cobra.Command, args []string, streams Streams) (*setOptions, error) {
	o := &setOptions{setFlags: *f, streams: streams, answers: cmd.Flags().Changed("wait") && f.wait}
	if o.fieldManager == "" {
		o.fieldManager = change.FieldManager
	}
	var err error
	if o.request, err = f.request(cmd); err != nil {
		return nil, usageError(cmd, "%s", err)
	}
	if err := errors.Join(f.checkLocal(cmd.Flags().Changed), f.check(args)); err != nil {
		return nil, usageError(cmd, "%s", err)
	}
	if o.answers && f.timeout == 0 {
		return nil, usageError(cmd, "--wait needs a --timeout above 0")
	}
	if o.output != "" && o.output != "name" {
		if o.printer, err = machinePrinter(o.output, "name"); err != nil {
			return nil, err
		}
	}
	if o.query.Selector, err = labels.Parse(f.selector); err != nil {
		return nil, fmt.Errorf("--selector: %w", err)
	}
	if o.query.Targets, err = f.named(args); err != nil {
		return nil, usageError(cmd, "%s", err)
	}
	return o, nil
}

func (f *setFlags) request(cmd *cobra.Command) (change.Request, error) {
	typed := change.EditFlags{Values: map[probe.Kind][]string{}, Off: map[probe.Kind]bool{}}
	for _, kind := range probe.Kinds() {
		if cmd.Flags().Changed(string(kind)) {
			typed.Values[kind] = *f.values[kind]
		}
		typed.Off[kind] = *f.off[kind]
	}
	edits, err := typed.Edits()
	if err != nil {
		return change.Request{}, err
	}
	if cmd.Flags().Changed("container") && len(f.containers) == 0 {
		return change.Request{}, errors.New("-c needs a container's name, or a glob")
	}
	r := change.Request{Edits: edits, Restore: f.restore, Containers: f.containers, Template: f.template}
	r.Flags = repeated(cmd)
	return r, r.Check()
}

// repeated are the flags that the commands of the output need too. Secrets are none of them.
func repeated(cmd *cobra.Command) []string {
	flags := cmd.Flags()
	var out []string
	for _, name := range []string{"kubeconfig", "context", "cluster", "user", "server", "as", "as-uid"} {
		if flag := flags.Lookup(name); flag != nil && flag.Changed {
			out = append(out, "--"+name+"="+flag.Value.String())
		}
	}
	if groups, err := flags.GetStringArray("as-group"); err == nil {
		for _, group := range groups {
			out = append(out, "--as-group="+group)
		}
	}
	return out
}

// check tells which flags do not go together.
func (f *setFlags) check(args []string) error {
	switch {
	case !isDryRun(f.dryRun):
		return fmt.Errorf(`invalid dry-run value (%s): must be "none", "server", or "client"`, f.dryRun)
	case f.dryRun == "client" && len(args) > 1 && isDryRun(args[len(args)-1]) && !isType(args[0]):
		return fmt.Errorf("%q is no target here: did you mean --dry-run=%[1]s?", args[len(args)-1])
	case f.pods && f.template:
		return errors.New("--pods and --pod-template cannot be combined: change the running Pods or the template")
	case f.recursive && len(f.filenames) == 0:
		return errors.New("-R needs -f")
	case f.all && f.selector != "":
		return errors.New("cannot set --all and --selector at the same time")
	case len(f.filenames) > 0 && len(args) > 0 && !f.local:
		return errors.New("give names or -f, not both")
	case len(args) == 0 && f.selector == "" && !f.all && len(f.filenames) == 0:
		return errors.New("what is to be changed? Name a Pod or TYPE/NAME, or give -l, --all or -f")
	case f.timeout < 0:
		return errors.New("--timeout must be 0 or longer")
	default:
		return nil
	}
}

func isDryRun(value string) bool { return slices.Contains([]string{"none", "client", "server"}, value) }

func isType(word string) bool {
	_, is := snapshot.BuiltinKind(word)
	return is
}

// named are the targets on the command line; a lone name is that of a Pod.
func (f *setFlags) named(args []string) ([]snapshot.Target, error) {
	targets, err := parseTargets(args)
	if err != nil {
		return nil, err
	}
	for i, t := range targets {
		if t.Word == "" {
			continue
		}
		if _, isType := snapshot.BuiltinKind(t.Word); isType {
			targets[i] = snapshot.Target{Type: t.Word}
		} else {
			targets[i] = snapshot.Target{Type: "pod", Name: t.Word}
		}
	}
	for _, t := range targets {
		switch {
		case t.Name != "" && f.selector != "":
			return nil, fmt.Errorf("name cannot be provided when a selector is specified: %s and -l", t)
		case t.Name != "" && f.all:
			return nil, fmt.Errorf("name cannot be provided when --all is specified: %s", t)
		case t.Name == "" && !f.all && f.selector == "" && !f.local:
			return nil, fmt.Errorf("which %s? Give names, -l or --all", t.Type)
		case f.local:
			if err := f.checkLocalTarget(t); err != nil {
				return nil, err
			}
		}
	}
	return targets, nil
}

// run is the whole way: read, plan, apply, tell.
func (o *setOptions) run(ctx context.Context) error {
	if o.local {
		return o.runLocal(ctx)
	}
	reading := newProgress()
	end := reading.show(o.streams, o.filenames)
	defer end()
	api, targets, err := o.gather(ctx, reading)
	if err != nil {
		return err
	}
	plan, err := change.NewPlan(o.request, targets)
	if err != nil {
		return err
	}
	end()
	return o.apply(ctx, api, plan)
}
