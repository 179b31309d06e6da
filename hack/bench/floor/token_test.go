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
	pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Annotations: map[string]string{"pad": strings.Repeat("x", 2*headBytes)}}}
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
			got, err := continueToken(body.Bytes()[:min(headBytes, body.Len())])
			if err != nil || got != test.want {
				t.Errorf("got %q and %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestContinueTokenOfSomethingElse(t *testing.T) {
	for _, body := range []string{"", "{}", "k8s\x00\xff", "k8s\x00\x0d1234"} {
		if got, err := continueToken([]byte(body)); err == nil {
			t.Errorf("%q is taken for a list with token %q", body, got)
		}
	}
}
