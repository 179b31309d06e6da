package rules

import (
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func rolloutStalled(f facts) []found {
	r := f.workload.Rollout
	pods := f.stalling()
	if len(pods) == 0 {
		return nil
	}
	text := fmt.Sprintf("%s of the latest template (%s) not ready", plural(int64(len(pods)), "Pod", "Pods"), r.NewRevision)
	if r.Since != nil {
		text += " " + f.since(r.Since.Time)
	}
	if seen := failuresIn(pods, probe.Readiness); seen.count > 0 {
		text += fmt.Sprintf(", at least %s%s", plural(seen.count, "failure", "failures"), seen.rateText())
	}
	if r.OldReady != nil && *r.OldReady > 0 {
		text += "; " + plural(int64(*r.OldReady), "Pod of the previous revision keeps serving", "Pods of the previous revision keep serving")
	} else {
		text += "; others keep serving"
	}
	var a answers
	a.hearAll(pods, probe.Readiness)
	p := f.probeOf(pods[0], probe.Readiness)
	hint := []string{a.text(), quoted("it asks " + p.Handler.Text), f.whatChanged(), f.diagnose(probe.Readiness, p, a).text}
	note, command := f.undo()
	if r.Reason == "OrderedReady" {
		hint = append(hint, fmt.Sprintf("a StatefulSet in order waits for its broken Pod even then: delete %s after it", pods[0].Name))
	}
	return []found{{probe.Readiness, text, append(hint, note), command}}
}

// stalling are the Pods of a stalled rollout that this container's readiness probe keeps from being ready.
func (f facts) stalling() []*report.Pod {
	r := f.workload.Rollout
	if r == nil || r.State != report.RolloutStalled || r.KeepServing == nil || !*r.KeepServing {
		return nil
	}
	var pods []*report.Pod
	for i := range f.container.Pods {
		p := &f.container.Pods[i]
		started := p.Started == nil || *p.Started
		if p.Phase != report.Live || p.Revision != r.NewRevision || p.Ready || p.State != "running" || !started || f.probeOf(p, probe.Readiness) == nil {
			continue
		}
		if e := evidenceOf(p, probe.Readiness); p.Evidence != nil && (e == nil || e.Failures == 0) {
			continue // the Events were read, and say nothing of it
		}
		pods = append(pods, p)
	}
	return pods
}

// isStalling says that the stalled rollout tells of all these Pods.
func (f facts) isStalling(pods []*report.Pod) bool {
	stalling := map[*report.Pod]bool{}
	for _, p := range f.stalling() {
		stalling[p] = true
	}
	for _, p := range pods {
		if !stalling[p] {
			return false
		}
	}
	return true
}

// whatChanged is how the new readiness probe differs from the one of the Pods that serve.
func (f facts) whatChanged() string {
	var changes []string
	for _, d := range f.container.Drift {
		if d.Kind != report.Stale || d.Probe != probe.Readiness || d.Change != report.Fields {
			continue
		}
		for _, field := range d.Fields {
			changes = append(changes, quoted(fmt.Sprintf("%s was %s, is %s", field.Field, orUnset(field.Pod), orUnset(field.Template))))
		}
	}
	if len(changes) == 0 {
		return ""
	}
	return "the template changed the probe: " + strings.Join(changes, "; ")
}

func orUnset(s string) string {
	if s == "" {
		return "unset"
	}
	return s
}
