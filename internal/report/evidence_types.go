package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// EvidenceState says whether what Events report still goes on.
type EvidenceState string

// The states of evidence.
const (
	StateNow       EvidenceState = "now"
	StateStarting  EvidenceState = "starting"  // it belongs to a start: not failing
	StateRecovered EvidenceState = "recovered" // of this container, and over
	StatePast      EvidenceState = "past"      // of an earlier container, or of a Pod that is gone or going
)

// Evidence is what Events say about one probe of one container in one Pod. All counts are lower bounds.
type Evidence struct {
	Probe     probe.Kind    `json:"probe"`
	Failures  int64         `json:"failures"`
	Errors    int64         `json:"errors"`             // checks that could not run: they count for nothing in the kubelet
	Warnings  int64         `json:"warnings,omitempty"` // checks that succeeded on an answer worth a look, such as a redirect elsewhere
	FirstSeen metav1.Time   `json:"firstSeen"`
	LastSeen  metav1.Time   `json:"lastSeen"`
	State     EvidenceState `json:"state"`
	// PerCheck is the share of the checks between first and last that failed; absent for few failures, and
	// where the period is not known.
	PerCheck *float64 `json:"perCheck,omitempty"`
	Messages int      `json:"messages"` // how many different ones, at least
	Message  string   `json:"message"`  // the latest failure's, else the latest error's or warning's, without the words that name probe and verb
}

// Kills counts Killing events that name a probe.
type Kills struct {
	Liveness int64 `json:"liveness"`
	Startup  int64 `json:"startup"`
}

// Kill is how often a probe had a container killed in one Pod, at least.
type Kill struct {
	Probe     probe.Kind  `json:"probe"`
	Count     int64       `json:"count"`
	FirstSeen metav1.Time `json:"firstSeen"`
	LastSeen  metav1.Time `json:"lastSeen"`
}

// BackOff is how often a restart was put off, at least.
type BackOff struct {
	Count    int64       `json:"count"`
	LastSeen metav1.Time `json:"lastSeen"`
}

// ProbeChange is a change of a running container's probe that the kubelet has put in force (KEP-6318).
type ProbeChange struct {
	Probe    probe.Kind  `json:"probe"`
	Action   string      `json:"action,omitempty"` // added, updated, removed; empty: the message does not say
	Count    int64       `json:"count"`
	LastSeen metav1.Time `json:"lastSeen"`
	Message  string      `json:"message"`
}

// PossibleKill is an end that may have been a probe's doing, and may not: where nothing of a Pod is to be
// restarted, the kubelet's event says "Stopping container" whatever the reason.
type PossibleKill struct {
	Probe probe.Kind  `json:"probe"`
	At    metav1.Time `json:"at"`
}

// Mixed is what Events say about a Pod that cannot be given to one container.
type Mixed struct {
	Pod      string      `json:"pod"`
	Count    int64       `json:"count"`
	LastSeen metav1.Time `json:"lastSeen"`
	Message  string      `json:"message"`
}

// Cause is why Pods are not ready or were restarted: startup, readiness, liveness, OOMKilled, exit-N, a
// waiting reason, Pending, Init, NodeNotReady, gate, resize, definition-changed, FailedCreate, or "?".
type Cause struct {
	Cause string `json:"cause"`
	Pods  int    `json:"pods"`
}

// RestartCause is why that many of a container's restarts happened; "?" where nothing says so any more.
type RestartCause struct {
	Cause    string `json:"cause"`
	Restarts int64  `json:"restarts"`
}
