package probe

import "math/rand/v2"

// Virtual time is in microseconds.
const (
	microsecond int64 = 1
	second            = 1_000_000 * microsecond
)

// worker is a small model of one prober worker of the kubelet (pkg/kubelet/prober/worker.go run and doProbe, v1.37),
// and of the same with the schedule of KEP-6318.
type worker struct {
	probe    *Probe
	schedule Schedule
	first    int64 // the worker's first attempt; on Ticks the clock starts here
	started  int64 // the container starts; its fraction of a second is where in a second that is
	visible  int64 // from then on the kubelet's status cache has the container running
	unlocked int64 // from then on Started is true; for a startup probe the same as visible
	app      func(at int64) (healthy bool, length int64)
	nudges   *rand.Rand // draws manual triggers: the extra readiness checks of a Pod's sync; nil for none

	tick int64 // the next tick that was not delivered yet
}

type check struct {
	start, end int64
	healthy    bool
}

// run attempts until threshold checks in a row had the wanted result, and returns all checks made.
func (w *worker) run(wanted bool, threshold int32) []check {
	var checks []check
	w.tick = w.first + w.period()
	at, streak := w.first, int32(0)
	for streak < threshold {
		end := at
		if w.mayCheck(at) {
			healthy, length := w.app(at)
			end += length
			checks = append(checks, check{at, end, healthy})
			streak++
			if healthy != wanted {
				streak = 0
			}
		}
		at = w.nudge(end, w.next(end))
	}
	return checks
}

func (w *worker) period() int64 { return int64(w.probe.PeriodSeconds) * second }

// mayCheck is what doProbe looks at before it runs a check.
func (w *worker) mayCheck(at int64) bool {
	startedAt := w.started / second * second // status_manager.go normalizeStatus
	delayed := (at-startedAt)/second < int64(w.probe.InitialDelaySeconds)
	return at >= w.visible && at >= w.unlocked && !delayed
}

// next is when the attempt after one that ended at end is made. A tick that came during an attempt waits, further ones
// are lost; one at the very end counts as lost, which is the slower of the two ways a real clock can fall.
func (w *worker) next(end int64) int64 {
	if w.schedule == EndOfCheck {
		return end + w.period()
	}
	at := w.tick
	if at <= end {
		w.tick += ((end-at)/w.period() + 1) * w.period()
		return end
	}
	w.tick += w.period()
	return at
}

// nudge makes one in three attempts come early, at any time after the last one ended; the clock starts anew from there.
func (w *worker) nudge(end, at int64) int64 {
	if w.nudges == nil || w.nudges.IntN(3) > 0 {
		return at
	}
	at = end + w.nudges.Int64N(at-end+1)
	w.tick = at + w.period()
	return at
}

// lengths draws how long checks take, in microseconds: always at once, always as long as can be, or anything between.
type lengths struct {
	rnd     *rand.Rand
	longest int64
	mode    int
}

func newLengths(rnd *rand.Rand, longest int64) lengths { return lengths{rnd, longest, rnd.IntN(3)} }

func (l lengths) draw() int64 {
	switch l.mode {
	case 0:
		return 0
	case 1:
		return l.longest
	default:
		return l.rnd.Int64N(l.longest + 1)
	}
}

func randomProbe(rnd *rand.Rand) *Probe {
	between := func(low, high int) int32 { return int32(low + rnd.IntN(high-low+1)) }
	return &Probe{
		InitialDelaySeconds: between(0, 60),
		PeriodSeconds:       between(1, 30),
		TimeoutSeconds:      between(1, 40),
		SuccessThreshold:    between(1, 3),
		FailureThreshold:    between(1, 6),
	}
}

// newWorker has a container that starts anywhere in a second and becomes visible within a second, and ticks that fall
// anywhere; the app is still missing.
func newWorker(rnd *rand.Rand, p *Probe, s Schedule) *worker {
	w := &worker{probe: p, schedule: s, started: 1000*second + rnd.Int64N(second)}
	w.visible = w.started + rnd.Int64N(second+1)
	w.first = w.started - rnd.Int64N(w.period())
	return w
}

// attemptAt moves the worker's first attempt so that one of those before the first check is made at that time.
func (w *worker) attemptAt(at int64) {
	w.first = at - (at-w.started+w.period()-1)/w.period()*w.period()
}
