package probe

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func TestFromAPI(t *testing.T) {
	defaulted := func(h Handler) *Probe {
		return &Probe{Handler: h, PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3}
	}
	handler := func(h corev1.ProbeHandler) *corev1.Probe { return &corev1.Probe{ProbeHandler: h} }
	tests := []struct {
		name string
		in   *corev1.Probe
		want *Probe
	}{
		{"none", nil, nil},
		{"no handler", &corev1.Probe{}, defaulted(Handler{})},
		{
			"http with nothing but a port",
			handler(corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromInt32(8080)}}),
			defaulted(Handler{Type: HTTP, Path: "/", Scheme: "HTTP", Port: intstr.FromInt32(8080)}),
		},
		{
			"http with everything",
			handler(corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
				Path: "/x", Port: intstr.FromString("web"), Host: "h", Scheme: "HTTPS",
				Protocol:    new(corev1.HTTPProtocolHTTP2),
				HTTPHeaders: []corev1.HTTPHeader{{Name: "A", Value: "1"}, {Name: "A", Value: "2"}},
			}}),
			defaulted(Handler{
				Type: HTTP, Path: "/x", Port: intstr.FromString("web"), Host: "h", Scheme: "HTTPS", Protocol: "HTTP2",
				Headers: []Header{{"A", "1"}, {"A", "2"}},
			}),
		},
		{
			"tcp",
			handler(corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromString("amqp"), Host: "h"}}),
			defaulted(Handler{Type: TCP, Port: intstr.FromString("amqp"), Host: "h"}),
		},
		{
			"grpc without service",
			handler(corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: 9090}}),
			defaulted(Handler{Type: GRPC, Port: intstr.FromInt32(9090)}),
		},
		{
			"grpc with service and mode",
			handler(corev1.ProbeHandler{GRPC: &corev1.GRPCAction{
				Port: 9090, Service: new("my.Service"), Mode: new(corev1.GRPCProbeModeTLS),
			}}),
			defaulted(Handler{Type: GRPC, Port: intstr.FromInt32(9090), Service: "my.Service", Mode: "TLS"}),
		},
		{
			"exec",
			handler(corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"sh", "-c", "true"}}}),
			defaulted(Handler{Type: Exec, Command: []string{"sh", "-c", "true"}}),
		},
		{
			"of two handlers the one the kubelet would run",
			handler(corev1.ProbeHandler{
				TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(1)},
				Exec:      &corev1.ExecAction{Command: []string{"true"}},
			}),
			defaulted(Handler{Type: Exec, Command: []string{"true"}}),
		},
		{
			"every number",
			&corev1.Probe{
				InitialDelaySeconds: 1, TimeoutSeconds: 2, PeriodSeconds: 3, SuccessThreshold: 4, FailureThreshold: 5,
				TerminationGracePeriodSeconds: new(int64(6)),
			},
			&Probe{
				InitialDelaySeconds: 1, TimeoutSeconds: 2, PeriodSeconds: 3, SuccessThreshold: 4, FailureThreshold: 5,
				TerminationGracePeriodSeconds: new(int64(6)),
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, FromAPI(tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFromAPISharesNothing(t *testing.T) {
	in := &corev1.Probe{
		ProbeHandler:                  corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"true"}}},
		TerminationGracePeriodSeconds: new(int64(5)),
	}
	out := FromAPI(in)
	in.Exec.Command[0], *in.TerminationGracePeriodSeconds = "false", 7
	if out.Command[0] != "true" || *out.TerminationGracePeriodSeconds != 5 {
		t.Errorf("a change of the API object reached the probe: %+v", out)
	}
}

func TestOf(t *testing.T) {
	c := &corev1.Container{StartupProbe: &corev1.Probe{}, ReadinessProbe: &corev1.Probe{}, LivenessProbe: &corev1.Probe{}}
	want := map[Kind]*corev1.Probe{Startup: c.StartupProbe, Readiness: c.ReadinessProbe, Liveness: c.LivenessProbe}
	for _, kind := range Kinds() {
		if Of(c, kind) != want[kind] {
			t.Errorf("%s: not the container's probe of that kind", kind)
		}
	}
}
