package fleet

import "github.com/kubectl-probes/kubectl-probes/internal/snapshot"

// Snapshot is what is read of the first few Pods of each workload, and of everything else; all Pods by podsEach
// PodsEach.
func (s Shape) Snapshot(podsEach int) *snapshot.Snapshot {
	convert := snapshot.NewConverter()
	read := &snapshot.Snapshot{AsOf: s.Now, Running: true}
	for i := range s.Nodes() {
		read.Nodes = append(read.Nodes, convert.Node(s.Node(i)))
	}
	for i := range s.Workloads() {
		w := s.Workload(i)
		read.Objects = append(read.Objects, convert.Deployment(w.Deployment))
		for _, rs := range w.ReplicaSets {
			read.Objects = append(read.Objects, convert.ReplicaSet(rs))
		}
		read.Services = append(read.Services, convert.Service(w.Service))
		for _, p := range w.Pods[:min(podsEach, len(w.Pods))] {
			read.Pods = append(read.Pods, convert.Pod(p))
			for _, e := range s.Events(p) {
				read.Events = append(read.Events, convert.Event(e))
			}
		}
	}
	return read
}
