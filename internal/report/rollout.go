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
		return &Rollout{State: RolloutPaused, Reason: rolloutPause, Since: timeOrNil(r.object.ProgressUpdated)}
	case progress.Status == "False":
		return stalledBy(progress)
	case progress.Reason == "NewReplicaSetAvailable" && r.object.Replicas.Current == r.object.Replicas.Updated:
		return &Rollout{State: RolloutComplete, Since: timeOrNil(r.object.ProgressUpdated)} // as the controller judges (pkg/controller/deployment/progress.go)
	case r.settled() && r.object.Replicas.Available >= r.object.Replicas.Updated:
		return &Rollout{State: RolloutComplete}
	case r.condition("ReplicaFailure").Status == "True":
		failure := r.condition("ReplicaFailure")
		return &Rollout{State: RolloutProgressing, Reason: failure.Reason, Since: r.began(), Message: failure.Message}
	default:
		return r.going(r.keepServing(), progress)
	}
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
	case o.Revision == "" || o.Update.From == o.Revision:
		return r.scaling()
	case o.Update.OnDelete:
		return heldBy(rolloutOnDelete, "a Pod is replaced only when someone deletes it")
	case o.Update.Partition > 0 && o.Desired != nil && n.Updated >= *o.Desired-min(o.Update.Partition, *o.Desired):
		return heldBy(rolloutPartition, fmt.Sprintf("the partition keeps Pods below ordinal %d as they are", o.Update.Partition))
	default: // no deadline of the controller's own ends this, so it does not take others that serve
		return r.ordered(r.going(true, snapshot.Condition{}))
	}
}

func heldBy(reason, message string) *Rollout {
	return &Rollout{State: RolloutPaused, Reason: reason, Message: message}
}

// scaling is a StatefulSet that replaces nothing. In order, it still makes a Pod only when the one before it
// is ready, so a first Pod that is not keeps all others from being made.
func (r *rolling) scaling() *Rollout {
	o := r.object
	waits := slices.ContainsFunc(r.newer, func(p *snapshot.Pod) bool { return !podReady(p) })
	if !o.Update.Ordered || o.Narrowed || o.Desired == nil || o.Replicas.Current >= *o.Desired || !waits {
		return &Rollout{State: RolloutComplete}
	}
	return r.ordered(r.going(true, snapshot.Condition{}))
}

// ordered says that a StatefulSet in order waits for the Pod that does not become ready, even to undo it.
func (r *rolling) ordered(out *Rollout) *Rollout {
	if out.State == RolloutStalled && r.object.Update.Ordered {
		out.Reason = rolloutOrdered
		out.Message += "; Pods are made and replaced one after another, so the others wait for it, those of a rollback too"
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

// custom judges a controller of another's making by its condition Progressing, which an Argo Rollout has in a
// Deployment's words, and by the revisions that its Pods name.
func (r *rolling) custom() *Rollout {
	progress := r.condition("Progressing")
	named := len(r.g.live) > 0 && !slices.ContainsFunc(r.g.live, func(p *snapshot.Pod) bool { return !p.HasStatus || revisionOf(p) == "" })
	switch {
	case r.object.Paused:
		return &Rollout{State: RolloutPaused, Reason: rolloutPause, Since: timeOrNil(r.object.ProgressUpdated)}
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
