package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// The reasons of a rollout's state that are not a controller's own words.
const (
	rolloutUnseen    = "NotObserved"
	rolloutNotReady  = "NewPodsNotReady"
	rolloutOrdered   = "OrderedReady"
	rolloutPartition = "Partition"
	rolloutOnDelete  = "OnDelete"
	rolloutPause     = "Paused"
)

// rollout says how far the workload's template has got; nil where that is unknown, or no question: a Job or
// a ReplicaSet does not replace its Pods.
func (g *workloadGroup) rollout() *Rollout {
	o := g.object
	if o == nil || o.MetadataOnly {
		return nil
	}
	r := &rolling{g: g, object: o, asOf: g.book.asOf}
	r.split()
	var out *Rollout
	switch kind := (snapshot.GroupKind{Group: o.Group, Kind: o.Kind}); {
	case kind == (snapshot.GroupKind{Group: "apps", Kind: "Deployment"}):
		out = r.observed((*rolling).deployment)
	case kind == (snapshot.GroupKind{Group: "apps", Kind: "StatefulSet"}):
		out = r.observed((*rolling).statefulSet)
	case kind == (snapshot.GroupKind{Group: "apps", Kind: "DaemonSet"}):
		out = r.observed((*rolling).daemonSet)
	case !snapshot.IsBuiltinController(kind):
		out = r.custom()
	}
	if out != nil && out.State != RolloutComplete {
		r.tell(out)
	}
	return out
}

// rolling is a workload while its rollout is judged.
type rolling struct {
	g          *workloadGroup
	object     *snapshot.Object
	asOf       time.Time
	newer      []*snapshot.Pod // live Pods of the current revision
	older      []*snapshot.Pod
	newerReady int
	olderReady int
	longest    *time.Duration // once it was asked for
}

func (r *rolling) split() {
	for _, rev := range r.g.revisions {
		ready := len(slices.DeleteFunc(slices.Clone(rev.pods), func(p *snapshot.Pod) bool { return !podReady(p) }))
		if rev.current {
			r.newer, r.newerReady = append(r.newer, rev.pods...), r.newerReady+ready
		} else {
			r.older, r.olderReady = append(r.older, rev.pods...), r.olderReady+ready
		}
	}
}

// observed asks only controllers that have written a status, and believes only one that has seen the template.
func (r *rolling) observed(judge func(*rolling) *Rollout) *Rollout {
	switch o := r.object; {
	case o.ObservedGeneration == 0:
		return nil
	case o.ObservedGeneration < o.Generation:
		return &Rollout{State: RolloutProgressing, Reason: rolloutUnseen, Message: "its controller has yet to see the latest change"}
	default:
		return judge(r)
	}
}

func (r *rolling) deployment() *Rollout {
	progress := r.condition("Progressing")
	switch {
	case r.object.Paused:
		return r.paused(progress)
	case progress.Status == "False":
		return stalledBy(progress)
	case progress.Reason == "NewReplicaSetAvailable" && r.object.Replicas.Current == r.object.Replicas.Updated:
		return &Rollout{State: RolloutComplete, Since: timeOrNil(r.object.ProgressUpdated)} // as the controller judges (pkg/controller/deployment/progress.go)
	case r.settled() && (progress.Status == "" || r.object.Replicas.Available >= r.object.Replicas.Updated): // without a deadline there is no such condition
		return &Rollout{State: RolloutComplete}
	case r.condition("ReplicaFailure").Status == "True":
		failure := r.condition("ReplicaFailure")
		return &Rollout{State: RolloutProgressing, Reason: failure.Reason, Since: r.began(), Message: failure.Message}
	default:
		return r.going(r.keepServing(), progress)
	}
}

// paused tells since when only where the controller has noted it.
func (r *rolling) paused(progress snapshot.Condition) *Rollout {
	out := &Rollout{State: RolloutPaused, Reason: rolloutPause}
	if progress.Status == "Unknown" {
		out.Since, out.Reason, out.Message = timeOrNil(r.object.ProgressUpdated), progress.Reason, progress.Message
	}
	return out
}

func stalledBy(c snapshot.Condition) *Rollout {
	return &Rollout{State: RolloutStalled, Reason: c.Reason, Since: timeOrNil(c.LastTransition), Message: c.Message}
}

// settled says that the controller has replaced all it is to replace, by its own counts.
func (r *rolling) settled() bool {
	n, o := r.object.Replicas, r.object
	return n.Current == n.Updated && (o.Desired == nil || n.Updated >= *o.Desired)
}

func (r *rolling) statefulSet() *Rollout {
	o, n := r.object, r.object.Replicas
	switch {
	case o.Revision == "" || o.Update.From == o.Revision, o.Update.OnDelete && n.Updated >= n.Current:
		return r.scaling()
	case o.Update.OnDelete:
		return heldBy(rolloutOnDelete, "a Pod is replaced only when someone deletes it")
	case r.partitioned() && r.allReady():
		return heldBy(rolloutPartition, fmt.Sprintf("the partition keeps Pods below ordinal %d as they are", o.Update.Partition))
	default: // no deadline of the controller's own ends this, so it does not take others that serve
		return r.ordered(r.going(true, snapshot.Condition{}), "Pods are replaced one after another: the others wait for it, those of a rollback too")
	}
}

// allReady says that no new Pod is waited for. Of a workload of which only a part was asked for, its controller's counts
// tell.
func (r *rolling) allReady() bool {
	if n := r.object.Replicas; r.object.Narrowed {
		return n.Ready >= n.Current
	}
	return r.newerReady == len(r.newer)
}

// partitioned says that all Pods a partition lets be replaced have been.
func (r *rolling) partitioned() bool {
	o := r.object
	return o.Update.Partition > 0 && o.Desired != nil && o.Replicas.Updated >= max(0, *o.Desired-o.Update.Partition)
}

func heldBy(reason, message string) *Rollout {
	return &Rollout{State: RolloutPaused, Reason: reason, Message: message}
}

// scaling is a StatefulSet that replaces nothing. In order, it still makes a Pod only when the one before it
// is ready, so a first Pod that is not keeps all others from being made.
func (r *rolling) scaling() *Rollout {
	o := r.object
	waits := slices.ContainsFunc(r.newer, func(p *snapshot.Pod) bool { return !podReady(p) })
	if !o.Update.Ordered || o.Desired == nil || o.Replicas.Current >= *o.Desired || !waits && !o.Narrowed {
		return &Rollout{State: RolloutComplete}
	}
	return r.ordered(r.going(true, snapshot.Condition{}), "Pods are made one after another: the others wait for it")
}

// ordered says what a StatefulSet in order makes of a Pod that does not become ready.
func (r *rolling) ordered(out *Rollout, consequence string) *Rollout {
	if out != nil && out.State == RolloutStalled && r.object.Update.Ordered {
		out.Reason = rolloutOrdered
		out.Message += "; " + consequence
	}
	return out
}

func (r *rolling) daemonSet() *Rollout {
	o := r.object
	switch {
	case o.Desired == nil || o.Replicas.Updated >= *o.Desired:
		return &Rollout{State: RolloutComplete}
	case o.Update.OnDelete:
		return heldBy(rolloutOnDelete, "a Pod is replaced only when someone deletes it")
	default:
		return r.going(true, snapshot.Condition{})
	}
}

// custom judges a controller of another's making by the revisions that its Pods name. Only an Argo Rollout is
// known to mean by Progressing what a Deployment does: elsewhere False may be the good news.
func (r *rolling) custom() *Rollout {
	var progress snapshot.Condition
	if r.object.Group == "argoproj.io" {
		progress = r.condition("Progressing")
	}
	named := len(r.g.live) > 0 && !slices.ContainsFunc(r.g.live, func(p *snapshot.Pod) bool { return !p.HasStatus || revisionOf(p) == "" })
	switch {
	case r.object.Paused:
		return r.paused(progress)
	case progress.Status == "False":
		return stalledBy(progress)
	case !named || r.object.Narrowed:
		return nil
	case len(r.older) == 0:
		return &Rollout{State: RolloutComplete}
	default:
		return r.going(r.keepServing(), progress)
	}
}

func (r *rolling) condition(name string) snapshot.Condition {
	for _, c := range r.object.Conditions {
		if c.Type == name {
			return c
		}
	}
	return snapshot.Condition{}
}
