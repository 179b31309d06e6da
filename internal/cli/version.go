package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

// buildVersion is set by the release build.
var buildVersion string

// version is the release's, or what `go install` recorded.
func version() string {
	if buildVersion != "" {
		return buildVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// versionInfo is what `version -o json|yaml` prints.
type versionInfo struct {
	ClientVersion clientVersion  `json:"clientVersion"`
	ServerVersion *serverVersion `json:"serverVersion,omitempty"`
}

type clientVersion struct {
	Version   string `json:"version"`
	ClientGo  string `json:"clientGo"` // the release of k8s.io/client-go that is built in
	GoVersion string `json:"goVersion"`
	Platform  string `json:"platform"`
}

type serverVersion struct {
	GitVersion  string            `json:"gitVersion"`
	RunningPods rules.RunningPods `json:"runningPods"` // what set can do about their probes there
}

const versionLong = `Print the version of this plugin and of the server, and what 'kubectl probes set' can do there.

Templates of workloads can be changed on every server. Probes of running Pods can be changed from v1.38 on, if the
feature gate MutableContainerProbes is on: a server does not tell, but a change with --dry-run=server finds out.`

// setThere says in a line what set can do on a server.
func setThere(pods rules.RunningPods) string {
	switch pods {
	case rules.PodsFixed:
		return "templates alone (--pod-template, a rollout); probes of running Pods are fixed before v1.38"
	case rules.PodsGated:
		return "templates; probes of running Pods if the feature gate MutableContainerProbes is on (set --dry-run=server finds out)"
	default:
		return "templates; whether probes of running Pods too is not to be had from this version (set --dry-run=server finds out)"
	}
}

func newVersionCommand(streams Streams, connection *genericclioptions.ConfigFlags) *cobra.Command {
	var clientOnly bool
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this plugin and of the server, and what set can do there",
		Long:  versionLong,
		Example: `  # This plugin, the server, and what set can do there
  kubectl probes version

  # This plugin alone, for a bug report
  kubectl probes version --client -o yaml

  # In a script: can the probes of running Pods be changed?
  kubectl probes version -o json | jq -r .serverVersion.runningPods`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"", "yaml", "json"}, output) {
				return usageError(cmd, "--output must be 'yaml' or 'json', not %q", output)
			}
			info := versionInfo{ClientVersion: thisVersion()}
			var err error
			if !clientOnly {
				info.ServerVersion, err = readServerVersion(cmd.Context(), streams, connection)
			}
			if printErr := printVersion(streams, info, output); printErr != nil {
				return printErr
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&clientOnly, "client", false, "If true, shows client version only (no server required).")
	cmd.Flags().StringVarP(&output, "output", "o", "", "One of 'yaml' or 'json'.")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	register(cmd, map[string]cobra.CompletionFunc{"output": oneOf("yaml", "json")})
	return cmd
}

func thisVersion() clientVersion {
	v := clientVersion{Version: version(), GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "k8s.io/client-go" {
				v.ClientGo = dep.Version
			}
		}
	}
	return v
}

func readServerVersion(ctx context.Context, streams Streams, connection *genericclioptions.ConfigFlags) (*serverVersion, error) {
	clients, err := live.NewClients(connection, live.Options{Version: version(), ErrOut: streams.ErrOut, Escape: render.Escape})
	if err != nil {
		return nil, err
	}
	v, err := clients.ServerVersion(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the server's version: %w", err)
	}
	return &serverVersion{GitVersion: v, RunningPods: rules.RunningPodsOf(v)}, nil
}

func printVersion(streams Streams, info versionInfo, output string) error {
	var text []byte
	var err error
	switch output {
	case "json":
		text, err = json.MarshalIndent(info, "", "  ")
		text = append(text, '\n')
	case "yaml":
		text, err = yaml.Marshal(info)
	default:
		text = fmt.Appendf(nil, "Client Version: %s\n", info.ClientVersion.Version)
		if server := info.ServerVersion; server != nil {
			text = fmt.Appendf(text, "Server Version: %s\nSet can change: %s\n", render.Escape(server.GitVersion), setThere(server.RunningPods))
		}
	}
	if err != nil {
		return err
	}
	_, err = streams.dataOut().Write(text)
	return err
}
