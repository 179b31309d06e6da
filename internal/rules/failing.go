package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func failingNow(f facts) []found {
	var all []found
	for _, kind := range probe.Kinds() {
		pods := f.failing(kind)
		if len(pods) == 0 || kind == probe.Readiness && f.isStalling(pods) {
			continue
		}
		if k := f.killings(kind); len(k.live) > 0 {
			continue // killed-by-probe tells of it
		}
		hint, command := f.failingHint(kind, pods)
		all = append(all, found{kind, f.failingText(kind, pods), hint, command})
	}
	return all
}

// failing are the live Pods that a probe keeps down, or has killed, at present. A container that is down for
// another cause fails its checks for that.
func (f facts) failing(kind probe.Kind) []*report.Pod {
	var pods []*report.Pod
	for i := range f.container.Pods {
		p := &f.container.Pods[i]
		e := evidenceOf(p, kind)
		if p.Phase != report.Live || e == nil || e.Failures == 0 || e.State != report.StateNow {
			continue
		}
		if kind == probe.Readiness && p.Ready || kind != probe.Readiness && !f.stillKilling(p, kind, e) {
			continue
		}
		pods = append(pods, p)
	}
	if !slices.ContainsFunc(f.container.Causes, func(c report.Cause) bool { return c.Cause == string(kind) }) {
		return nil
	}
	return pods
}

// stillKilling says that a probe which is not content goes as far as to kill: it has, or every check fails.
func (f facts) stillKilling(p *report.Pod, kind probe.Kind, e *report.Evidence) bool {
	return killsOf(p, kind) != nil || e.PerCheck != nil && *e.PerCheck >= 0.9
}

func (f facts) failingText(kind probe.Kind, pods []*report.Pod) string {
	seen := failuresIn(pods, kind)
	text := fmt.Sprintf("%s %s, at least %s", f.podsText(pods), f.since(seen.first), plural(seen.count, "failure", "failures"))
	if kind == probe.Readiness {
		text += seen.rateText()
	}
	last := "the last"
	if slices.ContainsFunc(pods, func(p *report.Pod) bool { return p.Saturated }) {
		last = "last written" // newer ones are to come
	}
	return text + fmt.Sprintf(", %s %s ago", last, f.age(seen.last))
}

// failureSum is those of one probe in some Pods.
type failureSum struct {
	count       int64
	first, last time.Time
	rate        float64 // the least share of checks in any of them; 0 where one has none
}

func failuresIn(pods []*report.Pod, kind probe.Kind) failureSum {
	sum := failureSum{rate: math.Inf(1)}
	for _, p := range pods {
		e := evidenceOf(p, kind)
		if e == nil {
			continue
		}
		sum.count += e.Failures
		if sum.first.IsZero() || e.FirstSeen.Time.Before(sum.first) {
			sum.first = e.FirstSeen.Time
		}
		if e.LastSeen.After(sum.last) {
			sum.last = e.LastSeen.Time
		}
		if e.PerCheck == nil {
			sum.rate = 0
		} else {
			sum.rate = min(sum.rate, *e.PerCheck)
		}
	}
	return sum
}

// rateText is ", every check", empty where that is not known of all Pods.
func (s failureSum) rateText() string {
	if s.rate <= 0 || math.IsInf(s.rate, 1) {
		return ""
	}
	return ", " + share(s.rate)
}

func (f facts) failingHint(kind probe.Kind, pods []*report.Pod) (hint []string, command string) {
	var a answers
	a.hearAll(pods, kind)
	p := f.probeOf(pods[0], kind)
	d := f.diagnose(kind, p, a)
	hint = append(hint, a.text())
	if p != nil {
		hint = append(hint, quoted("it asks "+p.Handler.Text), d.text)
	}
	if kind == probe.Readiness {
		hint = append(hint, f.outOfServices())
	}
	var note string
	if f.onlyNewest(pods) {
		note, command = f.undo()
		return append(hint, "only Pods of the latest template fail, those of the previous one serve", note), command
	}
	if len(d.edit) > 0 {
		note, command = f.incidentChange(d.edit...)
	}
	return append(hint, note), command
}

// outOfServices names the Services that the Pods are kept out of.
func (f facts) outOfServices() string {
	var names []string
	for _, s := range f.workload.Services {
		if !s.PublishNotReadyAddresses {
			names = append(names, "svc/"+s.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "meanwhile out of " + strings.Join(names, ", ")
}
