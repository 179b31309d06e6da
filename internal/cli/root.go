package cli

import (
	"flag"
	"io"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

const rootLong = `Show which probes containers have, how long a failure can go unnoticed at worst, and whether running Pods
have drifted from their template.

It starts from Pods and walks up to what a person would name: Deployments, StatefulSets, DaemonSets, Jobs, CronJobs,
and the workloads of other controllers. Naming exactly one thing shows it by itself, with all that is known of it. A word
that is no type is the name of a workload, Pod or Service.

A probe cell reads handler:time, where time is the longest a failure can go on before a readiness or liveness probe
acts, hanging checks included; for a startup probe it is the time a container surely has to start. '-' is none, '*' is
not what the template says, '?' is unknown. READY counts Pods; 'done' is a Job that has finished. LAST is how long ago
a container last ended. REASON is why Pods are not ready or were restarted, cause:Pods: 'Init:1' is one Pod whose init
containers have not done their work. FINDINGS are opinions, each by a rule: shell completion of --only lists the rules,
docs/rules.md explains them. '+2' after a reason or a finding: there are two more, which the view of one workload shows.

Exit status: 0 it ran, also when something beside the Pods could not be read; 1 it could not run, a named thing does
not exist, or --fail-on or --only cannot be decided; 2 --fail-on matched; 130 interrupted; 143 terminated. Nothing found
is 0.`

const rootExample = `  # All workloads of the current namespace
  kubectl probes

  # All namespaces, longest detection budget first
  kubectl probes -A --sort-by=detection

  # Some workloads, at any level of an owner chain, and what is behind a Service
  kubectl probes deploy/web sts/db
  kubectl probes deploy web api
  kubectl probes svc/web

  # Only the app containers
  kubectl probes -c 'app*'

  # Manifests, or a dump of a cluster, without a cluster
  kubectl probes -f deploy.yaml
  kubectl get pods,deploy,rs,svc,events -o json | kubectl probes -f -
  kubectl probes -k overlays/production

  # Only what fails now; all workloads in figures; a check for CI
  kubectl probes -A --only=failing
  kubectl probes -A --summary=only
  kubectl probes -f deploy.yaml --fail-on=warning

  # For scripts
  kubectl probes -o json | jq -r '.workloads[] | .displayName + " " + (.containers[] | select(.probes.readiness == null) | .name)'
  kubectl probes -o jsonpath='{.workloads[*].displayName}'`

// NewCommand builds the command tree.
func NewCommand(streams Streams) *cobra.Command {
	flags := &inspectFlags{connection: genericclioptions.NewConfigFlags(true).WithDiscoveryBurst(300).WithDiscoveryQPS(50)}
	cmd := &cobra.Command{
		Use:           "probes [TYPE/NAME ... | TYPE NAME ... | TYPE] [-n NAMESPACE | -A] [-l SELECTOR] [-f FILE]...",
		Short:         "Inspect container probes",
		Long:          rootLong,
		Example:       rootExample,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl probes"},
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			options, err := flags.options(cmd, args, streams)
			if err == nil {
				err = options.run(cmd.Context())
			}
			return orCommand(cmd, args, err)
		},
	}
	flags.connection.WithWrapConfigFn(func(c *rest.Config) *rest.Config {
		return live.Configure(c, live.Options{Version: version(), ErrOut: streams.ErrOut, Escape: render.Escape}) // for discovery too
	})
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		err = usageError(cmd, "%s", err)
		if cmd.HasParent() {
			return err
		}
		return orCommand(cmd, cmd.Flags().Args(), err)
	})
	cmd.SetHelpCommand(newHelpCommand(cmd))
	cmd.CompletionOptions.DisableDefaultCmd = true
	flags.add(cmd)
	flags.connection.AddFlags(cmd.PersistentFlags())
	addVerbosity(cmd, streams.screen)
	flags.complete(cmd, &completer{flags.connection, streams.Now})
	cmd.AddCommand(newSetCommand(streams, flags.connection), newVersionCommand(streams, flags.connection))
	return cmd
}

// addVerbosity exposes klog's -v alone: kubectl's users know -v=6 for requests and -v=8 for bodies. Without it
// nothing is logged: what client-go logs of its own accord is said as an error or a gap as well.
func addVerbosity(cmd *cobra.Command, s *screen) {
	all := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(all)
	_ = all.Set("legacy_stderr_threshold_behavior", "false")
	_ = all.Set("stderrthreshold", "INFO")
	cmd.PersistentFlags().AddGoFlag(all.Lookup("v"))
	cmd.PersistentPreRun = func(*cobra.Command, []string) {
		if all.Lookup("v").Value.String() != "0" {
			s.silence() // klog knows nothing of a line on the terminal
			return
		}
		klog.LogToStderr(false)
		_ = all.Set("stderrthreshold", "FATAL") // it goes to stderr as well otherwise
		klog.SetOutput(io.Discard)
	}
}
