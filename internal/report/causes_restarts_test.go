package report

import (
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestMoreKillsThanRestarts(t *testing.T) {
	p := inBackOff(runningPod("web"), 2, ended("Error", 137, 40*time.Second, time.Minute))
	c := build(t, readSnapshot(pods(p), event(p, "Killing", livenessKill, 3, 5*time.Minute, time.Minute))).Workloads[0].Containers[0]
	if c.Kills.Liveness != 3 || restartsText(c) != "liveness:2" || causesText(c) != "liveness:1" {
		t.Errorf("kills %d, restarts %q, causes %q", c.Kills.Liveness, restartsText(c), causesText(c))
	}
}

func TestCausesOfPodsThatCouldNotBeCreated(t *testing.T) {
	failedCreate := func(o *snapshot.Object, before time.Duration) *snapshot.Event {
		return &snapshot.Event{Namespace: "shop", Kind: o.Kind, ObjectName: o.Name, ObjectUID: o.UID, Reason: "FailedCreate", Type: "Warning", Message: "exceeded quota", Count: 9, First: ago(time.Hour), Last: ago(before)}
	}
	for _, tc := range []struct {
		name   string
		change func(*snapshot.Snapshot)
		want   string
	}{
		{"by the condition", func(s *snapshot.Snapshot) {
			s.Objects[0].Conditions = []snapshot.Condition{{Type: "ReplicaFailure", Status: "True", Reason: "FailedCreate"}}
		}, "FailedCreate:2"},
		{"by an Event about the ReplicaSet", func(s *snapshot.Snapshot) { s.Events = append(s.Events, failedCreate(s.Objects[1], time.Minute)) }, "FailedCreate:2"},
		{"an hour ago", func(s *snapshot.Snapshot) { s.Events = append(s.Events, failedCreate(s.Objects[1], 61*time.Minute)) }, ""},
		{"deleting failed", func(s *snapshot.Snapshot) {
			s.Objects[0].Conditions = []snapshot.Condition{{Type: "ReplicaFailure", Status: "True", Reason: "FailedDelete"}}
		}, ""},
		{"they are there by now", func(s *snapshot.Snapshot) {
			s.Events = append(s.Events, failedCreate(s.Objects[1], time.Minute))
			*s.Objects[0].Desired = 1
		}, ""},
		{"only a part was asked for", func(s *snapshot.Snapshot) {
			s.Events = append(s.Events, failedCreate(s.Objects[1], time.Minute))
			s.Objects[0].Narrowed = true
		}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := runningPod("web-7d9f8c6b5-bbbbb")
			s := readSnapshot(pods(p))
			s.Objects = deployment("web", 3, p)
			tc.change(s)
			if got := causesText(*containerNamed(t, workloadNamed(t, build(t, s), "deploy/web"), "app")); got != tc.want {
				t.Errorf("causes %q, want %q", got, tc.want)
			}
		})
	}
}
