package snapshot

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// What an application writes at its end is not kept: it may be its whole log. What a runtime writes is.
func TestTerminationMessage(t *testing.T) {
	for reason, want := range map[string]string{"StartError": "not found", "ContainerCannotRun": "not found", "Error": "", "OOMKilled": ""} {
		got := termination(&corev1.ContainerStateTerminated{Reason: reason, ExitCode: 128, Message: "not found"})
		if got.Message != want {
			t.Errorf("%s: got %q, want %q", reason, got.Message, want)
		}
	}
}

func TestRestartsAreNeverNegative(t *testing.T) {
	if got := appendStatuses(nil, []corev1.ContainerStatus{{Name: "app", RestartCount: -4}}, false); got[0].RestartCount != 0 {
		t.Errorf("got %d", got[0].RestartCount)
	}
}
