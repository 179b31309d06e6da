package report

import (
	"slices"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// runtime fills what the Pods report about a container: readiness, restarts, one entry a Pod. The last end is of any of
// them: the Pods of a Job end for good.
func (g *workloadGroup) runtime(c *Container, variantOf []*variantGroup) {
	var lastEnd time.Time
	live := g.at.live[c.Name]
	c.Pods = slices.Grow(c.Pods, len(live))
	for i, p := range live {
		entry, end := g.podEntry(p, c.Name)
		entry.Variant = &variantOf[i].index
		g.book.tell(&entry, p, c.Name)
		c.Total++
		if entry.Ready {
			c.Ready++
		}
		c.Restarts += int64(entry.Restarts)
		lastEnd = later(lastEnd, end)
		c.Pods = append(c.Pods, entry)
	}
	for _, p := range g.at.others[c.Name] {
		entry, end := g.podEntry(p, c.Name)
		lastEnd = later(lastEnd, end)
		if p.Asked && g.book.container(p.Spec, c.Name) != nil || !g.book.facts[p].container(c.Name).empty() {
			g.book.tell(&entry, p, c.Name)
			c.Pods = append(c.Pods, entry)
		}
	}
	c.LastEnd = timeOrNil(lastEnd)
	g.goneEntries(c)
}

// podEntry describes one container in one Pod, and says when it last ended.
func (g *workloadGroup) podEntry(p *snapshot.Pod, name string) (Pod, time.Time) {
	entry := Pod{
		Name: p.Name, Phase: phaseOf(p), Revision: revisionOf(p), Node: p.Node,
		PodReady: podReady(p), Reason: p.Reason,
	}
	status := g.book.status(p, name)
	if status == nil {
		return entry, time.Time{}
	}
	entry.Ready, entry.Started, entry.Restarts = status.Ready, status.Started, status.RestartCount
	entry.StartedAt = timeOrNil(status.Running)
	last := status.Last
	switch {
	case !status.Running.IsZero():
		entry.State = "running"
	case status.Waiting != "":
		entry.State, entry.Reason = "waiting", status.Waiting
	case status.Terminated != nil:
		entry.State, entry.Reason = "terminated", status.Terminated.Reason
		last = status.Terminated
	}
	if last == nil {
		return entry, time.Time{}
	}
	entry.LastTermination = &Termination{Reason: last.Reason, ExitCode: last.ExitCode, Signal: last.Signal, FinishedAt: timeOrNil(last.Finished)}
	return entry, last.Finished
}
