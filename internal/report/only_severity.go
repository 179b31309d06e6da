package report

import "slices"

// CompareSeverity orders rows by what needs a person first: what is not ready and fails its probe, what is not
// ready, what fails, then the gravest finding that stands, then restarts. Rows that are alike keep their order.
func CompareSeverity(wa *Workload, ca *Container, wb *Workload, cb *Container) int {
	return slices.Compare(urgency(wb, cb), urgency(wa, ca))
}

// urgency is larger for what is more urgent, most important first.
func urgency(w *Workload, c *Container) []int64 {
	down, failing := boolToInt(isDown(w, c)), boolToInt(c.Failing())
	gravest, standing := int64(0), int64(0)
	for _, f := range c.Findings {
		if !f.Suppressed {
			gravest = max(gravest, int64(len(Severities())-slices.Index(Severities(), f.Severity)))
			standing++
		}
	}
	return []int64{2*down + failing, gravest, int64(c.Total - c.Ready), standing, c.Restarts}
}

func boolToInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
