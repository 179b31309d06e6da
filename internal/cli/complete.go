package cli

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
)

// A proposal is a word, and after a tab what it means.

// propose keeps the proposals that go on from what was typed, and that a terminal shows as they are: others nobody could
// type. The shell adds no blank where all of them go on.
func propose(typed string, all []string) ([]string, cobra.ShellCompDirective) {
	var out []string
	goesOn := true
	for _, proposal := range all {
		word, _, _ := strings.Cut(proposal, "\t")
		hides := !utf8.ValidString(proposal) || strings.ContainsFunc(strings.Replace(proposal, "\t", "", 1), render.Hidden)
		if !strings.HasPrefix(word, typed) || hides || slices.Contains(out, proposal) {
			continue
		}
		out = append(out, proposal)
		goesOn = goesOn && (strings.HasSuffix(word, "=") || strings.HasSuffix(word, "/"))
	}
	if goesOn && len(out) > 0 {
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// oneOf proposes fixed words.
func oneOf(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return propose(typed, words)
	}
}

// listOf proposes fixed words for a list with commas.
func listOf(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return propose(typed, afterComma(typed, words))
	}
}

// afterComma puts the words behind what is there of the list, without those that are in it already.
func afterComma(typed string, words []string) []string {
	begun := typed[:strings.LastIndex(typed, ",")+1]
	given := strings.Split(begun, ",")
	var out []string
	for _, proposal := range words {
		if word, _, _ := strings.Cut(proposal, "\t"); !slices.Contains(given, word) {
			out = append(out, begun+proposal)
		}
	}
	return out
}

// register gives every flag of a command something to propose: the functions, files where a file is meant, else nothing,
// since a shell would propose files.
func register(cmd *cobra.Command, functions map[string]cobra.CompletionFunc) {
	visit := func(flag *pflag.Flag) {
		function := functions[flag.Name]
		switch {
		case function != nil:
		case slices.Contains([]string{"filename", "kubeconfig", "certificate-authority", "client-certificate", "client-key"}, flag.Name):
			return
		case flag.Name == "kustomize" || flag.Name == "cache-dir":
			function = folders
		default:
			function = cobra.NoFileCompletions
		}
		_ = cmd.RegisterFlagCompletionFunc(flag.Name, function) // the flag exists, and has none yet
	}
	cmd.LocalFlags().VisitAll(visit)
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// outputFormats are the values of -o, the verb's own ones first.
func outputFormats(own ...string) []string {
	return append(own, "json", "yaml", "kyaml", "jsonpath=", "jsonpath-as-json=", "jsonpath-file=")
}

// described adds to words what they mean, where they are the ids of rules.
func described(words []string) []string {
	for i, word := range words {
		for _, rule := range rules.All() {
			if rule.ID == word {
				words[i] += "\t" + rule.Summary
			}
		}
	}
	return words
}

// complete registers what the flags and arguments of the root command propose.
func (f *inspectFlags) complete(cmd *cobra.Command, cluster *completer) {
	register(cmd, map[string]cobra.CompletionFunc{
		"color":     oneOf("auto", "always", "never"),
		"container": cluster.containerNames(f.scope),
		"fail-on":   listOf(described(rules.FailOnWords())...),
		"only":      listOf(described(rules.Words())...),
		"output":    oneOf(outputFormats("wide", "name")...),
		"sort-by":   oneOf(render.SortByName+"\tthe default", render.SortBySeverity+"\twhat needs a person first", render.SortByDetection+"\tthe longest detection budget first"),
		"summary":   oneOf(summaryOnly, summaryShow, summaryHide),
		"namespace": cluster.namespaces,
		"context":   cluster.fromKubeconfig(contexts),
		"cluster":   cluster.fromKubeconfig(clusters),
		"user":      cluster.fromKubeconfig(users),
	})
	cmd.ValidArgsFunction = cluster.targets(f.scope, false)
}

// scope is where names are looked for.
func (f *inspectFlags) scope(args []string) scope {
	targets, err := parseTargets(args)
	return scope{
		files:   len(f.filenames) > 0 || f.kustomize != "",
		reading: files.Options{Filenames: f.filenames, Recursive: f.recursive, DefaultNamespace: *f.connection.Namespace},
		all:     f.allNamespaces, selector: f.selector, targets: targets, err: err,
	}
}

// typeWords are the types that need no discovery, as kubectl lists them and as this program shows them.
func typeWords(suffix string) []string {
	var out []string
	for _, kind := range snapshot.BuiltinKinds() {
		plural, _, _ := strings.Cut(snapshot.ResourceName(kind), ".")
		short, _, _ := strings.Cut(snapshot.DisplayName(kind.Group, kind.Kind, ""), "/")
		out = append(out, plural+suffix+"\t"+kind.Kind, short+suffix+"\t"+kind.Kind)
	}
	slices.Sort(out)
	return out
}
