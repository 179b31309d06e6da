package report

import (
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// startSeconds is the least that the running container's start can have taken until the probe that guards
// starts passed: the startup probe, else the liveness probe. Zero where nothing tells.
func (j *judge) startSeconds() int64 {
	guard := j.guard()
	if j.status == nil || j.status.Running.IsZero() || guard == "" || !j.ready() {
		return 0
	}
	return max(j.failedUntil(guard), j.readyTells(guard), 0)
}

// guard is the probe that can have a starting container killed.
func (j *judge) guard() probe.Kind {
	switch {
	case j.spec == nil:
		return ""
	case j.spec.Startup != nil && !j.spec.Startup.InRange():
		return ""
	case j.spec.Startup != nil:
		return probe.Startup
	case inRange(j.spec.Liveness) != nil:
		return probe.Liveness
	default:
		return ""
	}
}

// failedUntil is when, counted from the container's start, the probe was last seen to fail while starting.
func (j *judge) failedUntil(kind probe.Kind) int64 {
	f := j.facts.of(kind).failed
	if f.count == 0 || f.last.Before(j.status.Running) || j.state(kind, f.last) != StateStarting {
		return 0
	}
	return int64(f.last.Sub(j.status.Running) / time.Second)
}

// readyTells goes back from when the container became ready by what its readiness probe may have taken of that.
// It says nothing where something else may have held readiness up: its delay, another container, an outage
// since, or a readiness probe that asks another thing than the guard.
func (j *judge) readyTells(guard probe.Kind) int64 {
	ready := j.containersReadySince()
	if ready.IsZero() || !j.othersAreReadyAtOnce() {
		return 0
	}
	took := int64(ready.Sub(j.status.Running) / time.Second)
	readiness := j.spec.Readiness
	if guard == probe.Liveness && (readiness == nil || !probe.SameHandler(readiness.Handler, j.spec.Liveness.Handler, j.spec.Ports, j.spec.Ports)) {
		return 0
	}
	if readiness != nil && !readiness.InRange() {
		return 0
	}
	limit := int64(0)
	if guard == probe.Startup {
		limit = j.spec.Startup.StartupAllowance(probe.Ticks).LongestSeconds
	} else {
		limit = j.spec.Liveness.FirstCheck().LatestSeconds + j.spec.Liveness.Detection(probe.Ticks).HeadlineSeconds()
	}
	if readiness == nil {
		return atMost(took-1, limit)
	}
	slack := readiness.Recovery(probe.Ticks).AtWorstSeconds + 1
	if took-slack <= readiness.FirstCheck().LatestSeconds {
		return 0
	}
	return atMost(took-slack, limit)
}

// atMost drops what cannot have been a start: the container would have been killed before.
func atMost(seconds, limit int64) int64 {
	if seconds > limit {
		return 0
	}
	return seconds
}

func (j *judge) containersReadySince() time.Time {
	for _, c := range j.pod.Conditions {
		if c.Type == "ContainersReady" && c.Status == "True" && c.LastTransition.After(j.status.Running) {
			return c.LastTransition
		}
	}
	return time.Time{}
}

// othersAreReadyAtOnce says that no other container of the Pod can have been what it waited for.
func (j *judge) othersAreReadyAtOnce() bool {
	all := remember(j.book.starts, j.pod, j.book.hasMany(j.pod), j.podStarts)
	others := all.awaited
	if isAwaited(j.status, j.spec) {
		others--
	}
	return others == 0 && !all.latest.After(j.status.Running.Add(time.Second))
}

// podStarts are how many containers of a Pod may be waited for after their start, and the latest start.
type podStarts struct {
	awaited int
	latest  time.Time
}

func (j *judge) podStarts() podStarts {
	var all podStarts
	for i := range j.pod.Containers {
		s := &j.pod.Containers[i]
		c := j.book.container(j.pod.Spec, s.Name)
		if c == nil {
			continue
		}
		if isAwaited(s, c) {
			all.awaited++
		}
		all.latest = later(all.latest, s.Running)
	}
	return all
}

func isAwaited(s *snapshot.ContainerStatus, c *snapshot.Container) bool {
	return c.Readiness != nil || c.Startup != nil || s.Running.IsZero()
}
