package live

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// jobsAtOnce keeps a label selector of 36 characters for each Job within what any proxy takes as a URL.
const jobsAtOnce = 50

// belowCronJob reads a CronJob's Jobs, which only a list of all tells, and the Pods of those.
func (r *reader) belowCronJob(ctx context.Context, o *snapshot.Object) error {
	jobs, err := r.list(ctx, r.jobs(), r.scope)
	if err != nil {
		return err
	}
	jobs.Objects = slices.DeleteFunc(jobs.Objects, func(j *snapshot.Object) bool { return j.Owner == nil || j.Owner.UID != o.UID })
	r.add(jobs)
	owners := uids(jobs.Objects)
	return parallel(ctx, kindsAtOnce, jobSelectors(jobs.Objects), func(ctx context.Context, selector labels.Selector) error {
		got, err := r.list(ctx, r.pods(selector), r.scope)
		got.Pods = slices.DeleteFunc(got.Pods, func(p *snapshot.Pod) bool { return p.Owner == nil || !owners[p.Owner.UID] })
		r.add(got)
		return err
	})
}

// jobSelectors merges the selectors of Jobs: the controller gives each one label whose value is its UID
// (batch.kubernetes.io/controller-uid, or controller-uid before v1.27). A manual selector stays by itself.
func jobSelectors(jobs []*snapshot.Object) []labels.Selector {
	var out []labels.Selector
	values := map[string][]string{}
	for _, j := range jobs {
		selector := snapshot.LabelSelector(j.Selector)
		if selector == nil {
			continue
		}
		if len(j.Selector.MatchLabels) != 1 || len(j.Selector.MatchExpressions) != 0 {
			out = append(out, selector)
			continue
		}
		for key, value := range j.Selector.MatchLabels {
			values[key] = append(values[key], value)
		}
	}
	for key, all := range values {
		slices.Sort(all)
		for some := range slices.Chunk(all, jobsAtOnce) {
			if in, err := labels.NewRequirement(key, selection.In, some); err == nil { // the server has accepted them
				out = append(out, labels.NewSelector().Add(*in))
			}
		}
	}
	return out
}

// belowService reads the Pods a Service selects, and the workloads whose template it would select: one scaled to
// zero, or one that cannot make Pods, is behind it too.
func (r *reader) belowService(ctx context.Context, svc *snapshot.Service) error {
	if len(svc.Selector) == 0 {
		return nil
	}
	selector := labels.SelectorFromSet(svc.Selector)
	got, err := r.list(ctx, r.pods(selector), r.scope)
	r.add(got)
	if err != nil {
		return err
	}
	sources := []source{r.deployments(), r.statefulSets(), r.daemonSets(), r.replicationControllers()}
	return parallel(ctx, kindsAtOnce, sources, func(ctx context.Context, src source) error {
		got, err := r.list(ctx, src.only(func(o *snapshot.Object) bool {
			return o.Template != nil && selector.Matches(labels.Set(o.Template.Labels))
		}), r.scope)
		r.add(got)
		if err != nil {
			return err
		}
		return parallel(ctx, kindsAtOnce, got.Objects, r.belowObject)
	})
}

// behindServices reads the workloads of the Pods that named Services select as if they had been named too.
func (r *reader) behindServices(ctx context.Context, found []*snapshot.Snapshot) error {
	var selectors []labels.Selector
	for _, got := range found {
		for _, svc := range got.Services {
			if len(svc.Selector) > 0 {
				selectors = append(selectors, labels.SelectorFromSet(svc.Selector))
			}
		}
	}
	if len(selectors) == 0 {
		return nil
	}
	if err := r.climb(ctx); err != nil {
		return err
	}
	graph, seen := r.graph(), map[types.UID]bool{}
	var workloads []*snapshot.Object
	for _, p := range r.allPods() {
		behind := slices.ContainsFunc(selectors, func(s labels.Selector) bool { return s.Matches(labels.Set(p.Labels)) })
		place := graph.Place(p)
		if behind && !place.Self && place.Workload.Object != nil && !seen[place.Workload.UID] {
			seen[place.Workload.UID] = true
			workloads = append(workloads, place.Workload.Object)
		}
	}
	return parallel(ctx, kindsAtOnce, workloads, r.belowObject)
}
