package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

const revisionAnnotation = "deployment.kubernetes.io/revision"

// shop is the namespace with the demo's objects. There are no controllers and no kubelet beside the API server, so
// run makes of the objects what those would.
type shop struct {
	t      *testing.T
	server *controlplane.Server
	ns     *fixture.Namespace
	// now is the instant of which everything tells and by which everything is judged, however long the test takes.
	now time.Time
	// plays says how the new Pods of a workload fare; the others are well.
	plays map[string]play
}

// play is how new Pods of a workload fare.
type play struct {
	// stuck keeps a rollout from going on after its first Pod.
	stuck  bool
	status func(*corev1.Pod)
	events func(*shop, *corev1.Pod)
}

func newShop(t *testing.T, server *controlplane.Server) *shop {
	c := fixture.New(context.Background(), server.Config)
	return &shop{t: t, server: server, ns: c.Namespace("shop"), now: time.Now()}
}

func (s *shop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// run lets every controller and kubelet go on until there is nothing left to do, with these plays.
func (s *shop) run(plays map[string]play) {
	s.t.Helper()
	s.plays = plays
	s.finishDeletions()
	deployments, err := s.server.Core.AppsV1().Deployments("shop").List(context.Background(), metav1.ListOptions{})
	s.must(err)
	for i := range deployments.Items {
		s.deployment(&deployments.Items[i])
	}
	sets, err := s.server.Core.AppsV1().StatefulSets("shop").List(context.Background(), metav1.ListOptions{})
	s.must(err)
	for i := range sets.Items {
		s.statefulSet(&sets.Items[i])
	}
	daemons, err := s.server.Core.AppsV1().DaemonSets("shop").List(context.Background(), metav1.ListOptions{})
	s.must(err)
	for i := range daemons.Items {
		s.daemonSet(&daemons.Items[i])
	}
	s.must(s.ns.Err())
}

func (s *shop) pods(app string) []corev1.Pod {
	list, err := s.server.Core.CoreV1().Pods("shop").List(context.Background(), metav1.ListOptions{LabelSelector: "app=" + app})
	s.must(err)
	return list.Items
}

// finishDeletions lets go of the Pods that somebody has deleted.
func (s *shop) finishDeletions() {
	list, err := s.server.Core.CoreV1().Pods("shop").List(context.Background(), metav1.ListOptions{})
	s.must(err)
	for i := range list.Items {
		if list.Items[i].DeletionTimestamp != nil {
			s.delete(&list.Items[i])
		}
	}
}

func (s *shop) delete(p *corev1.Pod) {
	s.must(s.server.Core.CoreV1().Pods("shop").Delete(context.Background(), p.Name, *metav1.NewDeleteOptions(0)))
}

// start makes a Pod and plays what becomes of it.
func (s *shop) start(name, app string, owner fixture.Owner) {
	played := s.plays[app]
	status := played.status
	if status == nil {
		status = s.well
	}
	pod := s.ns.Pod(name, owner, status, fixture.On(node))
	s.must(s.ns.Err())
	if played.events != nil {
		played.events(s, pod)
	}
}

func ownerOf(apiVersion, kind string, o metav1.Object, template corev1.PodTemplateSpec) fixture.Owner {
	return fixture.Owner{
		Reference: metav1.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: o.GetName(), UID: o.GetUID(), Controller: new(true)},
		Template:  template,
	}
}

func hashOf(t corev1.PodTemplateSpec) string {
	text, _ := json.Marshal(t) // of a type that always can
	h := fnv.New32a()
	h.Write(text)
	return fmt.Sprintf("%08x", h.Sum32())
}

// deployment rolls the template out: one Pod at first, and if that gets ready, the others in place of the old ones.
func (s *shop) deployment(d *appsv1.Deployment) {
	hash := hashOf(d.Spec.Template)
	owner := s.replicaSet(d, hash)
	var current, old []corev1.Pod
	for _, p := range s.pods(d.Name) {
		if p.Labels["pod-template-hash"] == hash {
			current = append(current, p)
		} else {
			old = append(old, p)
		}
	}
	want := int(*d.Spec.Replicas)
	if s.plays[d.Name].stuck && len(old) > 0 {
		want = 1
	} else {
		for i := range old {
			s.delete(&old[i])
		}
	}
	for i := len(current); i < want; i++ {
		s.start(owner.Reference.Name+"-"+rand.String(5), d.Name, owner)
	}
	s.report(d, hash)
}

// replicaSet finds or makes the one of the template, and makes it the latest revision.
func (s *shop) replicaSet(d *appsv1.Deployment, hash string) fixture.Owner {
	api := s.server.Core.AppsV1().ReplicaSets("shop")
	sets, err := api.List(context.Background(), metav1.ListOptions{LabelSelector: "app=" + d.Name})
	s.must(err)
	latest := 0
	var found *appsv1.ReplicaSet
	for i := range sets.Items {
		rs := &sets.Items[i]
		revision, err := strconv.Atoi(rs.Annotations[revisionAnnotation])
		s.must(err)
		latest = max(latest, revision)
		if rs.Labels["pod-template-hash"] == hash {
			found = rs
		}
	}
	if found == nil {
		above := ownerOf("apps/v1", "Deployment", d, d.Spec.Template)
		meta := fixture.Meta{Name: d.Name, Revision: fmt.Sprint(latest + 1), Replicas: *d.Spec.Replicas, Owner: above}
		owner := s.ns.ReplicaSet(meta, hash, d.Spec.Template)
		s.must(s.ns.Err())
		s.revise(d, latest+1)
		return owner
	}
	if found.Annotations[revisionAnnotation] != fmt.Sprint(latest) {
		latest++
		found.Annotations[revisionAnnotation] = fmt.Sprint(latest)
		found, err = api.Update(context.Background(), found, metav1.UpdateOptions{})
		s.must(err)
	}
	s.revise(d, latest)
	return ownerOf("apps/v1", "ReplicaSet", found, found.Spec.Template)
}

// revise notes on the Deployment which revision is the latest.
func (s *shop) revise(d *appsv1.Deployment, revision int) {
	metav1.SetMetaDataAnnotation(&d.ObjectMeta, revisionAnnotation, fmt.Sprint(revision))
	updated, err := s.server.Core.AppsV1().Deployments("shop").Update(context.Background(), d, metav1.UpdateOptions{})
	s.must(err)
	*d = *updated
}

// report writes the Deployment's status, as its controller counts. A rollout that has come to its end stays so, whatever
// becomes of the Pods.
func (s *shop) report(d *appsv1.Deployment, hash string) {
	status := appsv1.DeploymentStatus{ObservedGeneration: d.Generation}
	for _, p := range s.pods(d.Name) {
		status.Replicas++
		if isReady(&p) {
			status.ReadyReplicas, status.AvailableReplicas = status.ReadyReplicas+1, status.AvailableReplicas+1
		}
		if p.Labels["pod-template-hash"] == hash {
			status.UpdatedReplicas++
		}
	}
	reason := "ReplicaSetUpdated"
	if status.UpdatedReplicas == status.Replicas && !s.plays[d.Name].stuck {
		reason = "NewReplicaSetAvailable"
	}
	status.Conditions = []appsv1.DeploymentCondition{{
		Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue, Reason: reason, LastUpdateTime: s.ago(0), LastTransitionTime: s.ago(0),
	}}
	d.Status = status
	_, err := s.server.Core.AppsV1().Deployments("shop").UpdateStatus(context.Background(), d, metav1.UpdateOptions{})
	s.must(err)
}

func isReady(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// statefulSet makes its Pods; nothing in the demo changes its template.
func (s *shop) statefulSet(set *appsv1.StatefulSet) {
	revision := set.Name + "-" + hashOf(set.Spec.Template)
	if len(s.pods(set.Name)) == 0 {
		s.start(set.Name+"-0", set.Name, ownerOf("apps/v1", "StatefulSet", set, set.Spec.Template).With("controller-revision-hash", revision))
	}
	set.Status = appsv1.StatefulSetStatus{
		ObservedGeneration: set.Generation, Replicas: 1, ReadyReplicas: 1, CurrentReplicas: 1, UpdatedReplicas: 1,
		CurrentRevision: revision, UpdateRevision: revision,
	}
	_, err := s.server.Core.AppsV1().StatefulSets("shop").UpdateStatus(context.Background(), set, metav1.UpdateOptions{})
	s.must(err)
}

// daemonSet makes the one Pod of the one node, and like any OnDelete leaves it alone when the template changes.
func (s *shop) daemonSet(d *appsv1.DaemonSet) {
	generation := d.Annotations["deprecated.daemonset.template.generation"]
	if len(s.pods(d.Name)) == 0 {
		owner := ownerOf("apps/v1", "DaemonSet", d, d.Spec.Template).With("controller-revision-hash", hashOf(d.Spec.Template))
		owner = owner.With("pod-template-generation", generation)
		s.start(d.Name+"-"+rand.String(5), d.Name, owner)
	}
	updated := int32(0)
	for _, p := range s.pods(d.Name) {
		if p.Labels["pod-template-generation"] == generation {
			updated++
		}
	}
	d.Status = appsv1.DaemonSetStatus{
		ObservedGeneration: d.Generation, DesiredNumberScheduled: 1, CurrentNumberScheduled: 1, UpdatedNumberScheduled: updated,
		NumberReady: 1, NumberAvailable: 1,
	}
	_, err := s.server.Core.AppsV1().DaemonSets("shop").UpdateStatus(context.Background(), d, metav1.UpdateOptions{})
	s.must(err)
}
