package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// row is one container with the workload it belongs to.
type row struct {
	workload  *Workload
	container *Container
}

func (r row) ofJob() bool {
	return r.workload.Group == "batch" && (r.workload.Kind == "Job" || r.workload.Kind == "CronJob")
}

// compareRows orders by name.
func compareRows(a, b row) int {
	return cmp.Or(strings.Compare(a.workload.Namespace, b.workload.Namespace),
		strings.Compare(a.workload.DisplayName, b.workload.DisplayName), strings.Compare(a.container.Name, b.container.Name))
}

// summarize puts all workloads into figures. Containers that only left evidence count for that alone: what
// probes they had is not known.
func summarize(r *Report, running bool) *Summary {
	var rows, past []row
	workloads := 0
	for i := range r.Workloads {
		w, present := &r.Workloads[i], false
		for j := range w.Containers {
			one := row{w, &w.Containers[j]}
			if one.container.OnlyIn == OnlyInPast {
				past = append(past, one)
				continue
			}
			rows, present = append(rows, one), true
		}
		if present || len(w.Containers) == 0 {
			workloads++
		}
	}
	s := &Summary{Workloads: workloads, Containers: len(rows), Coverage: coverage(rows)}
	for _, one := range rows {
		if one.ofJob() {
			s.Jobs++
		}
	}
	s.Detection = Detecting{Readiness: distribution(rows, probe.Readiness), Liveness: distribution(rows, probe.Liveness)}
	s.evidence(append(past, rows...), running)
	s.drift(rows)
	if running {
		s.CheckLoad = checkLoad(rows)
	}
	return s
}

func coverage(rows []row) Coverage {
	c := Coverage{None: Share{Of: len(rows)}}
	for _, one := range rows {
		none := true
		for kind, share := range map[probe.Kind]*Share{probe.Startup: &c.Startup, probe.Readiness: &c.Readiness, probe.Liveness: &c.Liveness} {
			has := one.container.Probes.Get(kind) != nil
			none = none && !has
			if kind == probe.Readiness && one.ofJob() {
				continue
			}
			share.Of++
			if has {
				share.Count++
			}
		}
		if none {
			c.None.Count++
		}
	}
	return c
}

// evidence counts failures that go on, and kills, where Events were read.
func (s *Summary) evidence(rows []row, running bool) {
	known, unknown, failing, kills := 0, 0, 0, int64(0)
	for _, one := range rows {
		c := one.container
		if c.Kills == nil {
			unknown++
			continue
		}
		known++
		kills += c.Kills.Liveness + c.Kills.Startup
		if c.failsNow() {
			failing++
		}
	}
	s.EventsPartial = known > 0 && unknown > 0
	if known > 0 || running && unknown == 0 {
		s.Failing, s.Kills = &failing, &kills
	}
}

func (c *Container) failsNow() bool {
	return slices.ContainsFunc(c.Pods, func(p Pod) bool {
		return slices.ContainsFunc(p.Evidence, func(e Evidence) bool { return e.State == StateNow })
	})
}

func (s *Summary) drift(rows []row) {
	drifted := 0
	for _, one := range rows {
		switch {
		case one.workload.Template == TemplateUnknown:
			s.DriftUnknown++
		case len(one.container.Drift) > 0:
			drifted++
		}
	}
	if s.DriftUnknown < len(rows) || len(rows) == 0 {
		s.Drifted = &drifted
	}
}
