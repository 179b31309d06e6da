package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// configuration is what the probes are and would do: a table for each container that has something to say, a line for each
// of the others.
func (v *view) configuration() {
	for _, c := range v.told {
		v.page.section()
		v.configTable(c)
		v.schedules(c)
		if v.full {
			v.sentences(c)
		}
	}
	if len(v.brief) > 0 {
		v.page.section()
	}
	v.briefs()
	if names := v.workload.InitContainers; len(names) > 0 && v.full {
		v.page.sayAt(0, cell{}, cell{}, "init containers, which no probe checks: "+Escape(strings.Join(names, ", ")))
	}
}

// setting is one probe configuration, and the Pods that run it.
type setting struct {
	kind     probe.Kind
	probe    *report.Probe
	variants []*report.Variant
}

// settings are the distinct probes over all variants, by kind; the largest variant's first. A variant that has none of a
// kind that others have is told too.
func settings(c *report.Container) []setting {
	variants := c.Variants
	if len(variants) == 0 {
		variants = []report.Variant{{Pods: c.Total, Probes: c.Probes}}
	}
	var out []setting
	for _, kind := range probe.Kinds() {
		var of []setting
		known := map[string]int{}
		for i := range variants {
			p := variants[i].Probes.Get(kind)
			key := probeKey(p)
			at, seen := known[key]
			if !seen {
				at = len(of)
				known[key], of = at, append(of, setting{kind: kind, probe: p})
			}
			of[at].variants = append(of[at].variants, &variants[i])
		}
		if slices.ContainsFunc(of, func(s setting) bool { return s.probe != nil }) {
			out = append(out, of...)
		}
	}
	return out
}

// probeKey is the same of probes that are told as one.
func probeKey(p *report.Probe) string {
	if p == nil {
		return ""
	}
	optional := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return strconv.FormatInt(*n, 10)
	}
	grace := optional(p.Config.TerminationGracePeriodSeconds)
	c := p.Config
	c.TerminationGracePeriodSeconds = nil
	return fmt.Sprintf("%q %q %s %q %s %v", p.Handler.Text, p.Then, optional(p.KillSeconds), p.WhyNot, grace, c)
}

// configTable leaves what acting means to sentences below where the terminal has no room for it.
func (v *view) configTable(c *report.Container) {
	all := settings(c)
	if len(all) == 0 {
		v.page.line(cell{text: token(c.Name)}, cell{text: between + "no probes", tint: grey})
		return
	}
	columns, lines := v.configLines(c, all, v.configColumns(all))
	if v.page.fits(columns, lines) {
		v.page.table(columns, lines)
		return
	}
	narrow := slices.DeleteFunc(v.configColumns(all), func(col configColumn) bool { return col.header == "THEN" })
	v.page.table(v.configLines(c, all, narrow))
	if v.full {
		return // the sentences have it
	}
	v.consequences(all)
}

// consequences are what acting means, once where it is the same.
func (v *view) consequences(all []setting) {
	kinds := map[string][]string{}
	var order []string
	for _, s := range all {
		if s.probe == nil || slices.Contains(kinds[v.then(s.kind, s.probe)], string(s.kind)) {
			continue
		}
		then := v.then(s.kind, s.probe)
		if kinds[then] == nil {
			order = append(order, then)
		}
		kinds[then] = append(kinds[then], string(s.kind))
	}
	for _, then := range order {
		v.page.say(cell{text: "then"}, strings.Join(kinds[then], ", ")+": "+then)
	}
}

func (v *view) configLines(c *report.Container, all []setting, columns []configColumn) ([]column, [][]cell) {
	var lines [][]cell
	for i, s := range all {
		if i > 0 && s.kind != probe.Startup && all[i-1].kind == probe.Startup {
			lines = append(lines, otherFigures(columns))
		}
		line := make([]cell, 0, len(columns))
		for _, col := range columns {
			line = append(line, col.of(s))
		}
		lines = append(lines, line)
	}
	heads := make([]column, 0, len(columns))
	for _, col := range columns {
		heads = append(heads, col.column)
	}
	return inFront(c, heads, lines)
}

// configColumn is a column of the configuration table.
type configColumn struct {
	column
	of func(setting) cell
}

// configColumns leaves out what is at its default everywhere.
func (v *view) configColumns(all []setting) []configColumn {
	has := func(test func(setting) bool) bool { return slices.ContainsFunc(all, test) }
	number := func(get func(report.Config) int32) func(setting) cell {
		return configured(func(p *report.Probe) cell { return inRange(get(p.Config), strconv.Itoa(int(get(p.Config)))) })
	}
	seconds := func(get func(report.Config) int32) func(setting) cell {
		return configured(func(p *report.Probe) cell { return inRange(get(p.Config), probe.FormatSeconds(int64(get(p.Config)))) })
	}
	cs := []configColumn{{column{header: "PROBE"}, func(s setting) cell { return cell{text: string(s.kind)} }}}
	if has(func(s setting) bool {
		return len(s.variants) != len(all[0].variants) || len(s.variants) == 1 && s.variants[0] != all[0].variants[0]
	}) {
		cs = append(cs, configColumn{column{header: "PODS"}, variantPods})
	}
	if has(func(s setting) bool { return s.probe != nil && s.probe.Config.InitialDelaySeconds != 0 }) {
		cs = append(cs, configColumn{column{header: "DELAY"}, seconds(func(c report.Config) int32 { return c.InitialDelaySeconds })})
	}
	cs = append(cs,
		configColumn{column{header: "PERIOD"}, seconds(func(c report.Config) int32 { return c.PeriodSeconds })},
		configColumn{column{header: "TIMEOUT"}, seconds(func(c report.Config) int32 { return c.TimeoutSeconds })})
	if has(func(s setting) bool { return s.probe != nil && s.probe.Config.SuccessThreshold != 1 }) {
		cs = append(cs, configColumn{column{header: "SUCCESS"}, number(func(c report.Config) int32 { return c.SuccessThreshold })})
	}
	first, second := atOnce, hanging
	if all[0].kind == probe.Startup {
		first, second = surely, atMost
	}
	return append(cs,
		configColumn{column{header: "FAILURE"}, number(func(c report.Config) int32 { return c.FailureThreshold })},
		configColumn{column{header: first}, configured(func(p *report.Probe) cell { return budget(p, true) })},
		configColumn{column{header: second}, configured(func(p *report.Probe) cell { return budget(p, false) })},
		configColumn{column{header: "THEN"}, func(s setting) cell {
			return configured(func(p *report.Probe) cell { return cell{text: v.then(s.kind, p)} })(s)
		}},
		configColumn{column{header: "HANDLER", give: giveEnd, min: 12}, configured(handlerCell)})
}

// inRange is a number's text; of one that no API server takes a finding tells.
func inRange(n int32, text string) cell {
	if n < 0 {
		return unknown()
	}
	return cell{text: text}
}

func configured(of func(*report.Probe) cell) func(setting) cell {
	return func(s setting) cell {
		if s.probe == nil {
			return none()
		}
		return of(s.probe)
	}
}

// variantPods is how many run this, and which is the template's.
func variantPods(s setting) cell {
	n, template := 0, false
	for _, variant := range s.variants {
		n += variant.Pods
		template = template || variant.Template
	}
	if template {
		return cell{text: fmt.Sprintf("%d, template", n)}
	}
	return cell{text: strconv.Itoa(n), tint: yellow}
}

// then is what acting means.
func (v *view) then(kind probe.Kind, p *report.Probe) string {
	switch {
	case p.WhyNot != "":
		return "cannot run"
	case kind == probe.Readiness:
		return cmp.Or(v.leaving(), Escape(p.Then))
	}
	within := unknownMark
	if p.KillSeconds != nil {
		within = probe.FormatSeconds(*p.KillSeconds)
	}
	return fmt.Sprintf("SIGTERM, gone within %s, %s", within, Escape(p.Then))
}

// outOf is what becomes of a Pod's Services when it is not ready; empty where they are not known.
func (v *view) outOf() string {
	var out, kept []string
	for _, s := range v.workload.Services {
		if s.PublishNotReadyAddresses {
			kept = append(kept, "svc/"+token(s.Name))
		} else {
			out = append(out, "svc/"+token(s.Name))
		}
	}
	switch {
	case len(out) > 0:
		return "out of " + someServices(out)
	case len(kept) > 0:
		return "stays in " + someServices(kept)
	case v.workload.Services != nil && v.report.Running:
		return "in no Service anyway"
	default:
		return ""
	}
}

func someServices(names []string) string {
	if len(names) > 1 {
		return fmt.Sprintf("%s +%d", names[0], len(names)-1)
	}
	return names[0]
}
