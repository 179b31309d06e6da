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
	pods   int
}

// hear takes in what one Pod's checks say.
func (a *answers) hear(e *report.Evidence) {
	if e == nil || e.Failures+e.Errors == 0 {
		return
	}
	a.same = (a.pods == 0 || a.same && a.latest == e.Message) && e.Messages <= 1
	a.pods++
	if at := e.LastSeen.Unix(); a.pods == 1 || at >= a.last {
		a.latest, a.last = e.Message, at
	}
}

// text is the answer, and whether it is everybody's.
func (a *answers) text() string {
	switch {
	case a.pods == 0:
		return ""
	case quoted(a.latest) == "":
		return "the check fails without a word"
	case a.same && a.pods > 1:
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
func diagnose(kind probe.Kind, p *report.Probe, output string) diagnosis {
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
	case strings.Contains(output, "connection refused") && p.Handler.Port != nil:
		return diagnosis{text: fmt.Sprintf("nothing listens on port %s", p.Handler.Port)}
	case timedOut(output):
		return diagnosis{
			text: fmt.Sprintf("the checks run into their timeout of %s", seconds(p.Config.TimeoutSeconds)),
			edit: moreTime(kind, p),
		}
	default:
		return diagnosis{}
	}
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
