package cli

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestARolloutReplacesLivePods(t *testing.T) {
	web := &snapshot.Object{Kind: "ReplicationController", Namespace: "shop", Name: "web", UID: "uid-web"}
	s := &snapshot.Snapshot{Objects: []*snapshot.Object{web}}
	for _, p := range []snapshot.Pod{
		{Name: "runs", Phase: corev1.PodRunning},
		{Name: "waits", Phase: corev1.PodPending},
		{Name: "evicted", Phase: corev1.PodFailed},
		{Name: "done", Phase: corev1.PodSucceeded},
		{Name: "goes", Phase: corev1.PodRunning, Deleted: time.Unix(1, 0)},
	} {
		p.Namespace, p.Owner = "shop", &snapshot.OwnerRef{Kind: web.Kind, Name: web.Name, UID: web.UID}
		s.Pods = append(s.Pods, &p)
	}
	got, err := templatesOf(s, []snapshot.Target{{Type: "rc", Name: "web"}})
	if err != nil || len(got) != 1 || got[0].Pods != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAJobWithoutPods(t *testing.T) {
	for kind, want := range map[string]string{"job": "cannot change once it exists", "deploy": "--pod-template changes its template"} {
		_, err := podsOf(&snapshot.Snapshot{}, []snapshot.Target{{Type: kind, Name: "a"}}, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", kind, err, want)
		}
	}
}
