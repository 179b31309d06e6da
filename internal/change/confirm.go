package change

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// eventsBefore are the Events that were there before anything was sent; nil when they cannot be read, and will not be
// later.
func (a *Applier) eventsBefore(ctx context.Context, p *Plan) events {
	known := events{}
	var pods []Ref
	for i := range p.Objects {
		// A Pod of the first generation was never changed.
		if o := &p.Objects[i]; o.Pod != nil && o.Changed() && o.Meta.Generation != 1 {
			pods = append(pods, o.Ref)
		}
	}
	if a.Wait == 0 || a.DryRun || len(pods) == 0 {
		return known
	}
	list, err := a.eventsOf(ctx, pods)
	if err != nil {
		return nil
	}
	for _, e := range list {
		known[e.UID] = eventCount(e)
	}
	return known
}

// eventsOf takes one request for many Pods of a namespace.
func (a *Applier) eventsOf(ctx context.Context, pods []Ref) ([]corev1.Event, error) {
	if len(pods) == 1 {
		return a.API.ProbeEvents(ctx, pods[0].Namespace, pods[0].UID)
	}
	var all []corev1.Event
	asked := map[string]bool{}
	for _, pod := range pods {
		if asked[pod.Namespace] {
			continue
		}
		asked[pod.Namespace] = true
		list, err := a.API.ProbeEvents(ctx, pod.Namespace, "")
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func eventCount(e corev1.Event) int32 {
	if e.Series != nil {
		return e.Series.Count
	}
	return e.Count
}

// confirm waits for the nodes to say what they made of the changes, all together, and judges by the kubelets' versions
// what they do not say. Results that are confirmed already, and those of which no node knows, are passed over.
func (a *Applier) confirm(ctx context.Context, results []ObjectResult, known events) {
	if a.Wait == 0 || a.DryRun {
		return
	}
	c := &confirming{Applier: a, known: known, began: a.Clock.Now()}
	for i := range results {
		if r := &results[i]; r.Outcome == Patched && r.Plan.Pod != nil && r.Confirms == nil {
			r.Confirms = make([]Confirmation, len(r.Plan.Changes))
			c.pods = append(c.pods, &waiting{ObjectResult: r})
		}
	}
	for {
		waited := a.Clock.Now().Sub(c.began)
		pending := c.pending()
		if len(pending) == 0 {
			break
		}
		c.look(ctx, pending)
		if len(c.pending()) == 0 || waited >= a.Wait {
			break
		}
		if a.Clock.Sleep(ctx, min(pollEvery, a.Wait-waited)) != nil {
			c.interrupted = true
			break
		}
	}
	for _, w := range c.pods {
		c.judge(w)
	}
}

// confirming is what is known while nodes are waited for.
type confirming struct {
	*Applier
	pods        []*waiting
	known       events
	unreadable  bool // the Events
	interrupted bool
	began       time.Time
}

// waiting is one Pod whose node is waited for.
type waiting struct {
	*ObjectResult
	observed bool
	seen     time.Time // when that was found
	gone     bool
}

func (c *confirming) pending() []*waiting {
	var out []*waiting
	for _, w := range c.pods {
		judged := w.observed && w.Plan.Node.withoutGate() && c.Clock.Now().Sub(w.seen) >= eventGrace
		if !w.told() && !w.gone && !judged && w.Plan.Node.Name != "" {
			out = append(out, w)
		}
	}
	return out
}

// look reads the Events, and the Pods that were not seen in their new generation yet.
func (c *confirming) look(ctx context.Context, pending []*waiting) {
	c.hear(ctx, pending)
	group := errgroup.Group{}
	group.SetLimit(atOnce)
	for _, w := range pending {
		if w.observed || w.told() {
			continue
		}
		group.Go(func() error {
			c.observe(ctx, w)
			return nil
		})
	}
	_ = group.Wait()
}

func (c *confirming) hear(ctx context.Context, pending []*waiting) {
	refs := make([]Ref, 0, len(pending))
	byUID := map[types.UID]*waiting{}
	for _, w := range pending {
		refs, byUID[w.Plan.UID] = append(refs, w.Plan.Ref), w
	}
	list, err := c.eventsOf(ctx, refs)
	c.unreadable = err != nil || c.known == nil
	if c.unreadable {
		return
	}
	for _, e := range list {
		w := byUID[e.InvolvedObject.UID]
		if count, old := c.known[e.UID]; w != nil && (!old || eventCount(e) > count) {
			c.event(w, e)
		}
	}
}

func (c *confirming) observe(ctx context.Context, w *waiting) {
	data, err := c.API.Get(ctx, w.Plan.Ref)
	if err != nil {
		w.gone = apierrors.IsNotFound(err)
		return
	}
	now, err := PodFromJSON(data)
	if err != nil {
		return
	}
	w.gone = now.UID != w.Plan.UID
	w.observed = !w.gone && w.generation > 0 && now.Pod.Status.ObservedGeneration >= w.generation
	w.seen = c.Clock.Now()
}

// event marks the changes that an Event speaks of. It names container and probe; how it words that is not fixed.
func (c *confirming) event(w *waiting, e corev1.Event) {
	for i, change := range w.Plan.Changes {
		if change.Action == Unchanged || w.Confirms[i].Event || !mentions(e, change.Container, change.Kind) {
			continue
		}
		w.Confirms[i].Event, w.Confirms[i].InForce = true, new(true)
		after := "at once"
		if took := c.Clock.Now().Sub(w.sent).Round(100 * time.Millisecond); took > 0 {
			after = "after " + took.String()
		}
		w.Confirms[i].Text = fmt.Sprintf("%s applied it %s", orUnknown(w.Plan.Node.Name), after)
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

// told tells whether the node has spoken of all the changes.
func (w *waiting) told() bool {
	for i, change := range w.Plan.Changes {
		if change.Action != Unchanged && !w.Confirms[i].Event {
			return false
		}
	}
	return true
}

// judge fills in what the node did not say.
func (c *confirming) judge(w *waiting) {
	for i, change := range w.Plan.Changes {
		out := &w.Confirms[i]
		out.ObservedGeneration = w.observed || out.Event
		switch {
		case change.Action == Unchanged || out.Event:
			continue
		case w.gone:
			out.Text = "the Pod is gone or was replaced meanwhile"
			continue
		}
		out.InForce, out.Text = inForce(w.Plan, change)
		switch node := w.Plan.Node.Name; {
		case node == "":
			out.Later = true
			continue
		case !w.observed:
			out.InForce = onlyFalse(out.InForce)
			out.Text = c.silence(node) + ": " + out.Text
			out.Waited = !c.interrupted
		case out.InForce == nil:
			out.Waited = true
		}
		if out.InForce == nil && c.unreadable {
			out.Text += "; the Pod's Events cannot be read"
		}
	}
}

func (c *confirming) silence(node string) string {
	if c.interrupted {
		return "interrupted before " + node + " answered"
	}
	return fmt.Sprintf("no answer from %s within %s", node, c.Wait)
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

func isReady(s *Subject) bool { return readyOf(s).Status == corev1.ConditionTrue }

// readySince is when Ready last changed.
func readySince(s *Subject) time.Time { return readyOf(s).LastTransitionTime.Time }

func readyOf(s *Subject) corev1.PodCondition {
	for _, c := range s.Pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c
		}
	}
	return corev1.PodCondition{}
}
