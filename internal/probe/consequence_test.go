package probe

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

const (
	never     = corev1.RestartPolicyNever
	onFailure = corev1.RestartPolicyOnFailure
	always    = corev1.RestartPolicyAlways
)

// Guards against "restarts" for containers that the kubelet ends for good.
func TestPeerFault06RestartPolicyDecides(t *testing.T) {
	tests := []struct {
		name string
		kind Kind
		in   Situation
		want Consequence
	}{
		{"readiness never restarts", Readiness, Situation{PodPolicy: always}, LeavesService},
		{"readiness of a Never Pod", Readiness, Situation{PodPolicy: never, Alone: true}, LeavesService},
		{"a policy left out is Always", Liveness, Situation{}, Restarts},
		{"Always", Startup, Situation{PodPolicy: always, Alone: true}, Restarts},
		{"OnFailure", Liveness, Situation{PodPolicy: onFailure, Alone: true}, RestartsOnFailure},
		{"Never beside others", Liveness, Situation{PodPolicy: never}, Ends},
		{"Never and nothing left", Startup, Situation{PodPolicy: never, Alone: true}, EndsPod},
		{"sidecar of a Never Pod", Liveness, Situation{PodPolicy: never, Sidecar: true, Alone: true}, Restarts},
		{"sidecar of an OnFailure Pod", Startup, Situation{PodPolicy: onFailure, Sidecar: true}, Restarts},
		{"its own Always in a Never Pod", Liveness, Situation{PodPolicy: never, ContainerPolicy: "Always"}, Restarts},
		{"its own Never in an Always Pod", Liveness, Situation{PodPolicy: always, ContainerPolicy: "Never"}, Ends},
		{"its own OnFailure", Liveness, Situation{PodPolicy: never, ContainerPolicy: "OnFailure"}, RestartsOnFailure},
		{"rules with its own Never", Liveness, Situation{ContainerPolicy: "Never", Rules: true}, FollowsRules},
		{"rules do not keep it from a restart", Liveness, Situation{ContainerPolicy: "Always", Rules: true}, Restarts},
		{"rules without its own policy", Liveness, Situation{PodPolicy: never, Rules: true}, Ends},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Consequence(tt.kind); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestConsequenceText(t *testing.T) {
	tests := []struct {
		in              Consequence
		want            string
		kills, restarts bool
	}{
		{LeavesService, "out of Service endpoints", false, false},
		{Restarts, "restarted", true, true},
		{RestartsOnFailure, "restarted, exit 0 may end it", true, true},
		{FollowsRules, "by its restartPolicyRules", true, true},
		{Ends, "ended, not restarted", true, false},
		{EndsPod, "ended with its Pod", true, false},
	}
	for _, tt := range tests {
		t.Run(string(tt.in), func(t *testing.T) {
			if tt.in.Text() != tt.want || tt.in.Kills() != tt.kills || tt.in.MayRestart() != tt.restarts {
				t.Errorf("got %q, kills %t, may restart %t", tt.in.Text(), tt.in.Kills(), tt.in.MayRestart())
			}
		})
	}
}

// Guards against "acts" taken for "gone": the grace period that applies follows, and whose it is depends on the kill.
func TestPeerFault05GraceIsAdded(t *testing.T) {
	own := func(seconds int64) *Probe { return &Probe{TerminationGracePeriodSeconds: &seconds} }
	alone := Situation{PodPolicy: never, Alone: true}
	tests := []struct {
		name string
		in   *Probe
		kind Kind
		pod  *int64
		at   Situation
		want int64
	}{
		{"nothing set", &Probe{}, Liveness, nil, Situation{}, 30},
		{"the Pod's", &Probe{}, Startup, new(int64(60)), Situation{}, 60},
		{"the Pod's, negative", &Probe{}, Liveness, new(int64(-5)), Situation{}, 1},
		{"the Pod's 0", &Probe{}, Liveness, new(int64(0)), Situation{}, 0},
		{"the probe's, shorter", own(5), Liveness, new(int64(60)), Situation{}, 5},
		{"the probe's, longer", own(90), Startup, new(int64(60)), Situation{}, 90},
		{"the whole Pod is stopped", own(5), Liveness, new(int64(60)), alone, 60},
		{"the whole Pod is stopped, nothing set", own(5), Liveness, nil, alone, 30},
		{
			"rules come after the Pod was stopped", own(5), Liveness, nil,
			Situation{ContainerPolicy: "Never", Rules: true, Alone: true},
			30,
		},
		{"a sidecar is restarted alone", own(5), Liveness, nil, Situation{PodPolicy: never, Sidecar: true, Alone: true}, 5},
		{"others of the Pod go on", own(5), Liveness, new(int64(60)), Situation{PodPolicy: never}, 5},
		{"readiness kills nothing", &Probe{}, Readiness, new(int64(60)), Situation{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Grace(tt.kind, tt.pod, tt.at); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestKillSeconds(t *testing.T) {
	tests := []struct {
		name    string
		in      int64
		preStop bool
		want    int64
	}{
		{"the grace period", 30, false, 30},
		{"never under two", 0, false, 2},
		{"one is two", 1, false, 2},
		{"a hook may use it up", 30, true, 32},
		{"no time for a hook", 0, true, 2},
		{"no end", math.MaxInt64, true, math.MaxInt64},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := KillSeconds(tt.in, tt.preStop); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}
