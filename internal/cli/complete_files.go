package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/files"
)

// namesInFiles are those of a type that files on this machine hold. Standard input is the shell's, and to ask a web
// server on every key is too much.
func (c *completer) namesInFiles(cmd *cobra.Command, where scope, kind string) []string {
	local := func(name string) bool { return name != snapshot.Stdin && !strings.Contains(name, "://") }
	where.reading.Filenames = slices.DeleteFunc(slices.Clone(where.reading.Filenames), func(name string) bool { return !local(name) })
	if len(where.reading.Filenames) == 0 {
		return nil
	}
	namespace := *c.connection.Namespace
	if where.all {
		namespace = ""
	}
	names, _ := ask(cmd, func(ctx context.Context) ([]string, error) {
		s, _, err := files.Read(ctx, where.reading)
		if s == nil {
			return nil, err
		}
		return namesOf(s, kind, namespace), nil // of what could be read
	})
	return names
}

// namesOf are the names of a type in a namespace; empty is any.
func namesOf(s *snapshot.Snapshot, word, namespace string) []string {
	var names []string
	add := func(kind snapshot.GroupKind, in, name string) {
		if (namespace == "" || in == "" || in == namespace) && isNamed(word, kind) {
			names = append(names, name)
		}
	}
	for _, p := range s.Pods {
		add(snapshot.GroupKind{Kind: "Pod"}, p.Namespace, p.Name)
	}
	for _, v := range s.Services {
		add(snapshot.GroupKind{Kind: "Service"}, v.Namespace, v.Name)
	}
	for _, n := range s.Nodes {
		add(snapshot.GroupKind{Kind: "Node"}, "", n.Name)
	}
	for _, o := range s.Objects {
		add(snapshot.GroupKind{Group: o.Group, Kind: o.Kind}, o.Namespace, o.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isNamed takes for custom kinds what the overview prints, and the kind alone.
func isNamed(word string, kind snapshot.GroupKind) bool {
	if builtin, ok := snapshot.BuiltinKind(word); ok {
		return builtin == kind
	}
	display, _, _ := strings.Cut(snapshot.DisplayName(kind.Group, kind.Kind, ""), "/")
	word = strings.ToLower(word)
	return word == display || word == strings.ToLower(kind.Kind) || word == strings.ToLower(kind.Kind)+"s"
}
