package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// group is objects with the same changes.
type group []*ObjectPlan

// groups are in the order of their first objects.
func groups(plan *Plan) []group {
	var out []group
	index := map[string]int{}
	for i := range plan.Objects {
		o := &plan.Objects[i]
		key := signature(o)
		if at, ok := index[key]; ok {
			out[at] = append(out[at], o)
			continue
		}
		index[key] = len(out)
		out = append(out, group{o})
	}
	return out
}

// signature is what is told of an object's changes.
func signature(o *ObjectPlan) string {
	var b strings.Builder
	for _, c := range o.Changes {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00%s\x00%s\x00", c.Container, c.Kind, c.Action, strings.Join(changeLines(c), "\x00"), strings.Join(c.Effects, "\x00"))
	}
	return b.String()
}

const titleNames = 3

func (g group) title() string {
	var names []string
	for _, o := range g[:min(len(g), titleNames)] {
		names = append(names, o.String())
	}
	title := strings.Join(names, ", ")
	if more := len(g) - titleNames; more > 0 {
		title = fmt.Sprintf("%d objects: %s and %d more", len(g), title, more)
	}
	return title
}

func (g group) notes() []string {
	var all []string
	for _, o := range g {
		all = append(all, o.Notes...)
	}
	return distinct(all)
}

// Totals writes what came of several objects, and how the changes that were made are undone: one command for those
// whose undo differs in nothing but the name.
func (p Printer) Totals(results []ObjectResult) {
	if len(results) < 2 {
		return
	}
	var updated, unchanged, sent, failed, ineffective int
	for _, r := range results {
		switch {
		case r.Outcome == "":
			unchanged++
		case r.Outcome == Refused:
			sent++
		case r.Outcome == Rejected || r.Outcome == Failed:
			failed++
		case !r.Ok():
			ineffective++
		default:
			updated++
		}
	}
	var parts []string
	for _, part := range []struct {
		n    int
		text string
	}{{updated, "updated"}, {ineffective, "updated but NOT in force"}, {unchanged, "unchanged"}, {failed, "failed"}, {sent, "not sent"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	fmt.Fprintln(p.Err, strings.Join(parts, ", ")+p.suffix())
	if p.DryRun != "" {
		return
	}
	undo := undoOf(results)
	for _, command := range undo {
		fmt.Fprintf(p.Err, "  undo:  %s\n", command)
	}
	if len(undo) > 0 {
		fmt.Fprintf(p.Err, "  as:    field manager %s\n", p.Escape(p.FieldManager))
	}
}

// undoOf joins the undo commands of the changes that were made.
func undoOf(results []ObjectResult) []string {
	type joined struct{ head, tail, names string }
	var out []joined
	for _, r := range results {
		if r.Outcome != Patched {
			continue
		}
		name := probe.QuoteWords(r.Plan.String())
		for _, command := range r.Plan.Undo {
			head, tail, found := strings.Cut(command, name)
			at := slices.IndexFunc(out, func(j joined) bool { return found && j.head == head && j.tail == tail })
			switch {
			case !found:
				out = append(out, joined{head: command})
			case at < 0:
				out = append(out, joined{head, tail, name})
			default:
				out[at].names += " " + name
			}
		}
	}
	var commands []string
	for _, j := range out {
		commands = append(commands, j.head+j.names+j.tail)
	}
	return commands
}
