package inspect

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// dump writes everything a user could get with `kubectl get -A -o json` into one List, and returns its file.
func dump(t *testing.T) string {
	t.Helper()
	list := map[string]any{"apiVersion": "v1", "kind": "List"}
	var items []any
	for _, resource := range dumped() {
		page, err := server.Dynamic.Resource(resource).List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			items = append(items, withoutNoise(item))
		}
	}
	list["items"] = items
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "all.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// withoutNoise is the object as kubectl shows it unless --show-managed-fields is given.
func withoutNoise(item unstructured.Unstructured) any { return item.Object }

func dumped() []schema.GroupVersionResource {
	core := schema.GroupVersion{Version: "v1"}
	apps := schema.GroupVersion{Group: "apps", Version: "v1"}
	batch := schema.GroupVersion{Group: "batch", Version: "v1"}
	all := []schema.GroupVersionResource{
		core.WithResource("events"), core.WithResource("nodes"), core.WithResource("pods"),
		core.WithResource("replicationcontrollers"), core.WithResource("services"),
		core.WithResource("configmaps"), core.WithResource("namespaces"), core.WithResource("resourcequotas"),
		apps.WithResource("controllerrevisions"), apps.WithResource("daemonsets"), apps.WithResource("deployments"),
		apps.WithResource("replicasets"), apps.WithResource("statefulsets"),
		batch.WithResource("cronjobs"), batch.WithResource("jobs"),
	}
	for _, kind := range fixture.Kinds() {
		all = append(all, kind.Resource())
	}
	return all
}

// fromFile runs command lines without any cluster.
func fromFile(t *testing.T) command.Line {
	t.Helper()
	return command.Line{Kubeconfig: filepath.Join(t.TempDir(), "none"), CacheDir: t.TempDir()}
}
