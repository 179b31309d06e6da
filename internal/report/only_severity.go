package report

import "slices"

// CompareSeverity orders rows by what needs a person first: the gravest severity of the findings that stand, how many are
// of that severity, what a probe killed, what is not ready, what fails its probe, Pods concerned, restarts. What is not ready
// or fails is no less than an error, whether a rule says so or not. Rows that are alike keep their order.
func CompareSeverity(wa *Workload, ca *Container, wb *Workload, cb *Container) int {
	return slices.Compare(urgency(wb, cb), urgency(wa, ca))
}

// urgency is larger for what is more urgent, most important first.
func urgency(w *Workload, c *Container) []int64 {
	killed := boolToInt(c.Kills != nil && c.Kills.Liveness+c.Kills.Startup > 0)
	state := 2*boolToInt(isDown(w, c)) + boolToInt(c.Failing())
	gravest, standing := int64(0), int64(0)
	for _, f := range c.Findings {
		switch n := weight(f.Severity); {
		case f.Suppressed || n < gravest:
		case n > gravest:
			gravest, standing = n, 1
		default:
			standing++
		}
	}
	if state > 0 && gravest < weight(SeverityError) {
		gravest, standing = weight(SeverityError), 1
	}
	return []int64{gravest, standing, killed, state, c.concerned(), c.Restarts}
}

func weight(s Severity) int64 { return int64(len(Severities()) - slices.Index(Severities(), s)) }

// concerned is how many live Pods are not ready, or were restarted.
func (c *Container) concerned() int64 {
	sum := 0
	for _, cause := range c.Causes {
		sum += cause.Pods
	}
	return int64(max(sum, c.Total-c.Ready))
}

func boolToInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
