package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Phase of a Pod entry.
type Phase string

// Phases of a Pod entry.
const (
	Live        Phase = "live"
	Terminating Phase = "terminating"
	Finished    Phase = "finished"
	Gone        Phase = "gone" // known from its Events alone
)

// Pod is one container's state in one Pod.
type Pod struct {
	Name     string `json:"name"`
	Phase    Phase  `json:"phase"`
	Variant  *int   `json:"variant,omitempty"` // index into variants
	Revision string `json:"revision,omitempty"`
	Node     string `json:"node,omitempty"`
	// KubeletVersion and the two below are absent where the node was not read.
	KubeletVersion string     `json:"kubeletVersion,omitempty"`
	VirtualKubelet bool       `json:"virtualKubelet,omitempty"` // its schedule is its own: no figure of a probe holds
	NodeNotReady   *Condition `json:"nodeNotReady,omitempty"`
	// Schedule is when the node's checks follow each other; absent where the node was not read.
	Schedule Schedule `json:"schedule,omitempty"`
	Ready    bool     `json:"ready"`
	PodReady bool     `json:"podReady"`
	Started  *bool    `json:"started,omitempty"`
	Restarts int32    `json:"restarts"`
	State    string   `json:"state,omitempty"`  // running, waiting, terminated
	Reason   string   `json:"reason,omitempty"` // of waiting or terminated: CrashLoopBackOff, Completed; of the Pod: Evicted
	// Cause is why it is down now, in the words of Container.Causes; empty for one that is not, or where nothing says why.
	Cause string `json:"cause,omitempty"`
	// Message says why a container waits or its Pod is not scheduled, in the kubelet's, the scheduler's or a runtime's words.
	Message string `json:"message,omitempty"`
	// BackOffSeconds is how long the kubelet waits between the last end and the next start, by its own words.
	BackOffSeconds *int64       `json:"backOffSeconds,omitempty"`
	StartedAt      *metav1.Time `json:"startedAt,omitempty"`
	ReadySince     *metav1.Time `json:"readySince,omitempty"` // the Pod
	// StartSeconds is the least that the container's start can have taken, as far as something tells.
	StartSeconds    int64        `json:"startSeconds,omitempty"`
	LastTermination *Termination `json:"lastTermination,omitempty"`
	// Evidence and Kills are absent where Events are unknown.
	Evidence     []Evidence    `json:"evidence,omitzero"`
	Kills        []Kill        `json:"kills,omitzero"`
	BackOff      *BackOff      `json:"backOff,omitempty"`
	ProbeChanges []ProbeChange `json:"probeChanges,omitempty"`
	PossibleKill *PossibleKill `json:"possibleKill,omitempty"`
	// FalseGates are the readiness gates of the Pod that are not true.
	FalseGates []string `json:"falseGates,omitempty"`
	// ResizePending and ResizeInProgress are conditions of an in-place resize of the Pod.
	ResizePending    *Condition `json:"resizePending,omitempty"`
	ResizeInProgress *Condition `json:"resizeInProgress,omitempty"`
	// Saturated says that the kubelet may have written all the Warnings it may write about this Pod: newer
	// kinds of failure may be missing, and all counts lag.
	Saturated bool `json:"saturated,omitempty"`
}

// Termination is how a container last ended.
type Termination struct {
	Reason     string       `json:"reason"`
	ExitCode   int32        `json:"exitCode"`
	Signal     int32        `json:"signal,omitempty"`
	FinishedAt *metav1.Time `json:"finishedAt,omitempty"`
	// Cause is liveness, startup, OOMKilled, exit-N, resize, definition-changed, or "?" where nothing tells any more.
	// Absent for the end of a Pod that is finished or going, unless it is proven.
	Cause string `json:"cause,omitempty"`
}

// Schedule is when the checks of one probe follow each other on a node.
type Schedule string

// The schedules.
const (
	ScheduleTicks      Schedule = "ticks"        // every kubelet before v1.38
	ScheduleEndOfCheck Schedule = "end-of-check" // MutableContainerProbes is in force: a ContainerProbeChanged Event says so
	ScheduleUnproven   Schedule = "unproven"     // v1.38 or later, and nothing says which
	ScheduleOwn        Schedule = "own"          // a virtual kubelet's
)

// Condition is a condition of a Pod or a node.
type Condition struct {
	Reason  string       `json:"reason,omitempty"`
	Message string       `json:"message,omitempty"`
	Since   *metav1.Time `json:"since,omitempty"`
}

// EndOfCheck is what a probe's figures are where the next check comes a period after the last one ended (KEP-6318).
type EndOfCheck struct {
	Detection *Detection `json:"detection,omitempty"`
	Allowance *Allowance `json:"allowance,omitempty"`
}

// FailedCreate is why a controller could not make Pods.
type FailedCreate struct {
	Pods     int          `json:"pods"` // that it wants and does not have, at least
	Message  string       `json:"message,omitempty"`
	LastSeen *metav1.Time `json:"lastSeen,omitempty"`
}
