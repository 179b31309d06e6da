package change

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

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
)

// The nodes, by what their kubelets do about changed probes.
const (
	follows  = "node-follows"  // v1.38 with the gate: sees, applies, and says so
	ignores  = "node-ignores"  // v1.37: sees, and goes on as before
	ignores2 = "node-ignores2" // v1.36, which ignores more
	restarts = "node-restarts" // v1.30, which restarts the container
	quiet    = "node-quiet"    // v1.38, sees and says nothing
	down     = "node-down"     // v1.38, does nothing at all
	virtual  = "node-virtual"
)

// kubelet stands in for one: what matters here is what it writes.
type kubelet struct {
	core   kubernetes.Interface
	node   string
	speaks bool
	probes map[types.UID]map[string]*corev1.Probe // as it runs them
}

func startNodes(ctx context.Context, server *controlplane.Server) error {
	for _, n := range []struct {
		name, version string
		sees, speaks  bool
	}{
		{follows, "v1.38.0", true, true},
		{ignores, "v1.37.2", true, false},
		{ignores2, "v1.36.1", true, false},
		{restarts, "v1.30.4", true, false},
		{quiet, "v1.38.0", true, false},
		{down, "v1.38.0", false, false},
		{virtual, "v1.19.10-vk-azure-aci-1.4", false, false},
	} {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.name}}
		if n.name == virtual {
			node.Labels = map[string]string{"type": "virtual-kubelet"}
		}
		node, err := server.Core.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		node.Status.NodeInfo.KubeletVersion = n.version
		if _, err := server.Core.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{}); err != nil {
			return err
		}
		if !n.sees {
			continue
		}
		k := &kubelet{core: server.Core, node: n.name, speaks: n.speaks, probes: map[types.UID]map[string]*corev1.Probe{}}
		pods, err := server.Core.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", n.name).String()})
		if err != nil {
			return err
		}
		go k.run(ctx, pods)
	}
	return nil
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
