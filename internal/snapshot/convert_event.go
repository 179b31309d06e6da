package snapshot

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// Event converts a core/v1 Event. The kubelet fills count and the two timestamps; other reporters may use
// series and eventTime instead.
func (c *Converter) Event(e *corev1.Event) *Event {
	out := &Event{
		Namespace: e.InvolvedObject.Namespace, Name: e.Name, UID: e.UID,
		Kind: e.InvolvedObject.Kind, ObjectName: e.InvolvedObject.Name, ObjectUID: e.InvolvedObject.UID, FieldPath: e.InvolvedObject.FieldPath,
		Type: e.Type, Reason: e.Reason, Message: e.Message,
		Node:  firstOf(e.Source.Host, e.ReportingInstance),
		Count: e.Count, First: e.FirstTimestamp.Time, Last: e.LastTimestamp.Time,
	}
	if e.Series != nil {
		out.addSeries(e.Series.Count, e.Series.LastObservedTime.Time)
	}
	return out.settle(e.EventTime.Time, e.CreationTimestamp.Time, e.Namespace)
}

// EventV1 converts an events.k8s.io/v1 Event: the same object, with the kubelet's fields under deprecated names.
func (c *Converter) EventV1(e *eventsv1.Event) *Event {
	out := &Event{
		Namespace: e.Regarding.Namespace, Name: e.Name, UID: e.UID,
		Kind: e.Regarding.Kind, ObjectName: e.Regarding.Name, ObjectUID: e.Regarding.UID, FieldPath: e.Regarding.FieldPath,
		Type: e.Type, Reason: e.Reason, Message: e.Note,
		Node:  firstOf(e.DeprecatedSource.Host, e.ReportingInstance),
		Count: e.DeprecatedCount, First: e.DeprecatedFirstTimestamp.Time, Last: e.DeprecatedLastTimestamp.Time,
	}
	if e.Series != nil {
		out.addSeries(e.Series.Count, e.Series.LastObservedTime.Time)
	}
	return out.settle(e.EventTime.Time, e.CreationTimestamp.Time, e.Namespace)
}

func (e *Event) addSeries(count int32, last time.Time) {
	e.Count = max(e.Count, count)
	if last.After(e.Last) {
		e.Last = last
	}
}

// settle fills what a reporter left out: an Event that exists happened at least once.
func (e *Event) settle(eventTime, created time.Time, namespace string) *Event {
	e.Count = max(e.Count, 1)
	e.Namespace = firstOf(e.Namespace, namespace)
	if e.First.IsZero() {
		e.First = firstTime(eventTime, created, e.Last)
	}
	if e.Last.IsZero() {
		e.Last = firstTime(eventTime, e.First)
	}
	return e
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}
