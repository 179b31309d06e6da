package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// ResolveFunc finds the kind that a word names, for kinds that Kubernetes does not bring.
type ResolveFunc func(word string) (GroupKind, bool)

// meaning resolves a target to a kind and a name (empty: all of them).
func (sel *selection) meaning(t Target) (GroupKind, string, error) {
	word := firstOf(t.Type, t.Word)
	if word != "" {
		if gk, ok := sel.kind(word); ok {
			return gk, t.Name, nil
		}
		if t.Type != "" {
			return GroupKind{}, "", sel.noType(t.Type)
		}
	}
	return sel.bareName(firstOf(t.Name, t.Word))
}

// noType names the nearest type that there is; words are seldom mistyped in their first letter.
func (sel *selection) noType(word string) error {
	var known []string
	for _, b := range builtins() {
		known = append(known, b.resource, b.display, strings.ToLower(b.Kind))
	}
	for _, o := range sel.all.Objects {
		known = append(known, strings.ToLower(o.Kind))
	}
	known = keep(known, func(k string) bool { return strings.HasPrefix(k, strings.ToLower(word[:1])) })
	if meant := probe.Nearest(word, known); meant != "" {
		return fmt.Errorf("there is no resource type %q here: did you mean %s?", word, meant)
	}
	return fmt.Errorf("there is no resource type %q here", word)
}

// kind resolves a type, also from the kinds that were read: files have no discovery.
func (sel *selection) kind(word string) (GroupKind, bool) {
	if gk, ok := BuiltinKind(word); ok {
		return gk, true
	}
	if sel.resolve != nil {
		if gk, ok := sel.resolve(word); ok {
			return gk, true
		}
	}
	name, group, qualified := strings.Cut(strings.ToLower(word), ".")
	matches := func(g, k string) bool {
		k = strings.ToLower(k)
		return (name == k || name == k+"s" || name == k+"es") && (!qualified || group == g || strings.HasSuffix(group, "."+g))
	}
	for _, o := range sel.all.Objects {
		if matches(o.Group, o.Kind) {
			return GroupKind{o.Group, o.Kind}, true
		}
		if o.Owner != nil && matches(o.Owner.Group, o.Owner.Kind) {
			return GroupKind{o.Owner.Group, o.Owner.Kind}, true
		}
	}
	for _, p := range sel.all.Pods {
		if p.Owner != nil && matches(p.Owner.Group, p.Owner.Kind) {
			return GroupKind{p.Owner.Group, p.Owner.Kind}, true
		}
	}
	return GroupKind{}, false
}

// BareNameKinds are the kinds in which a name without a type is looked up.
func BareNameKinds() []GroupKind {
	return []GroupKind{
		{"apps", "Deployment"},
		{"apps", "StatefulSet"},
		{"apps", "DaemonSet"},
		{"batch", "Job"},
		{"batch", "CronJob"},
		{"", "Pod"},
	}
}

func (sel *selection) bareName(name string) (GroupKind, string, error) {
	var found []GroupKind
	var tried []string
	for _, gk := range BareNameKinds() {
		tried = append(tried, ResourceName(gk))
		if sel.exists(gk, name) {
			found = append(found, gk)
		}
	}
	switch len(found) {
	case 1:
		return found[0], name, nil
	case 0:
		return GroupKind{}, "", fmt.Errorf("%q %w: it is neither a type of workloads nor the name of one of %s", name, ErrNotFound, strings.Join(tried, ", "))
	default:
		return GroupKind{}, "", AmbiguousError(name, found)
	}
}

// AmbiguousError says that a bare name is that of several workloads.
func AmbiguousError(name string, found []GroupKind) error {
	var forms []string
	for _, gk := range found {
		forms = append(forms, DisplayName(gk.Group, gk.Kind, name))
	}
	return fmt.Errorf("%q is ambiguous: name one of %s", name, strings.Join(forms, ", "))
}

func (sel *selection) exists(gk GroupKind, name string) bool {
	if gk.Kind == "Pod" {
		return slices.ContainsFunc(sel.in.Pods, func(p *Pod) bool { return p.Name == name })
	}
	return slices.ContainsFunc(sel.in.Objects, func(o *Object) bool {
		return o.Group == gk.Group && o.Kind == gk.Kind && o.Name == name
	})
}
