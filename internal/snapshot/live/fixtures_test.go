package live

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// getter reaches the fake server as the command line does, discovery with its cache on disk included.
func getter(t *testing.T, s *fakeapi.Server) *genericclioptions.ConfigFlags {
	t.Helper()
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(kubeconfig, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig, flags.CacheDir, flags.APIServer = &kubeconfig, &cache, &s.URL
	return flags
}

func options() Options {
	return Options{ChunkSize: DefaultChunkSize, AsOf: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Version: "v1.2.3"}
}

func read(t *testing.T, s *fakeapi.Server, q snapshot.Query, opts Options) (*snapshot.Snapshot, error) {
	t.Helper()
	clients, err := NewClients(getter(t, s), opts)
	if err != nil {
		t.Fatal(err)
	}
	return Read(context.Background(), clients, q, opts)
}

func mustRead(t *testing.T, s *fakeapi.Server, q snapshot.Query, opts Options) *snapshot.Snapshot {
	t.Helper()
	got, err := read(t, s, q, opts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func shop(targets ...snapshot.Target) snapshot.Query {
	return snapshot.Query{Namespace: "shop", Targets: targets}
}

func everywhere() snapshot.Query { return snapshot.Query{AllNamespaces: true} }

func named(kind, name string) snapshot.Target { return snapshot.Target{Type: kind, Name: name} }

func word(w string) snapshot.Target { return snapshot.Target{Word: w} }

func podNames(s *snapshot.Snapshot) []string {
	var out []string
	for _, p := range s.Pods {
		out = append(out, p.Namespace+"/"+p.Name)
	}
	slices.Sort(out)
	return out
}

// objectRefs are the objects that were read; those of which only metadata was read end in a star.
func objectRefs(s *snapshot.Snapshot) []string {
	var out []string
	for _, o := range s.Objects {
		name := snapshot.DisplayName(o.Group, o.Kind, o.Name)
		if o.MetadataOnly {
			name += "*"
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// gapList are the gaps without their messages.
func gapList(s *snapshot.Snapshot) []snapshot.Gap {
	var out []snapshot.Gap
	for _, g := range s.Gaps {
		g.Message = ""
		out = append(out, g)
	}
	return out
}

func want[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// object is the metadata of something in shop; its UID is its name with -uid.
func object(name string, owners ...metav1.OwnerReference) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name + "-uid"), OwnerReferences: owners}
}

func ownedBy(apiVersion, kind, name string) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: name, UID: types.UID(name + "-uid"), Controller: &yes}
}

func pod(name, app string, owners ...metav1.OwnerReference) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: object(name, owners...)}
	p.Labels = map[string]string{"app": app}
	p.Spec = corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{Name: "app"}}}
	p.Status.Phase = corev1.PodRunning
	return p
}

func selector(app string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

func template(app string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}},
	}
}

func deployment(name, app string, owners ...metav1.OwnerReference) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: object(name, owners...), Spec: appsv1.DeploymentSpec{Selector: selector(app), Template: template(app)}}
}

func replicaSet(name, app string, owners ...metav1.OwnerReference) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: object(name, owners...), Spec: appsv1.ReplicaSetSpec{Selector: selector(app), Template: template(app)}}
	rs.Labels = map[string]string{"app": app}
	return rs
}

func statefulSet(name, app string, owners ...metav1.OwnerReference) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{ObjectMeta: object(name, owners...), Spec: appsv1.StatefulSetSpec{Selector: selector(app), Template: template(app)}}
}

func job(name string, owners ...metav1.OwnerReference) *batchv1.Job {
	return &batchv1.Job{ObjectMeta: object(name, owners...), Spec: batchv1.JobSpec{
		Template: template(name),
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"batch.kubernetes.io/controller-uid": name + "-uid"}},
	}}
}

func jobPod(name, jobName string) *corev1.Pod {
	p := pod(name, jobName, ownedBy("batch/v1", "Job", jobName))
	p.Labels["batch.kubernetes.io/controller-uid"] = jobName + "-uid"
	return p
}

func service(name, app string) *corev1.Service {
	return &corev1.Service{ObjectMeta: object(name), Spec: corev1.ServiceSpec{Selector: map[string]string{"app": app}}}
}

func node(name string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name + "-uid")}}
}

func event(name, reason, podName string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta: object(name), Reason: reason, Message: "Readiness probe failed: no", Count: 3,
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: podName, UID: types.UID(podName + "-uid")},
	}
}

// custom is an object of a custom kind in shop; selected gives it a selector and a template.
func custom(apiVersion, kind, name, selected string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetAPIVersion(apiVersion)
	u.SetKind(kind)
	u.SetNamespace("shop")
	u.SetName(name)
	u.SetUID(types.UID(name + "-uid"))
	u.SetOwnerReferences(owners)
	if selected != "" {
		u.Object["spec"] = map[string]any{
			"selector": map[string]any{"matchLabels": map[string]any{"app": selected}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": selected}},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "app"}}},
			},
		}
	}
	return u
}

func rollouts() fakeapi.Kind {
	return fakeapi.Kind{
		GroupVersionKind: schema.GroupVersionKind{Group: "argoproj.io", Version: "v1alpha1", Kind: "Rollout"},
		Plural:           "rollouts", ShortNames: []string{"ro"},
	}
}

func prometheuses() fakeapi.Kind {
	return fakeapi.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "monitoring.coreos.com", Version: "v1", Kind: "Prometheus"}, Plural: "prometheuses"}
}

// web is a Deployment with a Pod, behind a Service, and strangers with the same labels: a Pod, and a ReplicaSet
// of another Deployment.
func web(s *fakeapi.Server) {
	s.Add(
		deployment("web", "web"), replicaSet("web-1", "web", ownedBy("apps/v1", "Deployment", "web")),
		pod("web-1-a", "web", ownedBy("apps/v1", "ReplicaSet", "web-1")),
		service("web", "web"), node("node-1"),
		deployment("other", "other"), replicaSet("other-1", "web", ownedBy("apps/v1", "Deployment", "other")),
		pod("stranger", "web"), pod("far", "far"),
		event("e1", "Unhealthy", "web-1-a"), event("e2", "Pulled", "web-1-a"), event("e3", "Unhealthy", "far"),
	)
}
