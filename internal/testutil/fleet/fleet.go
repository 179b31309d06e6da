// Package fleet makes the objects of a large cluster as controllers and kubelets leave them: for benchmarks, which
// have to see sizes and shapes of real clusters, on a server as well as in memory.
package fleet

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// PodsEach is how many Pods a Deployment has.
	PodsEach    = 10
	podsPerNode = 100
)

// Shape is how large a cluster is. Equal shapes make equal objects.
type Shape struct {
	Pods       int
	Namespaces int
	Prefix     string    // of the namespaces' names
	Now        time.Time // when it is looked at; what happened last was minutes before
	Ballast    int       // bytes that no probe depends on, in each template and each Pod beside what all have
}

// Workload is a Deployment with all that belongs to it.
type Workload struct {
	Deployment  *appsv1.Deployment
	ReplicaSets []*appsv1.ReplicaSet // the current one first, then one of an older revision, without Pods
	Service     *corev1.Service
	Endpoints   *discoveryv1.EndpointSlice
	Pods        []*corev1.Pod // of the current ReplicaSet
}

// Workloads is how many Deployments there are.
func (s Shape) Workloads() int { return (s.Pods + PodsEach - 1) / PodsEach }

// Nodes is how many nodes there are.
func (s Shape) Nodes() int { return (s.Pods + podsPerNode - 1) / podsPerNode }

// Namespace names one of the namespaces, counted from 0.
func (s Shape) Namespace(i int) string { return fmt.Sprintf("%s-%02d", s.Prefix, i) }

// Workload makes one of the Deployments, counted from 0.
func (s Shape) Workload(i int) Workload {
	m := maker{
		shape: s, number: i, app: fmt.Sprintf("service-%05d", i),
		namespace: s.Namespace(i % s.Namespaces), created: s.Now.Add(-72 * time.Hour),
	}
	w := Workload{Deployment: m.deployment(), Service: m.service()}
	w.ReplicaSets = []*appsv1.ReplicaSet{m.replicaSet(w.Deployment, "2", PodsEach), m.replicaSet(w.Deployment, "1", 0)}
	for j := range min(PodsEach, s.Pods-i*PodsEach) {
		w.Pods = append(w.Pods, m.pod(w.ReplicaSets[0], j))
	}
	w.Endpoints = m.endpoints(w.Service, w.Pods)
	return w
}

// All makes the whole fleet: nodes, all workloads, and their Events.
func (s Shape) All() (nodes []*corev1.Node, workloads []Workload, events []*corev1.Event) {
	for i := range s.Nodes() {
		nodes = append(nodes, s.Node(i))
	}
	for i := range s.Workloads() {
		w := s.Workload(i)
		workloads = append(workloads, w)
		for _, p := range w.Pods {
			events = append(events, s.Events(p)...)
		}
	}
	return nodes, workloads, events
}

// maker makes what belongs to one Deployment.
type maker struct {
	shape     Shape
	number    int
	app       string
	namespace string
	created   time.Time
}

func (m maker) meta(kind, name string, labels map[string]string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: m.namespace, Name: name, Labels: labels, Generation: 1,
		UID:               types.UID(fmt.Sprintf("%s-%s-%s", kind, m.namespace, name)),
		CreationTimestamp: metav1.NewTime(m.created),
	}
}

func (m maker) labels(hash string) map[string]string {
	labels := map[string]string{
		"app.kubernetes.io/name": m.app, "app.kubernetes.io/instance": m.app + "-prod",
		"app.kubernetes.io/part-of": m.namespace, "app.kubernetes.io/managed-by": "Helm",
	}
	if hash != "" {
		labels["pod-template-hash"] = hash
	}
	return labels
}

func (m maker) selector(hash string) map[string]string {
	selector := map[string]string{"app.kubernetes.io/name": m.app}
	if hash != "" {
		selector["pod-template-hash"] = hash
	}
	return selector
}

func (m maker) deployment() *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: m.meta("deployment", m.app, m.labels(""))}
	d.Annotations = map[string]string{revision: "2", "meta.helm.sh/release-name": m.app}
	d.Spec = appsv1.DeploymentSpec{
		Replicas: new(int32(PodsEach)), Selector: &metav1.LabelSelector{MatchLabels: m.selector("")}, Template: m.template("", "2"),
	}
	unready := m.unready()
	d.Status = appsv1.DeploymentStatus{
		ObservedGeneration: 1, Replicas: PodsEach, UpdatedReplicas: PodsEach,
		ReadyReplicas: PodsEach - unready, AvailableReplicas: PodsEach - unready, UnavailableReplicas: unready,
		Conditions: []appsv1.DeploymentCondition{{
			Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue, Reason: "NewReplicaSetAvailable",
			LastUpdateTime: metav1.NewTime(m.created), LastTransitionTime: metav1.NewTime(m.created),
			Message: fmt.Sprintf("ReplicaSet %q has successfully progressed.", m.replicaSetName("2")),
		}},
	}
	return d
}

const revision = "deployment.kubernetes.io/revision"

// hash stands for what the controller makes of a template.
func (m maker) hash(rev string) string {
	return fmt.Sprintf("%s%09x", rev, m.number*2654435761%0xfffffffff)
}

func (m maker) replicaSetName(rev string) string { return m.app + "-" + m.hash(rev) }

func (m maker) replicaSet(d *appsv1.Deployment, rev string, replicas int32) *appsv1.ReplicaSet {
	hash := m.hash(rev)
	rs := &appsv1.ReplicaSet{ObjectMeta: m.meta("replicaset", m.replicaSetName(rev), m.labels(hash))}
	rs.Annotations = map[string]string{revision: rev}
	rs.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(d, appsv1.SchemeGroupVersion.WithKind("Deployment"))}
	rs.Spec = appsv1.ReplicaSetSpec{
		Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: m.selector(hash)}, Template: m.template(hash, rev),
	}
	rs.Status = appsv1.ReplicaSetStatus{ObservedGeneration: 1, Replicas: replicas}
	if replicas > 0 {
		rs.Status.ReadyReplicas = replicas - m.unready()
	}
	return rs
}

func (m maker) service() *corev1.Service {
	s := &corev1.Service{ObjectMeta: m.meta("service", m.app, m.labels(""))}
	s.Spec = corev1.ServiceSpec{Selector: m.selector(""), Ports: []corev1.ServicePort{{Name: "http", Port: 80, Protocol: corev1.ProtocolTCP}}}
	return s
}

func (m maker) endpoints(s *corev1.Service, pods []*corev1.Pod) *discoveryv1.EndpointSlice {
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta:  m.meta("endpointslice", m.app+"-x7k2p", map[string]string{discoveryv1.LabelServiceName: s.Name}),
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: new("http"), Port: new(m.port()), Protocol: new(corev1.ProtocolTCP)}},
	}
	for _, p := range pods {
		ready := p.Status.ContainerStatuses[0].Ready
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{p.Status.PodIP}, NodeName: &p.Spec.NodeName,
			Conditions: discoveryv1.EndpointConditions{Ready: &ready, Serving: &ready, Terminating: new(false)},
			TargetRef:  &corev1.ObjectReference{Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: p.UID},
		})
	}
	return slice
}
