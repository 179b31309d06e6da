package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live"
)

// completeFields adds the fields that were not given yet.
func completeFields(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	begun := typed[:strings.LastIndex(typed, ",")+1]
	if strings.HasPrefix(begun, "exec=") || strings.Contains(begun, ",exec=") {
		return nil, cobra.ShellCompDirectiveNoFileComp // it takes the rest
	}
	var out []string
	for _, name := range probe.FieldNames() {
		if !strings.HasPrefix(begun, name+"=") && !strings.Contains(begun, ","+name+"=") {
			out = append(out, begun+name+"=")
		}
	}
	return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// patience is how long a shell may hang on a key.
const patience = 3 * time.Second

// completeContainers are the containers of what was named so far. Whatever goes wrong, there is nothing to propose.
func (f *setFlags) completeContainers(now func() time.Time) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), patience)
		defer cancel()
		names, err := f.containerNames(ctx, args, live.Options{ChunkSize: live.DefaultChunkSize, AsOf: now(), Version: version()})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

func (f *setFlags) containerNames(ctx context.Context, args []string, options live.Options) ([]string, error) {
	targets, err := f.named(args)
	if err != nil || len(f.filenames) > 0 {
		return nil, err
	}
	query := snapshot.Query{Targets: targets}
	if query.Selector, err = labels.Parse(f.selector); err != nil {
		return nil, err
	}
	if query.Namespace, _, err = f.connection.ToRawKubeConfigLoader().Namespace(); err != nil {
		return nil, err
	}
	clients, err := live.NewClients(f.connection, options)
	if err != nil {
		return nil, err
	}
	s, err := live.Read(ctx, clients, query, options)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, pod := range s.Pods {
		for _, c := range pod.Spec.Containers {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	return names, nil
}
