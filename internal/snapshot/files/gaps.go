package files

import (
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// gaps are what facts of running Pods need and the files do not hold. Missing owners are found by
// snapshot.Select, which knows which of them matter.
func (r *reader) gaps(s *snapshot.Snapshot) []snapshot.Gap {
	var gaps []snapshot.Gap
	for _, need := range []struct {
		resource, words string
		read            int
	}{
		{"events", "no Events in the files", len(s.Events)},
		{"services", "no Services in the files", len(s.Services)},
		{"nodes", "no Nodes in the files", len(s.Nodes)},
	} {
		if need.read == 0 && !r.collected.lists[need.resource] {
			gaps = append(gaps, snapshot.Gap{What: need.resource, Reason: snapshot.Absent, Message: need.words})
		}
	}
	return gaps
}
