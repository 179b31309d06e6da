package render

import (
	"regexp"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// answers compares what checks were answered in different Pods.
type answers struct{ port, ipv4, ipv6 *regexp.Regexp }

func newAnswers() answers {
	return answers{
		port: regexp.MustCompile(`:\d+->`),
		ipv4: regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}\b`),
		ipv6: regexp.MustCompile(`\[([0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}\]`),
	}
}

// alike is a message without what is another in every Pod and every try: its address, and the port that it was asked
// from. So 40 Pods that refuse a connection give one answer.
func (a answers) alike(message string) string {
	message = a.port.ReplaceAllString(message, ":PORT->")
	return a.ipv6.ReplaceAllString(a.ipv4.ReplaceAllString(message, "IP"), "[IP]")
}

// now is the answer to the checks of a Pod that fail at present: to those that kill, where there are several.
func (a answers) now(p *report.Pod) string {
	for _, kind := range []probe.Kind{probe.Liveness, probe.Startup, probe.Readiness} {
		for _, e := range p.Evidence {
			if e.State == report.StateNow && e.Probe == kind {
				return string(kind) + ": " + a.alike(strings.TrimSpace(e.Message))
			}
		}
	}
	return ""
}
