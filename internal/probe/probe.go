// Package probe is the domain: what a container probe is, when it acts, and how it is written down.
// It is pure: no cluster, no clock, no output.
package probe

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Kind is one of the three probes a container can have.
type Kind string

// The three kinds, in the order in which the kubelet starts their workers.
const (
	Startup   Kind = "startup"
	Readiness Kind = "readiness"
	Liveness  Kind = "liveness"
)

// Kinds is the one list of the three kinds; everything that treats them alike loops over it.
func Kinds() []Kind { return []Kind{Startup, Readiness, Liveness} }

// HandlerType is how a probe asks; empty when a manifest wrote none.
type HandlerType string

// The four handlers of the API.
const (
	HTTP HandlerType = "http"
	TCP  HandlerType = "tcp"
	GRPC HandlerType = "grpc"
	Exec HandlerType = "exec"
)

// Header is one httpGet.httpHeaders entry.
type Header struct{ Name, Value string }

// Handler is what a probe asks, with API defaults filled in.
type Handler struct {
	Type HandlerType

	Path     string             // http; "/" when unset
	Port     intstr.IntOrString // http, tcp, grpc
	Host     string             // http, tcp; empty is the Pod's IP
	Scheme   string             // http; "HTTP" when unset
	Headers  []Header           // http
	Protocol string             // http; empty or "HTTP1" is HTTP/1.1 (v1.37 httpGet.protocol)

	Command []string // exec

	Service string // grpc; "" is the server as a whole
	Mode    string // grpc; empty or "Plaintext" is plaintext (v1.37 grpc.mode)
}

// Probe is an effective probe: API defaults (pkg/apis/core/v1/defaults.go SetDefaults_Probe, v1.37) are filled in.
// All times are in seconds.
type Probe struct {
	Handler
	InitialDelaySeconds           int32
	PeriodSeconds                 int32
	TimeoutSeconds                int32
	SuccessThreshold              int32
	FailureThreshold              int32
	TerminationGracePeriodSeconds *int64 // nil: the Pod's applies; never set on readiness
}

// Port is a named or numbered port of a container, to resolve a probe's port name.
type Port struct {
	Name          string
	ContainerPort int32
}

// Of returns the container's probe of that kind, nil when it has none.
func Of(c *corev1.Container, kind Kind) *corev1.Probe {
	switch kind {
	case Startup:
		return c.StartupProbe
	case Readiness:
		return c.ReadinessProbe
	default:
		return c.LivenessProbe
	}
}
