// Package snapshot holds what was read, from a cluster or from files, as small values. It interprets
// nothing but ownership: the two doors into it are live and files, and report is what reads it.
package snapshot

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// Snapshot is one reading. Slices are in no particular order; report sorts.
type Snapshot struct {
	// AsOf is the instant the facts are judged at: now for a cluster; for files the newest timestamp
	// in Events, statuses and managedFields, zero when they hold none.
	AsOf time.Time
	// Running says that there are facts of running Pods: always for a cluster; for files only when
	// at least one Pod has a status. Without it, what only running Pods can tell is not a gap.
	Running bool
	// Targeted says that arguments or a selector chose a part: what belongs to nothing chosen is not of interest.
	Targeted bool

	Pods     []*Pod
	Objects  []*Object // everything above Pods: controllers at every level of an owner chain
	Services []*Service
	// ServerVersion is the API server's, as v1.34.2; empty for files, and where it did not say.
	ServerVersion string

	// EndpointSlices are not read in every view. Every Service with a selector has at least one.
	EndpointSlices []*EndpointSlice
	Nodes          []*Node
	Events         []*Event
	Gaps           []Gap
}

// GapReason says why something could not be read.
type GapReason string

// The reasons of a Gap.
const (
	Forbidden GapReason = "forbidden"
	Timeout   GapReason = "timeout"
	Expired   GapReason = "expired" // a continue token expired twice (410)
	Absent    GapReason = "absent"  // not in the files, not served by the cluster, or gone
	Failed    GapReason = "error"
)

// Gap is something that could not be read. It is never shown as zero.
type Gap struct {
	What      string // the API resource, in kubectl's form: events, deployments.apps; custom kinds by kind: rollout.argoproj.io
	Namespace string // empty: in all of them, or cluster-scoped
	Name      string // one object; empty: all of that resource
	Reason    GapReason
	Message   string // the server's or the reader's words; may hold anything
}

// Source is where an object was read from: empty for a cluster.
type Source struct {
	File     string
	Document int // 1 is the first document of the file
}

// Stdin is standard input in -f and in a Source.
const Stdin = "-"

// FileName is a file as people are told of it.
func FileName(file string) string {
	if file == Stdin {
		return "stdin"
	}
	return file
}

// OwnerRef is a controller reference.
type OwnerRef struct {
	Group, Kind, Name string
	UID               types.UID
}

// PodSpec is the part of a Pod's spec, or of a template's, that probes depend on. Equal ones are shared.
type PodSpec struct {
	Containers                    []Container // regular containers, then sidecars, each in the spec's order
	InitContainers                []string    // plain init containers: they cannot have lasting probes
	RestartPolicy                 corev1.RestartPolicy
	TerminationGracePeriodSeconds *int64
	HostNetwork                   bool
	ReadinessGates                []string
	Problems                      []Problem // only where the Converter was to Validate
}

// Container is a regular container or a sidecar (an init container with restartPolicy Always).
type Container struct {
	Name                string
	Sidecar             bool
	Ports               []probe.Port
	Startup             *probe.Probe
	Readiness           *probe.Probe
	Liveness            *probe.Probe
	RestartPolicy       corev1.ContainerRestartPolicy // empty: the Pod's applies
	RestartPolicyRules  bool                          // has restartPolicyRules (v1.35 ContainerRestartRules)
	ResizeRestartPolicy bool                          // has a resizePolicy RestartContainer
	PreStop             bool                          // has a lifecycle.preStop hook
}

// Probe returns the container's effective probe of that kind, nil when it has none.
func (c *Container) Probe(kind probe.Kind) *probe.Probe {
	switch kind {
	case probe.Startup:
		return c.Startup
	case probe.Readiness:
		return c.Readiness
	default:
		return c.Liveness
	}
}

// Container returns the container of that name, nil when there is none.
func (s *PodSpec) Container(name string) *Container {
	if s == nil {
		return nil
	}
	for i := range s.Containers {
		if s.Containers[i].Name == name {
			return &s.Containers[i]
		}
	}
	return nil
}

// Pod is one Pod. Times are zero when unset.
type Pod struct {
	Namespace, Name string
	UID             types.UID
	MirrorUID       types.UID // kubernetes.io/config.mirror: Events of a static Pod carry it
	Labels          map[string]string
	Annotations     map[string]string // only those named in KeptAnnotations
	Owner           *OwnerRef
	Created         time.Time
	Deleted         time.Time
	Generation      int64
	Spec            *PodSpec
	Node            string
	Phase           corev1.PodPhase
	Reason          string // status.reason, for instance Evicted
	Message         string
	HasStatus       bool // the object came with a status (a manifest has none)
	StartTime       time.Time
	Conditions      []Condition
	Containers      []ContainerStatus // regular containers, sidecars and plain init containers
	ProbeWrites     []ProbeWrite      // only for Pods with metadata.generation above 1
	Asked           bool              // named by the user
	Source          Source
}

// Condition is a condition of a Pod, a workload or a node.
type Condition struct {
	Type, Status, Reason, Message string
	LastTransition                time.Time
}

// ContainerStatus is one entry of status.containerStatuses or initContainerStatuses.
type ContainerStatus struct {
	Name         string
	Init         bool // from initContainerStatuses: a sidecar or a plain init container
	Ready        bool
	Started      *bool
	RestartCount int32
	Running      time.Time // state.running.startedAt; zero when not running
	Waiting      string    // state.waiting.reason; empty when not waiting
	WaitingText  string    // state.waiting.message
	Terminated   *Termination
	Last         *Termination // lastState.terminated
}

// Termination is how a container ended.
type Termination struct {
	Reason            string
	ExitCode, Signal  int32
	Started, Finished time.Time
	// Message is kept only where the runtime wrote it, because the container did not get so far as to run.
	Message string
}

// ProbeWrite is a change of a container's probe that the Pod tells of: a managedFields entry that owns fields of it, or
// the annotation that `set` leaves, since nobody owns a probe that was removed.
type ProbeWrite struct {
	Container string
	Probe     probe.Kind
	Manager   string    // empty when managedFields were stripped
	Operation string    // Update or Apply
	Time      time.Time // zero when managedFields were stripped
	// AfterCreation tells a change by somebody from what admission made of the Pod.
	AfterCreation bool
}

// Template is a Pod template.
type Template struct {
	Labels      map[string]string
	Annotations map[string]string // only those named in KeptAnnotations
	Spec        *PodSpec
}

// Object is a controller: a workload, something between it and its Pods, or something above it.
type Object struct {
	Group, Kind, Namespace, Name string
	UID                          types.UID
	Owner                        *OwnerRef
	Labels                       map[string]string
	Annotations                  map[string]string // only those named in KeptAnnotations
	Created, Deleted             time.Time
	Generation                   int64
	ObservedGeneration           int64
	// Template is nil when the kind has none or only metadata was read. MetadataOnly tells which.
	Template     *Template
	MetadataOnly bool
	Selector     *metav1.LabelSelector
	// Desired is the number of Pods the controller wants now; nil where that has no meaning
	// (Jobs, CronJobs, unknown custom kinds) or is unknown.
	Desired *int32
	// Revision identifies the current template in the words of the kind: the annotation
	// deployment.kubernetes.io/revision (Deployment and ReplicaSet), status.updateRevision (StatefulSet),
	// the annotation deprecated.daemonset.template.generation (DaemonSet), status.currentPodHash (Rollout).
	Revision   string
	Paused     bool
	Done       bool // a Job that is Complete or Failed
	Update     UpdatePolicy
	Replicas   ReplicaCounts
	Conditions []Condition
	// ProgressUpdated is the lastUpdateTime of the condition Progressing (Deployment, Rollout).
	ProgressUpdated time.Time
	// Narrowed says that only some of this workload's Pods are in the Snapshot, because the user named
	// a Pod or something between, or a selector; Desired then says nothing about them.
	Narrowed bool
	Source   Source
}

// UpdatePolicy is how a controller replaces Pods of an earlier template.
type UpdatePolicy struct {
	OnDelete  bool   // only when someone deletes them
	Partition int32  // StatefulSet: Pods of lower ordinals are left alone
	Ordered   bool   // StatefulSet: one after another, each once the one before is ready
	From      string // StatefulSet: the revision that a rollout replaces (status.currentRevision)
}

// ReplicaCounts are the controller's own counts from its status.
type ReplicaCounts struct{ Current, Updated, Ready, Available int32 }

// Service is a Service with a selector.
type Service struct {
	Namespace, Name string
	Selector        map[string]string
	// PublishNotReady says that Pods that are not ready stay in it (spec.publishNotReadyAddresses).
	PublishNotReady bool
	Source          Source
}

// EndpointSlice is a part of what is behind a Service.
type EndpointSlice struct {
	Namespace, Name string
	Service         string // label kubernetes.io/service-name
	Endpoints       []Endpoint
}

// Endpoint is a Pod in an EndpointSlice.
type Endpoint struct {
	Pod    string
	PodUID types.UID // empty where the slice's author names none
	Ready  bool
}

// Node is one node.
type Node struct {
	Name           string
	KubeletVersion string
	Virtual        bool // a virtual kubelet (label type=virtual-kubelet): its schedule is its own
	Ready          string
	Conditions     []Condition
}

// Event is a core/v1 or events.k8s.io/v1 Event about a Pod or a controller.
type Event struct {
	Namespace, Name       string
	UID                   types.UID
	Kind                  string // of the object it is about
	ObjectName            string
	ObjectUID             types.UID
	FieldPath             string
	Type, Reason, Message string
	Node                  string // source.host or reportingInstance
	Count                 int32
	First, Last           time.Time
}

// OriginalAnnotation keeps on a Pod what its probes were before `set` first changed them: by container and kind, the probe
// as the server wrote it, null where there was none.
const OriginalAnnotation = "kubectl-probes.github.io/original"

// KeptAnnotations are the annotations the readers keep; all others are dropped for their size.
func KeptAnnotations() []string {
	return []string{
		"kubectl-probes.github.io/ignore",
		OriginalAnnotation,
		"kubernetes.io/config.mirror",
		"kubernetes.io/config.source",
		"sidecar.istio.io/status",
	}
}
