package render

import (
	"io"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/rules"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

// cluster is the Report of a cluster of that many workloads with two containers each.
func cluster(b *testing.B, workloads int) *report.Report {
	b.Helper()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := fleet.Shape{Pods: workloads * fleet.PodsEach, Namespaces: 50, Prefix: "team", Now: now}.Snapshot(1)
	r, err := report.Build(s, report.Options{Now: now, Summary: true})
	if err != nil {
		b.Fatal(err)
	}
	rules.Evaluate(r, rules.Options{})
	return r
}

func BenchmarkOverview(b *testing.B) {
	for _, size := range []struct {
		name      string
		workloads int
	}{{"rows=2000", 1000}, {"rows=20000", 10_000}} {
		r := cluster(b, size.workloads)
		for name, o := range map[string]Options{"pipe": {}, "terminal": {Wide: true, Width: 200, Color: true}} {
			b.Run(size.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := Overview(io.Discard, r, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkSummary(b *testing.B) {
	r := cluster(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if err := Summary(io.Discard, r, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDetail(b *testing.B) {
	r := cluster(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := Detail(io.Discard, r, Options{Wide: true}); err != nil {
			b.Fatal(err)
		}
	}
}
