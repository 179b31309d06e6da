package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// answers are what failing checks of one probe say, over Pods.
type answers struct {
	latest string
	last   int64
	same   bool
	pods   []*report.Pod // that said something
	// others says that some check had another answer than the latest, and over that all Pods are gone or finished.
	others, over bool
}

// hearAll takes in what the checks of Pods say.
func (a *answers) hearAll(pods []*report.Pod, kind probe.Kind) {
	for _, p := range pods {
		a.hear(p, kind)
	}
}

// hear takes in what one Pod's checks say.
func (a *answers) hear(p *report.Pod, kind probe.Kind) {
	e := evidenceOf(p, kind)
	if e == nil || e.Failures+e.Errors == 0 {
		return
	}
	a.others = a.others || e.Messages > 1 || len(a.pods) > 0 && isRefused(a.latest) != isRefused(e.Message)
	a.over = (len(a.pods) == 0 || a.over) && p.Phase != report.Live
	a.same = (len(a.pods) == 0 || a.same && a.latest == e.Message) && e.Messages <= 1
	a.pods = append(a.pods, p)
	if at := e.LastSeen.Unix(); len(a.pods) == 1 || at >= a.last {
		a.latest, a.last = e.Message, at
	}
}

// text is the answer, and whether it is everybody's.
func (a *answers) text() string {
	switch {
	case len(a.pods) == 0:
		return ""
	case quoted(a.latest) == "":
		return "the check fails without a word"
	case a.same && len(a.pods) > 1:
		return "all say: " + quoted(a.latest)
	case a.same:
		return "it says: " + quoted(a.latest)
	default:
		return "the latest says: " + quoted(a.latest)
	}
}

// diagnosis is what an answer tells of the probe itself, and the edit that would help; both may be empty.
type diagnosis struct {
	text string
	edit []edit
	// final says that no patience helps: the probe asks the wrong thing.
	final bool
}

// diagnose reads the outputs of pkg/probe/{http,tcp,grpc,exec}, v1.28 to v1.38.
func (f facts) diagnose(kind probe.Kind, p *report.Probe, a answers) diagnosis {
	output := a.latest
	switch {
	case p == nil || output == "":
		return diagnosis{}
	case statusIs(output, "404", "405"):
		return diagnosis{text: "that status is about the path, not about the application's health", final: true}
	case statusIs(output, "401", "403"):
		return diagnosis{text: "that status is about permission, not about the application's health", final: true}
	case strings.Contains(output, "server gave HTTP response to HTTPS client"):
		return diagnosis{text: "the server speaks HTTP on that port, the probe HTTPS", final: true}
	case strings.Contains(output, "does not implement the grpc health protocol"):
		return diagnosis{text: "the server has no grpc.health.v1 service", final: true}
	case strings.Contains(output, "unknown service"):
		return diagnosis{text: "the server does not know the service that is asked for", final: true}
	case strings.HasPrefix(output, "timeout: failed to connect service"):
		return diagnosis{text: "no gRPC server answers there (up to v1.37 a refused connection looks like this too)"}
	case isRefused(output) && p.Handler.Port != nil:
		return diagnosis{text: f.refused(p, a)}
	case timedOut(output) && p.HasFigures():
		return diagnosis{
			text: fmt.Sprintf("the checks run into their timeout of %s", seconds(p.Config.TimeoutSeconds)),
			edit: moreTime(kind, p),
		}
	default:
		return diagnosis{}
	}
}

func isRefused(output string) bool { return strings.Contains(output, "connection refused") }

// refused says that nothing listens, unless something has answered there.
func (f facts) refused(p *report.Probe, a answers) string {
	switch {
	case a.others || slices.ContainsFunc(a.pods, func(pod *report.Pod) bool { return f.hasAnswered(pod, p) }):
		return ""
	case a.over:
		return fmt.Sprintf("nothing listened on port %s", p.Handler.Port)
	default:
		return fmt.Sprintf("nothing listens on port %s", p.Handler.Port)
	}
}

// hasAnswered says that a check of that port was not refused in a Pod: it had another answer, or the Pod is ready
// by it.
func (f facts) hasAnswered(pod *report.Pod, p *report.Probe) bool {
	return slices.ContainsFunc(probe.Kinds(), func(kind probe.Kind) bool {
		other := f.probeOf(pod, kind)
		if other == nil || other.Handler.Port == nil || handlerOf(other).Port != handlerOf(p).Port || other.Handler.Host != p.Handler.Host {
			return false
		}
		e := evidenceOf(pod, kind)
		answered := e != nil && e.Failures > 0 && (e.Messages > 1 || !isRefused(e.Message))
		return answered || kind == probe.Readiness && pod.Ready
	})
}

func statusIs(output string, codes ...string) bool {
	return slices.ContainsFunc(codes, func(code string) bool { return strings.HasSuffix(output, "failed with statuscode: "+code) })
}

func timedOut(output string) bool {
	for _, sign := range []string{"context deadline exceeded", "Client.Timeout", "i/o timeout", "timed out", "health rpc did not complete"} {
		if strings.Contains(output, sign) {
			return true
		}
	}
	return false
}

// moreTime proposes a longer timeout that still ends before the next check is due.
func moreTime(kind probe.Kind, p *report.Probe) []edit {
	const plenty = 5
	timeout := min(max(2*p.Config.TimeoutSeconds, plenty), p.Config.PeriodSeconds)
	if timeout <= p.Config.TimeoutSeconds {
		return nil
	}
	return []edit{setTo(kind, "timeout=%d", timeout)}
}
