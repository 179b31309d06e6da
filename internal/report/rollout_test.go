package report

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// rolloutCase is a controller of some kind with Pods of revision "new" and of revision "old".
type rolloutCase struct {
	object snapshot.Object
	newer  []*snapshot.Pod
	older  []*snapshot.Pod
}

func (c rolloutCase) report(t *testing.T) *Workload {
	t.Helper()
	o := c.object
	o.Namespace, o.Name, o.UID = "shop", "web", "web-uid"
	o.Template = &snapshot.Template{Spec: runningPod("template").Spec}
	if o.Kind == "" {
		o.Group, o.Kind = "apps", "Deployment"
	}
	label := map[string]string{"Deployment": "pod-template-hash", "Rollout": "rollouts-pod-template-hash"}[o.Kind]
	if label == "" {
		label = "controller-revision-hash"
	}
	s := readSnapshot(nil)
	s.Objects = []*snapshot.Object{&o}
	revisions := map[string]string{"new": "new", "old": "old"}
	if o.Kind == "Deployment" || o.Kind == "DaemonSet" {
		o.Revision = "2"
		revisions = map[string]string{"new": "2", "old": "1"}
	} else if o.Revision == "" {
		o.Revision = "new"
	}
	for hash, all := range map[string][]*snapshot.Pod{"new": c.newer, "old": c.older} {
		owner := &snapshot.Object{Group: o.Group, Kind: o.Kind, Name: o.Name, UID: o.UID}
		if o.Kind == "Deployment" {
			owner = &snapshot.Object{
				Group: "apps", Kind: "ReplicaSet", Namespace: "shop", Name: "web-" + hash, UID: types.UID("rs-" + hash), MetadataOnly: true,
				Owner: &snapshot.OwnerRef{Group: "apps", Kind: "Deployment", Name: "web", UID: o.UID}, Revision: revisions[hash],
				Labels: map[string]string{label: hash}, Created: ago(map[string]time.Duration{"new": time.Hour, "old": 9 * time.Hour}[hash]),
			}
			s.Objects = append(s.Objects, owner)
		}
		for _, p := range all {
			p.Labels = map[string]string{label: hash, "pod-template-generation": revisions[hash]}
			p.Owner = &snapshot.OwnerRef{Group: owner.Group, Kind: owner.Kind, Name: owner.Name, UID: owner.UID}
			s.Pods = append(s.Pods, p)
		}
	}
	return workloadNamed(t, build(t, s), snapshot.DisplayName(o.Group, o.Kind, o.Name))
}

// young is a Pod that started a while ago and has not been Ready since.
func young(name string, started time.Duration) *snapshot.Pod {
	p := unready(runningPod(name))
	p.Created, p.Containers[0].Running = ago(started+2*time.Second), ago(started)
	return p
}

// quick is a Pod that has been Ready since four seconds after its start.
func quick(name string) *snapshot.Pod {
	p := runningPod(name)
	p.Conditions[0].LastTransition = ago(30*time.Minute - 4*time.Second)
	return p
}

// crashing is a Pod that was made a while ago, and whose container has been running for five seconds again.
func crashing(name string, made time.Duration) *snapshot.Pod {
	p := young(name, 5*time.Second)
	p.Created, p.Containers[0].RestartCount = ago(made), 3
	return p
}

// waiting is a young Pod that was never started.
func waiting(name, reason string, created time.Duration) *snapshot.Pod {
	p := young(name, created)
	p.Created = ago(created)
	p.Containers[0].Running, p.Containers[0].Waiting = time.Time{}, reason
	return p
}

func progress(status, reason string) []snapshot.Condition {
	return []snapshot.Condition{{Type: "Progressing", Status: status, Reason: reason, Message: "controller: " + reason, LastTransition: ago(7 * time.Minute)}}
}

func observed(kind string, n snapshot.ReplicaCounts, conditions ...snapshot.Condition) snapshot.Object {
	return snapshot.Object{
		Group: "apps", Kind: kind, Generation: 2, ObservedGeneration: 2, Desired: new(int32(2)), Replicas: n,
		Conditions: conditions, ProgressUpdated: ago(5 * time.Minute),
	}
}

func set(update snapshot.UpdatePolicy, n snapshot.ReplicaCounts) snapshot.Object {
	o := observed("StatefulSet", n)
	o.Update = update
	return o
}

func TestDeploymentRollout(t *testing.T) {
	rollingOut := snapshot.ReplicaCounts{Current: 3, Updated: 1, Ready: 2, Available: 2}
	tests := []struct {
		name   string
		in     rolloutCase
		state  RolloutState
		reason string
		since  time.Duration // ago; 0: absent
	}{
		{"done", rolloutCase{object: observed("Deployment", snapshot.ReplicaCounts{Current: 2, Updated: 2, Ready: 2, Available: 2}, progress("True", "NewReplicaSetAvailable")...), newer: pods(quick("a"))}, RolloutComplete, "", 5 * time.Minute},
		{"done, and down since", rolloutCase{object: observed("Deployment", snapshot.ReplicaCounts{Current: 2, Updated: 2}, progress("True", "NewReplicaSetAvailable")...), newer: pods(young("a", time.Hour))}, RolloutComplete, "", 5 * time.Minute},
		{"done, without a deadline", rolloutCase{object: observed("Deployment", snapshot.ReplicaCounts{Current: 2, Updated: 2}), newer: pods(young("a", time.Hour))}, RolloutComplete, "", 0},
		{"the controller gave up", rolloutCase{object: observed("Deployment", rollingOut, progress("False", "ProgressDeadlineExceeded")...), newer: pods(young("a", 20*time.Second)), older: pods(quick("b"))}, RolloutStalled, "ProgressDeadlineExceeded", 7 * time.Minute},
		{"within the start", rolloutCase{object: observed("Deployment", rollingOut, progress("True", "ReplicaSetUpdated")...), newer: pods(young("a", 24*time.Second)), older: pods(quick("b"))}, RolloutProgressing, "ReplicaSetUpdated", 26 * time.Second},
		{"longer than probes and others need", rolloutCase{object: observed("Deployment", rollingOut, progress("True", "ReplicaSetUpdated")...), newer: pods(young("a", 27*time.Second)), older: pods(quick("b"))}, RolloutStalled, "NewPodsNotReady", time.Second},
		{"the first rollout", rolloutCase{object: observed("Deployment", snapshot.ReplicaCounts{Current: 1, Updated: 1}, progress("True", "ReplicaSetUpdated")...), newer: pods(young("a", 9*time.Minute))}, RolloutProgressing, "ReplicaSetUpdated", 9*time.Minute + 2*time.Second},
		{"nobody serves", rolloutCase{object: observed("Deployment", rollingOut, progress("True", "ReplicaSetUpdated")...), newer: pods(young("a", 9*time.Minute)), older: pods(young("b", time.Hour))}, RolloutProgressing, "ReplicaSetUpdated", 9*time.Minute + 2*time.Second},
		{"in a crash loop", rolloutCase{object: observed("Deployment", rollingOut, progress("True", "ReplicaSetUpdated")...), newer: pods(crashing("a", time.Minute)), older: pods(quick("b"))}, RolloutStalled, "NewPodsNotReady", 34 * time.Second},
		{"pulling an image", rolloutCase{object: observed("Deployment", rollingOut, progress("True", "ReplicaSetUpdated")...), newer: pods(waiting("a", "ContainerCreating", 9*time.Minute)), older: pods(quick("b"))}, RolloutProgressing, "ReplicaSetUpdated", 9 * time.Minute},
		{"pulling it too long", rolloutCase{object: observed("Deployment", rollingOut, progress("True", "ReplicaSetUpdated")...), newer: pods(waiting("a", "ContainerCreating", 11*time.Minute)), older: pods(quick("b"))}, RolloutStalled, "NewPodsNotReady", time.Minute},
		{"no such image", rolloutCase{object: observed("Deployment", rollingOut, progress("True", "ReplicaSetUpdated")...), newer: pods(waiting("a", "ImagePullBackOff", 36*time.Second)), older: pods(quick("b"))}, RolloutStalled, "NewPodsNotReady", 10 * time.Second},
		{
			"Pods refused",
			rolloutCase{object: observed("Deployment", rollingOut, append(progress("True", "NewReplicaSetCreated"), snapshot.Condition{Type: "ReplicaFailure", Status: "True", Reason: "FailedCreate", Message: "quota"})...), older: pods(quick("b"))},
			RolloutProgressing, "FailedCreate", 0,
		},
		{"not seen yet", rolloutCase{object: snapshot.Object{Generation: 3, ObservedGeneration: 2, Conditions: progress("True", "NewReplicaSetAvailable")}, newer: pods(quick("a"))}, RolloutProgressing, "NotObserved", 0},
		{"a manifest", rolloutCase{object: snapshot.Object{Generation: 1}}, "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkRollout(t, tt.in, tt.state, tt.reason, tt.since) })
	}
}

func checkRollout(t *testing.T, in rolloutCase, state RolloutState, reason string, since time.Duration) {
	t.Helper()
	got := in.report(t).Rollout
	if got == nil {
		got = &Rollout{}
	}
	var at time.Duration
	if got.Since != nil {
		at = ago(0).Sub(got.Since.Time)
	}
	if got.State != state || got.Reason != reason || at != since {
		t.Errorf("%s for %q since %s, want %s for %q since %s (%s)", got.State, got.Reason, at, state, reason, since, got.Message)
	}
}

func TestOtherRollouts(t *testing.T) {
	half := snapshot.ReplicaCounts{Current: 2, Updated: 1, Ready: 1}
	late, fine := young("web-1", time.Minute), quick("web-0")
	paused := observed("Rollout", half)
	paused.Group, paused.Paused = "argoproj.io", true
	argo := observed("Rollout", half, progress("False", "RolloutAborted")...)
	argo.Group = "argoproj.io"
	operator := argo
	operator.Group = "example.com"
	onDelete := observed("DaemonSet", half)
	onDelete.Update.OnDelete = true
	part, making := operator, set(snapshot.UpdatePolicy{From: "new", Ordered: true}, snapshot.ReplicaCounts{Current: 1, Updated: 1})
	part.Narrowed, making.Narrowed = true, true
	held := set(snapshot.UpdatePolicy{From: "old", Ordered: true, Partition: 1}, half)
	held.Narrowed = true
	held.Replicas.Ready = 2
	holding := held
	holding.Replicas.Ready = 1
	going := observed("Deployment", half, progress("True", "ReplicaSetUpdated")...)
	going.Narrowed = true
	deploy := observed("Deployment", half, snapshot.Condition{Type: "Progressing", Status: "Unknown", Reason: "DeploymentPaused"})
	deploy.Paused = true
	tests := []struct {
		name   string
		in     rolloutCase
		state  RolloutState
		reason string
		since  time.Duration
	}{
		{"a paused Deployment", rolloutCase{object: deploy, older: pods(fine)}, RolloutPaused, "DeploymentPaused", 5 * time.Minute},
		{"a set that is done", rolloutCase{object: set(snapshot.UpdatePolicy{From: "new", Ordered: true}, snapshot.ReplicaCounts{Current: 2, Updated: 2}), newer: pods(late)}, RolloutComplete, "", 0},
		{"a set stuck in order", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", Ordered: true}, half), newer: pods(late), older: pods(fine)}, RolloutStalled, "OrderedReady", 34 * time.Second},
		{"a set in parallel", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old"}, half), newer: pods(late), older: pods(fine)}, RolloutStalled, "NewPodsNotReady", 34 * time.Second},
		{"a set of one that is down", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", Ordered: true}, half), newer: pods(late)}, RolloutStalled, "OrderedReady", 38 * time.Second},
		{"a set that goes on", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", Ordered: true}, half), newer: pods(young("web-1", 20*time.Second)), older: pods(fine)}, RolloutProgressing, "", 22 * time.Second},
		{"a set that is yet to be made", rolloutCase{object: set(snapshot.UpdatePolicy{From: "new", Ordered: true}, snapshot.ReplicaCounts{Current: 1, Updated: 1}), newer: pods(late)}, RolloutStalled, "OrderedReady", 38 * time.Second},
		{"one Pod of it, which is late", rolloutCase{object: making, newer: pods(late)}, RolloutStalled, "OrderedReady", 38 * time.Second},
		{"one Pod of it, which is ready", rolloutCase{object: making, newer: pods(fine)}, "", "", 0},
		{"an old Pod of a Deployment", rolloutCase{object: going, older: pods(fine)}, "", "", 0},
		{"a Pod of a partition where all are ready", rolloutCase{object: held, older: pods(fine)}, RolloutPaused, "Partition", 0},
		{"a Pod of a partition where another is not", rolloutCase{object: holding, older: pods(fine)}, "", "", 0},
		{"a partition", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", Ordered: true, Partition: 1}, half), newer: pods(quick("web-1")), older: pods(fine)}, RolloutPaused, "Partition", 0},
		{"a partition above all", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", Partition: 5}, snapshot.ReplicaCounts{Current: 2}), older: pods(fine)}, RolloutPaused, "Partition", 0},
		{"a partition whose Pod fails", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", Ordered: true, Partition: 1}, half), newer: pods(late), older: pods(fine)}, RolloutStalled, "OrderedReady", 34 * time.Second},
		{"on delete", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", OnDelete: true}, half), older: pods(fine)}, RolloutPaused, "OnDelete", 0},
		{"on delete, all deleted", rolloutCase{object: set(snapshot.UpdatePolicy{From: "old", OnDelete: true}, snapshot.ReplicaCounts{Current: 2, Updated: 2}), newer: pods(fine)}, RolloutComplete, "", 0},
		{"a DaemonSet that is done", rolloutCase{object: observed("DaemonSet", snapshot.ReplicaCounts{Current: 2, Updated: 2}), newer: pods(late)}, RolloutComplete, "", 0},
		{"a DaemonSet that is stuck", rolloutCase{object: observed("DaemonSet", half), newer: pods(late), older: pods(fine)}, RolloutStalled, "NewPodsNotReady", 34 * time.Second},
		{"a DaemonSet on delete", rolloutCase{object: onDelete, older: pods(fine)}, RolloutPaused, "OnDelete", 0},
		{"an Argo Rollout at a step", rolloutCase{object: paused, newer: pods(quick("a")), older: pods(fine)}, RolloutPaused, "Paused", 0},
		{"an aborted one", rolloutCase{object: argo, newer: pods(late), older: pods(fine)}, RolloutStalled, "RolloutAborted", 7 * time.Minute},
		{"a custom kind that means well by Progressing=False", rolloutCase{object: operator, newer: pods(quick("a"))}, RolloutComplete, "", 0},
		{"a custom kind by its Pods' revisions", rolloutCase{object: operator, newer: pods(late), older: pods(fine)}, RolloutStalled, "NewPodsNotReady", 34 * time.Second},
		{"a part of it", rolloutCase{object: part, newer: pods(late), older: pods(fine)}, "", "", 0},
		{"a custom kind without Pods", rolloutCase{object: operator}, "", "", 0},
		{"a bare ReplicaSet", rolloutCase{object: observed("ReplicaSet", half), newer: pods(fine)}, "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkRollout(t, tt.in, tt.state, tt.reason, tt.since) })
	}
}

func TestRolloutTellsWhoServes(t *testing.T) {
	in := rolloutCase{
		object: observed("Deployment", snapshot.ReplicaCounts{Current: 7, Updated: 5, Ready: 2}, progress("False", "ProgressDeadlineExceeded")...),
		newer:  pods(young("n1", time.Minute), young("n2", 4*time.Minute), young("n3", 3*time.Minute), young("n4", 2*time.Minute), quick("n5")),
		older:  pods(quick("o1"), young("o2", time.Hour)),
	}
	got := in.report(t).Rollout
	want := &Rollout{
		State: RolloutStalled, Reason: "ProgressDeadlineExceeded", Message: "controller: ProgressDeadlineExceeded", Since: got.Since,
		NewRevision: "new", OldRevisions: []string{"old"}, NewPods: new(5), NewReady: new(1), OldPods: new(2), OldReady: new(1),
		NotReady: []string{"n2", "n3", "n4"}, KeepServing: new(true),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	in.object.Narrowed = true
	if got := in.report(t).Rollout; got.NewPods != nil || got.OldReady != nil || !*got.KeepServing {
		t.Errorf("of a part of the Pods: %+v", got)
	}
	in = rolloutCase{object: in.object, older: pods(quick("o1"))}
	if got := in.report(t).Rollout; got.NewRevision != "new" {
		t.Errorf("without new Pods the new revision is %q", got.NewRevision)
	}
}

func TestRolloutsOfCaptures(t *testing.T) {
	stalled := workloadNamed(t, readCapture(t, "rollout-stall"), "deploy/web")
	got := stalled.Rollout
	if got == nil || got.State != RolloutStalled || *got.OldReady != 3 || *got.NewReady != 0 || !*got.KeepServing || stalled.Revision != "2" {
		t.Fatalf("rollout of revision %s: %+v", stalled.Revision, got)
	}
	if len(got.NotReady) != 1 || !strings.HasPrefix(got.NotReady[0], "web-"+got.NewRevision) {
		t.Errorf("not ready: %v of revision %s", got.NotReady, got.NewRevision)
	}
	for name, want := range map[string]RolloutState{"liveness-404": RolloutComplete, "tcp-refused": RolloutProgressing} {
		for _, w := range readCapture(t, name).Workloads {
			if w.Kind == "Deployment" && w.Rollout.State != want {
				t.Errorf("%s: %s is %s, want %s", name, w.DisplayName, w.Rollout.State, want)
			}
		}
	}
	if got := workloadNamed(t, readCapture(t, "sets"), "ds/agent").Rollout; got.State != RolloutComplete {
		t.Errorf("ds/agent is %s", got.State)
	}
}
