package snapshot

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestEndpointSlice(t *testing.T) {
	pod := &corev1.ObjectReference{Kind: "Pod", Name: "web-1", UID: "u1"}
	tests := []struct {
		name string
		in   discoveryv1.Endpoint
		want []Endpoint
	}{
		{"ready", discoveryv1.Endpoint{TargetRef: pod, Conditions: discoveryv1.EndpointConditions{Ready: new(true)}}, []Endpoint{{"web-1", "u1", true}}},
		{"not ready", discoveryv1.Endpoint{TargetRef: pod, Conditions: discoveryv1.EndpointConditions{Ready: new(false)}}, []Endpoint{{"web-1", "u1", false}}},
		{"unset is ready", discoveryv1.Endpoint{TargetRef: pod}, []Endpoint{{"web-1", "u1", true}}},
		{"no Pod", discoveryv1.Endpoint{TargetRef: &corev1.ObjectReference{Kind: "VirtualMachine", Name: "v"}}, nil},
		{"an address of nothing", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewConverter().EndpointSlice(&discoveryv1.EndpointSlice{
				ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-x", Labels: map[string]string{"kubernetes.io/service-name": "web"}},
				Endpoints:  []discoveryv1.Endpoint{tt.in},
			})
			want := &EndpointSlice{Namespace: "shop", Name: "web-x", Service: "web", Endpoints: tt.want}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStatefulSetUpdatePolicy(t *testing.T) {
	tests := []struct {
		name string
		spec appsv1.StatefulSetSpec
		want UpdatePolicy
	}{
		{"as a manifest leaves it", appsv1.StatefulSetSpec{}, UpdatePolicy{Ordered: true, From: "db-1"}},
		{"in parallel", appsv1.StatefulSetSpec{PodManagementPolicy: appsv1.ParallelPodManagement}, UpdatePolicy{From: "db-1"}},
		{"on delete", appsv1.StatefulSetSpec{UpdateStrategy: appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}}, UpdatePolicy{OnDelete: true, Ordered: true, From: "db-1"}},
		{
			"a partition",
			appsv1.StatefulSetSpec{UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
				Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: new(int32(2))},
			}},
			UpdatePolicy{Partition: 2, Ordered: true, From: "db-1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewConverter().StatefulSet(&appsv1.StatefulSet{Spec: tt.spec, Status: appsv1.StatefulSetStatus{CurrentRevision: "db-1", UpdateRevision: "db-2"}})
			if got.Update != tt.want || got.Revision != "db-2" {
				t.Errorf("update %+v of revision %s, want %+v", got.Update, got.Revision, tt.want)
			}
		})
	}
}

func TestCustomStatus(t *testing.T) {
	at := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	progressing := map[string]any{
		"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "timed out",
		"lastTransitionTime": "2026-11-29T12:00:00Z", "lastUpdateTime": "2026-11-29T12:00:00Z",
	}
	tests := []struct {
		name       string
		status     map[string]any
		paused     bool
		conditions []Condition
	}{
		{"conditions as a Deployment has them", map[string]any{"conditions": []any{progressing}}, false, []Condition{{"Progressing", "False", "ProgressDeadlineExceeded", "timed out", at}}},
		{"at a step of a canary", map[string]any{"phase": "Paused"}, true, nil},
		{"conditions of another shape", map[string]any{"conditions": map[string]any{"ready": true}, "phase": 5}, false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewConverter().Custom(&unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": map[string]any{"name": "web"}, "status": tt.status,
			}})
			if diff := cmp.Diff(tt.conditions, got.Conditions, cmp.Transformer("utc", time.Time.UTC)); diff != "" {
				t.Error(diff)
			}
			if got.Paused != tt.paused || got.ProgressUpdated.IsZero() != (tt.conditions == nil) {
				t.Errorf("paused %v, progress updated %v", got.Paused, got.ProgressUpdated)
			}
		})
	}
}
