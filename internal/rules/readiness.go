package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func readinessRules() []Rule {
	readiness := []probe.Kind{probe.Readiness}
	return []Rule{
		{
			ID: "flapping", Severity: report.SeverityWarning,
			Summary: "a readiness probe that failed in a share of its checks while the container stayed ready",
			Why:     "The container is close to leaving its Services: a few failures in a row are all it takes, and then the others get its traffic too.",
			Hint:    "Look at what the check says. A timeout that is too short for a busy moment is the usual reason.",
			kinds:   readiness, needs: needsEvents, check: flapping,
		},
		{
			ID: "no-readiness-probe", Severity: report.SeverityWarning,
			Summary: "no readiness probe, and a Service selects the Pod or Services are unknown (never for Jobs)",
			Why:     "Traffic comes as soon as the process runs, whether it can serve or not, and a rollout goes on over Pods that do not.",
			Hint:    "Ask something that tells whether the container can serve: an HTTP path, or at least its port.",
			needs:   needsWorkloads, notOfJobs: true, check: noReadinessProbe,
		},
		{
			ID: "redirect-elsewhere", Severity: report.SeverityInfo,
			Summary: "the handler redirects to another host, which counts as success",
			Why:     "The kubelet does not follow such a redirect: any application that can redirect passes, a login page in front of a dead one too.",
			Hint:    "Ask a path that answers by itself.",
			kinds:   probe.Kinds(), needs: needsEvents, check: redirectElsewhere,
		},
	}
}

// noReadinessProbe leaves out containers beside one that has a readiness probe: that is what keeps such a Pod
// out of its Services.
func noReadinessProbe(f facts) []found {
	if f.isJob() || f.workload.Done || f.container.OnlyIn == report.OnlyInPast || !f.couldServe() {
		return nil
	}
	senders, known := f.serving.senders, f.workload.Services != nil
	switch {
	case known && senders == "", !known && f.isStatic():
		return nil
	}
	text := senders + " sends traffic as soon as the container runs"
	if !known {
		text = "a Service that selects the Pod would send traffic as soon as the container runs (Services were not read)"
	}
	hint := []string{"ask something that tells whether it can serve: an HTTP path, or at least its port"}
	var note, command string
	if port := f.firstPort(); port != "" {
		note, command = f.change(setTo(probe.Readiness, "tcp=:%s", port))
	}
	return []found{{probe.Readiness, text, append(hint, note), command}}
}

// serving is what a workload's Pods are as servers.
type serving struct {
	senders       string // the Services that send a Pod traffic according to its readiness
	readiness     bool   // a container that could serve has a readiness probe
	declaresPorts bool   // one declares ports
}

func servingOf(w *report.Workload) serving {
	var s serving
	var names []string
	for _, service := range w.Services {
		if !service.PublishNotReadyAddresses {
			names = append(names, "svc/"+service.Name)
		}
	}
	s.senders = strings.Join(names, ", ")
	for _, containers := range [][]report.Container{w.Containers, w.Hidden} {
		for i := range containers {
			c := &containers[i]
			if !servesItself(c) {
				continue
			}
			s.readiness = s.readiness || slices.ContainsFunc(c.Variants, func(v report.Variant) bool { return v.Probes.Readiness != nil })
			s.declaresPorts = s.declaresPorts || len(c.Ports) > 0
		}
	}
	return s
}

// couldServe says that this container is one that a readiness probe is missing on: of those without, the ones
// that declare ports, if any does.
func (f facts) couldServe() bool {
	return servesItself(f.container) && !f.serving.readiness && (len(f.container.Ports) > 0 || !f.serving.declaresPorts)
}

func servesItself(c *report.Container) bool {
	return !c.Sidecar && !c.Injected && len(c.Variants) > 0 && c.OnlyIn != report.OnlyInPast
}

func (f facts) firstPort() string {
	switch ports := f.container.Ports; {
	case len(ports) == 0:
		return ""
	case ports[0].Name != "":
		return ports[0].Name
	default:
		return fmt.Sprint(ports[0].Number)
	}
}

const (
	// flappingShare is the share of checks below which failures are accidents.
	flappingShare = 0.05
	// flappingChecks is the least number of checks that a share is told of: fewer are one bad moment.
	flappingChecks = 10
	// flappingRecent is how old the last failure may be.
	flappingRecent = 15 * time.Minute
)

func flapping(f facts) []found {
	var pods []*report.Pod
	var worst float64
	var a answers
	first, last := time.Time{}, time.Time{}
	for i := range f.container.Pods {
		p := &f.container.Pods[i]
		rate, from := f.failedWhileReady(p)
		if rate < flappingShare {
			continue
		}
		e := evidenceOf(p, probe.Readiness)
		pods, worst = append(pods, p), max(worst, rate)
		a.hear(p, probe.Readiness)
		if first.IsZero() || from.Before(first) {
			first = from
		}
		if e.LastSeen.After(last) {
			last = e.LastSeen.Time
		}
	}
	if len(pods) == 0 {
		return nil
	}
	text := fmt.Sprintf("failed %s while ready, %s %s, the last %s ago", share(worst), f.podsText(pods), f.since(first), f.age(last))
	p := f.probeOf(pods[0], probe.Readiness)
	d := f.diagnose(probe.Readiness, p, a)
	note, command := f.change(d.edit...)
	hint := []string{a.text(), d.text, fmt.Sprintf("%s in a row take the Pod out", plural(int64(p.Config.FailureThreshold), "failure", "failures")), note}
	return []found{{probe.Readiness, text, hint, command}}
}

// failedWhileReady is the share of checks that failed since the Pod became ready, and since when they count.
// Failures of its start, which the Events add to the same count, are taken off.
func (f facts) failedWhileReady(p *report.Pod) (float64, time.Time) {
	e, config := evidenceOf(p, probe.Readiness), f.probeOf(p, probe.Readiness)
	if e == nil || config == nil || !config.HasFigures() || p.Phase != report.Live || e.State != report.StateRecovered || !p.Ready || p.ReadySince == nil || p.StartedAt == nil ||
		e.FirstSeen.Before(p.StartedAt) || !f.recent(e.LastSeen.Time, flappingRecent) {
		return 0, time.Time{}
	}
	step := time.Duration(max(config.Config.PeriodSeconds, 1)) * time.Second
	failures, from := e.Failures, e.FirstSeen.Time
	if from.Before(p.ReadySince.Time) {
		failures -= 2 + int64(p.ReadySince.Sub(from)/step)
		from = p.ReadySince.Time
	}
	checks := 1 + int64(e.LastSeen.Sub(from)/step)
	if failures < 3 || checks < flappingChecks {
		return 0, time.Time{}
	}
	return min(float64(failures)/float64(checks), 1), from
}

func redirectElsewhere(f facts) []found {
	var all []found
	for _, kind := range probe.Kinds() {
		var pods []*report.Pod
		message := ""
		for i := range f.container.Pods {
			p := &f.container.Pods[i]
			if e := evidenceOf(p, kind); p.Phase == report.Live && e != nil && e.Warnings > 0 && e.State != report.StatePast {
				pods = append(pods, p)
				if e.Failures+e.Errors == 0 {
					message = e.Message
				}
			}
		}
		p := f.container.Probes.Get(kind)
		if len(pods) == 0 || p == nil {
			continue
		}
		text := fmt.Sprintf("%s redirects to another host, which counts as success: %s", quoted(p.Handler.Text), f.podsText(pods))
		hint := []string{"ask a path that answers by itself"}
		if message != "" {
			hint = slices.Insert(hint, 0, "the kubelet says: "+quoted(message))
		}
		all = append(all, found{kind, text, hint, ""})
	}
	return all
}
