package report

import (
	"slices"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// Fact is something that holds of a row or not, apart from all opinions.
type Fact string

// The facts that rows can be chosen by.
const (
	FactFailing     Fact = "failing"    // a probe fails at present
	FactRestarting  Fact = "restarting" // restarted within the hour, or about to be
	FactUnready     Fact = "unready"    // not all Pods that should be are ready
	FactDrifted     Fact = "drifted"
	FactUnknown     Fact = "unknown" // something about it could not be read, or is not known any more
	FactNoReadiness Fact = "no-readiness"
	FactNoLiveness  Fact = "no-liveness"
	FactNoStartup   Fact = "no-startup"
)

// Facts lists them.
func Facts() []Fact {
	return []Fact{
		FactFailing, FactRestarting, FactUnready, FactDrifted, FactUnknown, FactNoReadiness, FactNoLiveness, FactNoStartup,
	}
}

// Has says whether a fact holds of a container of the Report.
func (r *Report) Has(w *Workload, c *Container, f Fact) bool {
	switch f {
	case FactFailing:
		return c.Failing()
	case FactRestarting:
		return r.restarting(c)
	case FactUnready:
		return isDown(w, c)
	case FactDrifted:
		return len(c.Drift) > 0
	case FactUnknown:
		return r.hasUnknowns(w, c)
	case FactNoReadiness:
		return lacks(c, probe.Readiness) && w.Kind != "Job" && w.Kind != "CronJob"
	case FactNoLiveness:
		return lacks(c, probe.Liveness)
	case FactNoStartup:
		return lacks(c, probe.Startup)
	default:
		return false
	}
}

// Failing says that Events report failures of a probe that go on.
func (c *Container) Failing() bool {
	return slices.ContainsFunc(c.Pods, func(p Pod) bool {
		return slices.ContainsFunc(p.Evidence, func(e Evidence) bool { return e.State == StateNow })
	})
}

func (r *Report) restarting(c *Container) bool {
	asOf := r.GeneratedAt.Time
	if r.AsOf != nil {
		asOf = r.AsOf.Time
	}
	return slices.ContainsFunc(c.Pods, func(p Pod) bool {
		if p.Phase != Live {
			return false
		}
		recently := p.Restarts > 0 && p.LastTermination != nil && p.LastTermination.FinishedAt != nil && asOf.Sub(p.LastTermination.FinishedAt.Time) <= time.Hour
		return recently || p.Reason == causeCrashLoop
	})
}

// isDown is about the Pods: a container may be ready in one that is not.
func isDown(w *Workload, c *Container) bool {
	switch {
	case w.Done, c.OnlyIn == OnlyInPast:
		return false
	case c.Ready < c.Total:
		return true
	case w.Desired != nil && c.OnlyIn == "":
		return w.Pods.Ready < int(*w.Desired) && (w.Pods.Total > 0 || w.Pods.Finished > 0 || w.Source == nil)
	default:
		return c.OnlyIn == "" && w.Pods.Ready < w.Pods.Total
	}
}

// lacks is known only of a container whose probes are.
func lacks(c *Container, kind probe.Kind) bool {
	return len(c.Variants) > 0 && slices.ContainsFunc(c.Variants, func(v Variant) bool { return v.Probes.Get(kind) == nil })
}

func (r *Report) hasUnknowns(w *Workload, c *Container) bool {
	switch {
	case w.Template == TemplateUnknown, w.Services == nil, len(c.Variants) == 0 && c.OnlyIn != OnlyInPast:
		return true
	case r.Running && c.Total > 0 && c.Failures == nil:
		return true
	default:
		return slices.ContainsFunc(c.Causes, func(cause Cause) bool { return cause.Cause == causeLost })
	}
}

// Keep drops the rows that are not wanted, and says how many containers there were. A workload of which nothing is known
// but its name is a row too, and no container.
func (r *Report) Keep(want func(*Workload, *Container) bool) (total int) {
	kept := []Workload{}
	for _, w := range r.Workloads {
		if len(w.Containers) == 0 {
			if want(&w, &Container{}) {
				kept = append(kept, w)
			}
			continue
		}
		total += len(w.Containers)
		containers := []Container{}
		for _, c := range w.Containers {
			if want(&w, &c) {
				containers = append(containers, c)
			}
		}
		if len(containers) > 0 {
			w.Containers = containers
			kept = append(kept, w)
		}
	}
	r.Workloads = kept
	return total
}
