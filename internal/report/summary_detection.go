package report

import (
	"cmp"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// percentiles are those of a Summary, and bounds the inclusive upper bounds of its histogram, in seconds.
func percentiles() []int { return []int{100, 99, 90, 50, 10, 0} }
func bounds() []int64    { return []int64{10, 30, 60, 120, 300} }

// budget is the detection budget of one container.
type budget struct {
	row
	seconds int64
}

// distribution is that of the budgets of one kind of probe. Readiness of Jobs counts for nothing: no Service
// waits for them. A probe that cannot run has none, and one without figures has none that is known.
func distribution(rows []row, kind probe.Kind) Distribution {
	var all []budget
	out := Distribution{}
	for _, one := range rows {
		p := one.container.Probes.Get(kind)
		switch {
		case p == nil, kind == probe.Readiness && one.ofJob():
		case p.WhyNot != "":
			out.NeverActs++
		case !p.HasFigures():
			out.Unknown++
		default:
			all = append(all, budget{one, p.HeadlineSeconds()})
		}
	}
	slices.SortFunc(all, func(a, b budget) int { return cmp.Or(cmp.Compare(a.seconds, b.seconds), compareRows(a.row, b.row)) })
	out.Containers, out.Percentiles, out.Histogram = len(all), ranked(all), histogram(all)
	return out
}

// ranked picks percentiles of sorted budgets by nearest rank, so that each is a container's own.
func ranked(sorted []budget) []Percentile {
	out := []Percentile{}
	if len(sorted) == 0 {
		return out
	}
	for _, percent := range percentiles() {
		b := sorted[nearestRank(percent, len(sorted))-1]
		out = append(out, Percentile{
			Percentile: percent, Seconds: b.seconds,
			Namespace: b.workload.Namespace, Workload: b.workload.DisplayName, Container: b.container.Name,
		})
	}
	return out
}

// nearestRank is ceil(percent/100·n), and the first for 0.
func nearestRank(percent, n int) int { return max(1, (percent*n+99)/100) }

func histogram(all []budget) []Bucket {
	var out []Bucket
	for _, bound := range bounds() {
		out = append(out, Bucket{UpToSeconds: &bound})
	}
	out = append(out, Bucket{})
	for _, b := range all {
		at := slices.IndexFunc(bounds(), func(bound int64) bool { return b.seconds <= bound })
		if at < 0 {
			at = len(out) - 1
		}
		out[at].Count++
	}
	return out
}
