package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// FromFile runs command lines over everything that the cluster holds, and has no cluster: the objects are in
// one List, as `kubectl get -A -o json --show-managed-fields` writes them.
func FromFile(t testing.TB, from dynamic.Interface, custom ...schema.GroupVersionResource) Line {
	t.Helper()
	items := []any{}
	for _, resource := range append(builtin(), custom...) {
		page, err := from.Resource(resource).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			items = append(items, item.Object)
		}
	}
	text, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "items": items}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "all.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return Line{Kubeconfig: filepath.Join(dir, "none"), CacheDir: filepath.Join(dir, "cache"), Arguments: []string{"-f", file}}
}

// builtin has kinds that are of no use to a report as well: people dump more than is needed.
func builtin() []schema.GroupVersionResource {
	core := schema.GroupVersion{Version: "v1"}
	apps := schema.GroupVersion{Group: "apps", Version: "v1"}
	batch := schema.GroupVersion{Group: "batch", Version: "v1"}
	return []schema.GroupVersionResource{
		core.WithResource("events"), core.WithResource("nodes"), core.WithResource("pods"),
		core.WithResource("replicationcontrollers"), core.WithResource("services"),
		core.WithResource("configmaps"), core.WithResource("namespaces"), core.WithResource("resourcequotas"),
		{Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices"},
		apps.WithResource("controllerrevisions"), apps.WithResource("daemonsets"), apps.WithResource("deployments"),
		apps.WithResource("replicasets"), apps.WithResource("statefulsets"),
		batch.WithResource("cronjobs"), batch.WithResource("jobs"),
	}
}
