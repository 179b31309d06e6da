package report

// failedCreate are the Pods that a controller wants, does not have and says it could not create, nil when there
// are none. How many that is, only a number of wanted Pods tells; without one it is at least one.
func (g *workloadGroup) failedCreate() *FailedCreate {
	o := g.object
	if o == nil || o.Narrowed || o.Done {
		return nil
	}
	wanted := 1
	if o.Desired != nil {
		wanted = int(*o.Desired)
	}
	missing := wanted - len(g.live)
	if missing <= 0 {
		return nil
	}
	failed := g.creationFails()
	if failed != nil {
		failed.Pods = missing
	}
	return failed
}

// creationFails is what the latest Event says of it; without one, a condition.
func (g *workloadGroup) creationFails() *FailedCreate {
	var latest *tally
	for _, o := range g.objects {
		if t := g.book.creation[o.UID]; t != nil && g.book.asOf.Sub(t.last) <= retention && (latest == nil || t.last.After(latest.last)) {
			latest = t
		}
	}
	if latest != nil {
		return &FailedCreate{Message: latest.message, LastSeen: timeOrNil(latest.last)}
	}
	for _, o := range g.objects {
		for _, c := range o.Conditions {
			if c.Type == "ReplicaFailure" && c.Status == "True" && c.Reason == causeFailedCreate {
				return &FailedCreate{Message: c.Message}
			}
		}
	}
	return nil
}
