package change

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// Printer writes plans and results for people: Start, then Result for each object in order as soon as it is sent, then
// Finish with all that is known in the end. Lines about objects go to Out, everything else to Err; in a dry run the plan
// is the output and goes to Out too.
type Printer struct {
	Out, Err     io.Writer
	DryRun       string // client, server; empty: none
	FieldManager string
	Names        bool                // -o name: Out has the objects' names alone
	Escape       func(string) string // makes what objects hold safe to print
	Width        func(string) int    // columns of what is printed; nil: one a byte

	plan *Plan
	told bool // the plan of several objects was written
}

// where is where a plan goes.
func (p *Printer) where() io.Writer {
	if p.DryRun != "" && !p.Names {
		return p.Out
	}
	return p.Err
}

// Start takes the plan, and writes what was passed over.
func (p *Printer) Start(plan *Plan) {
	p.plan, p.told = plan, false
	names := map[string][]string{}
	var reasons []string
	for _, s := range plan.Skipped {
		names[s.Reason] = append(names[s.Reason], s.String())
		reasons = append(reasons, s.Reason)
	}
	for _, reason := range distinct(reasons) {
		fmt.Fprintf(p.Err, "%s skipped: %s\n", p.Escape(someOf(names[reason])), p.Escape(reason))
	}
}

// Watch writes what is being waited for.
func (p *Printer) Watch(text string) {
	p.tell()
	fmt.Fprintln(p.Err, p.Escape(text))
}

// tell writes what happens to several objects, once for each distinct change, and not before the first was accepted.
// One object's plan follows its result instead.
func (p *Printer) tell() {
	if p.told || p.only() {
		return
	}
	p.told = true
	for _, g := range groups(p.plan) {
		if !g[0].Changed() && len(g.notes()) == 0 {
			continue
		}
		fmt.Fprintf(p.where(), "%s:\n", p.Escape(g.title()))
		p.changes(p.where(), g[0])
		p.notes(g.notes())
	}
}

func (p *Printer) only() bool { return len(p.plan.Objects) == 1 }

func (p *Printer) notes(notes []string) {
	for _, note := range notes {
		fmt.Fprintf(p.where(), "  note:  %s\n", p.Escape(note))
	}
}

// Result writes what came of one object. What was not sent is for Finish to count.
func (p *Printer) Result(r ObjectResult) {
	switch {
	case r.Outcome == Refused && !p.only():
		return
	case r.failed():
		fmt.Fprintf(p.Err, "error: %s: %s\n", p.Escape(r.Plan.String()), p.Escape(r.Message))
		switch i := r.Instead; {
		case i.Command != "":
			fmt.Fprintf(p.Err, "instead: %s   (%s)\n", p.command(i.Command), p.Escape(i.Means))
		case i.Means != "":
			fmt.Fprintf(p.Err, "instead: %s\n", p.Escape(i.Means))
		}
		return
	}
	p.tell()
	p.line(r)
	if p.only() {
		p.changes(p.where(), r.Plan)
	}
	if r.Message != "" {
		fmt.Fprintf(p.Err, "  note:  %s\n", p.Escape(r.Message))
	}
}

// command is to be copied as it is, so it is escaped only where printing it would do something else than show it:
// backslashes alone do not.
func (p *Printer) command(text string) string {
	if shown := strings.ReplaceAll(text, `\`, ""); p.Escape(shown) != shown {
		return p.Escape(text)
	}
	return text
}

// failed tells whether the object is not as it was asked for: that is said on Err.
func (r ObjectResult) failed() bool {
	return r.Outcome == Refused || r.Outcome == Rejected || r.Outcome == Failed
}

func (p *Printer) line(r ObjectResult) {
	name := p.Escape(r.Plan.kubectlName())
	switch {
	case p.Names:
		fmt.Fprintln(p.Out, name)
	case r.Outcome == "":
		fmt.Fprintf(p.Out, "%s probes unchanged%s\n", name, p.suffix())
	default:
		fmt.Fprintf(p.Out, "%s probes updated%s\n", name, p.suffix())
	}
}

func (p *Printer) suffix() string {
	switch p.DryRun {
	case "server":
		return " (server dry run)"
	case "client":
		return " (dry run)"
	default:
		return ""
	}
}

// kubectlName is kubectl's form: pod/web-0, deployment.apps/web.
func (r Ref) kubectlName() string {
	kind := strings.ToLower(r.Kind)
	if r.Group != "" {
		kind += "." + r.Group
	}
	return kind + "/" + r.Name
}

// width is that of a name as it is printed, in columns.
func (p *Printer) width(name string) int {
	if p.Width == nil {
		return len(p.Escape(name))
	}
	return p.Width(p.Escape(name))
}

// changes writes what becomes of every probe.
func (p *Printer) changes(w io.Writer, o *ObjectPlan) {
	containerWidth, kindWidth := 0, 0
	for _, c := range o.Changes {
		containerWidth, kindWidth = max(containerWidth, p.width(c.Container)), max(kindWidth, len(c.Kind))
	}
	for _, c := range o.Changes {
		lines := changeLines(c)
		name := p.Escape(c.Container) + strings.Repeat(" ", containerWidth-p.width(c.Container))
		fmt.Fprintf(w, "  %s  %-*s  %-9s %s\n", name, kindWidth, c.Kind, c.Action, p.Escape(lines[0]))
		for _, line := range append(lines[1:], c.Effects...) {
			fmt.Fprintf(w, "  %*s  %s\n", containerWidth, "", p.Escape(line))
		}
	}
}

// changeLines say what a probe was and is: the whole handler, as an exec handler is a command that will run.
func changeLines(c Change) []string {
	was, is := probeLine(c.old), probeLine(c.new)
	switch c.Action {
	case Added:
		return []string{fmt.Sprintf("now %s, %s", is, does(c))}
	case Removed:
		return []string{fmt.Sprintf("was %s, %s", was, did(c))}
	case Updated:
		return []string{becomes(c), "was " + was, "now " + is}
	default:
		return []string{is}
	}
}

// did is what a probe that is taken away was good for.
func did(c Change) string {
	if neverActs(c.Before) {
		return "never acted"
	}
	return verb(c.Kind, "acted within", "allowed") + " " + headline(c.Kind, c.old)
}

// does is what a probe is good for now.
func does(c Change) string {
	if neverActs(c.After) {
		return "never acts"
	}
	return verb(c.Kind, "acts within", "allows") + " " + headline(c.Kind, c.new)
}

// becomes is what a probe was good for and is now. Where both are a time, one verb does.
func becomes(c Change) string {
	before := does(Change{Kind: c.Kind, After: c.Before, new: c.old})
	after := does(c)
	switch {
	case before == after:
		return before
	case neverActs(c.Before) || neverActs(c.After):
		return before + " -> " + after
	default:
		return before + " -> " + headline(c.Kind, c.new)
	}
}

func verb(kind probe.Kind, act, allow string) string {
	if kind == probe.Startup {
		return allow
	}
	return act
}

// headline of a probe with a number that no API server takes, as a manifest may have it, is unknown.
func headline(kind probe.Kind, p *probe.Probe) string {
	if !p.InRange() {
		return "an unknown time"
	}
	return probe.FormatSeconds(p.Headline(kind, probe.Ticks))
}

func probeLine(p *probe.Probe) string {
	if p == nil {
		return "none"
	}
	return p.Text() + " " + p.ConfigText()
}
