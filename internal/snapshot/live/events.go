package live

import (
	"slices"

	"k8s.io/apimachinery/pkg/fields"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// podsByUID is how many named Pods have their Events read one by one. The server reads all Events of a
// namespace for each list (etcd, no watch cache), so a few lists by reason are cheaper for more.
const podsByUID = 3

// podReasons are the reasons of Events that are evidence about probes.
func podReasons() []string {
	return []string{"Unhealthy", "ProbeWarning", "BackOff", "Killing", "ContainerProbeChanged"}
}

// namedReasons are those that also explain why a named workload is not well.
func namedReasons() []string {
	return append(podReasons(), "FailedScheduling", "FailedMount")
}

// podEvents are the Events that tell why Pods are down, by one list for each reason.
func (r *reader) podEvents() []source { return r.eventsByReason(podReasons()) }

// eventsByReason adds the Events about controllers that could not make a Pod.
func (r *reader) eventsByReason(reasons []string) []source {
	sources := []source{r.events("reason=FailedCreate")}
	for _, reason := range reasons {
		sources = append(sources, r.events(fields.Set{"reason": reason, "involvedObject.kind": "Pod"}.String()))
	}
	return sources
}

// namedEvents are the Events about what was named: everything about a few Pods, by reason about workloads,
// whose Pods come and go.
func (r *reader) namedEvents(found []*snapshot.Snapshot) []source {
	if uids, only := eventUIDs(found); only && len(uids) <= podsByUID {
		var sources []source
		for _, uid := range uids {
			sources = append(sources, r.events(fields.OneTermEqualSelector("involvedObject.uid", uid).String()))
		}
		return sources
	}
	return r.eventsByReason(namedReasons())
}

// eventUIDs are those under which Events about named Pods come, and whether nothing but Pods was named. The
// kubelet reports a static Pod under the UID of its manifest.
func eventUIDs(found []*snapshot.Snapshot) (uids []string, only bool) {
	for _, got := range found {
		if len(got.Pods) == 0 {
			return nil, false
		}
		uid := got.Pods[0].UID
		if mirror := got.Pods[0].MirrorUID; mirror != "" {
			uid = mirror
		}
		uids = append(uids, string(uid))
	}
	slices.Sort(uids)
	return slices.Compact(uids), true
}
