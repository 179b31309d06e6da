package report

import (
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

func BenchmarkBuild(b *testing.B) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := fleet.Shape{Pods: 10_000, Namespaces: 50, Prefix: "team", Now: now}.Snapshot(fleet.PodsEach)
	for name, o := range map[string]Options{"overview": {Now: now}, "summary": {Now: now, Summary: true}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := Build(s, o)
				if err != nil || len(r.Workloads) != 1000 {
					b.Fatalf("%d workloads and error %v", len(r.Workloads), err)
				}
			}
		})
	}
}
