package main

import (
	"bytes"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

func TestContinueToken(t *testing.T) {
	remaining := int64(7)
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Annotations: map[string]string{"pad": strings.Repeat("x", 1000)}}}
	tests := []struct {
		name string
		meta metav1.ListMeta
		pods int
		want string
	}{
		{"a page", metav1.ListMeta{ResourceVersion: "5", Continue: "abc", RemainingItemCount: &remaining}, 1, "abc"},
		{"the last page", metav1.ListMeta{ResourceVersion: "5"}, 2, ""},
		{"nothing", metav1.ListMeta{}, 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list := &corev1.PodList{ListMeta: test.meta}
			list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
			for range test.pods {
				list.Items = append(list.Items, pod)
			}
			var body bytes.Buffer
			if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(list, &body); err != nil {
				t.Fatal(err)
			}
			for _, beginning := range []int{body.Len(), min(body.Len(), 500)} {
				if got, ok := continueToken(body.Bytes()[:beginning]); !ok || got != test.want {
					t.Errorf("got %q and %v of %d bytes, want %q", got, ok, beginning, test.want)
				}
			}
		})
	}
}

func TestContinueTokenOfSomethingElse(t *testing.T) {
	for _, body := range []string{"", "{}", "k8s", "k8s\x00\xff", "k8s\x00\x0d1234", "k8s\x00\x12\x02\x0d1"} {
		if got, ok := continueToken([]byte(body)); ok {
			t.Errorf("%q is taken for a list with token %q", body, got)
		}
	}
}

func FuzzContinueToken(f *testing.F) {
	f.Add([]byte("k8s\x00\x12\x05\x0a\x03\x1a\x01a"))
	f.Fuzz(func(_ *testing.T, body []byte) { continueToken(body) })
}
