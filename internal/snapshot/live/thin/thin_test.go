package thin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// TestPodsHoldWhatTheSnapshotHolds fails where the Converter reads a field that is not kept.
func TestPodsHoldWhatTheSnapshotHolds(t *testing.T) {
	for name, pods := range map[string][]corev1.Pod{"random": randomPods(200), "captured": capturedPods(t)} {
		t.Run(name, func(t *testing.T) {
			whole := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "5", Continue: "abc"}, Items: pods}
			list := decoded(t, thinned(t, encoded(t, "PodList", whole)))
			if list.ListMeta != whole.ListMeta || len(list.Items) != len(pods) {
				t.Fatalf("%d Pods with %+v, want %d with %+v", len(list.Items), list.ListMeta, len(pods), whole.ListMeta)
			}
			for i := range pods {
				want, got := snapshot.NewConverter().Pod(&pods[i]), snapshot.NewConverter().Pod(&list.Items[i])
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("Pod %d (-whole +thin):\n%s", i, diff)
				}
			}
		})
	}
}

// TestPodsLoseWhatNobodyReads: otherwise there would be no point in it.
func TestPodsLoseWhatNobodyReads(t *testing.T) {
	whole := encoded(t, "PodList", &corev1.PodList{Items: capturedPods(t)})
	kept := thinned(t, whole)
	if len(kept)*2 > len(whole) {
		t.Errorf("%d bytes of %d are kept, want less than half", len(kept), len(whole))
	}
	for _, p := range decoded(t, kept).Items {
		if p.Generation <= 1 && len(p.ManagedFields) > 0 {
			t.Errorf("%s: %d managedFields of a Pod that nobody changed", p.Name, len(p.ManagedFields))
		}
	}
}

// TestWorkloadsHoldWhatTheSnapshotHolds as TestPodsHoldWhatTheSnapshotHolds.
func TestWorkloadsHoldWhatTheSnapshotHolds(t *testing.T) {
	same(t, "DeploymentList", func(l *appsv1.DeploymentList) []appsv1.Deployment { return l.Items }, (*snapshot.Converter).Deployment)
	same(t, "ReplicaSetList", func(l *appsv1.ReplicaSetList) []appsv1.ReplicaSet { return l.Items }, (*snapshot.Converter).ReplicaSet)
	same(t, "StatefulSetList", func(l *appsv1.StatefulSetList) []appsv1.StatefulSet { return l.Items }, (*snapshot.Converter).StatefulSet)
	same(t, "DaemonSetList", func(l *appsv1.DaemonSetList) []appsv1.DaemonSet { return l.Items }, (*snapshot.Converter).DaemonSet)
	same(t, "JobList", func(l *batchv1.JobList) []batchv1.Job { return l.Items }, (*snapshot.Converter).Job)
	same(t, "CronJobList", func(l *batchv1.CronJobList) []batchv1.CronJob { return l.Items }, (*snapshot.Converter).CronJob)
	same(t, "ReplicationControllerList", func(l *corev1.ReplicationControllerList) []corev1.ReplicationController { return l.Items },
		(*snapshot.Converter).ReplicationController)
	if len(items()) != 2+7 {
		t.Errorf("%d kinds of items, one of which is not looked at here", len(items()))
	}
}

func same[T any, L any, P interface {
	*L
	encodable
}](t *testing.T, kind string, itemsOf func(P) []T, convert func(*snapshot.Converter, *T) *snapshot.Object) {
	t.Helper()
	filler, all, left := newFiller(), 0, 0
	for range 50 {
		whole, kept := P(new(L)), P(new(L))
		filler.Fill(whole)
		body := encoded(t, kind, whole)
		small := thinned(t, body)
		if err := runtime.DecodeInto(scheme.Codecs.UniversalDeserializer(), small, kept); err != nil {
			t.Fatal(err)
		}
		all, left = all+len(body), left+len(small)
		want, got := itemsOf(whole), itemsOf(kept)
		if len(got) != len(want) {
			t.Fatalf("%s: %d items, want %d", kind, len(got), len(want))
		}
		for i := range want {
			if diff := cmp.Diff(convert(snapshot.NewConverter(), &want[i]), convert(snapshot.NewConverter(), &got[i])); diff != "" {
				t.Fatalf("%s (-whole +thin):\n%s", kind, diff)
			}
		}
	}
	if left*4 > all*3 {
		t.Errorf("%s: %d bytes of %d are kept, want less than three quarters", kind, left, all)
	}
}

// TestOtherListsLoseManagedFields and nothing else.
func TestOtherListsLoseManagedFields(t *testing.T) {
	for kind, list := range map[string]encodable{
		"EventList": &corev1.EventList{}, "ServiceList": &corev1.ServiceList{},
		"PartialObjectMetadataList": &metav1.PartialObjectMetadataList{},
	} {
		t.Run(kind, func(t *testing.T) {
			newFiller().Fill(list)
			_ = meta.EachListItem(list, func(o runtime.Object) error {
				m, err := meta.Accessor(o)
				m.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: "{}", "kept": "here"})
				return err
			})
			whole := encoded(t, kind, list)
			kept := runtime.Unknown{}
			if err := kept.Unmarshal(thinned(t, whole)[len(magic):]); err != nil {
				t.Fatal(err)
			}
			lost := 0
			err := meta.EachListItem(list, func(o runtime.Object) error {
				m, err := meta.Accessor(o)
				lost += len(m.GetManagedFields())
				delete(m.GetAnnotations(), corev1.LastAppliedConfigAnnotation)
				m.SetManagedFields(nil)
				return err
			})
			want, errWant := list.Marshal()
			if err := errors.Join(err, errWant); err != nil || lost == 0 {
				t.Fatalf("%v, %d managedFields", err, lost)
			}
			if !bytes.Equal(kept.Raw, want) || kept.Kind != kind {
				t.Errorf("%d bytes of a %s, want %d", len(kept.Raw), kept.Kind, len(want))
			}
		})
	}
}

type encodable interface {
	runtime.Object
	Marshal() ([]byte, error)
}

func TestOthersStayAsTheyAre(t *testing.T) {
	bodies := map[string][]byte{
		"JSON":              []byte(`{"kind":"PodList","apiVersion":"v1","items":[]}`),
		"nothing":           nil,
		"only the magic":    []byte(magic),
		"a broken wrapping": []byte(magic + "\xff"),
		"no raw object":     []byte(magic + "\x0a\x00"),
		"a Status":          encoded(t, "Status", &metav1.Status{Message: "no"}),
		"one Pod":           encoded(t, "Pod", &randomPods(1)[0]),
	}
	for name, body := range bodies {
		if got := thinned(t, body); !bytes.Equal(got, body) {
			t.Errorf("%s: %d bytes became %d", name, len(body), len(got))
		}
	}
}

// TestPodsCut: a body that ends anywhere is an error here or in the generated code, never a shorter list.
func TestPodsCut(t *testing.T) {
	whole := encoded(t, "PodList", &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "5"}, Items: capturedPods(t)[:2]})
	for end := range whole {
		kept, err := read(whole[:end])
		if err != nil {
			continue
		}
		list := &corev1.PodList{}
		err = runtime.DecodeInto(scheme.Codecs.UniversalDeserializer(), kept, list)
		if err == nil && len(list.Items) != 2 && (len(list.Items) > 0 || list.ResourceVersion != "") {
			t.Fatalf("cut at %d of %d bytes: %d Pods and no error", end, len(whole), len(list.Items))
		}
	}
}

// TestNextPageIsToldOf as early as possible, but not where this one has to end in time.
func TestNextPageIsToldOf(t *testing.T) {
	whole := encoded(t, "PodList", &corev1.PodList{ListMeta: metav1.ListMeta{Continue: "abc"}, Items: capturedPods(t)})
	for name, wantAll := range map[string]bool{"early": false, "at the end": true} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if wantAll {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Hour)
				defer cancel()
			}
			rest := bytes.NewReader(whole)
			told := ""
			ctx = OnContinue(ctx, func(token string) {
				told = token
				if all := rest.Len() < 10; all != wantAll { // something of the wrapping comes after the list
					t.Errorf("%d of %d bytes are still to be read", rest.Len(), len(whole))
				}
			})
			answer, err := Transport(answering{rest}).RoundTrip(httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(answer.Body); err != nil || told != "abc" {
				t.Errorf("%v, told %q", err, told)
			}
		})
	}
}

type answering struct{ body io.Reader }

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Body: io.NopCloser(a.body),
		Header: http.Header{"Content-Type": {runtime.ContentTypeProtobuf}},
	}, nil
}

// TestBrokenLists are told from connections that broke.
func TestBrokenLists(t *testing.T) {
	whole := encoded(t, "PodList", &corev1.PodList{Items: capturedPods(t)[:1]})
	broken := errors.New("reset")
	for name, tt := range map[string]struct {
		body io.Reader
		list bool
	}{
		"a list that ends too soon": {bytes.NewReader(whole[:len(whole)-100]), true},
		"a connection that breaks":  {io.MultiReader(bytes.NewReader(whole[:len(whole)-100]), iotest.ErrReader(broken)), false},
		"one that breaks at once":   {iotest.ErrReader(broken), false},
	} {
		answer, err := Transport(answering{tt.body}).RoundTrip(httptest.NewRequest(http.MethodGet, "/", nil))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(answer.Body)
		var list NotAListError
		if errors.As(err, &list) != tt.list || errors.Is(err, broken) == tt.list {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUnusualEncodings are read as the generated code reads them.
func TestUnusualEncodings(t *testing.T) {
	text := func(to []byte, number protowire.Number, value string) []byte {
		return protowire.AppendString(protowire.AppendTag(to, number, protowire.BytesType), value)
	}
	entry := text(text(nil, 2, "liveness"), 1, "kubectl-probes.github.io/ignore") // the value before the key
	meta := text(nil, fieldOf[metav1.ObjectMeta]("Annotations"), string(entry))
	list := protowire.AppendVarint(protowire.AppendTag(nil, 9, protowire.VarintType), 7) // a field that no list has yet
	list = text(list, listItems, string(text(nil, objectMeta(), string(meta))))
	wrapping := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "PodList"}, Raw: list}
	raw, err := wrapping.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	got, want := decoded(t, thinned(t, append([]byte(magic), raw...))), &corev1.PodList{}
	if err := want.Unmarshal(list); err != nil || len(want.Items) != 1 || len(want.Items[0].Annotations) != 1 {
		t.Fatalf("%v: %+v", err, want)
	}
	if diff := cmp.Diff(want.Items, got.Items); diff != "" {
		t.Errorf("(-whole +thin):\n%s", diff)
	}
}

// FuzzPods: what the generated code reads, it reads of what is kept, or there is an error.
func FuzzPods(f *testing.F) {
	f.Add(encoded(f, "PodList", &corev1.PodList{Items: []corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: "web", Generation: 2}}}}))
	f.Fuzz(func(t *testing.T, body []byte) {
		kept, err := read(body)
		if err != nil {
			return
		}
		whole, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
		if want, ok := whole.(*corev1.PodList); ok && err == nil {
			if list := decoded(t, kept); len(list.Items) != len(want.Items) {
				t.Errorf("%d Pods, of %d", len(list.Items), len(want.Items))
			}
		}
	})
}

func read(body []byte) ([]byte, error) {
	kept, err := list(bufio.NewReader(bytes.NewReader(body)), func(string) {})
	if err != nil {
		return nil, err
	}
	return io.ReadAll(kept)
}

func thinned(t testing.TB, body []byte) []byte {
	t.Helper()
	kept, err := read(body)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func decoded(t testing.TB, body []byte) *corev1.PodList {
	t.Helper()
	list := &corev1.PodList{}
	if err := runtime.DecodeInto(scheme.Codecs.UniversalDeserializer(), body, list); err != nil {
		t.Fatal(err)
	}
	return list
}

func encoded(t testing.TB, kind string, o runtime.Object) []byte {
	t.Helper()
	version := corev1.SchemeGroupVersion
	if kinds, _, err := scheme.Scheme.ObjectKinds(o); err == nil {
		version = kinds[0].GroupVersion()
	}
	o.GetObjectKind().SetGroupVersionKind(version.WithKind(kind))
	var body bytes.Buffer
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(o, &body); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

// randomPods have something in nearly every field.
func randomPods(n int) []corev1.Pod {
	filler, pods := newFiller(), make([]corev1.Pod, n)
	for i := range pods {
		filler.Fill(&pods[i])
		pods[i].TypeMeta = metav1.TypeMeta{}
		pods[i].Generation %= 3
	}
	return pods
}

func newFiller() *randfill.Filler {
	return randfill.New().RandSource(rand.NewSource(1)).NilChance(0.1).NumElements(1, 3).MaxDepth(12).Funcs(
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
