package live

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func podKind() snapshot.GroupKind        { return snapshot.GroupKind{Kind: "Pod"} }
func serviceKind() snapshot.GroupKind    { return snapshot.GroupKind{Kind: "Service"} }
func nodeKind() snapshot.GroupKind       { return snapshot.GroupKind{Kind: "Node"} }
func eventKind() snapshot.GroupKind      { return snapshot.GroupKind{Kind: "Event"} }
func controllerKind() snapshot.GroupKind { return snapshot.GroupKind{Kind: "ReplicationController"} }

func deploymentKind() snapshot.GroupKind {
	return snapshot.GroupKind{Group: "apps", Kind: "Deployment"}
}

func replicaSetKind() snapshot.GroupKind {
	return snapshot.GroupKind{Group: "apps", Kind: "ReplicaSet"}
}

func statefulSetKind() snapshot.GroupKind {
	return snapshot.GroupKind{Group: "apps", Kind: "StatefulSet"}
}

func daemonSetKind() snapshot.GroupKind { return snapshot.GroupKind{Group: "apps", Kind: "DaemonSet"} }
func jobKind() snapshot.GroupKind       { return snapshot.GroupKind{Group: "batch", Kind: "Job"} }
func cronJobKind() snapshot.GroupKind   { return snapshot.GroupKind{Group: "batch", Kind: "CronJob"} }

// workloadKinds are the controllers that Kubernetes brings, in the order in which a bare name is looked up.
func workloadKinds() []snapshot.GroupKind {
	return []snapshot.GroupKind{
		deploymentKind(), statefulSetKind(), daemonSetKind(), cronJobKind(), jobKind(), replicaSetKind(), controllerKind(),
	}
}

// builtin is the source of a kind that Kubernetes brings, whole.
func (r *reader) builtin(kind snapshot.GroupKind) (source, bool) {
	switch kind {
	case podKind():
		return r.pods(nil), true
	case serviceKind():
		return r.services(), true
	case nodeKind():
		return r.nodes(), true
	case controllerKind():
		return r.replicationControllers(), true
	case deploymentKind():
		return r.deployments(), true
	case replicaSetKind():
		return r.replicaSets(), true
	case statefulSetKind():
		return r.statefulSets(), true
	case daemonSetKind():
		return r.daemonSets(), true
	case jobKind():
		return r.jobs(), true
	case cronJobKind():
		return r.cronJobs(), true
	default:
		return source{}, false
	}
}

// builtinMetadata is the source of a workload kind that Kubernetes brings, as metadata.
func (r *reader) builtinMetadata(kind snapshot.GroupKind) source {
	return r.metadataOf(kind, schema.ParseGroupResource(snapshot.ResourceName(kind)).WithVersion("v1"))
}

// pods are the Pods with the given labels that the user's own selector lets through.
func (r *reader) pods(selector labels.Selector) source {
	src := typed(podKind(), r.clients.core,
		func(ns string) objectGetter[*corev1.Pod] { return r.clients.core.Pods(ns) },
		func(l *corev1.PodList) []corev1.Pod { return l.Items },
		func(got *snapshot.Snapshot, p *corev1.Pod) { got.Pods = append(got.Pods, r.convert.Pod(p)) })
	src.essential = true
	return src.labelled(both(selector, r.query.Selector))
}

func both(a, b labels.Selector) string {
	all := labels.NewSelector()
	for _, s := range []labels.Selector{a, b} {
		if s == nil {
			continue
		}
		requirements, selectable := s.Requirements()
		if !selectable { // labels.Nothing has no written form: a key that must and must not exist is one
			return "kubernetes.io/nothing,!kubernetes.io/nothing"
		}
		all = all.Add(requirements...)
	}
	return all.String()
}

func (r *reader) services() source {
	src := typed(serviceKind(), r.clients.core,
		func(ns string) objectGetter[*corev1.Service] {
			return r.clients.core.Services(ns)
		},
		func(l *corev1.ServiceList) []corev1.Service { return l.Items },
		func(got *snapshot.Snapshot, s *corev1.Service) {
			got.Services = append(got.Services, r.convert.Service(s))
		})
	src.small = true
	return src
}

func (r *reader) nodes() source {
	src := typed(nodeKind(), r.clients.core,
		func(string) objectGetter[*corev1.Node] { return r.clients.core.Nodes() },
		func(l *corev1.NodeList) []corev1.Node { return l.Items },
		func(got *snapshot.Snapshot, n *corev1.Node) { got.Nodes = append(got.Nodes, r.convert.Node(n)) })
	src.clusterScoped = true
	return src
}

// events are those that a selector lets the server send, and of these the wanted ones.
func (r *reader) events(fieldSelector string, wanted func(*corev1.Event) bool) source {
	src := typed(eventKind(), r.clients.core,
		func(ns string) objectGetter[*corev1.Event] { return r.clients.core.Events(ns) },
		func(l *corev1.EventList) []corev1.Event { return l.Items },
		func(got *snapshot.Snapshot, e *corev1.Event) {
			if wanted(e) {
				got.Events = append(got.Events, r.convert.Event(e))
			}
		})
	src.what, src.small = "events", true
	return src.fielded(fieldSelector)
}

func (r *reader) replicationControllers() source {
	return typed(controllerKind(), r.clients.core,
		func(ns string) objectGetter[*corev1.ReplicationController] {
			return r.clients.core.ReplicationControllers(ns)
		},
		func(l *corev1.ReplicationControllerList) []corev1.ReplicationController { return l.Items },
		func(got *snapshot.Snapshot, c *corev1.ReplicationController) {
			got.Objects = append(got.Objects, r.convert.ReplicationController(c))
		})
}

func (r *reader) deployments() source {
	return typed(deploymentKind(), r.clients.apps,
		func(ns string) objectGetter[*appsv1.Deployment] {
			return r.clients.apps.Deployments(ns)
		},
		func(l *appsv1.DeploymentList) []appsv1.Deployment { return l.Items },
		func(got *snapshot.Snapshot, d *appsv1.Deployment) {
			got.Objects = append(got.Objects, r.convert.Deployment(d))
		})
}

func (r *reader) replicaSets() source {
	return typed(replicaSetKind(), r.clients.apps,
		func(ns string) objectGetter[*appsv1.ReplicaSet] {
			return r.clients.apps.ReplicaSets(ns)
		},
		func(l *appsv1.ReplicaSetList) []appsv1.ReplicaSet { return l.Items },
		func(got *snapshot.Snapshot, s *appsv1.ReplicaSet) {
			got.Objects = append(got.Objects, r.convert.ReplicaSet(s))
		})
}

func (r *reader) statefulSets() source {
	return typed(statefulSetKind(), r.clients.apps,
		func(ns string) objectGetter[*appsv1.StatefulSet] {
			return r.clients.apps.StatefulSets(ns)
		},
		func(l *appsv1.StatefulSetList) []appsv1.StatefulSet { return l.Items },
		func(got *snapshot.Snapshot, s *appsv1.StatefulSet) {
			got.Objects = append(got.Objects, r.convert.StatefulSet(s))
		})
}

func (r *reader) daemonSets() source {
	return typed(daemonSetKind(), r.clients.apps,
		func(ns string) objectGetter[*appsv1.DaemonSet] {
			return r.clients.apps.DaemonSets(ns)
		},
		func(l *appsv1.DaemonSetList) []appsv1.DaemonSet { return l.Items },
		func(got *snapshot.Snapshot, d *appsv1.DaemonSet) {
			got.Objects = append(got.Objects, r.convert.DaemonSet(d))
		})
}

func (r *reader) jobs() source {
	return typed(jobKind(), r.clients.batch,
		func(ns string) objectGetter[*batchv1.Job] { return r.clients.batch.Jobs(ns) },
		func(l *batchv1.JobList) []batchv1.Job { return l.Items },
		func(got *snapshot.Snapshot, j *batchv1.Job) { got.Objects = append(got.Objects, r.convert.Job(j)) })
}

func (r *reader) cronJobs() source {
	return typed(cronJobKind(), r.clients.batch,
		func(ns string) objectGetter[*batchv1.CronJob] {
			return r.clients.batch.CronJobs(ns)
		},
		func(l *batchv1.CronJobList) []batchv1.CronJob { return l.Items },
		func(got *snapshot.Snapshot, j *batchv1.CronJob) {
			got.Objects = append(got.Objects, r.convert.CronJob(j))
		})
}
