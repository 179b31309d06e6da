// Package kubelet plays the kubelets of a test's API server: it writes what one would write about changed probes.
package kubelet

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// Node is a node, and what its kubelet does about changed probes.
type Node struct {
	Name, Version string
	Sees          bool // sets observedGeneration
	Speaks        bool // says that it runs the changed probe
	Virtual       bool // no kubelet runs there
}

// kubelet stands in for one: what matters here is what it writes.
type kubelet struct {
	core   kubernetes.Interface
	node   string
	speaks bool
	probes map[types.UID]map[string]*corev1.Probe // as it runs them
}

// Start makes the nodes, and plays their kubelets until the context ends.
func Start(ctx context.Context, core kubernetes.Interface, nodes ...Node) error {
	for _, n := range nodes {
		if err := n.create(ctx, core); err != nil {
			return err
		}
		if !n.Sees {
			continue
		}
		pods, err := core.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", n.Name).String()})
		if err != nil {
			return err
		}
		k := &kubelet{core: core, node: n.Name, speaks: n.Speaks, probes: map[types.UID]map[string]*corev1.Probe{}}
		go k.run(ctx, pods)
	}
	return nil
}

func (n Node) create(ctx context.Context, core kubernetes.Interface) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name}}
	if n.Virtual {
		node.Labels = map[string]string{"type": "virtual-kubelet"}
	}
	node, err := core.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	node.Status.NodeInfo.KubeletVersion = n.Version
	_, err = core.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return err
}

func (k *kubelet) run(ctx context.Context, pods watch.Interface) {
	for e := range pods.ResultChan() {
		pod, ok := e.Object.(*corev1.Pod)
		if !ok || e.Type == watch.Deleted || pod.Status.Phase == corev1.PodPending { // whoever makes it is not done yet
			continue
		}
		if now, was := probesOf(pod), k.probes[pod.UID]; was != nil && k.speaks {
			k.say(ctx, pod, was, now)
		}
		k.probes[pod.UID] = probesOf(pod)
		if pod.Status.ObservedGeneration < pod.Generation {
			patch := fmt.Sprintf(`{"status":{"observedGeneration":%d}}`, pod.Generation)
			_, _ = k.core.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "kubelet"}, "status")
		}
	}
}

// say writes an Event for each probe that is another now.
func (k *kubelet) say(ctx context.Context, pod *corev1.Pod, was, now map[string]*corev1.Probe) {
	for key, probe := range now {
		if apiequality.Semantic.DeepEqual(was[key], probe) {
			continue
		}
		var container, kind string
		_, _ = fmt.Sscan(key, &container, &kind)
		_, _ = k.core.CoreV1().Events(pod.Namespace).Create(ctx, &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{GenerateName: pod.Name + "."},
			InvolvedObject: corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
			},
			Type: corev1.EventTypeNormal, Reason: "ContainerProbeChanged", Count: 1,
			Message:        fmt.Sprintf("Container %s: %s probe changed", container, kind),
			FirstTimestamp: metav1.Now(), LastTimestamp: metav1.Now(),
			Source: corev1.EventSource{Component: "kubelet", Host: k.node},
		}, metav1.CreateOptions{})
	}
}

// probesOf has an entry for every container and kind, nil for no probe.
func probesOf(pod *corev1.Pod) map[string]*corev1.Probe {
	out := map[string]*corev1.Probe{}
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for _, c := range list {
			out[c.Name+" startup"], out[c.Name+" readiness"], out[c.Name+" liveness"] = c.StartupProbe, c.ReadinessProbe, c.LivenessProbe
		}
	}
	return out
}
