package live

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// podsByUID is how many named Pods have their Events read one by one. The server reads all Events of a
// namespace for each list (docs/adr/0009-one-list-of-events.md), so one list for all is cheaper for more.
const podsByUID = 3

// podReasons are the reasons of Events that are evidence about probes.
func podReasons() []string {
	return []string{"Unhealthy", "ProbeWarning", "BackOff", "Killing", "ContainerProbeChanged"}
}

// namedReasons are those that also explain why a named workload is not well.
func namedReasons() []string {
	return append(podReasons(), "FailedScheduling", "FailedMount")
}

// routineReasons are those of most Events of a cluster where nothing is wrong. The server leaves these out; what
// else is of no use is dropped when it comes, since there is no selector for one of several reasons.
func routineReasons() []string {
	return []string{
		"Scheduled", "Pulling", "Pulled", "Created", "Started",
		"SuccessfulCreate", "SuccessfulDelete", "ScalingReplicaSet", "SawCompletedJob", "Completed", "LeaderElection",
	}
}

// eventsByReason are the Events about Pods with these reasons, and those about controllers that could not make one.
func (r *reader) eventsByReason(reasons []string) source {
	var others []fields.Selector
	for _, reason := range routineReasons() {
		others = append(others, fields.OneTermNotEqualSelector("reason", reason))
	}
	return r.events(fields.AndSelectors(others...).String(), func(e *corev1.Event) bool {
		return e.Reason == "FailedCreate" || e.InvolvedObject.Kind == "Pod" && slices.Contains(reasons, e.Reason)
	})
}

// namedEvents are the Events about what was named: everything about a few Pods, by reason about workloads,
// whose Pods come and go.
func (r *reader) namedEvents(found []*snapshot.Snapshot) []source {
	if uids, only := eventUIDs(found); only && len(uids) <= podsByUID {
		var sources []source
		for _, uid := range uids {
			sources = append(sources, r.events(fields.OneTermEqualSelector("involvedObject.uid", uid).String(), everyEvent))
		}
		return sources
	}
	return []source{r.eventsByReason(namedReasons())}
}

func everyEvent(*corev1.Event) bool { return true }

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
