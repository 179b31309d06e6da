package probe

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Every bound is held against a model of the kubelet's worker, twice: random phases and check lengths must never leave
// it, and the worst phase of each configuration must come within a few microseconds of it, so that it is no looser
// than what a kubelet can do.

const (
	configurations = 3000
	phases         = 12
	slack          = 20 * microsecond // a worst case is reached by a check that ends just before its timeout, and the like
)

// gauge holds one bound against what was seen.
type gauge struct {
	name     string
	lower    bool
	closest  float64 // over the whole run: seen/bound, for a lower bound bound/seen
	loosest  int64   // the largest distance of a worst phase, in microseconds
	violated int
}

func (g *gauge) hold(t *testing.T, p *Probe, s Schedule, seen, boundSeconds int64, worst bool) {
	t.Helper()
	bound := boundSeconds * second
	distance, ratio := bound-seen, float64(seen)/float64(bound)
	if g.lower {
		distance, ratio = seen-bound, float64(bound)/float64(max(seen, 1))
	}
	if distance < 0 {
		if g.violated++; g.violated < 4 {
			t.Errorf("%s of %s on %s: seen %.6fs, bound %ds", g.name, describe(p), scheduleName(s), seconds(seen), boundSeconds)
		}
		return
	}
	g.closest = max(g.closest, ratio)
	if worst {
		g.loosest = max(g.loosest, distance)
	}
}

// report fails a bound that was not reached: by the best of the run to 1 %, by every worst phase to the slack.
func (g *gauge) report(t *testing.T) {
	t.Helper()
	t.Logf("%-24s closest %.6f, worst phases within %dµs", g.name, g.closest, g.loosest)
	if g.closest < 0.99 || g.loosest > slack {
		t.Errorf("%s: the bound is loose: closest %.4f, a worst phase stayed %.6fs away", g.name, g.closest, seconds(g.loosest))
	}
}

func seconds(microseconds int64) float64 { return float64(microseconds) / float64(second) }

func describe(p *Probe) string {
	return fmt.Sprintf("D=%d P=%d T=%d S=%d F=%d", p.InitialDelaySeconds, p.PeriodSeconds, p.TimeoutSeconds,
		p.SuccessThreshold, p.FailureThreshold)
}

func scheduleName(s Schedule) string {
	return map[Schedule]string{Ticks: "ticks", EndOfCheck: "end of check"}[s]
}

// eachConfiguration runs trials on the same random configurations for both schedules, the last one as the worst phase.
func eachConfiguration(t *testing.T, gauges []*gauge, trial func(t *testing.T, rnd *rand.Rand, p *Probe, s Schedule, worst bool)) {
	for _, s := range []Schedule{Ticks, EndOfCheck} {
		t.Run(scheduleName(s), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(6318, 1))
			for _, g := range gauges {
				*g = gauge{name: g.name, lower: g.lower}
			}
			for range configurations {
				p := randomProbe(rnd)
				for i := range phases {
					trial(t, rnd, p, s, i == phases-1)
				}
			}
			for _, g := range gauges {
				g.report(t)
			}
		})
	}
}

// turning is an application that has one state until it turns into the other. Checks that start before see the old one.
type turning struct {
	rnd      *rand.Rand
	turn     int64 // when; in a worst phase the start of the fourth check
	worst    bool
	seen     int
	healthy  bool // before the turn
	inFlight bool // the check under way at the turn already sees the new state
	old, new lengths
}

func (a *turning) check(at int64) (healthy bool, length int64) {
	a.seen++
	switch {
	case a.worst && a.seen < 4:
		return a.healthy, 0 // so that the next one starts on its own tick
	case a.worst && a.seen == 4:
		a.turn = at
		return a.healthy, a.old.longest
	case at > a.turn:
		return !a.healthy, a.new.draw()
	}
	length = a.old.draw()
	if a.inFlight && at+length > a.turn {
		return !a.healthy, max(a.turn-at, a.new.draw())
	}
	return a.healthy, length
}

// turnOf runs a long-started worker over an application that turns, and returns how long the probe took to act on it.
func turnOf(rnd *rand.Rand, p *Probe, s Schedule, a *turning) int64 {
	w := newWorker(rnd, p, s)
	w.unlocked, w.app = w.visible, a.check
	a.turn = w.started + (max(int64(p.InitialDelaySeconds), 1)+int64(p.PeriodSeconds))*second
	a.turn += rnd.Int64N(4 * (w.period() + a.old.longest))
	if a.worst {
		a.turn = 1 << 62
		a.old.mode, a.new.mode = 1, 1
	} else if rnd.IntN(2) == 0 {
		w.nudges = rnd
	}
	a.rnd, a.inFlight = rnd, rnd.IntN(4) == 0
	threshold := p.FailureThreshold
	if !a.healthy {
		threshold = p.SuccessThreshold
	}
	checks := w.run(!a.healthy, threshold)
	return checks[len(checks)-1].end - a.turn
}

func TestDetectionHoldsAndIsReached(t *testing.T) {
	atOnce, hang := &gauge{name: "detection at once"}, &gauge{name: "detection hang"}
	eachConfiguration(t, []*gauge{atOnce, hang}, func(t *testing.T, rnd *rand.Rand, p *Probe, s Schedule, worst bool) {
		period, timeout := int64(p.PeriodSeconds)*second, int64(p.TimeoutSeconds)*second
		quick := newLengths(rnd, min(period, timeout-1))
		seen := turnOf(rnd, p, s, &turning{healthy: true, worst: worst, old: quick, new: newLengths(rnd, 0)})
		atOnce.hold(t, p, s, seen, p.Detection(s).AtOnceSeconds, worst)

		slow := newLengths(rnd, timeout-1)
		seen = turnOf(rnd, p, s, &turning{healthy: true, worst: worst, old: slow, new: newLengths(rnd, timeout)})
		hang.hold(t, p, s, seen, p.Detection(s).HangSeconds, worst)
	})
}

func TestRecoveryHoldsAndIsReached(t *testing.T) {
	atOnce, atWorst := &gauge{name: "recovery at once"}, &gauge{name: "recovery at worst"}
	eachConfiguration(t, []*gauge{atOnce, atWorst}, func(t *testing.T, rnd *rand.Rand, p *Probe, s Schedule, worst bool) {
		timeout := int64(p.TimeoutSeconds) * second
		seen := turnOf(rnd, p, s, &turning{worst: worst, old: newLengths(rnd, 0), new: newLengths(rnd, 0)})
		atOnce.hold(t, p, s, seen, p.Recovery(s).AtOnceSeconds, worst)

		seen = turnOf(rnd, p, s, &turning{worst: worst, old: newLengths(rnd, timeout), new: newLengths(rnd, timeout-1)})
		atWorst.hold(t, p, s, seen, p.Recovery(s).AtWorstSeconds, worst)
	})
}

// fromStart runs a worker from the container's start over an application that is never healthy.
func fromStart(w *worker, threshold int32, fails lengths) []check {
	w.app = func(int64) (bool, int64) { return false, fails.draw() }
	return w.run(false, threshold)
}

// soonest puts the worker into the phase in which its first check comes soonest, latest into the one in which it comes
// latest.
func (w *worker) soonest() {
	delay := int64(w.probe.InitialDelaySeconds) * second
	w.started = 1000*second + second - 1 // StartedAt loses nearly a second
	w.visible = w.started
	w.attemptAt(max(w.started/second*second+delay, w.started, w.unlocked))
}

func (w *worker) latest() {
	delay := int64(w.probe.InitialDelaySeconds) * second
	w.started = 1000 * second
	w.visible = w.started + second
	w.attemptAt(max(w.started+delay, w.visible, w.unlocked) - 1)
}

func TestFirstCheckHoldsAndIsReached(t *testing.T) {
	earliest, latest := &gauge{name: "first check earliest", lower: true}, &gauge{name: "first check latest"}
	eachConfiguration(t, []*gauge{earliest, latest}, func(t *testing.T, rnd *rand.Rand, p *Probe, s Schedule, worst bool) {
		for _, bound := range []*gauge{earliest, latest} {
			w := newWorker(rnd, p, s)
			if worst && bound == earliest {
				w.soonest()
			} else if worst {
				w.latest()
			}
			seen := fromStart(w, 1, newLengths(rnd, 0))[0].start - w.started
			earliest.hold(t, p, s, seen, p.FirstCheck().EarliestSeconds, worst && bound == earliest)
			latest.hold(t, p, s, seen, p.FirstCheck().LatestSeconds, worst && bound == latest)
		}
	})
}

func TestFirstCheckAfterStartupHoldsAndIsReached(t *testing.T) {
	earliest, latest := &gauge{name: "after startup earliest", lower: true}, &gauge{name: "after startup latest"}
	eachConfiguration(t, []*gauge{earliest, latest}, func(t *testing.T, rnd *rand.Rand, p *Probe, s Schedule, worst bool) {
		startup := 1 + rnd.Int64N(120) // a container not yet visible has not started
		for _, bound := range []*gauge{earliest, latest} {
			w := newWorker(rnd, p, s)
			w.unlocked = w.started + startup*second
			if worst && bound == earliest {
				w.started = 1000*second + second - 1
				w.unlocked = w.started + startup*second
				w.soonest()
			} else if worst {
				w.started = 1000 * second
				w.unlocked = w.started + startup*second
				w.latest()
			}
			seen := fromStart(w, 1, newLengths(rnd, 0))[0].start - w.started
			want := p.FirstCheckAfterStartup(startup)
			earliest.hold(t, p, s, seen, want.EarliestSeconds, worst && bound == earliest)
			latest.hold(t, p, s, seen, want.LatestSeconds, worst && bound == latest)
		}
	})
}

func TestStartupAllowanceHoldsAndIsReached(t *testing.T) {
	guaranteed, longest := &gauge{name: "startup guaranteed", lower: true}, &gauge{name: "startup longest"}
	eachConfiguration(t, []*gauge{guaranteed, longest}, func(t *testing.T, rnd *rand.Rand, p *Probe, s Schedule, worst bool) {
		for _, bound := range []*gauge{guaranteed, longest} {
			w, fails := newWorker(rnd, p, s), newLengths(rnd, int64(p.TimeoutSeconds)*second)
			if worst && bound == guaranteed {
				w.soonest()
				fails.mode = 0
			} else if worst {
				w.latest()
				fails.mode = 1
			}
			checks := fromStart(w, p.FailureThreshold, fails)
			last := checks[len(checks)-1]
			// Healthy at the start of the last check it may still fail would have saved the container.
			guaranteed.hold(t, p, s, last.start-w.started, p.StartupAllowance(s).GuaranteedSeconds, worst && bound == guaranteed)
			longest.hold(t, p, s, last.end-w.started, p.StartupAllowance(s).LongestSeconds, worst && bound == longest)
		}
	})
}
