package snapshot

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// Converter turns API objects into Snapshot values. What is equal in Pods comes out as one shared value, so that
// a thousand replicas cost little more than one. It is safe for use by several goroutines.
type Converter struct {
	// Validate notes what the API server would not accept: of use for manifests, which it has not seen yet.
	Validate bool

	mu       sync.Mutex
	specs    map[string]*PodSpec
	siblings map[types.UID]*Pod // the first Pod of each owner
}

// NewConverter returns an empty Converter; use one for a whole reading.
func NewConverter() *Converter {
	return &Converter{specs: map[string]*PodSpec{}, siblings: map[types.UID]*Pod{}}
}

// Pod converts a Pod and keeps nothing of it.
func (c *Converter) Pod(p *corev1.Pod) *Pod {
	pod := &Pod{
		Namespace: p.Namespace, Name: p.Name, UID: p.UID,
		MirrorUID:   mirrorUID(p),
		Labels:      p.Labels,
		Annotations: keptAnnotations(p.Annotations),
		Owner:       controllerOf(p.OwnerReferences),
		Created:     p.CreationTimestamp.Time,
		Deleted:     deletedAt(&p.ObjectMeta),
		Generation:  p.Generation,
		Spec:        podSpec(&p.Spec, c.Validate),
		Node:        p.Spec.NodeName,
		Phase:       p.Status.Phase,
		Reason:      p.Status.Reason,
		Message:     p.Status.Message,
		HasStatus:   p.Status.Phase != "",
		StartTime:   timeOf(p.Status.StartTime),
		Conditions:  podConditions(p.Status.Conditions),
	}
	pod.Containers = appendStatuses(make([]ContainerStatus, 0, len(p.Status.ContainerStatuses)), p.Status.ContainerStatuses, false)
	pod.Containers = appendStatuses(pod.Containers, p.Status.InitContainerStatuses, true)
	if p.Generation > 1 {
		pod.ProbeWrites = probeWrites(p)
	}
	c.share(pod)
	return pod
}

func podSpec(s *corev1.PodSpec, validate bool) *PodSpec {
	spec := &PodSpec{
		RestartPolicy:                 s.RestartPolicy,
		TerminationGracePeriodSeconds: s.TerminationGracePeriodSeconds,
		HostNetwork:                   s.HostNetwork,
	}
	for i := range s.Containers {
		spec.Containers = append(spec.Containers, container(&s.Containers[i], false))
	}
	for i := range s.InitContainers {
		init := &s.InitContainers[i]
		if init.RestartPolicy != nil && *init.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			spec.Containers = append(spec.Containers, container(init, true))
		} else {
			spec.InitContainers = append(spec.InitContainers, init.Name)
		}
	}
	for _, gate := range s.ReadinessGates {
		spec.ReadinessGates = append(spec.ReadinessGates, string(gate.ConditionType))
	}
	if validate {
		spec.Problems = problems(s)
	}
	return spec
}

// intern returns the first PodSpec that was equal.
func (c *Converter) intern(spec *PodSpec) *PodSpec {
	key, err := json.Marshal(spec)
	if err != nil { // a PodSpec holds nothing that cannot be marshalled; sharing is only a saving
		return spec
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if shared, ok := c.specs[string(key)]; ok {
		return shared
	}
	c.specs[string(key)] = spec
	return spec
}

func container(c *corev1.Container, sidecar bool) Container {
	out := Container{
		Name: c.Name, Sidecar: sidecar,
		Startup:            probe.FromAPI(c.StartupProbe),
		Readiness:          probe.FromAPI(c.ReadinessProbe),
		Liveness:           probe.FromAPI(c.LivenessProbe),
		RestartPolicyRules: len(c.RestartPolicyRules) > 0,
		PreStop:            c.Lifecycle != nil && c.Lifecycle.PreStop != nil,
	}
	if c.RestartPolicy != nil {
		out.RestartPolicy = *c.RestartPolicy
	}
	for _, p := range c.Ports {
		out.Ports = append(out.Ports, probe.Port{Name: p.Name, ContainerPort: p.ContainerPort})
	}
	for _, r := range c.ResizePolicy {
		out.ResizeRestartPolicy = out.ResizeRestartPolicy || r.RestartPolicy == corev1.RestartContainer
	}
	return out
}

func (c *Converter) template(t *corev1.PodTemplateSpec) *Template {
	if t == nil {
		return nil
	}
	return &Template{Labels: t.Labels, Annotations: keptAnnotations(t.Annotations), Spec: c.intern(podSpec(&t.Spec, c.Validate))}
}

// Deployment converts a Deployment.
func (c *Converter) Deployment(d *appsv1.Deployment) *Object {
	o := object("apps", "Deployment", &d.ObjectMeta)
	o.Template, o.Selector = c.template(&d.Spec.Template), d.Spec.Selector
	o.Desired, o.Paused = replicas(d.Spec.Replicas), d.Spec.Paused
	o.Revision = d.Annotations[deploymentRevision]
	o.ObservedGeneration = d.Status.ObservedGeneration
	o.Replicas = ReplicaCounts{d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.ReadyReplicas, d.Status.AvailableReplicas}
	for _, cond := range d.Status.Conditions {
		o.Conditions = append(o.Conditions, Condition{string(cond.Type), string(cond.Status), cond.Reason, cond.Message, cond.LastTransitionTime.Time})
		if cond.Type == appsv1.DeploymentProgressing {
			o.ProgressUpdated = cond.LastUpdateTime.Time
		}
	}
	return o
}

// ReplicaSet converts a ReplicaSet that was read whole; see Metadata for the other way.
func (c *Converter) ReplicaSet(r *appsv1.ReplicaSet) *Object {
	o := object("apps", "ReplicaSet", &r.ObjectMeta)
	o.Template, o.Selector, o.Desired = c.template(&r.Spec.Template), r.Spec.Selector, replicas(r.Spec.Replicas)
	o.Revision = r.Annotations[deploymentRevision]
	o.ObservedGeneration = r.Status.ObservedGeneration
	o.Replicas = ReplicaCounts{r.Status.Replicas, r.Status.Replicas, r.Status.ReadyReplicas, r.Status.AvailableReplicas}
	for _, cond := range r.Status.Conditions {
		o.Conditions = append(o.Conditions, Condition{string(cond.Type), string(cond.Status), cond.Reason, cond.Message, cond.LastTransitionTime.Time})
	}
	return o
}

// StatefulSet converts a StatefulSet.
func (c *Converter) StatefulSet(s *appsv1.StatefulSet) *Object {
	o := object("apps", "StatefulSet", &s.ObjectMeta)
	o.Template, o.Selector, o.Desired = c.template(&s.Spec.Template), s.Spec.Selector, replicas(s.Spec.Replicas)
	o.Revision, o.Update = s.Status.UpdateRevision, statefulSetUpdate(s)
	o.ObservedGeneration = s.Status.ObservedGeneration
	o.Replicas = ReplicaCounts{s.Status.Replicas, s.Status.UpdatedReplicas, s.Status.ReadyReplicas, s.Status.AvailableReplicas}
	for _, cond := range s.Status.Conditions {
		o.Conditions = append(o.Conditions, Condition{string(cond.Type), string(cond.Status), cond.Reason, cond.Message, cond.LastTransitionTime.Time})
	}
	return o
}

// DaemonSet converts a DaemonSet. Its desired count is the controller's, unknown in a manifest.
func (c *Converter) DaemonSet(d *appsv1.DaemonSet) *Object {
	o := object("apps", "DaemonSet", &d.ObjectMeta)
	o.Template, o.Selector = c.template(&d.Spec.Template), d.Spec.Selector
	if d.Status.ObservedGeneration > 0 {
		o.Desired = new(d.Status.DesiredNumberScheduled) // a pointer into d would keep the page that it came with
	}
	o.Revision = d.Annotations[appsv1.DeprecatedTemplateGeneration]
	o.Update.OnDelete = d.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType
	o.ObservedGeneration = d.Status.ObservedGeneration
	o.Replicas = ReplicaCounts{d.Status.CurrentNumberScheduled, d.Status.UpdatedNumberScheduled, d.Status.NumberReady, d.Status.NumberAvailable}
	for _, cond := range d.Status.Conditions {
		o.Conditions = append(o.Conditions, Condition{string(cond.Type), string(cond.Status), cond.Reason, cond.Message, cond.LastTransitionTime.Time})
	}
	return o
}

// ReplicationController converts a ReplicationController.
func (c *Converter) ReplicationController(r *corev1.ReplicationController) *Object {
	o := object("", "ReplicationController", &r.ObjectMeta)
	o.Template, o.Desired = c.template(r.Spec.Template), replicas(r.Spec.Replicas)
	o.Selector = &metav1.LabelSelector{MatchLabels: r.Spec.Selector}
	o.ObservedGeneration = r.Status.ObservedGeneration
	o.Replicas = ReplicaCounts{r.Status.Replicas, r.Status.Replicas, r.Status.ReadyReplicas, r.Status.AvailableReplicas}
	return o
}

// Job converts a Job.
func (c *Converter) Job(j *batchv1.Job) *Object {
	o := object("batch", "Job", &j.ObjectMeta)
	o.Template, o.Selector = c.template(&j.Spec.Template), j.Spec.Selector
	o.Paused = j.Spec.Suspend != nil && *j.Spec.Suspend
	for _, cond := range j.Status.Conditions {
		o.Conditions = append(o.Conditions, Condition{string(cond.Type), string(cond.Status), cond.Reason, cond.Message, cond.LastTransitionTime.Time})
		finished := cond.Type == batchv1.JobComplete || cond.Type == batchv1.JobFailed
		o.Done = o.Done || finished && cond.Status == corev1.ConditionTrue
	}
	return o
}

// CronJob converts a CronJob; its template is that of the Jobs it will make.
func (c *Converter) CronJob(j *batchv1.CronJob) *Object {
	o := object("batch", "CronJob", &j.ObjectMeta)
	o.Template = c.template(&j.Spec.JobTemplate.Spec.Template)
	o.Paused = j.Spec.Suspend != nil && *j.Spec.Suspend
	return o
}

// Metadata converts an owner of which only the metadata was read.
func (c *Converter) Metadata(gk schema.GroupKind, m *metav1.ObjectMeta) *Object {
	o := object(gk.Group, gk.Kind, m)
	o.MetadataOnly = true
	o.Revision = m.Annotations[deploymentRevision]
	return o
}

// Service converts a Service.
func (c *Converter) Service(s *corev1.Service) *Service {
	return &Service{Namespace: s.Namespace, Name: s.Name, Selector: s.Spec.Selector, PublishNotReady: s.Spec.PublishNotReadyAddresses}
}

// Node converts a Node.
func (c *Converter) Node(n *corev1.Node) *Node {
	node := &Node{Name: n.Name, KubeletVersion: n.Status.NodeInfo.KubeletVersion, Virtual: n.Labels["type"] == "virtual-kubelet"}
	for _, cond := range n.Status.Conditions {
		if cond.Type == corev1.NodeReady {
			node.Ready = string(cond.Status)
		}
		node.Conditions = append(node.Conditions, Condition{string(cond.Type), string(cond.Status), cond.Reason, cond.Message, cond.LastTransitionTime.Time})
	}
	return node
}

// deploymentRevision is the annotation by which a Deployment and its ReplicaSets count revisions.
const deploymentRevision = "deployment.kubernetes.io/revision"

func object(group, kind string, m *metav1.ObjectMeta) *Object {
	return &Object{
		Group: group, Kind: kind, Namespace: m.Namespace, Name: m.Name, UID: m.UID,
		Owner:       controllerOf(m.OwnerReferences),
		Labels:      m.Labels,
		Annotations: keptAnnotations(m.Annotations),
		Created:     m.CreationTimestamp.Time,
		Deleted:     deletedAt(m),
		Generation:  m.Generation,
	}
}

func replicas(n *int32) *int32 {
	if n == nil { // pkg/apis/apps/v1/defaults.go: one
		one := int32(1)
		return &one
	}
	return n
}

func controllerOf(refs []metav1.OwnerReference) *OwnerRef {
	for _, r := range refs {
		if r.Controller != nil && *r.Controller {
			group, _, found := strings.Cut(r.APIVersion, "/")
			if !found {
				group = ""
			}
			return &OwnerRef{Group: group, Kind: r.Kind, Name: r.Name, UID: r.UID}
		}
	}
	return nil
}

func keptAnnotations(all map[string]string) map[string]string {
	var kept map[string]string
	for _, key := range KeptAnnotations() {
		if value, ok := all[key]; ok {
			if kept == nil {
				kept = map[string]string{}
			}
			kept[key] = value
		}
	}
	return kept
}

func deletedAt(m *metav1.ObjectMeta) time.Time { return timeOf(m.DeletionTimestamp) }

func timeOf(t *metav1.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
}
