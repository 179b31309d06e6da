package change

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

// BenchmarkPlan plans the same change for many Pods, and makes the patches.
func BenchmarkPlan(b *testing.B) {
	shape := fleet.Shape{Pods: 300, Namespaces: 1, Prefix: "team", Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	var pods [][]byte
	for i := range shape.Workloads() {
		for _, p := range shape.Workload(i).Pods {
			if err := fleet.Managed(p); err != nil {
				b.Fatal(err)
			}
			raw, err := json.Marshal(p)
			if err != nil {
				b.Fatal(err)
			}
			pods = append(pods, raw)
		}
	}
	edit, err := probe.ParseEdit(probe.Readiness, []string{"timeout=3"})
	if err != nil {
		b.Fatal(err)
	}
	request := Request{Edits: []probe.Edit{edit}, Containers: []string{"*"}}
	b.ReportAllocs()
	for b.Loop() {
		planAll(b, request, pods)
	}
}

func planAll(b *testing.B, r Request, pods [][]byte) {
	b.Helper()
	targets := make([]Target, 0, len(pods))
	for _, raw := range pods {
		s, err := PodFromJSON(raw)
		if err != nil {
			b.Fatal(err)
		}
		targets = append(targets, Target{Subject: s, Named: true})
	}
	plan, err := NewPlan(r, targets)
	if err != nil || len(plan.Objects) != len(pods) {
		b.Fatalf("%d objects and error %v", len(plan.Objects), err)
	}
	for i := range plan.Objects {
		if patch, err := plan.Objects[i].Patch(); err != nil || patch == nil {
			b.Fatalf("no patch: %v", err)
		}
	}
}
