package change

import (
	"encoding/json"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// undo returns the commands that give back exactly what was. The first change of a container's probes is undone by
// --restore, as the Pod keeps what they were; for later ones, of which --restore would undo more, it is the reverse
// spelled out, a command for each container.
func (p *ObjectPlan) undo() []string {
	if !p.Changed() {
		return nil
	}
	if p.Pod != nil && !p.request.Restore && p.isFirst() {
		args := []string{}
		for _, name := range p.containers() {
			args = append(args, "-c", name)
		}
		return []string{p.command(probe.QuoteWords(args...), "--restore")}
	}
	var commands []string
	for _, name := range p.containers() {
		if !p.readable(name) {
			commands = append(commands, p.patchCommand(name))
			continue
		}
		flags := []string{probe.QuoteWords("-c", name)}
		for _, c := range p.Changes {
			if c.Container == name && c.Action != Unchanged {
				flags = append(flags, probe.Flag(c.Kind, c.before))
			}
		}
		commands = append(commands, p.command(flags...))
	}
	return commands
}

// isFirst tells whether nothing of the changed containers was changed before.
func (p *ObjectPlan) isFirst() bool {
	for _, name := range p.containers() {
		if len(p.first[name]) > 0 {
			return false
		}
	}
	return true
}

// containers are the names of those that change, in order.
func (p *ObjectPlan) containers() []string {
	var out []string
	for _, c := range p.Changes {
		if c.Action != Unchanged && (len(out) == 0 || out[len(out)-1] != c.Container) {
			out = append(out, c.Container)
		}
	}
	return out
}

// command is a call of set for this object. The flags are quoted already.
func (p *ObjectPlan) command(flags ...string) string {
	words := []string{"kubectl probes set", probe.QuoteWords(p.String())}
	if p.Namespace != "" {
		words = append(words, probe.QuoteWords("-n", p.Namespace))
	}
	if len(p.request.Flags) > 0 {
		words = append(words, probe.QuoteWords(p.request.Flags...))
	}
	if p.Pod == nil {
		words = append(words, "--pod-template")
	}
	return strings.Join(append(words, flags...), " ")
}

// readable tells whether set would take the container's old probes: one may have fields that this program does not know.
func (p *ObjectPlan) readable(container string) bool {
	for _, c := range p.Changes {
		if c.Container != container || c.Action == Unchanged || len(c.before) == 0 {
			continue
		}
		if _, err := probe.ParseEdit(c.Kind, []string{string(c.before)}); err != nil {
			return false
		}
	}
	return true
}

// patchCommand is the reverse as kubectl would send it.
func (p *ObjectPlan) patchCommand(container string) string {
	var steps []operation
	for _, c := range p.Changes {
		if c.Container != container || c.Action == Unchanged {
			continue
		}
		step := operation{"add", p.pointer(c.slot, fieldOf(c.Kind)), c.before} // replaces what is there
		if len(c.before) == 0 {
			step = operation{Op: "remove", Path: step.Path}
		}
		steps = append(steps, step)
	}
	patch, err := json.Marshal(steps)
	if err != nil {
		return "" // raw JSON that was decoded before
	}
	resource := strings.ToLower(p.Kind)
	if p.Group != "" {
		resource += "." + p.Group
	}
	words := []string{"kubectl patch", probe.QuoteWords(resource, p.Name)}
	if p.Namespace != "" {
		words = append(words, probe.QuoteWords("-n", p.Namespace))
	}
	if len(p.request.Flags) > 0 {
		words = append(words, probe.QuoteWords(p.request.Flags...))
	}
	return strings.Join(append(words, "--type=json -p", probe.QuoteWords(probe.ASCII(patch))), " ")
}
