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

func failuresCell(r row) cell { return r.countCell(r.container.Failures) }

func errorsCell(r row) cell { return r.countCell(r.container.Errors) }

// countCell marks a count when the kubelet may have had no room left to write more.
func (r row) countCell(count *int64) cell {
	switch {
	case r.unobserved() && !r.unread:
		return none()
	case count == nil || r.unread:
		return unknown()
	}
	c := cell{text: strconv.FormatInt(*count, 10)}
	if saturated(r.container.Pods) {
		c.text += atLeastMark
	}
	if *count > 0 && failingNow(r.container.Pods) {
		c.tint = red
	}
	return c
}

func saturated(pods []report.Pod) bool {
	return slices.ContainsFunc(pods, func(p report.Pod) bool { return p.Saturated })
}

func failingNow(pods []report.Pod) bool {
	return slices.ContainsFunc(pods, func(p report.Pod) bool {
		return slices.ContainsFunc(p.Evidence, func(e report.Evidence) bool { return e.State == report.StateNow })
	})
}

// killsCell marks the count when some restarts are left that a probe may have made too.
func killsCell(r row) cell {
	switch {
	case r.unobserved() && !r.unread:
		return none()
	case r.container.Kills == nil || r.unread:
		return unknown()
	}
	n := r.container.Kills.Liveness + r.container.Kills.Startup
	c := cell{text: strconv.FormatInt(n, 10)}
	if slices.ContainsFunc(r.container.RestartCauses, func(rc report.RestartCause) bool { return rc.Cause == lost && rc.Restarts > 0 }) {
		c.text += atLeastMark
	}
	if n > 0 {
		c.tint = red
	}
	return c
}

func unknown() cell { return cell{text: unknownMark} }
