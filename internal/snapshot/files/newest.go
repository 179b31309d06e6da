package files

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// newest is the latest of times; files are judged at it, since the clock says nothing about them.
func newest(times ...time.Time) time.Time {
	var latest time.Time
	for _, t := range times {
		if t.After(latest) {
			latest = t
		}
	}
	return latest
}

// newestWrite is when an object was last written, as far as managedFields say.
func newestWrite(o metav1.Object) time.Time {
	var latest time.Time
	for _, entry := range o.GetManagedFields() {
		if entry.Time != nil {
			latest = newest(latest, entry.Time.Time)
		}
	}
	return latest
}

func newestOfPod(p *corev1.Pod) time.Time {
	latest := newest(p.CreationTimestamp.Time, deletionAsked(p))
	if p.Status.StartTime != nil {
		latest = newest(latest, p.Status.StartTime.Time)
	}
	for _, c := range p.Status.Conditions {
		latest = newest(latest, c.LastTransitionTime.Time, c.LastProbeTime.Time)
	}
	for _, statuses := range [][]corev1.ContainerStatus{
		p.Status.ContainerStatuses, p.Status.InitContainerStatuses, p.Status.EphemeralContainerStatuses,
	} {
		for i := range statuses {
			latest = newest(latest, newestOfState(&statuses[i].State), newestOfState(&statuses[i].LastTerminationState))
		}
	}
	return latest
}

// deletionAsked is when a Pod was told to go: deletionTimestamp is when its grace period will be over.
func deletionAsked(p *corev1.Pod) time.Time {
	if p.DeletionTimestamp == nil {
		return time.Time{}
	}
	asked := p.DeletionTimestamp.Time
	if grace := p.DeletionGracePeriodSeconds; grace != nil {
		asked = asked.Add(-time.Duration(*grace) * time.Second)
	}
	return asked
}

func newestOfState(s *corev1.ContainerState) time.Time {
	var latest time.Time
	if s.Running != nil {
		latest = s.Running.StartedAt.Time
	}
	if t := s.Terminated; t != nil {
		latest = newest(latest, t.StartedAt.Time, t.FinishedAt.Time)
	}
	return latest
}

func newestCondition(conditions []snapshot.Condition) time.Time {
	var latest time.Time
	for _, c := range conditions {
		latest = newest(latest, c.LastTransition)
	}
	return latest
}
