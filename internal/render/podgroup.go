package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// mostGroups is how many groups of Pods are told apart; the last of them takes in the rest.
const mostGroups = 8

// podGroup are Pods of the same state, end and answer.
type podGroup struct {
	state    cell
	end      string
	answer   string
	revision string
	rank     int
	pods     []*report.Pod
}

// What tells Pods apart beside their states, the most first.
const (
	byAnswers = iota // what checks that fail were answered, and the ends
	byEnds
	byStates
)

// groups tells Pods apart by that, or by as much of it as leaves few groups: answers and ends may be as many as there
// are Pods. It says whether answers do tell them apart.
func (v *view) groups(c *report.Container, by int) (groups []*podGroup, answers bool) {
	keys := map[int]func(*report.Pod) (end, answer string){
		byAnswers: func(p *report.Pod) (end, answer string) { return endOf(p), v.answers.now(p) },
		byEnds:    func(p *report.Pod) (end, answer string) { return endOf(p), "" },
		byStates:  func(*report.Pod) (end, answer string) { return "", "" },
	}
	groups = v.groupBy(c, keys[by])
	for coarser := by + 1; coarser <= byStates && len(groups) > mostGroups; coarser++ {
		if few := v.groupBy(c, keys[coarser]); coarser < byStates || len(few) <= mostGroups {
			groups = few
		}
	}
	seen := map[string]bool{}
	for _, g := range groups {
		if g.answer != "" {
			seen[g.answer] = true
		}
	}
	return groups, len(seen) > 1
}

func (v *view) groupBy(c *report.Container, key func(*report.Pod) (end, answer string)) []*podGroup {
	type id struct {
		state, revision, end, answer string
	}
	revisions := v.revisions()
	byID := map[id]*podGroup{}
	var groups []*podGroup
	for i := range c.Pods {
		p := &c.Pods[i]
		state := podState(p)
		at := id{state: state.text}
		at.end, at.answer = key(p)
		if revisions {
			at.revision = p.Revision
		}
		g := byID[at]
		if g == nil {
			g = &podGroup{state: state, end: at.end, answer: at.answer, revision: at.revision, rank: podRank(p)}
			byID[at] = g
			groups = append(groups, g)
		}
		g.pods = append(g.pods, p)
	}
	slices.SortStableFunc(groups, func(a, b *podGroup) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(len(b.pods), len(a.pods)))
	})
	return groups
}

// calm is the rank of a live Pod that is ready.
const calm = 2

// podRank puts first what needs somebody.
func podRank(p *report.Pod) int {
	switch {
	case p.Phase == report.Live && !p.Ready:
		return 0
	case p.Phase == report.Live && !p.PodReady:
		return 1
	case p.Phase == report.Live:
		return calm
	default:
		return calm + 1
	}
}

// folded makes one of the groups that there is no room for.
func folded(groups []*podGroup) []*podGroup {
	if len(groups) <= mostGroups {
		return groups
	}
	rest := groups[mostGroups-1:]
	all := &podGroup{state: cell{text: fmt.Sprintf("%d other states", len(rest))}}
	for _, g := range rest {
		all.pods = append(all.pods, g.pods...)
	}
	return append(slices.Clone(groups[:mostGroups-1]), all)
}

// stateCell adds how long the kubelet waits between two starts, where it says so.
func (g *podGroup) stateCell() cell {
	var waits []int64
	for _, p := range g.pods {
		if p.BackOffSeconds != nil && p.Phase == report.Live {
			waits = append(waits, *p.BackOffSeconds)
		}
	}
	c := g.state
	if len(waits) == 0 || !strings.HasPrefix(c.text, crashLoop) {
		return c
	}
	least, most := slices.Min(waits), slices.Max(waits)
	c.text += backOffMark + probe.FormatSeconds(least)
	if most > least {
		c.text += " to " + probe.FormatSeconds(most)
	}
	return c
}

const (
	crashLoop   = "CrashLoopBackOff"
	backOffMark = ", back-off "
)

func restartRange(pods []*report.Pod) string {
	least, most := pods[0].Restarts, pods[0].Restarts
	for _, p := range pods {
		least, most = min(least, p.Restarts), max(most, p.Restarts)
	}
	if least == most {
		return strconv.Itoa(int(least))
	}
	return fmt.Sprintf("%d-%d", least, most)
}

// endCell is how the containers last ended and when.
func (v *view) endCell(g *podGroup) cell {
	end := g.end
	var newest, oldest *metav1.Time
	for _, p := range g.pods {
		if p.LastTermination == nil {
			continue
		}
		end = cmp.Or(end, "various")
		at := p.LastTermination.FinishedAt
		if at == nil {
			continue
		}
		if newest == nil || at.After(newest.Time) {
			newest = at
		}
		if oldest == nil || at.Before(oldest) {
			oldest = at
		}
	}
	switch {
	case end == "":
		return none()
	case newest == nil || v.asOf.IsZero():
		return cell{text: end}
	default:
		return cell{text: end + ", " + v.span(*newest, *oldest)}
	}
}

// endOf is how a container last ended: "liveness, exit 143", "OOMKilled, exit 137", "exit 1"; "?, exit 1" where nothing
// tells any more whether a probe had it killed.
func endOf(p *report.Pod) string {
	t := p.LastTermination
	if t == nil {
		return ""
	}
	var parts []string
	if t.Cause != "" && t.Cause != t.Reason && !strings.HasPrefix(t.Cause, "exit-") {
		parts = append(parts, token(t.Cause))
	}
	if t.Reason != "" && t.Reason != "Error" && t.Reason != "Completed" { // which repeat what the exit code says
		parts = append(parts, token(t.Reason))
	}
	parts = append(parts, fmt.Sprintf("exit %d", t.ExitCode))
	if t.Signal != 0 {
		parts = append(parts, fmt.Sprintf("signal %d", t.Signal))
	}
	return strings.Join(parts, ", ")
}
