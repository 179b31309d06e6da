package snapshot

import (
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func siblingPod(name string, changes ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: string([]byte("shop")), Name: name, Labels: map[string]string{"app": "web"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-1", UID: "rs-uid", Controller: new(true)}},
		},
		Status: corev1.PodStatus{
			Phase:             corev1.PodRunning,
			Conditions:        []corev1.PodCondition{{Type: "Ready", Status: "True", LastTransitionTime: metav1.NewTime(time.Unix(1, 0).UTC())}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "app", Ready: true}},
		},
	}
	for _, change := range changes {
		change(p)
	}
	return p
}

func TestSiblingsShareWhatIsEqual(t *testing.T) {
	c := NewConverter()
	a, b := c.Pod(siblingPod("web-a")), c.Pod(siblingPod("web-b"))
	if a.Owner != b.Owner || reflect.ValueOf(a.Labels).Pointer() != reflect.ValueOf(b.Labels).Pointer() {
		t.Error("owner or labels are held twice")
	}
	if unsafe.StringData(a.Namespace) != unsafe.StringData(b.Namespace) {
		t.Error("the namespace's name is held twice")
	}
}

// What differs in a sibling stays as it is, whichever Pod came first.
func TestSiblingsKeepWhatDiffers(t *testing.T) {
	tests := map[string]func(*corev1.Pod){
		"nothing":           func(*corev1.Pod) {},
		"a label":           func(p *corev1.Pod) { p.Labels["canary"] = "yes" },
		"no labels":         func(p *corev1.Pod) { p.Labels = nil },
		"the owner's name":  func(p *corev1.Pod) { p.OwnerReferences[0].Name = "web-2" },
		"another namespace": func(p *corev1.Pod) { p.Namespace = "other" },
		"the phase":         func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed },
		"a condition":       func(p *corev1.Pod) { p.Status.Conditions[0].Status = "False" },
		"more conditions": func(p *corev1.Pod) {
			p.Status.Conditions = append([]corev1.PodCondition{{Type: "Initialized", Status: "True"}}, p.Status.Conditions...)
		},
		"no status":         func(p *corev1.Pod) { p.Status = corev1.PodStatus{} },
		"another container": func(p *corev1.Pod) { p.Status.ContainerStatuses[0].Name = "proxy" },
		"no owner":          func(p *corev1.Pod) { p.OwnerReferences = nil },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			for _, order := range [][]*corev1.Pod{{siblingPod("web-a"), siblingPod("web-b", change)}, {siblingPod("web-b", change), siblingPod("web-a")}} {
				together := NewConverter()
				for _, p := range order {
					if diff := cmp.Diff(NewConverter().Pod(p), together.Pod(p)); diff != "" {
						t.Errorf("%s (-alone +beside its sibling):\n%s", p.Name, diff)
					}
				}
			}
		})
	}
}
