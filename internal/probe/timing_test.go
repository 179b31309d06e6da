package probe

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func timed(delay, period, timeout, success, failure int32) *Probe {
	return &Probe{
		InitialDelaySeconds: delay,
		PeriodSeconds:       period,
		TimeoutSeconds:      timeout,
		SuccessThreshold:    success,
		FailureThreshold:    failure,
	}
}

type figures struct {
	Detection Detection
	Allowance Allowance
	First     Window
	Recovery  Recovery
}

func figuresOf(p *Probe, s Schedule) figures {
	return figures{p.Detection(s), p.StartupAllowance(s), p.FirstCheck(), p.Recovery(s)}
}

func TestFigures(t *testing.T) {
	tests := []struct {
		name     string
		in       *Probe
		schedule Schedule
		want     figures
	}{
		{
			name: "defaults of the API",
			in:   timed(0, 10, 1, 1, 3),
			want: figures{Detection{30, 31}, Allowance{20, 32}, Window{0, 11}, Recovery{10, 11}},
		},
		{
			name: "timeout above the period",
			in:   timed(45, 20, 30, 1, 3),
			want: figures{Detection{60, 120}, Allowance{84, 155}, Window{44, 65}, Recovery{20, 60}},
		},
		{
			name: "long startup",
			in:   timed(0, 10, 1, 1, 30),
			want: figures{Detection{300, 301}, Allowance{290, 302}, Window{0, 11}, Recovery{10, 11}},
		},
		{
			name: "timeout equal to the period, several successes",
			in:   timed(1, 5, 5, 3, 2),
			want: figures{Detection{10, 15}, Allowance{5, 16}, Window{0, 6}, Recovery{15, 20}},
		},
		{
			name:     "end of check, defaults of the API",
			in:       timed(0, 10, 1, 1, 3),
			schedule: EndOfCheck,
			want:     figures{Detection{31, 34}, Allowance{20, 34}, Window{0, 11}, Recovery{10, 12}},
		},
		{
			name:     "end of check, timeout above the period",
			in:       timed(45, 20, 30, 1, 3),
			schedule: EndOfCheck,
			want:     figures{Detection{80, 180}, Allowance{84, 195}, Window{44, 65}, Recovery{20, 80}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, figuresOf(tt.in, tt.schedule)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHeadline(t *testing.T) {
	p := timed(0, 10, 1, 1, 30)
	tests := []struct {
		name string
		in   Kind
		want int64
	}{
		{"startup is what is guaranteed", Startup, 290},
		{"readiness is the larger budget", Readiness, 301},
		{"liveness is the larger budget", Liveness, 301},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Headline(tt.in, Ticks); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

// Guards against a worst case that is period times threshold, as if a hanging check cost nothing.
func TestPeerFault01WorstCaseIncludesTimeout(t *testing.T) {
	tests := []struct {
		name string
		in   *Probe
		want Detection
	}{
		{"short timeout", timed(0, 10, 1, 1, 3), Detection{AtOnceSeconds: 30, HangSeconds: 31}},
		{"timeout above the period", timed(0, 20, 30, 1, 3), Detection{AtOnceSeconds: 60, HangSeconds: 120}},
		{"seen on a node at 6.0 to 7.0 s", timed(0, 1, 3, 1, 2), Detection{AtOnceSeconds: 2, HangSeconds: 9}},
		{"seen on a node at 10.3 to 13.4 s", timed(0, 3, 5, 1, 2), Detection{AtOnceSeconds: 6, HangSeconds: 15}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.in.Detection(Ticks)
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if got.HeadlineSeconds() != tt.want.HangSeconds {
				t.Errorf("headline %d is not the larger figure", got.HeadlineSeconds())
			}
		})
	}
}

// Guards against saying that a timeout above the period makes it slower, beside a figure that does not grow with it.
func TestPeerFault02TimeoutAbovePeriodMovesTheFigure(t *testing.T) {
	for _, s := range []Schedule{Ticks, EndOfCheck} {
		at, above := timed(0, 20, 20, 1, 3), timed(0, 20, 30, 1, 3)
		if grown := above.Headline(Liveness, s) - at.Headline(Liveness, s); grown != 40 {
			t.Errorf("%s: ten seconds more a check grew four checks by %ds", scheduleName(s), grown)
		}
	}
}

// Guards against the delay as the moment of the first check: ticks put it up to a period later.
func TestPeerFault03FirstCheckIsAWindow(t *testing.T) {
	tests := []struct {
		name string
		in   *Probe
		want Window
	}{
		{"no delay", timed(0, 10, 1, 1, 3), Window{EarliestSeconds: 0, LatestSeconds: 11}},
		{"short delay, long period", timed(5, 60, 1, 1, 3), Window{EarliestSeconds: 4, LatestSeconds: 65}},
		{"long delay", timed(45, 20, 30, 1, 3), Window{EarliestSeconds: 44, LatestSeconds: 65}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.FirstCheck(); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// Guards against a delay that begins with the startup probe's success: it begins with the container.
func TestPeerFault04DelayCountsFromContainerStart(t *testing.T) {
	p := timed(30, 10, 1, 1, 3)
	tests := []struct {
		name string
		in   int64
		want Window
	}{
		{"startup over before the delay", 5, Window{EarliestSeconds: 29, LatestSeconds: 40}},
		{"startup over after the delay", 90, Window{EarliestSeconds: 90, LatestSeconds: 100}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.FirstCheckAfterStartup(tt.in); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// Guards against products that wrap: every field at its largest still gives figures that are positive and in order.
func TestPeerFault22NoOverflow(t *testing.T) {
	const most = math.MaxInt32
	never := timed(0, 10, 1, 1, most)
	if got := never.Detection(Ticks).AtOnceSeconds; got != 10*most {
		t.Errorf("never fails: got %d, want %d", got, int64(10*most))
	}
	for _, s := range []Schedule{Ticks, EndOfCheck} {
		f := figuresOf(timed(most, most, most, most, most), s)
		order := []int64{
			0, f.First.EarliestSeconds, f.First.LatestSeconds, f.Recovery.AtOnceSeconds, f.Recovery.AtWorstSeconds,
		}
		for i := 1; i < len(order); i++ {
			if order[i] <= order[i-1] {
				t.Errorf("%s: %v wraps at %d", scheduleName(s), order, i)
			}
		}
		if f.Detection.AtOnceSeconds < most*most || f.Detection.HangSeconds <= f.Detection.AtOnceSeconds {
			t.Errorf("%s: detection wraps: %+v", scheduleName(s), f.Detection)
		}
		if f.Allowance.GuaranteedSeconds < most*(most-1) || f.Allowance.LongestSeconds <= f.Allowance.GuaranteedSeconds {
			t.Errorf("%s: allowance wraps: %+v", scheduleName(s), f.Allowance)
		}
	}
}

// TestWorkerModel pins the model the bounds are held against to what was seen of real workers.
func TestWorkerModel(t *testing.T) {
	tests := []struct {
		name     string
		in       *Probe
		schedule Schedule
		length   int64 // of each failing check
		want     []int64
	}{
		{"ticks, quick checks", timed(0, 10, 1, 1, 4), Ticks, 0, []int64{0, 10, 20, 30}},
		{"ticks, a check within the period", timed(0, 10, 5, 1, 4), Ticks, 3, []int64{0, 10, 20, 30}},
		{"ticks, a check longer than the period", timed(0, 2, 5, 1, 4), Ticks, 5, []int64{0, 5, 10, 15}},
		{"ticks, the delay is tested on ticks", timed(25, 10, 1, 1, 2), Ticks, 0, []int64{30, 40}},
		{"end of check", timed(0, 10, 5, 1, 4), EndOfCheck, 3, []int64{0, 13, 26, 39}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &worker{probe: tt.in, schedule: tt.schedule, first: 1000 * second, started: 1000 * second}
			always := lengths{rand.New(rand.NewPCG(1, 1)), tt.length * second, 1}
			var got []int64
			for _, c := range fromStart(w, tt.in.FailureThreshold, always) {
				got = append(got, (c.start-w.started)/second)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
