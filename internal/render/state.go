package render

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

const (
	// lost is a cause, and a count, that nothing says any more.
	lost = "?"
	// atLeastMark follows a count of which some may not have been written.
	atLeastMark = "+"
)

// unobserved holds for what could have no Pod to tell of.
func (r row) unobserved() bool { return !r.observed || r.container.OnlyIn == report.OnlyInTemplate }

// lastCell is the age of the last end.
func lastCell(r row) cell {
	end := r.container.LastEnd
	switch {
	case r.unread:
		return unknown()
	case end == nil || r.asOf.IsZero():
		return none()
	default:
		return cell{text: age(*end, r.asOf)}
	}
}

// age is kubectl's, except that a node's clock which runs ahead is no "<invalid>".
func age(at metav1.Time, asOf time.Time) string {
	return duration.HumanDuration(max(asOf.Sub(at.Time), 0))
}

// reasonCell is the gravest cause and its Pods, and how many other causes there are.
func reasonCell(r row) cell {
	causes := r.container.Causes
	switch {
	case r.unread:
		return unknown()
	case len(causes) == 0:
		return none()
	}
	c := cell{text: fmt.Sprintf("%s:%d", token(causes[0].Cause), causes[0].Pods), tint: yellow}
	if r.down() {
		c.tint = red
	}
	if more := len(causes) - 1; more > 0 {
		c.text += fmt.Sprintf(" +%d", more)
	}
	return c
}

// down says that something is wrong now; else the causes are of restarts that are over.
func (r row) down() bool {
	if n := r.readyCount(); n.why == counted && n.ready < n.whole {
		return true
	}
	return slices.ContainsFunc(r.container.Pods, func(p report.Pod) bool { return p.Phase == report.Live && !p.PodReady })
}

func failuresCell(r row) cell {
	return r.countCell(r.container.Failures, func() int64 {
		return *r.container.Failures + r.ofFinished(func(e report.Evidence) int64 { return e.Failures })
	})
}

func errorsCell(r row) cell { return r.countCell(r.container.Errors, r.errors) }

func (r row) errors() int64 {
	return *r.container.Errors + r.ofFinished(func(e report.Evidence) int64 { return e.Errors })
}

// countCell marks a count when the kubelet may have had no room left to write more.
func (r row) countCell(known *int64, count func() int64) cell {
	switch {
	case r.unobserved() && !r.unread:
		return none()
	case known == nil || r.unread:
		return unknown()
	}
	n := count()
	c := cell{text: strconv.FormatInt(n, 10)}
	if saturated(r.container.Pods) {
		c.text += atLeastMark
	}
	if n > 0 && failingNow(r.container.Pods) {
		c.tint = red
	}
	return c
}

// ofFinished sums what a container's own counts leave out: most of what there is to tell of a Job.
func (r row) ofFinished(count func(report.Evidence) int64) int64 {
	sum := int64(0)
	for _, p := range finished(r.container.Pods) {
		for _, e := range p.Evidence {
			sum += count(e)
		}
	}
	return sum
}

func finished(pods []report.Pod) []report.Pod {
	var out []report.Pod
	for _, p := range pods {
		if p.Phase == report.Finished {
			out = append(out, p)
		}
	}
	return out
}

func saturated(pods []report.Pod) bool {
	return slices.ContainsFunc(pods, func(p report.Pod) bool { return p.Saturated })
}

func failingNow(pods []report.Pod) bool {
	return slices.ContainsFunc(pods, func(p report.Pod) bool {
		return slices.ContainsFunc(p.Evidence, func(e report.Evidence) bool { return e.State == report.StateNow })
	})
}

// killsCell marks every count but a zero of which nothing is left that a probe may have done too.
func killsCell(r row) cell {
	switch {
	case r.unobserved() && !r.unread:
		return none()
	case r.container.Kills == nil || r.unread:
		return unknown()
	}
	n := r.container.Kills.Liveness + r.container.Kills.Startup
	for _, p := range finished(r.container.Pods) {
		for _, k := range p.Kills {
			n += k.Count
		}
	}
	return tally(n, n > 0 || r.perhapsKilled(), red)
}

func (r row) perhapsKilled() bool {
	return slices.ContainsFunc(r.container.RestartCauses, func(rc report.RestartCause) bool { return rc.Cause == lost && rc.Restarts > 0 }) ||
		slices.ContainsFunc(r.container.Pods, func(p report.Pod) bool { return p.PossibleKill != nil })
}

func unknown() cell { return cell{text: unknownMark} }
