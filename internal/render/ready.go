package render

import (
	"fmt"
	"strconv"
)

// readyCount is what READY says: ready of whole Pods, or, with why, that there is no such number.
type readyCount struct {
	ready, whole int
	why          why
}

// why is the reason of a READY cell without a number.
type why int

const (
	counted      why = iota
	whyDone          // a Job that has finished
	whyJob           // Jobs and CronJobs do not keep a number of Pods ready
	whyManifest      // nothing of this was seen running
	whyNoPods        // no live Pod, and no number of wanted ones is known
	whyNoneYet       // live Pods, but none has the container yet
	numberOfWhys     // must be the last
)

// explanation is the note of a bare "-"; empty when the cell says it all.
func (y why) explanation() string {
	switch y {
	case whyJob:
		return "Jobs and CronJobs keep no Pods ready"
	case whyManifest:
		return "a manifest without running Pods"
	case whyNoPods:
		return "no live Pods, and how many are wanted is not known"
	case whyNoneYet:
		return "no live Pod has this container yet"
	default:
		return ""
	}
}

// readyCount counts against max(desired, live): a quota or a webhook that stops Pods must show. Only a container that is
// in every live Pod can be measured so; one that is in some (renamed in a rollout, injected) has its own Pods as whole,
// and under a narrower target the workload's number says nothing about them.
func (r row) readyCount() readyCount {
	w, c := r.workload, r.container
	wanted, known := r.wanted()
	switch {
	case w.Group == "batch" && w.Kind == "Job" && w.Done:
		return readyCount{why: whyDone}
	case w.Group == "batch" && (w.Kind == "Job" || w.Kind == "CronJob"):
		return readyCount{why: whyJob}
	case known && wanted == 0 && w.Pods.Total == 0:
		return readyCount{}
	case !r.observed:
		return readyCount{why: whyManifest}
	case w.Pods.Total == 0 && !known:
		return readyCount{why: whyNoPods}
	case c.Total == 0 && w.Pods.Total > 0:
		return readyCount{why: whyNoneYet}
	case c.Total < w.Pods.Total:
		return readyCount{ready: c.Ready, whole: c.Total}
	default:
		return readyCount{ready: c.Ready, whole: max(wanted, c.Total)}
	}
}

// wanted is how many Pods there should be, if that is known.
func (r row) wanted() (int, bool) {
	if r.workload.Desired == nil || r.workload.Narrowed {
		return 0, false
	}
	return int(*r.workload.Desired), true
}

func readyCell(r row) cell {
	s := r.readyCount()
	switch {
	case r.unread:
		return unknown()
	case s.why == whyDone:
		return cell{text: "done"}
	case s.why != counted:
		return none()
	case s.ready < s.whole:
		return cell{text: fmt.Sprintf("%d/%d", s.ready, s.whole), tint: red}
	default:
		return cell{text: fmt.Sprintf("%d/%d", s.ready, s.whole)}
	}
}

// restartsCell is 0 only where running containers could have counted some.
func restartsCell(r row) cell {
	switch {
	case r.unread:
		return unknown()
	case r.unobserved():
		return none()
	case r.container.Restarts > 0:
		return cell{text: strconv.FormatInt(r.container.Restarts, 10), tint: yellow}
	default:
		return cell{text: "0"}
	}
}
