package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// orCommand adds to an error of the root command that its first argument may be a misspelt command: it may as well be a
// type or a name, so that is said only where it was of no use as one.
func orCommand(cmd *cobra.Command, args []string, err error) error {
	var coded exitError
	if err == nil || len(args) == 0 || errors.As(err, &coded) {
		return err
	}
	if meant := nearestCommand(cmd.Root(), args[0]); meant != "" {
		return fmt.Errorf("%w\ndid you mean '%s %s'?", err, cmd.Root().CommandPath(), meant)
	}
	return err
}

// nearestCommand is empty where no command begins like the word.
func nearestCommand(root *cobra.Command, word string) string {
	if _, isType := snapshot.BuiltinKind(word); isType || word == "" {
		return ""
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && strings.HasPrefix(c.Name(), strings.ToLower(word[:1])) {
			names = append(names, c.Name())
		}
	}
	return probe.Nearest(word, names)
}

// noSuchType begins kubectl's words of a type that a server does not have.
var noSuchType = regexp.MustCompile(`^the server doesn't have a resource type "(.[^"]*)"`)

// withMeantType adds to them the nearest type that every server has; words are seldom mistyped in their first letter.
func withMeantType(text string) string {
	at := noSuchType.FindStringSubmatch(text)
	if at == nil {
		return text
	}
	var known []string
	for _, kind := range snapshot.BuiltinKinds() {
		plural, _, _ := strings.Cut(snapshot.ResourceName(kind), ".")
		short, _, _ := strings.Cut(snapshot.DisplayName(kind.Group, kind.Kind, ""), "/")
		for _, word := range []string{strings.ToLower(kind.Kind), plural, short} {
			if word[0] == strings.ToLower(at[1])[0] {
				known = append(known, word)
			}
		}
	}
	meant := probe.Nearest(at[1], known)
	if meant == "" {
		return text
	}
	return at[0] + ": did you mean " + meant + "?" + text[len(at[0]):]
}

// newHelpCommand is cobra's, which does not fail on what is no command.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		Args:  cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				if c.IsAvailableCommand() && len(args) == 0 {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return propose(typed, names)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			for _, c := range root.Commands() {
				if c.Name() == args[0] {
					c.InitDefaultHelpFlag()
					return c.Help()
				}
			}
			err := fmt.Errorf("unknown command %q for %q", args[0], root.CommandPath())
			return orCommand(root, args, err)
		},
	}
}
