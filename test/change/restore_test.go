package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// broken is what the workload's template says now, and no Pod was made from yet.
func broken() corev1.PodTemplateSpec {
	t := web()
	t.Spec.Containers[0].LivenessProbe = HTTP("/broken", Number(1))
	return t
}

// revision makes the ControllerRevision from which Pods of a StatefulSet or DaemonSet come, as their controllers do.
func (s *scene) revision(t *testing.T, of Owner, name string, template corev1.PodTemplateSpec) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"spec": map[string]any{"template": template}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.server.Core.AppsV1().ControllerRevisions(s.Name).Create(t.Context(), &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: []metav1.OwnerReference{of.Reference}},
		Data:       runtime.RawExtension{Raw: raw}, Revision: 1,
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRestoreFromTheTemplate is for Pods that somebody has changed without this program: they go back to the template
// they were made from, and not to what the workload says now.
func TestRestoreFromTheTemplate(t *testing.T) {
	for name, c := range map[string]struct {
		makes  func(t *testing.T, s *scene) (pod string)
		holder string
	}{
		"a Deployment": {func(t *testing.T, s *scene) string {
			deploy := s.Deployment(Meta{Name: "web", Replicas: 2, Revision: "2"}, broken())
			old := s.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: 2}, "1111111111", web())
			s.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "2"}, "2222222222", broken())
			s.Pods(2, old, Ready, On(follows))
			return "web-1111111111-0"
		}, "rs/web-1111111111"},
		"a StatefulSet": {func(t *testing.T, s *scene) string {
			sts := s.StatefulSet(Meta{Name: "web", Replicas: 2}, "web-2", broken())
			s.revision(t, sts, "web-1", web())
			s.revision(t, sts, "web-2", broken())
			sts.Template = web()
			s.Pods(2, sts.With("controller-revision-hash", "web-1"), Ready, On(follows))
			return "web-0"
		}, "controllerrevision/web-1"},
		"a DaemonSet": {func(t *testing.T, s *scene) string {
			ds := s.DaemonSet(Meta{Name: "web"}, web(), broken())
			s.revision(t, ds, "web-1", web())
			ds.Template = web()
			s.Pods(2, ds.With("controller-revision-hash", "1"), Ready, On(follows))
			return "web-0"
		}, "controllerrevision/web-1"},
		"a Job": {func(t *testing.T, s *scene) string {
			template := web()
			template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
			job := s.Job(Meta{Name: "web"}, template, false)
			s.Pods(2, job, Ready, On(follows))
			return "web-0"
		}, "job/web"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, env.mutable)
			pod := c.makes(t, s)
			s.ok(t)
			before := s.probes(t, pod)
			change := `{"spec":{"containers":[{"name":"app","livenessProbe":null,"readinessProbe":{"periodSeconds":99}},{"name":"helper","startupProbe":{"tcpSocket":{"port":9}}}]}}`
			if err := s.patch(pod, "oncall", change); err != nil {
				t.Fatal(err)
			}
			changed := s.probes(t, pod)
			got := s.must(t, "pod/"+pod, "--restore")
			s.same(t, pod, before)
			undone(t, got)
			s.same(t, pod, changed)
			// Now that it was changed with this program, its annotation counts.
			s.must(t, "pod/"+pod, "--restore", "-c", "app")
			want := maps.Clone(before)
			want["helper startupProbe"] = changed["helper startupProbe"]
			s.same(t, pod, want)
		})
	}
}

// TestNoRestore is refused where nothing says what the probes were.
func TestNoRestore(t *testing.T) {
	s := newScene(t, env.mutable)
	s.alone(t, "lone", On(follows))
	deploy := s.Deployment(Meta{Name: "web", Replicas: 2, Revision: "1"}, web())
	set := s.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: 2}, "5555555555", web())
	s.Pods(2, set, Ready, On(follows), Meshed())
	gone := s.ReplicaSet(Meta{Name: "old", Owner: deploy}, "4444444444", web())
	s.Pod("orphan", gone, Ready, On(follows))
	other := s.ReplicaSet(Meta{Name: "again", Owner: deploy}, "3333333333", web())
	s.Pod("left", other.Recreated(), Ready, On(follows))
	sts := s.StatefulSet(Meta{Name: "db"}, "db-1", web())
	s.Pod("db-0", sts.With("controller-revision-hash", "db-1"), Ready, On(follows))
	s.Pod("db-1", sts, Ready, On(follows))
	rc := s.ReplicationController(Meta{Name: "rc"}, web())
	s.Pod("rc-0", rc, Ready, On(follows))
	s.alone(t, "torn", On(follows), func(p *corev1.Pod) { p.Annotations = map[string]string{original: "{"} })
	s.ok(t)
	if err := s.server.Core.AppsV1().ReplicaSets(s.Name).Delete(t.Context(), "old-4444444444", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.patch("web-5555555555-0", "oncall", liveness(`null`)); err != nil {
		t.Fatal(err)
	}
	p := s.through(t, nil)
	no := "it has no annotation " + original
	for pod, want := range map[string]string{
		"lone":             no + " and no template it was made from: nothing says what its probes were",
		"orphan":           no + `, and the template it was made from could not be read: replicasets.apps "old-4444444444" not found`,
		"left":             no + ", and the template it was made from could not be read: rs/again-3333333333 is another one of that name now",
		"db-0":             no + `, and the template it was made from could not be read: controllerrevisions.apps "db-1" not found`,
		"db-1":             no + ", and the template it was made from could not be read: the Pod has no label controller-revision-hash",
		"rc-0":             no + ", and the template it was made from could not be read: rc/rc keeps no revisions",
		"web-5555555555-0": "the liveness probe of container app cannot be restored from rs/web-5555555555: admission rewrote it, as pod/web-5555555555-1 shows",
		"web-5555555555-1": "the liveness probe of container app cannot be restored from rs/web-5555555555: admission rewrote it, nobody has changed this pod",
		"torn":             "its annotation " + original + " cannot be read (unexpected end of JSON input): remove it with kubectl annotate pod torn -n " + s.Name + " " + original + "-",
	} {
		t.Run(pod, func(t *testing.T) {
			got := status(t, 1, s.set(t, "pod/"+pod, "--restore"))
			has(t, got.Err, fmt.Sprintf("error: pod/%s in namespace %s: %s\n", pod, s.Name, want))
		})
	}
	p.sent(t, 0)
}
