package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// TestPodsHoldWhatTheSnapshotHolds fails where the Converter reads a field that is not decoded.
func TestPodsHoldWhatTheSnapshotHolds(t *testing.T) {
	for name, pods := range map[string][]corev1.Pod{"random": randomPods(200), "captured": capturedPods(t)} {
		t.Run(name, func(t *testing.T) {
			whole := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "5", Continue: "abc"}, Items: pods}
			list, ok, err := Pods(encoded(t, "PodList", whole))
			if err != nil || !ok || list.ListMeta != whole.ListMeta || len(list.Items) != len(pods) {
				t.Fatalf("ok %v, %v: %d Pods with %+v, want %d with %+v", ok, err, len(list.Items), list.ListMeta, len(pods), whole.ListMeta)
			}
			for i := range pods {
				want, got := snapshot.NewConverter().Pod(&pods[i]), snapshot.NewConverter().Pod(&list.Items[i])
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("Pod %d (-whole +decoded here):\n%s", i, diff)
				}
			}
		})
	}
}

// TestPodsLeaveOutWhatNobodyReads: otherwise there would be no point in them.
func TestPodsLeaveOutWhatNobodyReads(t *testing.T) {
	var left, all int
	for _, p := range capturedPods(t) {
		list, _, err := Pods(encoded(t, "PodList", &corev1.PodList{Items: []corev1.Pod{p}}))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(list.Items[0].ManagedFields); p.Generation <= 1 && got > 0 {
			t.Errorf("%s: %d managedFields of a Pod that nobody changed", p.Name, got)
		}
		left, all = left+list.Items[0].Size(), all+p.Size()
	}
	if left*2 > all {
		t.Errorf("%d bytes of %d are decoded, want less than half", left, all)
	}
}

func TestPodsOfSomethingElse(t *testing.T) {
	bodies := map[string][]byte{
		"JSON":              []byte(`{"kind":"PodList","apiVersion":"v1","items":[]}`),
		"nothing":           nil,
		"only the magic":    []byte(magic),
		"a broken wrapping": []byte(magic + "\xff"),
		"a Status":          encoded(t, "Status", &metav1.Status{Message: "no"}),
		"Services":          encoded(t, "ServiceList", &corev1.ServiceList{}),
	}
	for name, body := range bodies {
		if list, ok, err := Pods(body); ok || err != nil || list != nil {
			t.Errorf("%s: %v, ok %v, %v; want it left to client-go", name, list, ok, err)
		}
	}
}

// TestPodsCut: a body that ends anywhere is an error, or nothing that passes for a list, never a shorter one.
func TestPodsCut(t *testing.T) {
	body := encoded(t, "PodList", &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "5"}, Items: randomPods(2)})
	for end := range body {
		list, ok, err := Pods(body[:end])
		if ok && err == nil && len(list.Items) != 2 && (len(list.Items) > 0 || list.ResourceVersion != "") {
			t.Fatalf("cut at %d of %d bytes: %d Pods and no error", end, len(body), len(list.Items))
		}
	}
}

func FuzzPods(f *testing.F) {
	f.Add(encoded(f, "PodList", &corev1.PodList{Items: randomPods(1)}))
	f.Fuzz(func(t *testing.T, body []byte) {
		list, ok, err := Pods(body)
		if !ok || err != nil {
			return
		}
		raw, _ := rawOf(body, "PodList")
		if whole := new(corev1.PodList); whole.Unmarshal(raw) == nil && len(whole.Items) != len(list.Items) {
			t.Errorf("%d Pods, the generated code finds %d", len(list.Items), len(whole.Items))
		}
	})
}

func encoded(t testing.TB, kind string, o runtime.Object) []byte {
	t.Helper()
	o.GetObjectKind().SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind(kind))
	var body bytes.Buffer
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(o, &body); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

// randomPods have something in nearly every field.
func randomPods(n int) []corev1.Pod {
	filler := randfill.New().RandSource(rand.NewSource(1)).NilChance(0.1).NumElements(1, 3).MaxDepth(12).Funcs(
		func(v *metav1.Time, c randfill.Continue) { v.Time = time.Unix(c.Int63n(1<<32), 0).Local() },
		func(v *metav1.MicroTime, c randfill.Continue) { v.Time = time.Unix(c.Int63n(1<<32), 0).Local() },
		func(v *resource.Quantity, c randfill.Continue) {
			*v = *resource.NewQuantity(c.Int63n(1000), resource.DecimalSI)
		},
		func(v *corev1.ResourceResizeRestartPolicy, c randfill.Continue) {
			*v = oneOf(c, corev1.RestartContainer, corev1.NotRequired)
		},
		func(v *corev1.ContainerRestartPolicy, c randfill.Continue) {
			*v = oneOf(c, corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever)
		},
		func(v *metav1.FieldsV1, c randfill.Continue) {
			v.SetRawBytes(fmt.Appendf(nil, `{"f:spec":{"f:containers":{"k:{\"name\":\"c%d\"}":{"f:livenessProbe":{}}}}}`, c.Intn(9)))
		},
	)
	pods := make([]corev1.Pod, n)
	for i := range pods {
		filler.Fill(&pods[i])
		pods[i].TypeMeta = metav1.TypeMeta{}
		pods[i].Generation %= 3
	}
	return pods
}

func oneOf[T any](c randfill.Continue, values ...T) T { return values[c.Intn(len(values))] }

func capturedPods(t *testing.T) (pods []corev1.Pod) {
	t.Helper()
	files, err := filepath.Glob("../../../../testdata/captures/*/pods.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list corev1.PodList
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		pods = append(pods, list.Items...)
	}
	return pods
}
