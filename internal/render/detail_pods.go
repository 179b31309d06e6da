package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// pods groups those of each container that has something to say, and says what else than a probe explains their state.
func (v *view) pods() {
	if !v.report.Running {
		return
	}
	for _, c := range v.told {
		v.page.section()
		if len(c.Pods) > 0 {
			v.podTable(c)
		}
		v.restarts(c)
		v.reasons(c)
	}
	v.evicted()
	v.resizes()
	v.virtual()
}

// podTable gives up on a narrow terminal, one after the other: what tells answers apart, long states, the nodes.
func (v *view) podTable(c *report.Container) {
	if v.full {
		columns, lines := v.eachPod(c)
		if !v.page.fits(columns, lines) {
			shorterStates(columns, lines)
		}
		v.page.table(columns, lines)
		return
	}
	groups, answers := v.groups(c, byAnswers)
	columns, lines := v.groupLines(c, groups, answers)
	if answers && !v.page.fits(columns, lines) {
		groups, _ = v.groups(c, byEnds)
		columns, lines = v.groupLines(c, groups, false)
	}
	if !v.page.fits(columns, lines) {
		shorterStates(columns, lines)
	}
	if !v.page.fits(columns, lines) {
		columns, lines = without("NODES", columns, lines)
	}
	v.page.table(columns, lines)
}

func shorterStates(columns []column, lines [][]cell) {
	at := slices.IndexFunc(columns, func(c column) bool { return c.header == "STATE" })
	for _, line := range lines {
		line[at].text, _, _ = strings.Cut(line[at].text, backOffMark)
	}
}

func without(header string, columns []column, lines [][]cell) ([]column, [][]cell) {
	at := slices.IndexFunc(columns, func(c column) bool { return c.header == header })
	for i := range lines {
		lines[i] = slices.Delete(lines[i], at, at+1)
	}
	return slices.Delete(columns, at, at+1), lines
}

// toNameContainers says that a state could be taken for another container's: unless it is that of the only one which is
// neither a sidecar nor injected.
func (v *view) toNameContainers() bool {
	helps := func(c *report.Container) bool { return c.Sidecar || c.Injected }
	return len(v.told) > 1 || len(v.brief) > 0 && helps(v.told[0]) ||
		slices.ContainsFunc(v.brief, func(c *report.Container) bool { return !helps(c) })
}

// inFront adds the container's name as a first column.
func inFront(c *report.Container, columns []column, lines [][]cell) ([]column, [][]cell) {
	columns = slices.Insert(columns, 0, column{header: token(c.Name)})
	for i := range lines {
		lines[i] = slices.Insert(lines[i], 0, cell{})
	}
	return columns, lines
}

// severalRevisions says that Pods are to be told apart by what they were made from.
func (v *view) severalRevisions() bool {
	seen := map[string]bool{}
	for _, c := range v.workload.Containers {
		for _, p := range c.Pods {
			if p.Phase == report.Live {
				seen[p.Revision] = true
			}
		}
	}
	return len(seen) > 1
}

// groupLines are the groups as a table.
func (v *view) groupLines(c *report.Container, groups []*podGroup, answers bool) ([]column, [][]cell) {
	columns := []column{
		{header: "PODS"},
		{header: "STATE"},
		{header: "RESTARTS"},
		{header: "LAST END"},
		{header: "NODES"},
		{header: "EXAMPLE"},
	}
	groups = folded(groups)
	var lines [][]cell
	for _, g := range groups {
		lines = append(lines, v.groupLine(g))
	}
	add := func(at int, col column, cell func(*podGroup) cell) {
		columns = slices.Insert(columns, at, col)
		for i := range lines {
			lines[i] = slices.Insert(lines[i], at, cell(groups[i]))
		}
	}
	if v.revisions() {
		add(4, column{header: "REVISION"}, func(g *podGroup) cell { return named(g.revision) })
	}
	if answers {
		add(len(columns), column{header: "ANSWER", give: giveEnd, min: 24}, func(g *podGroup) cell { return cell{text: Escape(g.answer)} })
	}
	if v.toNameContainers() {
		return inFront(c, columns, lines)
	}
	return columns, lines
}

func (v *view) groupLine(g *podGroup) []cell {
	example := cell{text: token(g.pods[0].Name)}
	if g.rank == calm && len(g.pods) > 1 {
		example = cell{}
	}
	nodes := nodesCell(row{container: &report.Container{Pods: values(g.pods)}})
	return []cell{{text: strconv.Itoa(len(g.pods))}, g.stateCell(), {text: restartRange(g.pods)}, v.endCell(g), nodes, example}
}

func values(pods []*report.Pod) []report.Pod {
	out := make([]report.Pod, 0, len(pods))
	for _, p := range pods {
		out = append(out, *p)
	}
	return out
}

// byNeed puts first what needs somebody: the others may be hundreds.
func byNeed(pods []report.Pod) []*report.Pod {
	out := make([]*report.Pod, 0, len(pods))
	for i := range pods {
		out = append(out, &pods[i])
	}
	slices.SortStableFunc(out, func(a, b *report.Pod) int { return cmp.Compare(podRank(a), podRank(b)) })
	return out
}

// eachPod is a line a Pod.
func (v *view) eachPod(c *report.Container) ([]column, [][]cell) {
	columns := []column{{header: "POD"}, {header: "STATE"}, {header: "RESTARTS"}, {header: "LAST END"}, {header: "NODE"}}
	revisions := v.revisions()
	if revisions {
		columns = slices.Insert(columns, 4, column{header: "REVISION"})
	}
	var lines [][]cell
	for _, p := range byNeed(c.Pods) {
		one := &podGroup{state: podState(p), end: endOf(p), pods: []*report.Pod{p}}
		line := []cell{{text: token(p.Name)}, one.stateCell(), {text: restartRange(one.pods)}, v.endCell(one), nodeCell(p)}
		if revisions {
			line = slices.Insert(line, 4, named(p.Revision))
		}
		lines = append(lines, line)
	}
	if v.toNameContainers() {
		return inFront(c, columns, lines)
	}
	return columns, lines
}
