// Package report says what a Snapshot means: workloads, variants, drift, evidence. It is pure, and every
// output prints the Report and only the Report, so no two can disagree.
//
// The JSON names are a contract (docs/report.schema.json): integer seconds, explicit false and 0,
// absent means unknown or not read in this view.
package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// APIVersion and Kind of a Report.
const (
	APIVersion = "kubectl-probes.github.io/v1alpha1"
	Kind       = "ProbeReport"
)

// Report is everything that was found out, in a stable order.
type Report struct {
	metav1.TypeMeta `json:",inline"`
	GeneratedAt     metav1.Time  `json:"generatedAt"`    // the clock
	AsOf            *metav1.Time `json:"asOf,omitempty"` // what is recent is judged by this instant
	ServerVersion   string       `json:"serverVersion,omitempty"`
	Scope           Scope        `json:"scope"`
	Running         bool         `json:"running"` // there are facts of running Pods: not so for plain manifests
	Gaps            []Gap        `json:"gaps"`
	Workloads       []Workload   `json:"workloads"`
	Summary         *Summary     `json:"summary,omitempty"` // only when asked for
	// SeveralNamespaces says that more than one was found: before rows were left out, so that what is asked to be seen of
	// them does not change the columns.
	SeveralNamespaces bool `json:"-"`
}

// GetObjectKind and DeepCopyObject make a Report printable by kubectl's printers.
func (r *Report) GetObjectKind() schema.ObjectKind { return &r.TypeMeta }

// DeepCopyObject copies the top level; nobody changes what lies below.
func (r *Report) DeepCopyObject() runtime.Object {
	c := *r
	return &c
}

// Scope is what was asked for.
type Scope struct {
	Context       string   `json:"context,omitempty"`
	Namespaces    []string `json:"namespaces,omitempty"`
	AllNamespaces bool     `json:"allNamespaces,omitempty"`
	Selector      string   `json:"selector,omitempty"`
	Files         []string `json:"files,omitempty"`
	Arguments     []string `json:"arguments,omitempty"`
	Containers    []string `json:"containers,omitempty"`
	Only          []string `json:"only,omitempty"` // the others are left out of workloads, and counted in the summary
}

// Gap is something that could not be read.
type Gap struct {
	What      string `json:"what"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Reason    string `json:"reason"` // forbidden, timeout, expired, absent, error
	Message   string `json:"message,omitempty"`
}

// OwnerRef names an owner.
type OwnerRef struct {
	Kind  string `json:"kind"`
	Group string `json:"group"`
	Name  string `json:"name"`
}

// Source is the file and document that an object was read from.
type Source struct {
	File     string `json:"file"`
	Document int    `json:"document"`
}

// FileName is a file as people are told of it.
func FileName(file string) string { return snapshot.FileName(file) }

// TemplateState says whether drift could be judged.
type TemplateState string

// The states of a workload's template.
const (
	TemplateKnown   TemplateState = "known"
	TemplateUnknown TemplateState = "unknown" // there is one, but it could not be read
	TemplateNone    TemplateState = "none"    // a Pod that stands for itself
)

// Workload is what a person would name.
type Workload struct {
	Kind        string        `json:"kind"`
	Group       string        `json:"group"`
	Namespace   string        `json:"namespace"`
	Name        string        `json:"name"`
	DisplayName string        `json:"displayName"` // accepted back as an argument
	RootOwner   *OwnerRef     `json:"rootOwner,omitempty"`
	Source      *Source       `json:"source,omitempty"`
	Desired     *int32        `json:"desired,omitempty"`
	Narrowed    bool          `json:"narrowed,omitempty"` // only the Pods under what was asked for are counted
	Done        bool          `json:"done,omitempty"`     // a Job that has finished
	Template    TemplateState `json:"template"`
	Pods        PodCounts     `json:"pods"`
	// Revision is the current one, in the words of the kind.
	Revision      string       `json:"revision,omitempty"`
	RevisionSince *metav1.Time `json:"revisionSince,omitempty"`
	Rollout       *Rollout     `json:"rollout,omitempty"` // absent: unknown, or a kind that has none
	// FailedCreate is absent where all wanted Pods could be made.
	FailedCreate *FailedCreate `json:"failedCreate,omitempty"`
	// Services select the workload's Pods; absent where Services were not read.
	Services []Service `json:"services,omitzero"`
	// Ignore are rules, or CONTAINER:RULE, that an annotation asks to suppress.
	Ignore []string `json:"ignore,omitempty"`
	// InitContainers are the plain ones, which cannot have lasting probes.
	InitContainers []string    `json:"initContainers,omitempty"`
	Mixed          []Mixed     `json:"mixed,omitempty"`
	Containers     []Container `json:"containers"`
	// Hidden are the containers that are not shown because of -c: rules look at a Pod as a whole.
	Hidden []Container `json:"-"`
}

// PodCounts counts a workload's Pods; total and ready are of live ones.
type PodCounts struct {
	Total       int `json:"total"`
	Ready       int `json:"ready"`
	Terminating int `json:"terminating"`
	Finished    int `json:"finished"` // Succeeded, Failed, evicted
	Gone        int `json:"gone"`
}

// Place says where a container is to be found when not everywhere.
type Place string

// Places of a container.
const (
	OnlyInPods     Place = "pods"     // injected at admission, or left from an earlier template
	OnlyInTemplate Place = "template" // no live Pod has it yet, although there are live Pods
	OnlyInPast     Place = "past"     // neither: only Pods that are not live any more had it, and left evidence
)

// Container is one row: a regular container or a sidecar of a workload.
type Container struct {
	Name     string       `json:"name"`
	Sidecar  bool         `json:"sidecar"`
	OnlyIn   Place        `json:"onlyIn,omitempty"`
	Injected bool         `json:"injected,omitempty"` // added at admission: in the Pods, not in the template they were made from
	Ready    int          `json:"ready"`              // of Total
	Total    int          `json:"total"`              // live Pods that have this container
	Restarts int64        `json:"restarts"`           // the live Pods' own counts
	LastEnd  *metav1.Time `json:"lastEnd,omitempty"`
	Ports    []Port       `json:"ports,omitempty"`   // that it declares
	Invalid  []Invalid    `json:"invalid,omitempty"` // files: what the API server would not accept
	// Causes say why live Pods are not ready, or were restarted: one a Pod, the gravest first.
	Causes        []Cause        `json:"causes"`
	RestartCauses []RestartCause `json:"restartCauses"` // adds up to Restarts
	// Failures, Errors and Kills are of live, terminating and gone Pods: lower bounds, absent where Events are unknown.
	Failures *int64 `json:"failures,omitempty"`
	Errors   *int64 `json:"errors,omitempty"` // checks that could not run: they count for nothing in the kubelet
	Kills    *Kills `json:"kills,omitempty"`
	// Probes are those of the largest variant.
	Probes    Probes      `json:"probes"`
	Variants  []Variant   `json:"variants"`
	Drift     []Drift     `json:"drift"`
	Rewritten []Rewritten `json:"rewritten"`
	Pods      []Pod       `json:"pods"`
	Findings  []Finding   `json:"findings,omitzero"` // absent where the rules were not asked
}

// Probes are a container's probes; a kind that is not configured is absent.
type Probes struct {
	Startup   *Probe `json:"startup,omitempty"`
	Readiness *Probe `json:"readiness,omitempty"`
	Liveness  *Probe `json:"liveness,omitempty"`
}

// Get returns the probe of that kind, nil when it is not configured.
func (p Probes) Get(kind probe.Kind) *Probe {
	switch kind {
	case probe.Startup:
		return p.Startup
	case probe.Readiness:
		return p.Readiness
	default:
		return p.Liveness
	}
}

// Probe is one effective probe and what it would do.
type Probe struct {
	Handler Handler `json:"handler"`
	Config  Config  `json:"config"`
	// CanRun is false where no check can be made at all, and WhyNot says why: the probe never acts, and has no figures.
	CanRun bool   `json:"canRun"`
	WhyNot string `json:"whyNot,omitempty"`
	// The figures are absent of a probe that cannot run, and where it has a number that no API server takes: nothing
	// follows from that.
	Detection  *Detection `json:"detection,omitempty"` // readiness, liveness
	Allowance  *Allowance `json:"allowance,omitempty"` // startup
	FirstCheck *Window    `json:"firstCheck,omitempty"`
	Recovery   *Recovery  `json:"recovery,omitempty"` // readiness
	// GraceSeconds is the grace period that applies when the probe kills (liveness, startup); absent as the figures are.
	GraceSeconds *int64 `json:"graceSeconds,omitempty"`
	// KillSeconds is the most that then passes until SIGKILL: never under 2, and 2 more than the grace with a preStop hook.
	KillSeconds *int64 `json:"killSeconds,omitempty"`
	Then        string `json:"then"` // what acting means under this restart policy
	// EndOfCheck is there when some Pods' kubelets check, or may check, on that schedule; the other figures are of ticks.
	EndOfCheck *EndOfCheck `json:"endOfCheck,omitempty"`
}

// HasFigures says whether its figures are known.
func (p *Probe) HasFigures() bool { return p.Detection != nil || p.Allowance != nil }

// HeadlineSeconds is the figure of a table cell: the larger detection figure, or the guaranteed startup allowance. Only
// of a probe that has figures.
func (p *Probe) HeadlineSeconds() int64 {
	if p.Allowance != nil {
		return p.Allowance.GuaranteedSeconds
	}
	return max(p.Detection.AtOnceSeconds, p.Detection.HangSeconds)
}

// Handler is what a probe asks.
type Handler struct {
	Type string              `json:"type"` // http, tcp, grpc, exec; empty: none was written
	Text string              `json:"text"`
	Path string              `json:"path,omitempty"`
	Port *intstr.IntOrString `json:"port,omitempty"`
	// ResolvedPort is the number of a port that is given by name; absent when the container has none of that name.
	ResolvedPort *int32   `json:"resolvedPort,omitempty"`
	Host         string   `json:"host,omitempty"`
	Scheme       string   `json:"scheme,omitempty"`
	Headers      []Header `json:"headers,omitempty"`
	Protocol     string   `json:"protocol,omitempty"`
	Command      []string `json:"command,omitempty"`
	Service      *string  `json:"service,omitempty"`
	Mode         string   `json:"mode,omitempty"`
}

// Header is an HTTP header that an http probe sends.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Config holds the effective numbers.
type Config struct {
	InitialDelaySeconds           int32  `json:"initialDelaySeconds"`
	PeriodSeconds                 int32  `json:"periodSeconds"`
	TimeoutSeconds                int32  `json:"timeoutSeconds"`
	SuccessThreshold              int32  `json:"successThreshold"`
	FailureThreshold              int32  `json:"failureThreshold"`
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`
}

// Detection is the longest a failure can go on before the probe acts.
type Detection struct {
	AtOnceSeconds int64 `json:"atOnceSeconds"`
	HangSeconds   int64 `json:"hangSeconds"`
}

// Allowance is the time a starting container has before the startup probe kills it.
type Allowance struct {
	GuaranteedSeconds int64 `json:"guaranteedSeconds"`
	LongestSeconds    int64 `json:"longestSeconds"`
}

// Window is when something happens, counted from the container's start.
type Window struct {
	EarliestSeconds int64 `json:"earliestSeconds"`
	LatestSeconds   int64 `json:"latestSeconds"`
}

// Recovery is how long a container that is well again stays unready.
type Recovery struct {
	AtOnceSeconds  int64 `json:"atOnceSeconds"`
	AtWorstSeconds int64 `json:"atWorstSeconds"`
}

// Variant is one distinct probe configuration of a container inside a workload.
type Variant struct {
	Pods     int    `json:"pods"`
	Revision string `json:"revision,omitempty"`
	Template bool   `json:"template"` // this is what the current template says
	Probes   Probes `json:"probes"`
	// HostNetwork says that the Pods share their node's network.
	HostNetwork bool `json:"hostNetwork,omitempty"`
}
