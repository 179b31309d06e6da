package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// revision is the live Pods that were made from one template.
type revision struct {
	key  string
	pods []*snapshot.Pod
	// current says that the workload's current template is the one they were made from.
	current bool
	// madeFrom is that template; nil when it is an earlier one that was not read.
	madeFrom *snapshot.PodSpec
	newest   time.Time
}

// verdict says whether a revision is the current one, when the cluster tells.
type verdict int

const (
	unknown verdict = iota
	isCurrent
	isOlder
)

// findRevisions groups the live Pods by the template they were made from. Where nothing says which revision
// is the current one, it is the newest.
func (g *workloadGroup) findRevisions() {
	g.revisionOf = map[*snapshot.Pod]*revision{}
	var all []*revision
	byKey := map[string]*revision{}
	verdicts := map[*revision]verdict{}
	for _, p := range g.live {
		key := revisionOf(p)
		if made := g.made[p]; made != nil && key == "" {
			key = string(made.UID)
		}
		rev := byKey[key]
		if rev == nil {
			rev = &revision{key: key}
			byKey[key] = rev
			all = append(all, rev)
			verdicts[rev] = g.verdict(p)
		}
		rev.pods = append(rev.pods, p)
		g.revisionOf[p] = rev
		if p.Created.After(rev.newest) {
			rev.newest = p.Created
		}
	}
	g.settleCurrent(all, verdicts)
	for _, rev := range all {
		rev.madeFrom = g.template()
		if !rev.current {
			rev.madeFrom = ownTemplate(g.made[rev.pods[0]])
		}
	}
	g.revisions = all
}

func (g *workloadGroup) settleCurrent(all []*revision, verdicts map[*revision]verdict) {
	certain := false
	for _, rev := range all {
		rev.current = verdicts[rev] == isCurrent
		certain = certain || rev.current
	}
	var undecided []*revision
	for _, rev := range all {
		if verdicts[rev] == unknown {
			undecided = append(undecided, rev)
		}
	}
	if certain || len(undecided) == 0 {
		return
	}
	slices.MaxFunc(undecided, func(a, b *revision) int {
		return cmp.Or(a.newest.Compare(b.newest), cmp.Compare(a.key, b.key))
	}).current = true
}

// verdict judges by what the controllers themselves record: the Deployment and its ReplicaSet carry one
// revision number, a StatefulSet's status names its update revision, a DaemonSet counts template generations,
// a Rollout's status names a hash, and a Job is made from the CronJob's template of its day.
func (g *workloadGroup) verdict(p *snapshot.Pod) verdict {
	o := g.object
	if o == nil || o.Template == nil {
		return unknown
	}
	made := g.made[p]
	if t := ownTemplate(made); t != nil {
		return decide(g.book.sameTemplate(t, o.Template.Spec))
	}
	if o.ObservedGeneration < o.Generation && o.ObservedGeneration > 0 {
		return unknown // the controller has yet to see the template: its records are of the one before
	}
	switch {
	case o.Group == "" || o.Group == "batch" || o.Kind == "ReplicaSet" && o.Group == "apps":
		return isCurrent // these make all their Pods from one template
	case o.Revision == "":
		return unknown
	case o.Kind == "Deployment" && o.Group == "apps":
		if made == nil || made.Revision == "" {
			return unknown
		}
		return decide(made.Revision == o.Revision)
	case o.Kind == "DaemonSet" && o.Group == "apps":
		return decide(p.Labels["pod-template-generation"] == o.Revision)
	default:
		if revisionOf(p) == "" {
			return unknown
		}
		return decide(revisionOf(p) == o.Revision)
	}
}

func decide(current bool) verdict {
	if current {
		return isCurrent
	}
	return isOlder
}

// ownTemplate is the template of what made the Pod, nil when only its metadata was read.
func ownTemplate(made *snapshot.Object) *snapshot.PodSpec {
	if made == nil || made.Template == nil {
		return nil
	}
	return made.Template.Spec
}

// sameTemplate says whether two templates agree in all their containers' probes.
func (f finder) sameTemplate(a, b *snapshot.PodSpec) bool {
	if a == b {
		return true
	}
	if len(a.Containers) != len(b.Containers) {
		return false
	}
	for i := range a.Containers {
		other := f.container(b, a.Containers[i].Name)
		if other == nil || !sameProbes(&a.Containers[i], other) {
			return false
		}
	}
	return true
}

// revisionOf is the revision a controller wrote on its Pod, empty when it writes none.
func revisionOf(p *snapshot.Pod) string {
	for _, label := range []string{"rollouts-pod-template-hash", "pod-template-hash", "controller-revision-hash"} {
		if hash := p.Labels[label]; hash != "" {
			return hash
		}
	}
	return ""
}
