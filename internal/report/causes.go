package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// causes says why live Pods of a container are not ready now, or were restarted: one cause a Pod.
func (g *workloadGroup) causes(c *Container) {
	counts := causeCounts{}
	for _, p := range g.at.live[c.Name] {
		if p.HasStatus {
			cause, down := g.book.judge(p, c.Name).cause()
			counts.add(cause, 1, down)
		}
	}
	if failed := g.at.failedCreate; failed != nil {
		counts.add(causeFailedCreate, failed.Pods, true)
	}
	c.Causes = counts.list()
}

// causeCounts counts Pods by cause, and of those the ones that are down.
type causeCounts map[string]*causeCount

type causeCount struct{ pods, down int }

func (n causeCounts) add(cause string, pods int, down bool) {
	if cause == "" || pods == 0 {
		return
	}
	if n[cause] == nil {
		n[cause] = &causeCount{}
	}
	n[cause].pods += pods
	if down {
		n[cause].down += pods
	}
}

// list puts first what keeps Pods down, then what is graver, then what concerns more Pods.
func (n causeCounts) list() []Cause {
	list := []Cause{}
	for cause, count := range n {
		list = append(list, Cause{cause, count.pods})
	}
	slices.SortFunc(list, func(a, b Cause) int {
		return cmp.Or(compareBool(n[b.Cause].down > 0, n[a.Cause].down > 0), cmp.Compare(gravity(a.Cause), gravity(b.Cause)),
			cmp.Compare(b.Pods, a.Pods), strings.Compare(a.Cause, b.Cause))
	})
	return list
}

// gravity orders causes: what kills, what cannot start, what keeps out, what waits; what nobody knows last.
func gravity(cause string) int {
	order := []string{
		string(probe.Liveness), string(probe.Startup), causeOOM, "exit-", causeCrashLoop, "", causeFailedCreate, causeNode,
		string(probe.Readiness), causePending, causeInit, causeGate, causeResize, causeRedefined, "ContainerCreating", causeLost,
	}
	if strings.HasPrefix(cause, "exit-") {
		cause = "exit-"
	}
	if i := slices.Index(order, cause); i >= 0 {
		return i
	}
	return slices.Index(order, "") // the kubelet's other words: ImagePullBackOff, CreateContainerConfigError
}

// cause is why the container's Pod is down, else why the container was restarted; empty when neither.
func (j *judge) cause() (cause string, down bool) {
	if !j.ready() {
		return j.notReady(), true
	}
	if held := j.heldBack(); held != "" {
		return held, true
	}
	if j.status.RestartCount == 0 {
		return "", false
	}
	return j.endCause(j.lastEnd()), false
}

// heldBack is why a Pod whose containers are all ready is not.
func (j *judge) heldBack() string {
	switch {
	case podReady(j.pod):
		return ""
	case j.nodeNotReady():
		return causeNode
	case conditionTrue(j.pod.Conditions, "ContainersReady") && len(j.falseGates()) > 0:
		return causeGate
	default:
		return ""
	}
}

func conditionTrue(conditions []snapshot.Condition, name string) bool {
	return slices.ContainsFunc(conditions, func(c snapshot.Condition) bool { return c.Type == name && c.Status == "True" })
}

func (j *judge) nodeNotReady() bool {
	node := j.book.nodes[j.pod.Node]
	return node != nil && node.Ready != "" && node.Ready != "True"
}

func (j *judge) notReady() string {
	s := j.status
	switch {
	case j.pod.Node == "":
		return causePending
	case j.nodeNotReady():
		return causeNode
	case s == nil:
		return causePending
	case s.Waiting == "PodInitializing":
		return causeInit
	case s.Waiting != "" && s.Waiting != causeCrashLoop:
		return s.Waiting
	case s.Running.IsZero():
		return j.ended()
	default:
		return j.running()
	}
}

// ended is why a container that has ended did so; one that is done and stays so needs no reason.
func (j *judge) ended() string {
	end := j.lastEnd()
	switch {
	case end == nil:
		return j.status.Waiting
	case j.status.Terminated != nil && end.ExitCode == 0 && !j.restarts(0):
		return ""
	default:
		return j.endCause(end)
	}
}

// running is why a container that runs is not ready. One that ended by itself a moment ago refuses its checks
// for that, not because a probe is wrong.
func (j *judge) running() string {
	s := j.status
	switch {
	case s.Last != nil && j.young():
		return j.endCause(s.Last)
	case j.now(probe.Liveness):
		return string(probe.Liveness)
	case j.spec.Startup != nil && s.Started != nil && !*s.Started:
		return string(probe.Startup)
	case j.spec.ResizeRestartPolicy && conditionTrue(j.pod.Conditions, "PodResizeInProgress"):
		return causeResize
	case j.spec.Readiness != nil:
		return string(probe.Readiness)
	default:
		return ""
	}
}

// now says that a probe fails at present.
func (j *judge) now(kind probe.Kind) bool {
	f := j.facts.of(kind).failed
	return f.count > 0 && j.state(kind, f.last) == StateNow
}

// backOffReset is how long a container must run for the kubelet to forget that it crashed
// (pkg/kubelet/kubelet.go: twice the longest back-off).
const backOffReset = 10 * time.Minute

// young says that the container has not yet outlived its start and the life before it.
func (j *judge) young() bool {
	before := min(j.status.Last.Finished.Sub(j.status.Last.Started), backOffReset)
	return j.book.asOf.Sub(j.status.Running) <= max(j.startBudget(), before)
}
