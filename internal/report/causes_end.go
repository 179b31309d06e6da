package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// burst is how many Events a kubelet writes about one Pod before it is held to one in five minutes
// (client-go tools/record/events_cache.go).
const burst = 25

// retention is how long the API server keeps an Event after its last write (kube-apiserver --event-ttl).
const retention = time.Hour

// The causes that are not an exit code or the kubelet's own word.
const (
	causeLost         = "?" // restarted, and nothing says any more why
	causeOOM          = "OOMKilled"
	causeCrashLoop    = "CrashLoopBackOff"
	causeNode         = "NodeNotReady"
	causePending      = "Pending"
	causeInit         = "Init"
	causeGate         = "gate"
	causeResize       = "resize"
	causeRedefined    = "definition-changed"
	causeFailedCreate = "FailedCreate"
)

func isProbe(cause string) bool {
	return cause == string(probe.Liveness) || cause == string(probe.Startup)
}

// endCause says why a container ends. Its status holds no trace of a probe's kill: the exit code is the application's, or
// that of a signal which others send too. So it is a probe when a Killing event says so, of this life or of an earlier
// one where this could have ended like it, since not every Event is written; and the exit code only when no probe can
// have been the reason.
func (j *judge) endCause(end *snapshot.Termination) string {
	if end == nil {
		return causeLost
	}
	lastKill, _ := j.lastKill()
	exit := fmt.Sprintf("exit-%d", end.ExitCode)
	switch {
	case end.Reason == causeOOM:
		return causeOOM
	case j.killedIn(end):
		return string(lastKill)
	case j.facts != nil && j.facts.resized.count > 0 && !j.facts.resized.last.Before(end.Started):
		return causeResize
	case j.facts != nil && j.facts.redefined.count > 0 && !j.facts.redefined.last.Before(end.Started):
		return causeRedefined
	case j.tooShort(end):
		return exit
	case lastKill != "":
		return string(lastKill)
	case j.eventsClear(end):
		return exit
	default:
		return causeLost
	}
}

// killedIn says that an Event tells of a probe's kill in the life that ended so.
func (j *judge) killedIn(end *snapshot.Termination) bool {
	kind, at := j.lastKill()
	return kind != "" && !at.Before(end.Started)
}

// lastKill is the probe that had the container killed last, empty when no Event names one.
func (j *judge) lastKill() (probe.Kind, time.Time) {
	var kind probe.Kind
	var at time.Time
	for _, k := range killers() {
		if t := j.facts.of(k).killed; t.count > 0 && (kind == "" || t.last.After(at)) {
			kind, at = k, t.last
		}
	}
	return kind, at
}

// killers are the probes that can have a container killed.
func killers() []probe.Kind { return []probe.Kind{probe.Startup, probe.Liveness} }

// tooShort says that this life was over before any probe could have ended it.
func (j *judge) tooShort(end *snapshot.Termination) bool {
	if j.spec == nil || end.Started.IsZero() {
		return false
	}
	life := end.Finished.Sub(end.Started)
	for _, kind := range killers() {
		if p := j.spec.Probe(kind); p != nil && (!p.InRange() || life >= earliestKill(p)) {
			return false
		}
	}
	return true
}

// earliestKill is the least a container lives before a probe has it killed, unless failures of the container
// before it count (pkg/kubelet/prober/worker.go doProbe).
func earliestKill(p *probe.Probe) time.Duration {
	return seconds(p.FirstCheck().EarliestSeconds + (int64(p.FailureThreshold)-1)*int64(p.PeriodSeconds))
}

// eventsClear says that the Events would tell of a probe if one had ended this life: they reach back to it,
// none can be missing, or the failures are too few.
func (j *judge) eventsClear(end *snapshot.Termination) bool {
	if !j.book.known(j.pod.Namespace) || j.spec == nil || len(j.mixed) > 0 || j.book.asOf.Sub(end.Finished) > retention {
		return false
	}
	return !j.warningsSpent() && (!j.normalsSpent() || !j.enoughFailures())
}

// enoughFailures says that a probe failed often enough to have killed. A kill takes that many failures in a
// row, each of which the kubelet reports.
func (j *judge) enoughFailures() bool {
	for _, kind := range killers() {
		if p := j.spec.Probe(kind); p != nil && j.facts.of(kind).failed.count >= int64(p.FailureThreshold) {
			return true
		}
	}
	return false
}

// warningsSpent says that failures may be missing from the Events.
func (j *judge) warningsSpent() bool {
	if j.sharesBudget() {
		return j.warnings+j.normalsWritten() >= burst
	}
	return j.warnings >= burst
}

// normalsSpent says that Killing events may be missing.
func (j *judge) normalsSpent() bool {
	if j.sharesBudget() {
		return j.warnings+j.normalsWritten() >= burst
	}
	return j.normalsWritten() >= burst
}

// normalsWritten estimates from the restarts too: each start is reported as Pulled, Created and Started, which
// not every reading holds.
func (j *judge) normalsWritten() int64 {
	return remember(j.book.normals, j.pod, j.book.hasMany(j.pod), j.estimateNormals)
}

func (j *judge) estimateNormals() int64 {
	const perStart = 3
	kills, starts := int64(0), int64(0)
	for _, s := range j.pod.Containers {
		starts += int64(s.RestartCount) + 1
	}
	for _, c := range j.containers {
		for _, kind := range killers() {
			kills += c.of(kind).killed.count
		}
	}
	return max(j.normals, starts*perStart+kills)
}

// firstSplitBudget is the kubelet from which on Warnings and Normal events are counted apart (client-go 0.32).
const firstSplitBudget = 32

// sharesBudget says that this Pod's kubelet counts Warnings and Normal events together, or may.
func (j *judge) sharesBudget() bool {
	node := j.book.nodes[j.pod.Node]
	return node == nil || minorVersion(node.KubeletVersion) < firstSplitBudget
}

func minorVersion(version string) int {
	_, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(minor)
	if err != nil {
		return 0
	}
	return n
}
