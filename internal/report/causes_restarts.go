package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// restartCauses splits a container's restarts by what is proven of them.
func (g *workloadGroup) restartCauses(c *Container) {
	sum := map[string]int64{}
	for _, p := range g.at.live[c.Name] {
		g.book.judge(p, c.Name).splitRestarts(sum)
	}
	c.RestartCauses = []RestartCause{}
	for cause, n := range sum {
		if n > 0 {
			c.RestartCauses = append(c.RestartCauses, RestartCause{cause, n})
		}
	}
	slices.SortFunc(c.RestartCauses, func(a, b RestartCause) int {
		return cmp.Or(cmp.Compare(gravity(a.Cause), gravity(b.Cause)), cmp.Compare(b.Restarts, a.Restarts), strings.Compare(a.Cause, b.Cause))
	})
}

// kills are Killing events of one cause.
type kills struct {
	cause string
	count int64
	first time.Time
}

// splitRestarts explains at most as many restarts as there were: the last kill may not have been followed by
// one yet. What is left is the status' to tell for the latest, and lost for the others.
func (j *judge) splitRestarts(sum map[string]int64) {
	if j.status == nil {
		return
	}
	left := int64(j.status.RestartCount)
	for _, k := range j.killings() {
		n := min(k.count, left)
		sum[k.cause] += n
		left -= n
	}
	if left == 0 {
		return
	}
	if end := j.restartedFrom(); end != nil {
		if cause := j.endCause(end); cause == causeOOM || strings.HasPrefix(cause, "exit-") {
			sum[cause]++
			left--
		}
	}
	sum[causeLost] += left
}

// killings are the kubelet's own kills of the container, the earliest first.
func (j *judge) killings() []kills {
	var all []kills
	if j.facts == nil {
		return nil
	}
	for _, kind := range killers() {
		t := j.facts.of(kind).killed
		all = append(all, kills{string(kind), t.count, t.first})
	}
	all = append(all, kills{causeResize, j.facts.resized.count, j.facts.resized.first})
	all = append(all, kills{causeRedefined, j.facts.redefined.count, j.facts.redefined.first})
	slices.SortStableFunc(all, func(a, b kills) int { return a.first.Compare(b.first) })
	return all
}

// restartedFrom is the end that the latest restart followed, nil when the status has only the one after it.
func (j *judge) restartedFrom() *snapshot.Termination {
	if j.status.Running.IsZero() && j.status.Terminated == nil {
		return nil
	}
	return j.status.Last
}
