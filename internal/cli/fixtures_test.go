package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// noon is when the objects of these tests were read.
func noon() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) }

// result is what a command line did.
type result struct {
	out, err string
	status   int
}

// terminal runs a command line as on a terminal of that width; 0 is a pipe.
func terminal(t *testing.T, width int, stdin string, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	streams := Streams{
		IOStreams: genericiooptions.IOStreams{In: strings.NewReader(stdin), Out: &out, ErrOut: &errOut},
		Terminal:  width > 0,
		Width:     width,
		Now:       noon,
		Getenv:    func(string) string { return "" },
	}
	status := Main(context.Background(), args, streams)
	return result{out.String(), errOut.String(), status}
}

// pipe runs a command line in a pipe and expects it to succeed.
func pipe(t *testing.T, args ...string) result {
	t.Helper()
	r := terminal(t, 0, "", args...)
	if r.status != ExitOK {
		t.Fatalf("%q ended with %d: %s", args, r.status, r.err)
	}
	return r
}

// reportOf runs a command line with -o json and decodes what it prints.
func reportOf(t *testing.T, args ...string) *report.Report {
	t.Helper()
	r := pipe(t, append(args, "-o", "json")...)
	out := &report.Report{}
	decoder := json.NewDecoder(strings.NewReader(r.out))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(out); err != nil {
		t.Fatalf("decode: %v", err)
	}
	return out
}

// dump writes objects as `kubectl get -o json` does and returns the file.
func dump(t *testing.T, objects ...runtime.Object) string {
	t.Helper()
	var items []json.RawMessage
	for _, o := range objects {
		gvks, _, err := scheme.Scheme.ObjectKinds(o)
		if err == nil {
			o.GetObjectKind().SetGroupVersionKind(gvks[0])
		}
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, raw)
	}
	raw, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "dump.json", string(raw))
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// httpProbe asks a path on port 8080 every ten seconds.
func httpProbe(path string) *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt32(8080)}}}
}

func app(readiness *corev1.Probe) corev1.Container {
	return corev1.Container{Name: "app", Image: "app", ReadinessProbe: readiness}
}

func template(name string, containers ...corev1.Container) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": name}},
		Spec:       corev1.PodSpec{Containers: containers},
	}
}

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: "shop", Name: name, UID: types.UID("uid-" + name), Generation: 1,
		CreationTimestamp: metav1.NewTime(noon().Add(-time.Hour)),
	}
}

func selector(name string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
}

// deployment is at its second revision.
func deployment(name string, replicas int32, containers ...corev1.Container) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: meta(name)}
	d.UID = types.UID("uid-deploy-" + name)
	d.Annotations = map[string]string{"deployment.kubernetes.io/revision": "2"}
	d.Spec = appsv1.DeploymentSpec{Replicas: &replicas, Selector: selector(name), Template: template(name, containers...)}
	d.Status.ObservedGeneration = 1
	return d
}

// replicaSet is the one of a Deployment's revision; its name ends with the revision.
func replicaSet(d *appsv1.Deployment, revision int, containers ...corev1.Container) *appsv1.ReplicaSet {
	r := &appsv1.ReplicaSet{ObjectMeta: meta(fmt.Sprintf("%s-rev%d", d.Name, revision))}
	r.Annotations = map[string]string{"deployment.kubernetes.io/revision": fmt.Sprint(revision)}
	r.OwnerReferences = ownedBy(d, "apps/v1", "Deployment")
	r.Spec = appsv1.ReplicaSetSpec{Selector: selector(d.Name), Template: template(d.Name, containers...)}
	return r
}

func statefulSet(name string, replicas int32, containers ...corev1.Container) *appsv1.StatefulSet {
	s := &appsv1.StatefulSet{ObjectMeta: meta(name)}
	s.UID = types.UID("uid-sts-" + name)
	s.Spec = appsv1.StatefulSetSpec{Replicas: &replicas, Selector: selector(name), Template: template(name, containers...)}
	return s
}

func job(name string, containers ...corev1.Container) *batchv1.Job {
	return &batchv1.Job{ObjectMeta: meta(name), Spec: batchv1.JobSpec{Selector: selector(name), Template: template(name, containers...)}}
}

func ownedBy(owner metav1.Object, apiVersion, kind string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: owner.GetName(), UID: owner.GetUID(), Controller: &yes}}
}

// running is a live, ready Pod with these containers.
func running(name string, owners []metav1.OwnerReference, containers ...corev1.Container) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: meta(name), Spec: corev1.PodSpec{NodeName: "node-1", Containers: containers}}
	p.OwnerReferences = owners
	p.Labels = map[string]string{}
	if len(owners) > 0 {
		p.Labels["app"], _, _ = strings.Cut(owners[0].Name, "-rev")
		if _, revision, ok := strings.Cut(owners[0].Name, "-rev"); ok {
			p.Labels["pod-template-hash"] = "rev" + revision
		}
	}
	started := true
	p.Status.Phase = corev1.PodRunning
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	for _, c := range containers {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Ready: true, Started: &started,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(noon().Add(-time.Hour))}},
		})
	}
	return p
}

// unready is a live Pod of which no container is ready.
func unready(p *corev1.Pod) *corev1.Pod {
	p.Status.Conditions[0].Status = corev1.ConditionFalse
	for i := range p.Status.ContainerStatuses {
		p.Status.ContainerStatuses[i].Ready = false
	}
	return p
}

// ended is a Pod that has finished.
func ended(p *corev1.Pod, phase corev1.PodPhase, reason string) *corev1.Pod {
	unready(p)
	p.Status.Phase, p.Status.Reason = phase, reason
	for i := range p.Status.ContainerStatuses {
		p.Status.ContainerStatuses[i].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed"}}
	}
	return p
}

func terminating(p *corev1.Pod) *corev1.Pod {
	now := metav1.NewTime(noon())
	p.DeletionTimestamp = &now
	return p
}

func service(name, app string) *corev1.Service {
	return &corev1.Service{ObjectMeta: meta(name), Spec: corev1.ServiceSpec{Selector: map[string]string{"app": app}}}
}

func in(namespace string, objects ...metav1.Object) {
	for _, o := range objects {
		o.SetNamespace(namespace)
		o.SetUID(types.UID(namespace + string(o.GetUID())))
	}
}

func jobComplete() batchv1.JobCondition {
	return batchv1.JobCondition{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}
}

func cronJob(name string, containers ...corev1.Container) *batchv1.CronJob {
	cj := &batchv1.CronJob{ObjectMeta: meta(name)}
	cj.UID = "uid-cj-" + cj.UID
	cj.Spec.JobTemplate.Spec.Template = template(name, containers...)
	return cj
}

func named(name string) corev1.Container { return corev1.Container{Name: name, Image: name} }
