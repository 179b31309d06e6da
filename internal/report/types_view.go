package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// RolloutState says how far a workload's latest template has got.
type RolloutState string

// The states of a rollout.
const (
	RolloutComplete    RolloutState = "complete" // no rollout is going on
	RolloutProgressing RolloutState = "progressing"
	RolloutStalled     RolloutState = "stalled" // it does not go on by itself
	RolloutPaused      RolloutState = "paused"  // it waits for a person
)

// Rollout is how Pods of the latest template replace those of earlier ones.
type Rollout struct {
	State   RolloutState `json:"state"`
	Reason  string       `json:"reason,omitempty"` // a controller's own word, or NewPodsNotReady, OrderedReady, Partition, OnDelete
	Since   *metav1.Time `json:"since,omitempty"`
	Message string       `json:"message,omitempty"`
	// NewRevision is what is being rolled out, and OldRevisions are what it replaces, as Pods name theirs.
	NewRevision  string   `json:"newRevision,omitempty"`
	OldRevisions []string `json:"oldRevisions,omitempty"`
	// The counts are of live Pods; absent when complete, and when only a part of the Pods was asked for.
	NewPods  *int `json:"newPods,omitempty"`
	NewReady *int `json:"newReady,omitempty"`
	OldPods  *int `json:"oldPods,omitempty"`
	OldReady *int `json:"oldReady,omitempty"`
	// NotReady are new Pods, at most three, the oldest first.
	NotReady []string `json:"notReady,omitempty"`
	// KeepServing says that earlier Pods are ready meanwhile; absent when complete or unknown.
	KeepServing *bool `json:"keepServing,omitempty"`
}

// Service is a Service that selects the workload's Pods.
type Service struct {
	Name string `json:"name"`
	// Endpoints and Ready count this workload's live Pods in it; absent where EndpointSlices were not read.
	Endpoints *int `json:"endpoints,omitempty"`
	Ready     *int `json:"ready,omitempty"`
	// PublishNotReadyAddresses says that it keeps Pods that are not ready.
	PublishNotReadyAddresses bool `json:"publishNotReadyAddresses,omitempty"`
}

// Summary is all workloads in figures. Containers are counted as rows: once a workload.
type Summary struct {
	Workloads  int       `json:"workloads"`
	Containers int       `json:"containers"`
	Jobs       int       `json:"jobs"` // containers of Jobs and CronJobs: not counted for readiness
	Coverage   Coverage  `json:"coverage"`
	Detection  Detecting `json:"detection"`
	// Failing are containers with failures that go on. Failing and Kills are absent where no Events were read.
	Failing *int   `json:"failing,omitempty"`
	Kills   *int64 `json:"kills,omitempty"` // a lower bound always
	// EventsPartial says that Events were read for some containers only: Failing and Kills are lower bounds.
	EventsPartial bool `json:"eventsPartial"`
	// Drifted is absent where no template was read; DriftUnknown are containers whose template is one that was not.
	Drifted      *int       `json:"drifted,omitempty"`
	DriftUnknown int        `json:"driftUnknown"`
	CheckLoad    *CheckLoad `json:"checkLoad,omitempty"` // absent without facts of running Pods
}

// Coverage is how many containers have a probe of a kind, and how many have none at all.
type Coverage struct {
	Startup   Share `json:"startup"`
	Readiness Share `json:"readiness"`
	Liveness  Share `json:"liveness"`
	None      Share `json:"none"`
}

// Share is a part of a whole.
type Share struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// Detecting is how long failures can go on before probes act.
type Detecting struct {
	Readiness Distribution `json:"readiness"`
	Liveness  Distribution `json:"liveness"`
}

// Distribution is the detection budgets (the larger of each) of the containers that have the probe, where it can run and its
// figures are known.
type Distribution struct {
	Containers  int          `json:"containers"`
	NeverActs   int          `json:"neverActs"`   // more containers, whose probe cannot run
	Unknown     int          `json:"unknown"`     // and more, whose probe has no figures
	Percentiles []Percentile `json:"percentiles"` // 100, 99, 90, 50, 10, 0 by nearest rank; empty for no containers
	Histogram   []Bucket     `json:"histogram"`
}

// Percentile is the budget that this share of the containers does not exceed, and a container that has it.
type Percentile struct {
	Percentile int    `json:"percentile"`
	Seconds    int64  `json:"seconds"`
	Namespace  string `json:"namespace"`
	Workload   string `json:"workload"`
	Container  string `json:"container"`
}

// Bucket counts budgets above the bound of the bucket before and up to its own; the last one has none.
type Bucket struct {
	UpToSeconds *int64 `json:"upToSeconds,omitempty"`
	Count       int    `json:"count"`
}

// CheckLoad is how many checks a minute the kubelets make of running containers: 60/period for each probe. A
// container that has yet to start is checked by its startup probe alone, and no more by it afterwards.
type CheckLoad struct {
	ChecksPerMinute float64      `json:"checksPerMinute"`
	ByHandler       HandlerLoads `json:"byHandler"`
	BusiestNode     *NodeLoad    `json:"busiestNode,omitempty"`
}

// HandlerLoads are checks a minute; each exec check starts a process.
type HandlerLoads struct {
	HTTP float64 `json:"http"`
	TCP  float64 `json:"tcp"`
	GRPC float64 `json:"grpc"`
	Exec float64 `json:"exec"`
}

// NodeLoad is the checks a minute on one node.
type NodeLoad struct {
	Name                string  `json:"name"`
	ChecksPerMinute     float64 `json:"checksPerMinute"`
	ExecChecksPerMinute float64 `json:"execChecksPerMinute"`
}
