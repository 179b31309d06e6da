package report

import (
	"math"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestStartNeed(t *testing.T) {
	slow := httpProbe() // guaranteed 20s, at the longest 1 + 10 + 2·10 + 1
	delayed := httpProbe()
	delayed.InitialDelaySeconds = 60
	tests := []struct {
		name string
		in   snapshot.Container
		want int64
	}{
		{"no probes", snapshot.Container{}, 0},
		{"liveness alone", snapshot.Container{Liveness: slow}, 0},
		{"readiness", snapshot.Container{Readiness: slow}, 11 + 11},
		{"readiness after a delay", snapshot.Container{Readiness: delayed}, 70 + 11},
		{"startup", snapshot.Container{Startup: slow}, 32},
		{"startup, then readiness", snapshot.Container{Startup: slow, Readiness: slow}, 42 + 11},
		{"startup within the delay of readiness", snapshot.Container{Startup: slow, Readiness: delayed}, 70 + 11},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := needOf(&tt.in); got != tt.want {
				t.Errorf("%ds, want %ds", got, tt.want)
			}
		})
	}
}

func TestNeedHasAnEnd(t *testing.T) {
	flapped := runningPod("a") // Ready again after half an hour
	flapped.Created, flapped.Containers[0].Running = ago(time.Hour), ago(time.Hour)
	r := &rolling{g: &workloadGroup{live: pods(flapped)}}
	if got := r.need(flapped.Spec); got != 22*time.Second+patience {
		t.Errorf("%s, want %s more than 22s", got, patience)
	}
}

// The largest numbers there are make it long, not over.
func TestNeedIsNeverNegative(t *testing.T) {
	r := &rolling{g: &workloadGroup{live: pods(quick("a"))}}
	slow := appContainer("app")
	slow.Readiness.SuccessThreshold, slow.Readiness.TimeoutSeconds = math.MaxInt32, math.MaxInt32
	if got := r.need(&snapshot.PodSpec{Containers: []snapshot.Container{slow}}); got != seconds(math.MaxInt64) {
		t.Error(got)
	}
}

func TestNeedAddsWhatOthersTook(t *testing.T) {
	r := &rolling{g: &workloadGroup{live: pods(quick("a"), young("b", time.Hour))}}
	plain, withStartup := appContainer("app"), appContainer("app")
	withStartup.Startup = httpProbe()
	tests := []struct {
		name string
		in   []snapshot.Container
		want time.Duration
	}{
		{"nothing says how long a start takes", []snapshot.Container{plain}, 26 * time.Second},
		{"a startup probe does", []snapshot.Container{withStartup}, seconds(httpProbe().StartupAllowance(probe.Ticks).LongestSeconds + 10 + 11)},
		{"not of all", []snapshot.Container{plain, withStartup}, seconds(httpProbe().StartupAllowance(probe.Ticks).LongestSeconds + 10 + 11 + 4)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := r.need(&snapshot.PodSpec{Containers: tt.in}); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestRevision(t *testing.T) {
	done := observed("Deployment", snapshot.ReplicaCounts{Current: 1, Updated: 1}, progress("True", "NewReplicaSetAvailable")...)
	going := observed("Deployment", snapshot.ReplicaCounts{Current: 2, Updated: 1}, progress("True", "ReplicaSetUpdated")...)
	tests := []struct {
		name     string
		in       rolloutCase
		revision string
		since    time.Duration
	}{
		{"when the rollout was done", rolloutCase{object: done, newer: pods(quick("a"))}, "2", 5 * time.Minute},
		{"a rollback: when its first Pod was made", rolloutCase{object: going, newer: pods(young("a", 18*time.Second)), older: pods(quick("b"))}, "2", 20 * time.Second},
		{"without Pods: when its ReplicaSet was made", rolloutCase{object: going, older: pods(quick("b"))}, "2", time.Hour},
		{"a set", rolloutCase{object: set(snapshot.UpdatePolicy{From: "new"}, snapshot.ReplicaCounts{}), newer: pods(quick("web-0"), young("web-1", time.Minute))}, "new", 30 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := tt.in.report(t)
			if w.Revision != tt.revision || w.RevisionSince == nil || ago(0).Sub(w.RevisionSince.Time) != tt.since {
				t.Errorf("revision %q since %v, want %q since %v", w.Revision, w.RevisionSince, tt.revision, ago(tt.since))
			}
		})
	}
}
