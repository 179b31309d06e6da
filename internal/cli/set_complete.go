package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// complete registers what the flags and arguments of set propose.
func (f *setFlags) complete(cmd *cobra.Command, cluster *completer) {
	functions := map[string]cobra.CompletionFunc{
		"container": cluster.containerNames(f.scope),
		"dry-run":   oneOf("none", "client", "server"),
		"output":    oneOf(outputFormats("name")...),
	}
	for _, kind := range probe.Kinds() {
		functions[string(kind)] = f.completeChange(cluster, kind)
	}
	register(cmd, functions)
	cmd.ValidArgsFunction = withoutNodes(cluster.targets(f.scope, true))
}

// withoutNodes leaves out what set refuses.
func withoutNodes(proposals cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if kind, _, slashed := strings.Cut(typed, "/"); slashed && isNode(snapshot.Target{Type: kind}) {
			return nothing()
		}
		all, directive := proposals(cmd, args, typed)
		return slices.DeleteFunc(all, func(proposal string) bool {
			kind, _, isType := strings.Cut(proposal, "/")
			return isType && isNode(snapshot.Target{Type: kind})
		}), directive
	}
}

func (f *setFlags) scope(args []string) scope {
	s := scope{files: len(f.filenames) > 0, selector: f.selector}
	s.targets, s.err = f.named(args)
	if len(args) == 0 {
		s.targets, s.err = nil, nil // what is missing is still to be typed
	}
	return s
}

// completeChange proposes the fields that were not given yet, and after FIELD= what their values are now.
func (f *setFlags) completeChange(cluster *completer, kind probe.Kind) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		begun := typed[:strings.LastIndex(typed, ",")+1]
		if strings.HasPrefix(begun, "exec=") || strings.Contains(begun, ",exec=") || strings.HasPrefix(typed, "{") {
			return nothing() // it takes the rest
		}
		field, _, valued := strings.Cut(typed[len(begun):], "=")
		var all []string
		if valued {
			for _, value := range valuesOf(kind, field, f.chosen(cluster.containers(cmd, f.scope(args)))) {
				all = append(all, begun+field+"="+value)
			}
			return propose(typed, all)
		}
		for _, name := range probe.FieldNames() {
			if !strings.HasPrefix(begun, name+"=") && !strings.Contains(begun, ","+name+"=") {
				all = append(all, begun+name+"=")
			}
		}
		return propose(typed, all)
	}
}

// chosen are the containers that -c names, all without it.
func (f *setFlags) chosen(all []snapshot.Container) []snapshot.Container {
	return slices.DeleteFunc(all, func(c snapshot.Container) bool {
		return len(f.containers) > 0 && !slices.Contains(f.containers, c.Name)
	})
}

// valuesOf are the values that a field has in these containers, or the ports that a handler can ask.
func valuesOf(kind probe.Kind, field string, containers []snapshot.Container) []string {
	var out []string
	for i := range containers {
		c := &containers[i]
		if now := c.Probe(kind); now != nil {
			out = append(out, numberOf(now, field, "now, of "+c.Name)...)
		}
		for _, port := range c.Ports {
			out = append(out, portOf(port, field, c.Name)...)
		}
	}
	if len(out) == 0 {
		out = numberOf(probe.FromAPI(&corev1.Probe{}), field, "the default")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func numberOf(p *probe.Probe, field, meaning string) []string {
	numbers := map[string]int32{
		"delay": p.InitialDelaySeconds, "period": p.PeriodSeconds, "timeout": p.TimeoutSeconds,
		"success": p.SuccessThreshold, "failure": p.FailureThreshold,
	}
	if n, ok := numbers[field]; ok {
		return []string{strconv.Itoa(int(n)) + "\t" + meaning}
	}
	if field == "grace" && p.TerminationGracePeriodSeconds != nil {
		return []string{strconv.FormatInt(*p.TerminationGracePeriodSeconds, 10) + "\t" + meaning}
	}
	return nil
}

// portOf is how a handler asks a port; grpc takes no names.
func portOf(port probe.Port, field, container string) []string {
	number, name := ":"+strconv.Itoa(int(port.ContainerPort)), ":"+port.Name
	switch field {
	case "http":
		number, name = number+"/", name+"/"
	case "tcp":
	case "grpc":
		return []string{number + "\ta port of " + container}
	default:
		return nil
	}
	out := []string{number + "\ta port of " + container}
	if port.Name != "" {
		out = append(out, name+"\ta port of "+container)
	}
	return out
}
