package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// patience is how long a Pod may take where no probe says: what a Deployment gives its rollout by default
// (progressDeadlineSeconds, pkg/apis/apps/v1/defaults.go).
const patience = 10 * time.Minute

// notReadyNamed is how many Pods a Rollout names.
const notReadyNamed = 3

// keepServing says that earlier Pods are ready. Of a workload of which only a part was asked for, its
// controller's counts tell.
func (r *rolling) keepServing() bool {
	if n := r.object.Replicas; r.object.Narrowed {
		return n.Ready > 0 && n.Current > n.Updated
	}
	return r.olderReady > 0
}

// going is a rollout that goes on: stalled when a new Pod should have become ready by now, provided that this
// is to be judged by Pods. Of a workload of which only a part was asked for, Pods that are well do not tell: another one
// may be late.
func (r *rolling) going(judged bool, progress snapshot.Condition) *Rollout {
	out := &Rollout{State: RolloutProgressing, Reason: progress.Reason, Since: r.began(), Message: progress.Message}
	if !judged {
		return out
	}
	late, since, need := 0, time.Time{}, time.Duration(0)
	for _, p := range r.newer {
		due, takes := r.due(p)
		if podReady(p) || !due.Before(r.asOf) {
			continue
		}
		late++
		if since.IsZero() || due.Before(since) {
			since, need = due, takes
		}
	}
	if late == 0 && r.object.Narrowed {
		return nil
	}
	if late == 0 {
		return out
	}
	return &Rollout{
		State: RolloutStalled, Reason: rolloutNotReady, Since: timeOrNil(since),
		Message: fmt.Sprintf("%d of %d new Pods not ready for longer than the %s a start takes", late, len(r.newer), need),
	}
}

// due is when a Pod should have become ready, and how long it has for that.
func (r *rolling) due(p *snapshot.Pod) (time.Time, time.Duration) {
	started := startOf(p)
	if started.IsZero() {
		if failsToStart(p) {
			return p.Created.Add(r.need(p.Spec)), r.need(p.Spec)
		}
		return p.Created.Add(patience), patience // it waits for a node, an image or init containers, which take what they take
	}
	return started.Add(r.need(p.Spec)), r.need(p.Spec)
}

// startOf is when a Pod's containers were all started first, as far as that is known: after a restart no more
// than that the Pod is older. Zero while one has yet to be started.
func startOf(p *snapshot.Pod) time.Time {
	var last time.Time
	reported := statusesOf(p, few)
	for _, c := range p.Spec.Containers {
		s := reported.of(c.Name)
		switch {
		case s == nil:
			return time.Time{}
		case s.RestartCount > 0 || s.Last != nil:
			return p.Created
		case s.Terminated != nil:
			last = later(last, s.Terminated.Started)
		case s.Running.IsZero():
			return time.Time{}
		default:
			last = later(last, s.Running)
		}
	}
	return last
}

// failsToStart says that a container waits for a mistake to be corrected, or for the next try.
func failsToStart(p *snapshot.Pod) bool {
	reported := statusesOf(p, few)
	return slices.ContainsFunc(p.Spec.Containers, func(c snapshot.Container) bool {
		s := reported.of(c.Name)
		return s != nil && s.Waiting != "" && s.Waiting != "ContainerCreating" && s.Waiting != "PodInitializing"
	})
}

// need is how long a Pod may take from its containers' start until it is ready: what its probes ask for, and
// on top of it, since only a startup probe says how long a start takes, what a Pod that is ready has taken.
func (r *rolling) need(spec *snapshot.PodSpec) time.Duration {
	var probes int64
	told := true
	for i := range spec.Containers {
		c := &spec.Containers[i]
		probes = max(probes, needOf(c))
		told = told && c.Startup != nil
	}
	if told {
		return seconds(probes)
	}
	return seconds(probes + int64(min(r.longestStart(), patience)/time.Second))
}

// needOf is the longest that a container which is well within its startup allowance takes to become ready.
func needOf(c *snapshot.Container) int64 {
	var start int64
	if inRange(c.Startup) != nil {
		start = c.Startup.StartupAllowance(probe.Ticks).LongestSeconds
	}
	if inRange(c.Readiness) == nil {
		return start
	}
	return c.Readiness.FirstCheckAfterStartup(start).LatestSeconds + c.Readiness.Recovery(probe.Ticks).AtWorstSeconds
}

// longestStart is the longest that a live Pod which was never restarted took to become ready. One that was
// not ready for a while since makes it longer than it was.
func (r *rolling) longestStart() time.Duration {
	if r.longest != nil {
		return *r.longest
	}
	var longest time.Duration
	for _, p := range r.g.live {
		restarted := slices.ContainsFunc(p.Containers, func(s snapshot.ContainerStatus) bool { return s.RestartCount > 0 })
		if started, ready := startOf(p), readySince(p); !restarted && !started.IsZero() && ready.After(started) {
			longest = max(longest, ready.Sub(started))
		}
	}
	r.longest = &longest
	return longest
}

// began is when the first live Pod of the new revision was made.
func (r *rolling) began() *metav1.Time {
	if len(r.newer) == 0 {
		return nil
	}
	return timeOrNil(slices.MinFunc(r.newer, compareAge).Created)
}

func compareAge(a, b *snapshot.Pod) int {
	return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.Name, b.Name))
}

// tell adds who does not become ready and who serves meanwhile.
func (r *rolling) tell(out *Rollout) {
	out.NewRevision = r.newRevision()
	for _, rev := range r.g.revisions {
		if !rev.current && rev.key != "" {
			out.OldRevisions = append(out.OldRevisions, rev.key)
		}
	}
	slices.Sort(out.OldRevisions)
	if out.State != RolloutPaused || len(r.older) > 0 {
		out.KeepServing = new(r.keepServing())
	}
	waiting := slices.DeleteFunc(slices.SortedFunc(slices.Values(r.newer), compareAge), podReady)
	for _, p := range waiting[:min(notReadyNamed, len(waiting))] {
		out.NotReady = append(out.NotReady, p.Name)
	}
	if !r.object.Narrowed {
		out.NewPods, out.NewReady, out.OldPods, out.OldReady = new(len(r.newer)), new(r.newerReady), new(len(r.older)), new(r.olderReady)
	}
}

// newRevision is named by its Pods; while there are none, by what is to make them.
func (r *rolling) newRevision() string {
	if len(r.newer) > 0 {
		return r.g.revisionOf[r.newer[0]].key
	}
	if set := r.g.currentReplicaSet(); set != nil {
		return set.Labels["pod-template-hash"]
	}
	if r.object.Kind == "StatefulSet" {
		return r.object.Revision
	}
	return ""
}

// currentReplicaSet is a Deployment's ReplicaSet of the current revision, nil when it was not read.
func (g *workloadGroup) currentReplicaSet() *snapshot.Object {
	for _, o := range g.objects {
		if o.Kind == "ReplicaSet" && o.Group == "apps" && g.object != nil && o.UID != g.object.UID && o.Revision != "" && o.Revision == g.object.Revision {
			return o
		}
	}
	return nil
}

// revision names the workload's current revision in the words of its kind, and says since when it is there: when
// its rollout was done, else when its ReplicaSet or the oldest of its live Pods was made. A rollback takes up
// an old ReplicaSet again, so the later of these counts.
func (g *workloadGroup) revision() (string, *metav1.Time) {
	if g.object == nil || g.object.Revision == "" {
		return "", nil
	}
	var since time.Time
	if set := g.currentReplicaSet(); set != nil {
		since = set.Created
	}
	for _, c := range g.object.Conditions {
		if c.Type == "Progressing" && c.Reason == "NewReplicaSetAvailable" {
			return g.object.Revision, timeOrNil(later(since, g.object.ProgressUpdated))
		}
	}
	var oldest time.Time
	for _, rev := range g.revisions {
		for _, p := range rev.pods {
			if rev.current && (oldest.IsZero() || p.Created.Before(oldest)) {
				oldest = p.Created
			}
		}
	}
	return g.object.Revision, timeOrNil(later(since, oldest))
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
