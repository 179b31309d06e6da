package change

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// FieldManager is the default name under which changes are made.
const FieldManager = "kubectl-probes"

// atOnce bounds how many objects are changed at the same time.
const atOnce = 8

// Clock is the time as the run sees it.
type Clock interface {
	Now() time.Time
	// Sleep waits, or returns the context's error when it ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// Applier makes the changes of a plan.
type Applier struct {
	API          API
	Clock        Clock
	FieldManager string
	DryRun       bool          // the server checks, and keeps nothing
	AtOnce       bool          // do not wait for the first Pod to stay well
	Wait         time.Duration // for the node to say that a change is in force; 0: do not ask
	// Done is called for every object, in the order of the plan, as soon as it and all before it are sent; what their
	// nodes say comes later, with all results. It may be nil.
	Done func(ObjectResult)
	// Watching is told what is being waited for; may be nil.
	Watching func(text string)
}

// Apply makes the changes. The first object goes alone: an answer that every other would get too stops there, and when
// the changes can hurt it must stay well before the others follow. The results have the order of the plan; the error is
// the context's.
func (a *Applier) Apply(ctx context.Context, p *Plan) ([]ObjectResult, error) {
	o := &ordered{results: make([]ObjectResult, len(p.Objects)), done: make([]bool, len(p.Objects)), tell: a.Done}
	known := a.eventsBefore(ctx, p)
	rest, why := a.first(ctx, p, o, known)
	if why != "" {
		for _, i := range rest {
			o.put(i, notSent(&p.Objects[i], why))
		}
	} else {
		a.others(ctx, p, o, rest)
	}
	a.confirm(ctx, o.results, known)
	return o.results, ctx.Err()
}

func (a *Applier) others(ctx context.Context, p *Plan, o *ordered, rest []int) {
	group := errgroup.Group{}
	group.SetLimit(atOnce)
	for _, i := range rest {
		group.Go(func() error {
			o.put(i, a.object(ctx, &p.Objects[i]))
			return nil
		})
	}
	_ = group.Wait()
}

// Preview is what Apply would come to if every patch were made: for a dry run that asks no server.
func Preview(p *Plan) []ObjectResult {
	results := make([]ObjectResult, 0, len(p.Objects))
	for i := range p.Objects {
		result := ObjectResult{Plan: &p.Objects[i]}
		if result.Plan.Changed() {
			result.Outcome = DryRun
		}
		results = append(results, result)
	}
	return results
}

// first changes objects one by one until one is changed and well. It returns those that are left, and why they must not
// be touched.
func (a *Applier) first(ctx context.Context, p *Plan, o *ordered, known events) (rest []int, why string) {
	for i := range p.Objects {
		rest = append(rest, i)
	}
	for len(rest) > 0 {
		i := rest[0]
		rest = rest[1:]
		result := a.object(ctx, &p.Objects[i])
		o.put(i, result)
		alone := len(rest) == 0 || a.DryRun || a.AtOnce || p.Objects[i].Pod == nil
		switch {
		case result.Outcome == "": // nothing to send: it says nothing about the others
			continue
		case result.Stop:
			return rest, "the server would answer the same"
		case result.Outcome != Patched && result.Outcome != DryRun:
			continue
		case !alone && p.Objects[i].waitsForNode(): // it says nothing about those that run
			continue
		case alone || !p.Objects[i].Risky():
			return rest, ""
		}
		a.confirm(ctx, o.results[i:i+1], known)
		return rest, a.staysWell(ctx, &p.Objects[i], o.results[i], len(rest))
	}
	return rest, ""
}

func notSent(p *ObjectPlan, why string) ObjectResult {
	if !p.Changed() {
		return ObjectResult{Plan: p}
	}
	return ObjectResult{Plan: p, Outcome: Refused, Message: "not sent: " + why}
}

// object changes one object.
func (a *Applier) object(ctx context.Context, p *ObjectPlan) ObjectResult {
	switch {
	case !p.Changed():
		return ObjectResult{Plan: p}
	case ctx.Err() != nil:
		return notSent(p, "interrupted")
	}
	sent := a.Clock.Now()
	result, answered := a.send(ctx, p)
	result.sent = sent
	if answered != nil {
		result.generation = answered.Meta.Generation
	}
	return result
}

// ordered hands results on in the order of the plan.
type ordered struct {
	mu      sync.Mutex
	results []ObjectResult
	done    []bool
	next    int
	tell    func(ObjectResult)
}

func (o *ordered) put(i int, result ObjectResult) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.results[i], o.done[i] = result, true
	for o.next < len(o.done) && o.done[o.next] {
		if o.tell != nil {
			o.tell(o.results[o.next])
		}
		o.next++
	}
}

// nodeLatency is what a node may add to a budget.
const nodeLatency = 3 * time.Second

// budget is how long a changed Pod must stay well until the new probes have had their say: the longer of the two
// schedules, as it is not known which the kubelet has.
func (p *ObjectPlan) budget() time.Duration {
	var longest int64
	for _, c := range p.Changes {
		waits := c.Kind == probe.Startup && c.Action == Updated && stateOf(p.Pod, c.Container) == started
		if !c.Risky || c.new == nil || waits {
			continue
		}
		seconds := c.new.Headline(c.Kind, probe.EndOfCheck)
		if c.Kind == probe.Startup {
			seconds = c.new.StartupAllowance(probe.EndOfCheck).LongestSeconds
		}
		if c.Action == Added {
			seconds += c.new.FirstCheck().LatestSeconds
		}
		longest = max(longest, seconds)
	}
	return time.Duration(longest)*time.Second + nodeLatency
}

// staysWell watches the first Pod, and says what is wrong when it does not stay well.
func (a *Applier) staysWell(ctx context.Context, p *ObjectPlan, result ObjectResult, others int) string {
	switch {
	case ctx.Err() != nil:
		return "interrupted"
	case !result.Ok():
		return fmt.Sprintf("%s does not have it in force, so nothing can be learned from it (--at-once goes on anyway)", p.Ref)
	case result.unsure():
		return fmt.Sprintf("%s is not known to have it in force, so nothing can be learned from it (--at-once goes on anyway)", p.Ref)
	}
	wait := result.Plan.budget()
	if a.Watching != nil {
		follow := fmt.Sprintf("the other %d follow", others)
		if others == 1 {
			follow = "the other one follows"
		}
		a.Watching(fmt.Sprintf("watching %s for %s before %s (--at-once skips this)", p.Ref, probe.FormatSeconds(int64(wait/time.Second)), follow))
	}
	until := a.Clock.Now().Add(wait)
	for {
		left := until.Sub(a.Clock.Now())
		why := a.unwell(ctx, result.Plan, left <= 0)
		if why != "" || left <= 0 {
			return why
		}
		if err := a.Clock.Sleep(ctx, min(left, pollEvery)); err != nil {
			return "interrupted"
		}
	}
}

// unwell says what is wrong with a Pod that was changed. Where the way there leads through it, that it is not ready
// counts at the end alone, and that it was not is told.
func (a *Applier) unwell(ctx context.Context, p *ObjectPlan, end bool) string {
	data, err := a.API.Get(ctx, p.Ref)
	if err != nil {
		return fmt.Sprintf("%s could not be watched: %s", p.Ref, err)
	}
	now, err := PodFromJSON(data)
	switch {
	case err != nil:
		return fmt.Sprintf("%s could not be watched: %s", p.Ref, err)
	case now.UID != p.UID || now.Meta.DeletionTimestamp != nil:
		return fmt.Sprintf("%s did not stay: it was deleted", p.Ref)
	case restarts(now, p) > restarts(p.Subject, p):
		return fmt.Sprintf("%s did not stay well: a container was restarted", p.Ref)
	case !isReady(p.Subject) || p.leadsThroughUnready() && !end:
		return ""
	case !isReady(now):
		return fmt.Sprintf("%s did not stay well: it is no longer ready", p.Ref)
	case readySince(now).Equal(readySince(p.Subject)):
		return ""
	case !p.leadsThroughUnready():
		return fmt.Sprintf("%s did not stay well: it was not ready for a while", p.Ref)
	}
	if a.Watching != nil {
		a.Watching(fmt.Sprintf("%s was not ready for a while, and is again", p.Ref))
	}
	return ""
}

// leadsThroughUnready tells whether a change takes Ready away until a new probe passes.
func (p *ObjectPlan) leadsThroughUnready() bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool {
		return c.Action == Added && c.Kind != probe.Liveness
	})
}
