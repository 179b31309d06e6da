package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"sigs.k8s.io/yaml"
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
	Version    string `json:"version"`
	Kubernetes string `json:"kubernetes"` // the release of k8s.io/client-go that is built in
	GoVersion  string `json:"goVersion"`
	Platform   string `json:"platform"`
}

type serverVersion struct {
	GitVersion string `json:"gitVersion"`
}

func newVersionCommand(streams Streams, connection *genericclioptions.ConfigFlags) *cobra.Command {
	var clientOnly bool
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this plugin and of the server",
		Example: `  kubectl probes version
  kubectl probes version --client -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info := versionInfo{ClientVersion: thisVersion()}
			var err error
			if !clientOnly {
				info.ServerVersion, err = readServerVersion(connection)
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
				v.Kubernetes = dep.Version
			}
		}
	}
	return v
}

func readServerVersion(connection *genericclioptions.ConfigFlags) (*serverVersion, error) {
	client, err := connection.ToDiscoveryClient()
	if err != nil {
		return nil, err
	}
	client.Invalidate() // a cached answer would hide that the server is gone
	v, err := client.ServerVersion()
	if err != nil {
		return nil, err
	}
	return &serverVersion{GitVersion: v.GitVersion}, nil
}

func printVersion(streams Streams, info versionInfo, output string) error {
	switch output {
	case "":
		fmt.Fprintf(streams.Out, "Client Version: %s\n", info.ClientVersion.Version)
		if info.ServerVersion != nil {
			fmt.Fprintf(streams.Out, "Server Version: %s\n", info.ServerVersion.GitVersion)
		}
		return nil
	case "json":
		out, err := json.MarshalIndent(info, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(streams.Out, string(out))
		return err
	case "yaml":
		out, err := yaml.Marshal(info)
		if err != nil {
			return err
		}
		_, err = streams.Out.Write(out)
		return err
	default:
		return fmt.Errorf("--output must be 'yaml' or 'json', not %q", output)
	}
}
