package fleet

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// imagesPerNode is about what a node keeps: the list of them is most of a Node.
const imagesPerNode = 40

func nodeName(i int) string { return fmt.Sprintf("node-%03d", i) }

// Node makes one of the nodes, counted from 0.
func (s Shape) Node(i int) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: nodeName(i), UID: types.UID("node-" + nodeName(i)), CreationTimestamp: metav1.NewTime(s.Now.Add(-1000 * time.Hour)),
		Labels: map[string]string{"kubernetes.io/hostname": nodeName(i), "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"},
	}}
	capacity := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("32"), corev1.ResourceMemory: resource.MustParse("128Gi"), corev1.ResourcePods: resource.MustParse("110")}
	n.Status = corev1.NodeStatus{
		Capacity: capacity, Allocatable: capacity,
		NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.37.2", OperatingSystem: "linux", Architecture: "amd64", ContainerRuntimeVersion: "containerd://2.1.4"},
	}
	for _, kind := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure, corev1.NodeReady} {
		c := corev1.NodeCondition{Type: kind, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficient", LastHeartbeatTime: metav1.NewTime(s.Now), LastTransitionTime: n.CreationTimestamp}
		if kind == corev1.NodeReady {
			c.Status, c.Reason, c.Message = corev1.ConditionTrue, "KubeletReady", "kubelet is posting ready status"
		}
		n.Status.Conditions = append(n.Status.Conditions, c)
	}
	for j := range imagesPerNode {
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{
			Names: []string{fmt.Sprintf("registry.example/image-%02d@sha256:%064x", j, j+1), fmt.Sprintf("registry.example/image-%02d:v1.%d", j, j)}, SizeBytes: 50_000_000,
		})
	}
	return n
}
