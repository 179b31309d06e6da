package report

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// ago is a time before the instant at which the test Snapshots are judged.
func ago(d time.Duration) time.Time {
	return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC).Add(-d)
}

// httpProbe has a period of 10s, a timeout of 1s and a threshold of 3: readiness acts within 31s.
func httpProbe() *probe.Probe {
	return &probe.Probe{
		Handler:       probe.Handler{Type: probe.HTTP, Path: "/", Port: intstr.FromInt32(80), Scheme: "HTTP"},
		PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
	}
}

// appContainer has a readiness and a liveness probe.
func appContainer(name string) snapshot.Container {
	return snapshot.Container{Name: name, Readiness: httpProbe(), Liveness: httpProbe()}
}

// runningPod has been running and Ready for half an hour.
func runningPod(name string, containers ...snapshot.Container) *snapshot.Pod {
	if len(containers) == 0 {
		containers = []snapshot.Container{appContainer("app")}
	}
	p := &snapshot.Pod{
		Namespace: "shop", Name: name, UID: types.UID("uid-" + name), Node: "node-1",
		Created: ago(30 * time.Minute), HasStatus: true, Phase: corev1.PodRunning,
		Spec: &snapshot.PodSpec{Containers: containers, RestartPolicy: corev1.RestartPolicyAlways},
		Conditions: []snapshot.Condition{
			{Type: "Ready", Status: "True", LastTransition: ago(29 * time.Minute)},
			{Type: "ContainersReady", Status: "True", LastTransition: ago(29 * time.Minute)},
		},
	}
	for _, c := range containers {
		p.Containers = append(p.Containers, snapshot.ContainerStatus{Name: c.Name, Init: c.Sidecar, Ready: true, Started: boolPointer(true), Running: ago(30 * time.Minute)})
	}
	return p
}

func boolPointer(b bool) *bool { return &b }

// unready makes a running Pod and its first container not Ready.
func unready(p *snapshot.Pod) *snapshot.Pod {
	p.Containers[0].Ready = false
	for i := range p.Conditions {
		p.Conditions[i].Status = "False"
	}
	return p
}

// inBackOff makes a Pod's first container wait after an end that many minutes ago, which followed a life of 40s.
func inBackOff(p *snapshot.Pod, restarts int32, end snapshot.Termination) *snapshot.Pod {
	unready(p)
	s := &p.Containers[0]
	s.Running, s.Started, s.Waiting, s.RestartCount = time.Time{}, boolPointer(false), "CrashLoopBackOff", restarts
	s.Last = &end
	return p
}

func ended(reason string, code int32, life, before time.Duration) snapshot.Termination {
	return snapshot.Termination{Reason: reason, ExitCode: code, Started: ago(before + life), Finished: ago(before)}
}

// event is about the container "app" of a Pod; first and last are minutes ago.
func event(p *snapshot.Pod, reason, message string, count int32, first, last time.Duration) *snapshot.Event {
	kind := "Warning"
	if reason == "Killing" || reason == "ContainerProbeChanged" {
		kind = "Normal"
	}
	return &snapshot.Event{
		Namespace: p.Namespace, Name: fmt.Sprintf("%s.%s.%s", p.Name, reason, message), UID: types.UID(fmt.Sprintf("%s|%s|%s|%d", p.UID, reason, message, last)),
		Kind: "Pod", ObjectName: p.Name, ObjectUID: p.UID, FieldPath: "spec.containers{app}", Node: "node-1",
		Type: kind, Reason: reason, Message: message, Count: count, First: ago(first), Last: ago(last),
	}
}

func atPath(fieldPath string, e *snapshot.Event) *snapshot.Event {
	e.FieldPath = fieldPath
	return e
}

// deployment owns the Pods that are given to owned.
func deployment(name string, desired int32, pods ...*snapshot.Pod) []*snapshot.Object {
	deploy := &snapshot.Object{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: name, UID: types.UID("deploy-" + name), Desired: &desired}
	rs := &snapshot.Object{
		Group: "apps", Kind: "ReplicaSet", Namespace: "shop", Name: name + "-7d9f8c6b5", UID: types.UID("rs-" + name), MetadataOnly: true,
		Owner: &snapshot.OwnerRef{Group: "apps", Kind: "Deployment", Name: name, UID: deploy.UID},
	}
	deploy.Template = &snapshot.Template{Spec: &snapshot.PodSpec{Containers: []snapshot.Container{appContainer("app")}}}
	for _, p := range pods {
		p.Owner = &snapshot.OwnerRef{Group: "apps", Kind: "ReplicaSet", Name: rs.Name, UID: rs.UID}
		deploy.Template = &snapshot.Template{Spec: p.Spec}
	}
	return []*snapshot.Object{deploy, rs}
}

// readSnapshot is a reading of a cluster with one healthy node.
func readSnapshot(pods []*snapshot.Pod, events ...*snapshot.Event) *snapshot.Snapshot {
	return &snapshot.Snapshot{
		AsOf: ago(0), Running: true, Pods: pods, Events: events,
		Nodes: []*snapshot.Node{{Name: "node-1", KubeletVersion: "v1.37.2", Ready: "True"}},
	}
}

func pods(all ...*snapshot.Pod) []*snapshot.Pod { return all }

func build(t *testing.T, s *snapshot.Snapshot) *Report {
	t.Helper()
	r, err := Build(s, Options{Now: ago(-time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func workloadNamed(t *testing.T, r *Report, displayName string) *Workload {
	t.Helper()
	var names []string
	for i := range r.Workloads {
		if r.Workloads[i].DisplayName == displayName {
			return &r.Workloads[i]
		}
		names = append(names, r.Workloads[i].DisplayName)
	}
	t.Fatalf("there is no %s among %q", displayName, names)
	return nil
}

func containerNamed(t *testing.T, w *Workload, name string) *Container {
	t.Helper()
	for i := range w.Containers {
		if w.Containers[i].Name == name {
			return &w.Containers[i]
		}
	}
	t.Fatalf("%s has no container %s", w.DisplayName, name)
	return nil
}

func podNamed(t *testing.T, c *Container, name string) *Pod {
	t.Helper()
	for i := range c.Pods {
		if c.Pods[i].Name == name {
			return &c.Pods[i]
		}
	}
	t.Fatalf("container %s has no Pod %s", c.Name, name)
	return nil
}

// onlyEvidence is the evidence about one probe in the only Pod of the only workload.
func onlyEvidence(t *testing.T, r *Report, kind probe.Kind) *Evidence {
	t.Helper()
	for i, e := range r.Workloads[0].Containers[0].Pods[0].Evidence {
		if e.Probe == kind {
			return &r.Workloads[0].Containers[0].Pods[0].Evidence[i]
		}
	}
	t.Fatalf("no evidence about %s", kind)
	return nil
}

func sprint(cause string, n int64) string { return fmt.Sprintf("%s:%d", cause, n) }
