package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// parseTargets reads the forms that kubectl takes: TYPE, TYPE,TYPE, TYPE NAME..., TYPE/NAME..., and a lone
// name. A lone word may be a type or a name: whoever knows the types decides.
func parseTargets(args []string) ([]snapshot.Target, error) {
	if len(args) == 0 {
		return nil, nil
	}
	slashes := 0
	for _, arg := range args {
		if arg == "" {
			return nil, errors.New("an argument is empty: name a type, a name or TYPE/NAME")
		}
		if strings.Contains(arg, "/") {
			slashes++
		}
	}
	switch {
	case slashes == len(args):
		return parseSlashed(args)
	case slashes > 0:
		return nil, errors.New("there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl probes resource/<resource_name>' instead of 'kubectl probes resource resource/<resource_name>')")
	case len(args) == 1:
		return parseTypes(args[0])
	default:
		return parseTypeNames(args[0], args[1:])
	}
}

func parseSlashed(args []string) ([]snapshot.Target, error) {
	var targets []snapshot.Target
	for _, arg := range args {
		kind, name, _ := strings.Cut(arg, "/")
		if kind == "" || name == "" || strings.Contains(name, "/") {
			return nil, fmt.Errorf("%q is not in TYPE/NAME form: one type, one slash, one name", arg)
		}
		targets = append(targets, snapshot.Target{Type: kind, Name: name})
	}
	return targets, nil
}

func parseTypes(arg string) ([]snapshot.Target, error) {
	words := strings.Split(arg, ",")
	var targets []snapshot.Target
	for _, word := range words {
		switch {
		case word == "":
			return nil, fmt.Errorf("%q has an empty type", arg)
		case len(words) == 1:
			targets = append(targets, snapshot.Target{Word: word})
		default:
			targets = append(targets, snapshot.Target{Type: word})
		}
	}
	return targets, nil
}

func parseTypeNames(types string, names []string) ([]snapshot.Target, error) {
	var targets []snapshot.Target
	for _, kind := range strings.Split(types, ",") {
		if kind == "" {
			return nil, fmt.Errorf("%q has an empty type", types)
		}
		for _, name := range names {
			targets = append(targets, snapshot.Target{Type: kind, Name: name})
		}
	}
	return targets, nil
}
