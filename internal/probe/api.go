package probe

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// FromAPI returns the effective probe of an API object: what the kubelet acts on once the API server has filled in
// its defaults (pkg/apis/core/v1/defaults.go SetDefaults_Probe and SetDefaults_HTTPGetAction, v1.37). Manifests that
// never met a server have none, so an explicit 0 and an absent field both get the default. It returns nil for nil,
// shares no memory with p, and judges nothing: an invalid probe stays as invalid as it was.
func FromAPI(p *corev1.Probe) *Probe {
	if p == nil {
		return nil
	}
	out := &Probe{
		Handler:             handlerFromAPI(&p.ProbeHandler),
		InitialDelaySeconds: p.InitialDelaySeconds,
		PeriodSeconds:       orDefault(p.PeriodSeconds, defaultPeriodSeconds),
		TimeoutSeconds:      orDefault(p.TimeoutSeconds, defaultTimeoutSeconds),
		SuccessThreshold:    orDefault(p.SuccessThreshold, defaultSuccessThreshold),
		FailureThreshold:    orDefault(p.FailureThreshold, defaultFailureThreshold),
	}
	if p.TerminationGracePeriodSeconds != nil {
		out.TerminationGracePeriodSeconds = new(*p.TerminationGracePeriodSeconds)
	}
	return out
}

// The defaults of the API for what a manifest leaves out, in seconds and in checks (SetDefaults_Probe, v1.37).
const (
	defaultPeriodSeconds    = 10
	defaultTimeoutSeconds   = 1
	defaultSuccessThreshold = 1
	defaultFailureThreshold = 3
)

func orDefault[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

// handlerFromAPI takes the handler the kubelet would run; of several (which validation refuses) the first it looks
// for (pkg/kubelet/prober/prober.go runProbe, v1.37).
func handlerFromAPI(h *corev1.ProbeHandler) Handler {
	switch {
	case h.Exec != nil:
		return Handler{Type: Exec, Command: append([]string(nil), h.Exec.Command...)}
	case h.HTTPGet != nil:
		return httpFromAPI(h.HTTPGet)
	case h.TCPSocket != nil:
		return Handler{Type: TCP, Port: h.TCPSocket.Port, Host: h.TCPSocket.Host}
	case h.GRPC != nil:
		return Handler{
			Type:    GRPC,
			Port:    intstr.FromInt32(h.GRPC.Port),
			Service: valueOf(h.GRPC.Service),
			Mode:    string(valueOf(h.GRPC.Mode)),
		}
	default:
		return Handler{}
	}
}

func httpFromAPI(get *corev1.HTTPGetAction) Handler {
	h := Handler{
		Type:     HTTP,
		Path:     orDefault(get.Path, "/"),
		Port:     get.Port,
		Host:     get.Host,
		Scheme:   orDefault(string(get.Scheme), string(corev1.URISchemeHTTP)),
		Protocol: string(valueOf(get.Protocol)),
	}
	for _, header := range get.HTTPHeaders {
		h.Headers = append(h.Headers, Header{Name: header.Name, Value: header.Value})
	}
	return h
}

func valueOf[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
