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

func (g group) title() string {
	names := make([]string, 0, len(g))
	for _, o := range g {
		names = append(names, o.String())
	}
	return someOf(names)
}

const namesShown = 3

// someOf lists names; of many the first, and how many there are.
func someOf(names []string) string {
	shown := strings.Join(names[:min(len(names), namesShown)], ", ")
	if more := len(names) - namesShown; more > 0 {
		return fmt.Sprintf("%s and %d more", shown, more)
	}
	return shown
}

func (g group) notes() []string {
	var all []string
	for _, o := range g {
		all = append(all, o.Notes...)
	}
	return distinct(all)
}

// Finish writes whether nodes act on the changes, what came of several objects, and how the changes that were made are
// undone.
func (p *Printer) Finish(results []ObjectResult) {
	p.force(results)
	if !p.only() {
		p.totals(results)
	}
	p.undo(results)
	if p.only() && !results[0].failed() {
		p.notes(results[0].Plan.Notes)
	}
}

// force says whether the nodes act on the changes, each answer once.
func (p *Printer) force(results []ObjectResult) {
	var said []string
	names := map[string][]string{}
	for _, r := range results {
		for _, text := range p.verdicts(r) {
			said = append(said, text)
			names[text] = append(names[text], r.Plan.String())
		}
	}
	for _, text := range distinct(said) {
		line := "  " + text
		if !p.only() {
			line += ": " + someOf(names[text])
		}
		fmt.Fprintln(p.where(), p.Escape(line))
	}
}

// verdicts are what there is to say of an object's changes being in force, each once. Of a dry run that is only what
// would be in vain.
func (p *Printer) verdicts(r ObjectResult) []string {
	var out []string
	for i, c := range r.Plan.Changes {
		switch {
		case c.Action == Unchanged:
		case i < len(r.Confirms):
			out = append(out, r.Confirms[i].verdict(p.only()))
		case r.Outcome == Patched && r.Plan.Pod != nil:
			out = append(out, "accepted, not waited for")
		case r.Outcome == DryRun && r.Plan.Pod != nil && !r.Plan.Manifest:
			if yes, why := inForce(r.Plan, c); yes != nil && !*yes {
				out = append(out, "would NOT be in force: "+why)
			}
		}
	}
	return distinct(out)
}

func (c Confirmation) verdict(only bool) string {
	switch {
	case c.InForce == nil:
		return "accepted, in force or not is unknown: " + c.Text
	case !*c.InForce:
		return "accepted, NOT in force: " + c.Text
	case c.Later:
		return "in force when it starts: " + c.Text
	case c.Event && !only: // each took its own time
		return "in force, as the nodes say"
	default:
		return "in force: " + c.Text
	}
}

func (p *Printer) totals(results []ObjectResult) {
	counts := map[string]int{}
	var whys []string
	for _, r := range results {
		counts[r.total()]++
		if r.Outcome == Refused {
			whys = append(whys, r.Message)
		}
	}
	var parts []string
	for _, total := range totals() {
		if counts[total] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[total], total))
		}
	}
	fmt.Fprintln(p.Err, strings.Join(parts, ", ")+p.suffix())
	for _, why := range distinct(whys) {
		fmt.Fprintf(p.Err, "  %s\n", p.Escape(why))
	}
}

func totals() []string {
	return []string{"updated", "updated but NOT in force", "unchanged", "failed", "not sent"}
}

func (r ObjectResult) total() string {
	switch {
	case r.Outcome == "":
		return "unchanged"
	case r.Outcome == Refused:
		return "not sent"
	case r.failed():
		return "failed"
	case !r.Ok():
		return "updated but NOT in force"
	default:
		return "updated"
	}
}

// undo writes how changes that were made are undone, and under which name they were made.
func (p *Printer) undo(results []ObjectResult) {
	commands := undoOf(results)
	for _, command := range commands {
		fmt.Fprintf(p.Err, "  undo:  %s\n", p.command(command))
	}
	if len(commands) > 0 {
		fmt.Fprintf(p.Err, "  as:    field manager %s\n", p.Escape(p.FieldManager))
	}
}

// undoOf are the undo commands of the changes that were made: one for all whose undo differs in nothing but the name.
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
