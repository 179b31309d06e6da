package files

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const captures = "../../../testdata/captures"

// capturedList is a capture as kubectl wrote it.
type capturedList struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Items      []map[string]any `json:"items"`
}

func parse(t *testing.T, text string) capturedList {
	t.Helper()
	var list capturedList
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// typed is a capture as the API's own typed list, whose items do not say what they are.
func typed(t *testing.T, name, kind string) string {
	t.Helper()
	list := parse(t, capture(t, name))
	list.Kind = kind
	for _, item := range list.Items {
		list.APIVersion = item["apiVersion"].(string)
		delete(item, "apiVersion")
		delete(item, "kind")
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestReadCaptures(t *testing.T) {
	err := filepath.WalkDir(captures, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" || entry.Name() == "version.json" {
			return err
		}
		t.Run(filepath.ToSlash(strings.TrimPrefix(path, captures)), func(t *testing.T) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := len(parse(t, string(raw)).Items)
			s, info := readFiles(t, path)
			got := len(s.Pods) + len(s.Objects) + len(s.Services) + len(s.Nodes) + len(s.Events) + len(s.EndpointSlices)
			if got != want || info.Objects != want || want == 0 {
				t.Errorf("read %d objects and counted %d, want %d", got, info.Objects, want)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadCapturesAtOnce(t *testing.T) {
	want := map[string]int{}
	err := filepath.WalkDir(captures, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		resource, _, _ := strings.Cut(filepath.Base(path), ".")
		if !strings.HasSuffix(path, ".events.k8s.io.json") { // the same Events
			want[resource] += len(parse(t, string(raw)).Items)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := readFiles(t, captures)
	controllers := want["deployments"] + want["replicasets"] + want["statefulsets"] + want["daemonsets"] + want["jobs"] + want["cronjobs"]
	if len(s.Pods) != want["pods"] || len(s.Events) != want["events"] || len(s.Objects) != controllers {
		t.Errorf("read %d pods, %d events, %d controllers, want %v", len(s.Pods), len(s.Events), len(s.Objects), want)
	}
	if !s.Running {
		t.Error("not running")
	}
	for _, g := range s.Gaps { // only sets has a list of Services
		if g.What != "services" || g.Namespace == "sets" || g.Namespace == "" {
			t.Errorf("a gap %v", g)
		}
	}
}

// What lists hold must not depend on how they were written.
func TestReadTypedCaptures(t *testing.T) {
	folderOf(t, map[string]string{"pods.json": typed(t, "sidecar/pods.json", "PodList"), "plain.json": capture(t, "sidecar/pods.json")})
	a, _ := readFiles(t, "pods.json")
	b, _ := readFiles(t, "plain.json")
	if len(a.Pods) != len(b.Pods) || len(a.Pods) == 0 {
		t.Fatalf("%d and %d pods", len(a.Pods), len(b.Pods))
	}
	for i := range a.Pods {
		if a.Pods[i].UID != b.Pods[i].UID || a.Pods[i].Name != b.Pods[i].Name {
			t.Errorf("%v is not %v", a.Pods[i].Name, b.Pods[i].Name)
		}
	}
}
