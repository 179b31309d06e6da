package change

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// pollEvery is how often a Pod is looked at while it is waited for.
const pollEvery = 500 * time.Millisecond

// eventGrace is how long after a kubelet without the gate has seen a change its Event is still waited for: the version
// does not prove what a distribution has built in.
const eventGrace = 2 * time.Second

// events are counts by UID, so that an Event that is counted up is new again.
type events map[types.UID]int32

func (a *Applier) eventsBefore(ctx context.Context, p *ObjectPlan) events {
	known := events{}
	if p.Meta.Generation == 1 {
		return known // nothing of it was ever changed
	}
	list, err := a.API.ProbeEvents(ctx, p.Ref)
	if err != nil {
		return known // if they cannot be read now, they cannot be read later either
	}
	for _, e := range list {
		known[e.UID] = eventCount(e)
	}
	return known
}

func eventCount(e corev1.Event) int32 {
	if e.Series != nil {
		return e.Series.Count
	}
	return e.Count
}

// confirm waits for the node to say what it made of the changes, and judges by the kubelet's version what it does not
// say. now is the Pod as the server answered.
func (a *Applier) confirm(ctx context.Context, p *ObjectPlan, now *Subject, known events, sent time.Time) []Confirmation {
	c := confirming{Applier: a, plan: p, known: known, sent: sent, out: make([]Confirmation, len(p.Changes))}
	if now != nil {
		c.generation = now.Meta.Generation
	}
	var seen time.Time
	for {
		waited := a.Clock.Now().Sub(sent)
		c.look(ctx)
		if c.observed && seen.IsZero() {
			seen = a.Clock.Now()
		}
		judged := p.Node.withoutGate() && c.observed && a.Clock.Now().Sub(seen) >= eventGrace
		if c.all() || c.gone || judged || p.Node.Name == "" || waited >= a.Wait {
			break
		}
		if a.Clock.Sleep(ctx, min(pollEvery, a.Wait-waited)) != nil {
			break
		}
	}
	c.judge()
	return c.out
}

// confirming is one Pod while it is waited for.
type confirming struct {
	*Applier
	plan       *ObjectPlan
	known      events
	sent       time.Time
	generation int64
	observed   bool
	gone       bool
	out        []Confirmation
}

func (c *confirming) look(ctx context.Context) {
	if list, err := c.API.ProbeEvents(ctx, c.plan.Ref); err == nil {
		for _, e := range list {
			if count, old := c.known[e.UID]; !old || eventCount(e) > count {
				c.event(e)
			}
		}
	}
	if c.observed || c.all() {
		return
	}
	data, err := c.API.Get(ctx, c.plan.Ref)
	if err != nil {
		return
	}
	now, err := PodFromJSON(data)
	if err != nil {
		return
	}
	c.gone = now.UID != c.plan.UID
	c.observed = !c.gone && c.generation > 0 && now.Pod.Status.ObservedGeneration >= c.generation
}

// event marks the changes that an Event speaks of. It names container and probe; how it words that is not fixed.
func (c *confirming) event(e corev1.Event) {
	for i, change := range c.plan.Changes {
		if change.Action == Unchanged || c.out[i].Event || !mentions(e, change.Container, change.Kind) {
			continue
		}
		c.out[i].Event, c.out[i].InForce = true, new(true)
		after := c.Clock.Now().Sub(c.sent).Round(100 * time.Millisecond)
		c.out[i].Text = fmt.Sprintf("%s applied it after %s", orUnknown(c.plan.Node.Name), after)
	}
}

func mentions(e corev1.Event, container string, kind probe.Kind) bool {
	named := e.InvolvedObject.FieldPath == "spec.containers{"+container+"}" ||
		e.InvolvedObject.FieldPath == "spec.initContainers{"+container+"}"
	for _, word := range strings.FieldsFunc(e.Message, func(r rune) bool { return strings.ContainsRune(" \t\"'`,:;()[]{}", r) }) {
		named = named || word == container
	}
	return named && strings.Contains(strings.ToLower(e.Message), string(kind))
}

func (c *confirming) all() bool {
	for i, change := range c.plan.Changes {
		if change.Action != Unchanged && !c.out[i].Event {
			return false
		}
	}
	return true
}

// judge fills in what the node did not say.
func (c *confirming) judge() {
	for i, change := range c.plan.Changes {
		out := &c.out[i]
		out.ObservedGeneration = c.observed || out.Event
		switch {
		case change.Action == Unchanged || out.Event:
			continue
		case c.gone:
			out.Text = "the Pod was replaced meanwhile"
			continue
		}
		out.InForce, out.Text = inForce(c.plan, change)
		switch {
		case !c.observed && c.plan.Node.Name != "":
			out.InForce, out.Waited = onlyFalse(out.InForce), true
			out.Text = fmt.Sprintf("no answer from %s within %s: %s", c.plan.Node.Name, c.Wait, out.Text)
		case out.InForce == nil:
			out.Waited = true
		}
	}
}

// onlyFalse: what would be in force once the kubelet sees it is not yet; what it would ignore it ignores either way.
func onlyFalse(inForce *bool) *bool {
	if inForce != nil && *inForce {
		return nil
	}
	return inForce
}

// restarts counts the restarts of the containers that change.
func restarts(s *Subject, p *ObjectPlan) int32 {
	var n int32
	for _, list := range [][]corev1.ContainerStatus{s.Pod.Status.ContainerStatuses, s.Pod.Status.InitContainerStatuses} {
		for _, status := range list {
			for _, name := range p.containers() {
				if status.Name == name {
					n += status.RestartCount
				}
			}
		}
	}
	return n
}

func isReady(s *Subject) bool {
	for _, c := range s.Pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
