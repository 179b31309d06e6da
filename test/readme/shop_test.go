package readme

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
	"github.com/kubectl-probes/kubectl-probes/test/kubelet"
)

// since is when the kubelet last restarted something in the incident. Ages of ten minutes and more are told in
// whole minutes, so that a run of the commands shows one age.
const since = 25 * time.Minute

// makeShop makes the namespace of the incident that the README tells: three Pods whose liveness probe has less
// patience than the database behind them needs, on a node whose kubelet follows changes.
func makeShop(ctx context.Context, server *controlplane.Server) error {
	node := kubelet.Node{Name: "node-1", Version: "v1.38.0", Sees: true, Speaks: true}
	if err := kubelet.Start(ctx, server.Core, node); err != nil {
		return err
	}
	cluster := New(ctx, server.Config)
	ns := cluster.Namespace("shop")
	template := Template("web", Container("web", Port("http", 8080),
		Readiness(HTTP("/readyz", Name("http"), Period(5))), Liveness(HTTP("/healthz", Name("http")))))
	deploy := ns.Deployment(Meta{Name: "web", Replicas: 3, Revision: "1"}, template)
	rs := ns.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: 3}, "58b7b6f6f9", template)
	ns.Service("web", "web")
	var pods []string
	for _, name := range []string{"2hqkd", "n25b2", "x8v6c"} {
		pod := ns.Pod("web-58b7b6f6f9-"+name, rs, restarted, On(node.Name))
		pods = append(pods, pod.Name)
		if err := cluster.Err(); err != nil {
			return err
		}
		if err := killed(ctx, server, pod); err != nil {
			return err
		}
	}
	ns.Endpoints("web", pods, nil)
	return cluster.Err()
}

// restarted is a Pod that serves again after its liveness probe had it restarted twice.
func restarted(p *corev1.Pod) {
	Ready(p)
	status := &p.Status.ContainerStatuses[0]
	end := metav1.NewTime(time.Now().Add(-since))
	status.RestartCount = 2
	status.State.Running = &corev1.ContainerStateRunning{StartedAt: end}
	status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		ExitCode: 137, Reason: "Error", StartedAt: metav1.NewTime(end.Add(-5 * time.Minute)), FinishedAt: end,
	}
}

// killed writes what a kubelet writes of that.
func killed(ctx context.Context, server *controlplane.Server, pod *corev1.Pod) error {
	last := time.Now().Add(-since)
	for _, e := range []corev1.Event{
		{Type: corev1.EventTypeWarning, Reason: "Unhealthy", Count: 6, Message: `Liveness probe failed: Get "http://10.244.0.9:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`},
		{Type: corev1.EventTypeNormal, Reason: "Killing", Count: 2, Message: "Container web failed liveness probe, will be restarted"},
	} {
		e.GenerateName = pod.Name + "."
		e.InvolvedObject = corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, FieldPath: "spec.containers{web}",
		}
		e.Source = corev1.EventSource{Component: "kubelet", Host: pod.Spec.NodeName}
		e.FirstTimestamp, e.LastTimestamp = metav1.NewTime(last.Add(-6*time.Minute)), metav1.NewTime(last)
		if _, err := server.Core.CoreV1().Events(pod.Namespace).Create(ctx, &e, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}
