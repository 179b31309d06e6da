package report

import (
	"fmt"
	"math"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// probesOf describes a container's probes as they act inside that Pod spec.
func probesOf(spec *snapshot.PodSpec, c *snapshot.Container) Probes {
	in := situation(spec, c)
	return Probes{
		Startup:   describe(c, probe.Startup, spec, in),
		Readiness: describe(c, probe.Readiness, spec, in),
		Liveness:  describe(c, probe.Liveness, spec, in),
	}
}

func situation(spec *snapshot.PodSpec, c *snapshot.Container) probe.Situation {
	several := len(spec.Containers) > 1 && !spec.Containers[1].Sidecar // regular ones come first
	return probe.Situation{
		PodPolicy:       spec.RestartPolicy,
		ContainerPolicy: c.RestartPolicy,
		Rules:           c.RestartPolicyRules,
		Sidecar:         c.Sidecar,
		Alone:           !several && !c.Sidecar,
	}
}

func describe(c *snapshot.Container, kind probe.Kind, spec *snapshot.PodSpec, in probe.Situation) *Probe {
	p := c.Probe(kind)
	if p == nil {
		return nil
	}
	out := &Probe{
		Handler: handler(p.Handler, c.Ports),
		Config:  config(p),
		Then:    in.Consequence(kind).Text(),
	}
	out.WhyNot = whyNot(out.Handler)
	out.CanRun = out.WhyNot == ""
	if !out.CanRun {
		return out // what never acts does nothing within any time
	}
	if p.InRange() {
		out.figures(p, kind)
	}
	if kind != probe.Readiness && p.GraceInRange() {
		grace := p.Grace(kind, spec.TerminationGracePeriodSeconds, in)
		kill := probe.KillSeconds(grace, c.PreStop)
		out.GraceSeconds, out.KillSeconds = &grace, &kill
	}
	return out
}

func (out *Probe) figures(p *probe.Probe, kind probe.Kind) {
	first := p.FirstCheck()
	out.FirstCheck = &Window{first.EarliestSeconds, first.LatestSeconds}
	if kind == probe.Startup {
		a := p.StartupAllowance(probe.Ticks)
		out.Allowance = &Allowance{a.GuaranteedSeconds, a.LongestSeconds}
		return
	}
	d := p.Detection(probe.Ticks)
	out.Detection = &Detection{d.AtOnceSeconds, d.HangSeconds}
	if kind == probe.Readiness {
		r := p.Recovery(probe.Ticks)
		out.Recovery = &Recovery{r.AtOnceSeconds, r.AtWorstSeconds}
	}
}

// inRange is the probe if something follows from its numbers, else nil.
func inRange(p *probe.Probe) *probe.Probe {
	if p == nil || !p.InRange() {
		return nil
	}
	return p
}

// whyNot is why a check cannot be made at all, so that each one errors and none counts; empty when it can (pkg/probe/util.go
// ResolveContainerPort, pkg/kubelet/prober/prober.go runProbe, v1.37).
func whyNot(h Handler) string {
	switch {
	case h.Type == "":
		return "it has no handler"
	case h.Port == nil || h.Type == string(probe.GRPC):
		return ""
	case h.Port.Type == intstr.String && h.ResolvedPort == nil:
		return fmt.Sprintf("its container has no port named %q", h.Port.StrVal)
	case h.Port.Type == intstr.Int && (h.Port.IntVal < 1 || h.Port.IntVal > math.MaxUint16):
		return fmt.Sprintf("there is no port %d", h.Port.IntVal)
	default:
		return ""
	}
}

func config(p *probe.Probe) Config {
	return Config{
		InitialDelaySeconds:           p.InitialDelaySeconds,
		PeriodSeconds:                 p.PeriodSeconds,
		TimeoutSeconds:                p.TimeoutSeconds,
		SuccessThreshold:              p.SuccessThreshold,
		FailureThreshold:              p.FailureThreshold,
		TerminationGracePeriodSeconds: p.TerminationGracePeriodSeconds,
	}
}

func handler(h probe.Handler, ports []probe.Port) Handler {
	out := Handler{
		Type: string(h.Type), Text: h.Text(),
		Path: h.Path, Host: h.Host, Scheme: h.Scheme, Protocol: h.Protocol,
		Command: h.Command, Mode: h.Mode,
	}
	switch h.Type {
	case probe.HTTP, probe.TCP, probe.GRPC:
		port := h.Port
		out.Port = &port
		if number, ok := probe.ResolvePort(port, ports); ok && port.Type == intstr.String {
			out.ResolvedPort = &number
		}
	}
	if h.Type == probe.GRPC {
		service := h.Service
		out.Service = &service
	}
	for _, header := range h.Headers {
		out.Headers = append(out.Headers, Header{header.Name, header.Value})
	}
	return out
}
