package snapshot

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
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

// Who removes a probe owns nothing of it afterwards: only the annotation of set tells.
func TestProbeWrites(t *testing.T) {
	created := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	entry := func(manager string, at time.Time, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: "Update", Time: &metav1.Time{Time: at}, FieldsV1: metav1.NewFieldsV1(fields)}
	}
	controller := entry("kube-controller-manager", created, `{"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{"f:readinessProbe":{}}}}}`)
	later := created.Add(time.Minute)
	oncall := entry("oncall", later, `{"f:metadata":{"f:annotations":{"f:kubectl-probes.github.io/original":{}}}}`)
	atCreation := ProbeWrite{Container: "web", Probe: probe.Readiness, Manager: "kube-controller-manager", Operation: "Update", Time: created}
	for _, tt := range []struct {
		name       string
		annotation string
		managed    []metav1.ManagedFieldsEntry
		want       []ProbeWrite
	}{
		{name: "as it was made", managed: []metav1.ManagedFieldsEntry{controller}, want: []ProbeWrite{atCreation}},
		{"removed", `{"web":{"liveness":{"periodSeconds":10}}}`, []metav1.ManagedFieldsEntry{oncall, controller}, []ProbeWrite{
			atCreation, {Container: "web", Probe: probe.Liveness, Manager: "oncall", Operation: "Update", Time: later, AfterCreation: true},
		}},
		{"removed, and dumped without managedFields", `{"web":{"liveness":null}}`, nil, []ProbeWrite{
			{Container: "web", Probe: probe.Liveness, AfterCreation: true},
		}},
		{"no annotation of ours", `[1]`, []metav1.ManagedFieldsEntry{controller}, []ProbeWrite{atCreation}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Generation: 2, CreationTimestamp: metav1.Time{Time: created}, ManagedFields: tt.managed,
				Annotations: map[string]string{OriginalAnnotation: tt.annotation},
			}}
			if diff := cmp.Diff(tt.want, NewConverter().Pod(pod).ProbeWrites); diff != "" {
				t.Error(diff)
			}
		})
	}
}
