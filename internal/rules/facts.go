package rules

import (
	"fmt"
	"slices"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// facts are what a rule may look at.
type facts struct {
	report    *report.Report
	workload  *report.Workload
	serving   serving
	repeated  map[string]bool // names that several containers have: no command can mean one of them
	asOf      time.Time
	container *report.Container
	starts    map[*report.Variant]starts
}

// newFacts are those of a workload; of adds those of a container.
func newFacts(r *report.Report, w *report.Workload) facts {
	f := facts{report: r, workload: w, serving: servingOf(w), asOf: r.GeneratedAt.Time}
	if r.AsOf != nil {
		f.asOf = r.AsOf.Time
	}
	for i := range w.Containers {
		if name := w.Containers[i].Name; i > 0 && name == w.Containers[i-1].Name { // they stand together
			if f.repeated == nil {
				f.repeated = map[string]bool{}
			}
			f.repeated[name] = true
		}
	}
	return f
}

func (f facts) of(c *report.Container) facts {
	f.container, f.starts = c, startsOf(c)
	return f
}

// hit is a probe of which something holds, in the largest variant where it does.
type hit struct {
	kind    probe.Kind
	probe   *report.Probe
	variant *report.Variant
	where   string // " in 1 of 3 Pods"; empty: in all
}

// hits looks at every variant, so that neither an odd Pod nor the crowd hides what the others have. What is
// over is left alone: nobody can mend a finished Job. So is what the API server would not accept: its own words
// come first, and of its numbers nothing follows.
func (f facts) hits(test func(kind probe.Kind, p *report.Probe, v *report.Variant) bool) []hit {
	return f.allHits(func(kind probe.Kind, p *report.Probe, v *report.Variant) bool {
		invalid := slices.ContainsFunc(f.container.Invalid, func(i report.Invalid) bool { return i.Container == f.container.Name && i.Probe == kind })
		return !invalid && p.HasFigures() && test(kind, p, v)
	})
}

// allHits is hits with those that the API server would not accept.
func (f facts) allHits(test func(kind probe.Kind, p *report.Probe, v *report.Variant) bool) []hit {
	if f.workload.Done || f.container.OnlyIn == report.OnlyInPast {
		return nil
	}
	var all []hit
	for _, kind := range probe.Kinds() {
		var one *hit
		pods, variants := 0, 0
		for i := range f.container.Variants {
			v := &f.container.Variants[i]
			p := v.Probes.Get(kind)
			if p == nil || !test(kind, p, v) {
				continue
			}
			pods, variants = pods+v.Pods, variants+1
			if one == nil {
				one = &hit{kind: kind, probe: p, variant: v}
			}
		}
		if one != nil {
			if variants < len(f.container.Variants) {
				one.where = fmt.Sprintf(" in %d of %d Pods", pods, f.container.Total)
			}
			all = append(all, *one)
		}
	}
	return all
}

// hitsOf is hits for one kind: none or one.
func (f facts) hitsOf(kind probe.Kind, test func(p *report.Probe, v *report.Variant) bool) []hit {
	return f.hits(func(k probe.Kind, p *report.Probe, v *report.Variant) bool { return k == kind && test(p, v) })
}

// isJob says that the workload ends by itself: nothing sends it traffic.
func (f facts) isJob() bool { return f.workload.Kind == "Job" || f.workload.Kind == "CronJob" }

func (f facts) isStatic() bool {
	return f.workload.Kind == "Pod" && f.workload.RootOwner != nil && f.workload.RootOwner.Kind == "Node"
}

// probeOf is the probe of that kind that a Pod runs; nil when it has none, or its variant is not known.
func (f facts) probeOf(p *report.Pod, kind probe.Kind) *report.Probe {
	if p.Variant == nil || *p.Variant >= len(f.container.Variants) {
		return f.container.Probes.Get(kind)
	}
	return f.container.Variants[*p.Variant].Probes.Get(kind)
}

// evidenceOf is what Events say about one probe in one Pod, nil when nothing.
func evidenceOf(p *report.Pod, kind probe.Kind) *report.Evidence {
	i := slices.IndexFunc(p.Evidence, func(e report.Evidence) bool { return e.Probe == kind })
	if i < 0 {
		return nil
	}
	return &p.Evidence[i]
}

// killsOf is how often a probe had the container killed in a Pod, nil when never.
func killsOf(p *report.Pod, kind probe.Kind) *report.Kill {
	i := slices.IndexFunc(p.Kills, func(k report.Kill) bool { return k.Probe == kind })
	if i < 0 {
		return nil
	}
	return &p.Kills[i]
}

// eventRetention is how long API servers keep Events by default: what is in them is of the last hour.
const eventRetention = time.Hour

// writeLag is how old the kubelet's last word about something that goes on can be.
const writeLag = 5 * time.Minute

// recent says that something was seen within that time.
func (f facts) recent(at time.Time, within time.Duration) bool { return f.asOf.Sub(at) <= within }

// sameHandler compares what two probes of a container ask, ports by number.
func sameHandler(a, b *report.Probe) bool {
	return probe.SameHandler(handlerOf(a), handlerOf(b), nil, nil)
}

func handlerOf(p *report.Probe) probe.Handler {
	h := p.Handler
	out := probe.Handler{
		Type: probe.HandlerType(h.Type), Path: h.Path, Host: h.Host, Scheme: h.Scheme, Protocol: h.Protocol,
		Command: h.Command, Mode: h.Mode,
	}
	if h.Port != nil {
		out.Port = *h.Port
	}
	if h.ResolvedPort != nil {
		out.Port.Type, out.Port.IntVal = 0, *h.ResolvedPort
	}
	if h.Service != nil {
		out.Service = *h.Service
	}
	for _, header := range h.Headers {
		out.Headers = append(out.Headers, probe.Header{Name: header.Name, Value: header.Value})
	}
	return out
}

// budget is what a probe would be with other numbers.
func budget(p *report.Probe, change func(*probe.Probe)) *probe.Probe {
	c := p.Config
	out := &probe.Probe{
		Handler:             handlerOf(p),
		InitialDelaySeconds: c.InitialDelaySeconds, PeriodSeconds: c.PeriodSeconds, TimeoutSeconds: c.TimeoutSeconds,
		SuccessThreshold: c.SuccessThreshold, FailureThreshold: c.FailureThreshold,
	}
	change(out)
	return out
}
