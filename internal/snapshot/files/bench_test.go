package files

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

// BenchmarkReadList reads what kubectl get prints of a thousand Pods.
func BenchmarkReadList(b *testing.B) {
	list := podList(b, 1000)
	inYAML, err := yaml.JSONToYAML(podList(b, 100)) // YAML is read a hundred times slower
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string][]byte{"json": list, "yaml": inYAML} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s, _, err := Read(context.Background(), Options{Filenames: []string{"-"}, Stdin: bytes.NewReader(text)})
				if err != nil || len(s.Pods) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

func podList(b *testing.B, pods int) []byte {
	b.Helper()
	shape := fleet.Shape{Pods: pods, Namespaces: 10, Prefix: "team", Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	list := map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]string{"resourceVersion": ""}}
	var items []any
	for i := range shape.Workloads() {
		for _, p := range shape.Workload(i).Pods {
			p.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
			items = append(items, p)
		}
	}
	list["items"] = items
	text, err := json.MarshalIndent(list, "", "    ")
	if err != nil {
		b.Fatal(err)
	}
	return text
}
