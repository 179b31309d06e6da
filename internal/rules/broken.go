package rules

import (
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func brokenRules() []Rule {
	return []Rule{
		{
			ID: "probe-cannot-run", Severity: report.SeverityError,
			Summary: "the probe can only error: a port name that its container does not have, no handler, or every recent check errored",
			Why: "An errored check counts for nothing in the kubelet: such a liveness probe never restarts anything, such a startup probe neither passes nor fails, " +
				"and readiness stays what it was.",
			Hint:  "Name a port of the same container, or a command that its image has.",
			kinds: probe.Kinds(), needs: needsEvents | needsWorkloads, check: cannotRun,
		},
		{
			ID: "probe-host-loopback", Severity: report.SeverityError,
			Summary: "the probe's host is localhost, and the Pod does not share its node's network",
			Why:     "The kubelet makes the check, so that is the node's loopback and not the container's: it asks another program, or none.",
			Hint:    "Leave host out: the default is the Pod's IP. What listens on loopback alone can be asked by an exec probe.",
			kinds:   probe.Kinds(), needs: needsWorkloads, check: hostLoopback,
		},
		{
			ID: "invalid-probe", Severity: report.SeverityError,
			Summary: "a manifest that the API server would reject, in its words",
			Why:     "Nothing of the object would be applied.",
			Hint:    "Correct the field that is named.",
			check:   invalidProbe,
		},
	}
}

func invalidProbe(f facts) []found {
	var all []found
	for _, p := range f.container.Invalid {
		hint := "correct the field that is named"
		if p.Container != f.container.Name {
			hint += "; it is of " + p.Container
		}
		message := p.Message
		if field, ok := strings.CutSuffix(message, ": unknown field"); ok {
			message = fmt.Sprintf("strict decoding error: unknown field %q", field)
			hint += meant(field)
		}
		all = append(all, found{p.Probe, quoted(message), []string{hint}, ""})
	}
	return all
}

// meant suggests a field of a probe, or the probe, for one that there is not.
func meant(field string) string {
	known := []string{
		"initialDelaySeconds", "periodSeconds", "timeoutSeconds", "successThreshold", "failureThreshold", "terminationGracePeriodSeconds",
		"httpGet", "tcpSocket", "grpc", "exec", "path", "port", "host", "scheme", "httpHeaders", "command", "service",
		"startupProbe", "readinessProbe", "livenessProbe",
	}
	word := field[strings.LastIndex(field, ".")+1:]
	best := didYouMean(word, known)
	for _, k := range known {
		if strings.EqualFold(word, k) {
			best = ": did you mean " + k + "?"
		}
	}
	return best
}

func hostLoopback(f facts) []found {
	var all []found
	for _, h := range f.hits(func(_ probe.Kind, p *report.Probe, v *report.Variant) bool {
		return isLoopback(p.Handler.Host) && !v.HostNetwork
	}) {
		hint := []string{"without host it asks the Pod's IP; what listens on loopback alone can be asked by exec"}
		handler := h.probe.Handler
		handler.Host = ""
		var note, command string
		if text, ok := handlerField(handler); ok {
			note, command = f.change(edit{h.kind, text})
		}
		text := fmt.Sprintf("host %s is the node's own loopback, not the Pod's%s", quoted(h.probe.Handler.Host), h.where)
		all = append(all, found{h.kind, text, append(hint, note), command})
	}
	return all
}

func isLoopback(host string) bool {
	name := strings.TrimSuffix(strings.ToLower(host), ".")
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

func cannotRun(f facts) []found {
	var all []found
	configured := f.allHits(func(_ probe.Kind, p *report.Probe, _ *report.Variant) bool { return p.WhyNot != "" })
	for _, h := range configured {
		text := fmt.Sprintf("%s%s: every check errors and none counts, so the probe can never act", h.probe.WhyNot, h.where)
		hint := []string{f.declared(h.probe), effect(h.kind)}
		all = append(all, found{h.kind, text, hint, ""})
	}
	for _, kind := range probe.Kinds() {
		if pods := f.erroring(kind); len(pods) > 0 && !isAmong(configured, kind) {
			all = append(all, f.errored(kind, pods))
		}
	}
	return all
}

func isAmong(hits []hit, kind probe.Kind) bool {
	for _, h := range hits {
		if h.kind == kind {
			return true
		}
	}
	return false
}

// declared are the ports that could have been meant.
func (f facts) declared(p *report.Probe) string {
	if p.Handler.Port == nil {
		return ""
	}
	var ports []string
	for _, port := range f.container.Ports {
		ports = append(ports, strings.TrimSpace(fmt.Sprintf("%s %d", port.Name, port.Number)))
	}
	if len(ports) == 0 {
		return "the container declares no ports: give a number, or declare the name"
	}
	return "the container declares " + strings.Join(ports, ", ")
}

func effect(kind probe.Kind) string {
	switch kind {
	case probe.Startup:
		return "it neither passes nor fails: the container never counts as started, and its other probes never run"
	case probe.Liveness:
		return "it never restarts the container, whatever becomes of it"
	default:
		return "readiness stays what it was: a container that has not been ready yet never will be"
	}
}

// fewErrors may be an accident of the container runtime.
const fewErrors = 3

// erroring are the live Pods in which every recent check errored. A container that is being killed has its
// checks error too, now and then; one that cannot be checked has them error at every period.
func (f facts) erroring(kind probe.Kind) []*report.Pod {
	var pods []*report.Pod
	for i := range f.container.Pods {
		p := &f.container.Pods[i]
		e, config := evidenceOf(p, kind), f.probeOf(p, kind)
		if e == nil || config == nil || !config.HasFigures() || p.Phase != report.Live || p.State != "running" || e.State == report.StatePast || e.Failures > 0 || e.Errors < fewErrors {
			continue
		}
		step := time.Duration(max(config.Config.PeriodSeconds, 1)) * time.Second
		checks := 1 + int64(e.LastSeen.Sub(e.FirstSeen.Time)/step)
		if f.recent(e.LastSeen.Time, writeLag+step) && e.Errors*2 >= checks {
			pods = append(pods, p)
		}
	}
	return pods
}

func (f facts) errored(kind probe.Kind, pods []*report.Pod) found {
	var a answers
	var errors int64
	first := time.Time{}
	for _, p := range pods {
		e := evidenceOf(p, kind)
		a.hear(p, kind)
		errors += e.Errors
		if first.IsZero() || e.FirstSeen.Time.Before(first) {
			first = e.FirstSeen.Time
		}
	}
	text := fmt.Sprintf("%s %s: every check errors (at least %d) and none counts, so the probe can never act", f.podsText(pods), f.since(first), errors)
	return found{kind, text, []string{a.text(), quoted("it asks " + f.probeOf(pods[0], kind).Handler.Text), effect(kind)}, ""}
}
