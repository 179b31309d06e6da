package probe

// Schedule is when the checks of one probe follow each other. The zero value is every kubelet of today.
type Schedule int

const (
	// Ticks is that checks start on the ticks of a clock of periodSeconds. One tick waits while a check is running, so a check
	// longer than the period is followed at once by the next (pkg/kubelet/prober/worker.go run, v1.28 to v1.37).
	Ticks Schedule = iota
	// EndOfCheck is that the next check starts periodSeconds after the last one ended (KEP-6318 MutableContainerProbes, v1.38).
	EndOfCheck
)

// Detection is the longest a failure can go on before a readiness or liveness probe acts, in seconds from the moment
// the application fails. The node's own latency comes on top.
type Detection struct {
	AtOnceSeconds int64 // each check fails at once, and the healthy ones before ended within the period
	HangSeconds   int64 // each check fails only at its timeout, and the healthy ones before may have been that slow too
}

// HeadlineSeconds is the one figure to print where there is room for one: the larger.
func (d Detection) HeadlineSeconds() int64 { return max(d.AtOnceSeconds, d.HangSeconds) }

// Allowance is the time a startup probe leaves a container that starts, in seconds from the container's start.
type Allowance struct {
	GuaranteedSeconds int64 // healthy from here on is never killed, wherever the ticks fall
	LongestSeconds    int64 // never healthy is surely decided to be killed by here, hanging checks included
}

// Window is when something happens, in seconds from the container's start.
type Window struct {
	EarliestSeconds int64
	LatestSeconds   int64
}

// Recovery is the longest an application that is healthy again waits for Ready, in seconds. The kubelet's extra
// readiness checks (pkg/kubelet/prober/prober_manager.go UpdatePodStatus) can make it shorter, never longer.
type Recovery struct {
	AtOnceSeconds  int64 // each check answers at once
	AtWorstSeconds int64 // each check, the last failing one too, takes up to its timeout
}

// Detection returns the detection budget. With period P, timeout T and failureThreshold F, all in seconds, it is F·P
// and F·max(P,T)+T on Ticks, F·P+min(P,T) and F·(P+T)+T on EndOfCheck (pkg/kubelet/prober/worker.go run and doProbe,
// v1.37; KEP-6318, v1.38). The last check that still saw a healthy application started before the failure did; then
// come F failing checks, each a gap after the one before, and the last of them counts when it ends.
func (p *Probe) Detection(s Schedule) Detection {
	n := p.numbers()
	return Detection{
		AtOnceSeconds: n.longestGap(s, min(n.period, n.timeout)) + (n.failure-1)*n.longestGap(s, 0),
		HangSeconds:   n.failure*n.longestGap(s, n.timeout) + n.timeout,
	}
}

// StartupAllowance returns the startup allowance in seconds from the container's start (worker.go doProbe, v1.37).
// Guaranteed is that of failures that come at once after the earliest possible first check; longest that of hangs
// after the latest. It holds for a container that does not inherit a streak of failures from one that crashed.
func (p *Probe) StartupAllowance(s Schedule) Allowance {
	n, first := p.numbers(), p.FirstCheck()
	return Allowance{
		GuaranteedSeconds: first.EarliestSeconds + (n.failure-1)*n.longestGap(s, 0),
		LongestSeconds:    first.LatestSeconds + (n.failure-1)*n.longestGap(s, n.timeout) + n.timeout,
	}
}

// visibleSeconds is how long after its start a container may be unknown to the kubelet's own status cache, which its
// prober reads (relist of the pod lifecycle event generator, pkg/kubelet/kubelet.go, v1.37): no check runs before.
const visibleSeconds = 1

// FirstCheck returns when the first check of a container without startup probe runs, and that of the startup probe
// itself, in seconds from the container's start. The delay is tested only on a tick, hence the period; and against a
// StartedAt that has lost its fraction of a second, hence the second less (worker.go doProbe and
// pkg/kubelet/status/status_manager.go normalizeStatus, v1.37).
func (p *Probe) FirstCheck() Window {
	n := p.numbers()
	return Window{
		EarliestSeconds: max(n.delay-1, 0),
		LatestSeconds:   max(n.delay, visibleSeconds) + n.period,
	}
}

// FirstCheckAfterStartup returns when the first readiness or liveness check runs, in seconds from the container's
// start, if the startup probe succeeded startupSeconds after that start. The delay is not counted anew: it too runs
// from the container's start (worker.go doProbe, v1.37).
func (p *Probe) FirstCheckAfterStartup(startupSeconds int64) Window {
	n, first := p.numbers(), p.FirstCheck()
	return Window{
		EarliestSeconds: max(first.EarliestSeconds, startupSeconds),
		LatestSeconds:   max(first.LatestSeconds, startupSeconds+n.period),
	}
}

// Recovery returns the longest time from healthy again to Ready, in seconds: with successThreshold S it is S·P when
// checks answer at once; at worst S·max(P,T)+T on Ticks and S·(P+T)+T on EndOfCheck. It mirrors Detection: the last
// check that still fails may run until its timeout (worker.go run and doProbe, v1.37; KEP-6318, v1.38).
func (p *Probe) Recovery(s Schedule) Recovery {
	n := p.numbers()
	return Recovery{
		AtOnceSeconds:  n.success * n.longestGap(s, 0),
		AtWorstSeconds: n.success*n.longestGap(s, n.timeout) + n.timeout,
	}
}

// Headline is the one figure, in seconds, for a probe in a table cell: the larger detection budget, and for a startup
// probe the guaranteed allowance.
func (p *Probe) Headline(kind Kind, s Schedule) int64 {
	if kind == Startup {
		return p.StartupAllowance(s).GuaranteedSeconds
	}
	return p.Detection(s).HeadlineSeconds()
}

// InRange says whether the API server would take the numbers that the figures here come of: of others nothing follows
// (pkg/apis/core/validation/validation.go validateProbe, v1.37; zeros are defaults by then).
func (p *Probe) InRange() bool {
	n := p.numbers()
	return n.delay >= 0 && min(n.period, n.timeout, n.success, n.failure) > 0
}

// numbers are a probe's fields wide enough to multiply: the largest int32 in every field still fits every formula.
type numbers struct{ delay, period, timeout, success, failure int64 }

func (p *Probe) numbers() numbers {
	return numbers{
		delay:   int64(p.InitialDelaySeconds),
		period:  int64(p.PeriodSeconds),
		timeout: int64(p.TimeoutSeconds),
		success: int64(p.SuccessThreshold),
		failure: int64(p.FailureThreshold),
	}
}

// longestGap is the most seconds from the start of a check that takes checkSeconds to the start of the next.
func (n numbers) longestGap(s Schedule, checkSeconds int64) int64 {
	if s == EndOfCheck {
		return checkSeconds + n.period
	}
	return max(n.period, checkSeconds)
}
