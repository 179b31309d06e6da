package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func named(kind, name string) string {
	return "apiVersion: apps/v1\nkind: " + kind + "\nmetadata: {name: " + name + "}\n"
}

func TestReadFolders(t *testing.T) {
	tree := map[string]string{
		"k8s/a.yaml":               named("Deployment", "a"),
		"k8s/b.yml":                named("Deployment", "b"),
		"k8s/c.json":               strings.ReplaceAll(deployJSON, `"api"`, `"c"`),
		"k8s/notes.txt":            "not read",
		"k8s/Makefile":             "not: [read",
		"k8s/kustomization.yaml":   "resources: [a.yaml]\n",
		"k8s/sub/d.yaml":           named("Deployment", "d"),
		"k8s/sub/sub/e.yaml":       named("Deployment", "e"),
		"other/deploy":             named("Deployment", "f"),
		"tricky/[a].yaml":          named("Deployment", "g"),
		"tricky/a.yaml":            named("Deployment", "h"),
		"none/sub/a.yaml":          named("Deployment", "i"),
		"empty/notes.txt":          "not read",
		"built/kustomization.yaml": "resources: []\n",
		"idle/kind.yaml":           "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n",
		"idle/sub/a.yaml":          named("Deployment", "j"),
	}
	left := "k8s/kustomization.yaml is left out: -k k8s builds it"
	tests := []struct {
		name  string
		in    Options
		want  []string
		notes string
	}{
		{
			"a folder",
			Options{Filenames: []string{"k8s"}},
			[]string{"Deployment default/a k8s/a.yaml#1", "Deployment default/b k8s/b.yml#1", "Deployment default/c k8s/c.json#1"},
			left,
		},
		{
			"a folder, recursive",
			Options{Filenames: []string{"k8s/"}, Recursive: true},
			[]string{
				"Deployment default/a k8s/a.yaml#1", "Deployment default/b k8s/b.yml#1", "Deployment default/c k8s/c.json#1",
				"Deployment default/d k8s/sub/d.yaml#1", "Deployment default/e k8s/sub/sub/e.yaml#1",
			},
			left,
		},
		{"a file keeps the name it was given", Options{Filenames: []string{"./other/deploy"}}, []string{"Deployment default/f ./other/deploy#1"}, ""},
		{"a pattern", Options{Filenames: []string{"k8s/?.y*ml"}}, []string{"Deployment default/a k8s/a.yaml#1", "Deployment default/b k8s/b.yml#1"}, ""},
		{"a pattern of folders", Options{Filenames: []string{"k8s/s*"}}, []string{"Deployment default/d k8s/sub/d.yaml#1"}, ""},
		{"a file whose name is a pattern", Options{Filenames: []string{"tricky/[a].yaml"}}, []string{"Deployment default/g tricky/[a].yaml#1"}, ""},
		{"a file twice", Options{Filenames: []string{"k8s/a.yaml", "./k8s/a.yaml", "k8s/[a].yaml"}}, []string{"Deployment default/a k8s/a.yaml#1"}, ""},
		{"a folder without files", Options{Filenames: []string{"none"}}, []string{}, "none holds no .json, .yaml or .yml file (-R reads its subfolders)"},
		{"a folder without subfolders", Options{Filenames: []string{"empty"}}, []string{}, "empty holds no .json, .yaml or .yml file"},
		{"nothing but a kustomization", Options{Filenames: []string{"built"}}, []string{}, "built/kustomization.yaml is left out: -k built builds it"},
		{"all of use in subfolders", Options{Filenames: []string{"idle"}}, []string{}, "the subfolders of idle were not read (-R reads them)"},
		{"which are read", Options{Filenames: []string{"idle"}, Recursive: true}, []string{"Deployment default/j idle/sub/a.yaml#1"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, tree)
			s, info := mustRead(t, test.in)
			if diff := cmp.Diff(test.want, listing(s)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.notes, notes(info)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadLinks(t *testing.T) {
	folderOf(t, map[string]string{"real/a.yaml": named("Deployment", "a")})
	for link, target := range map[string]string{
		"real/loop":      ".",
		"real/loop.yaml": ".",
		"real/up":        "..",
		"real/b.yaml":    filepath.Join("..", "elsewhere"),
		"link":           "real",
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	if err := os.WriteFile("elsewhere", []byte(named("Deployment", "b")), 0o644); err != nil {
		t.Fatal(err)
	}
	s, _ := mustRead(t, Options{Filenames: []string{"link"}, Recursive: true})
	want := []string{"Deployment default/a link/a.yaml#1", "Deployment default/b link/b.yaml#1"}
	if diff := cmp.Diff(want, listing(s)); diff != "" {
		t.Error(diff)
	}
}

func TestReadABrokenLink(t *testing.T) {
	folderOf(t, map[string]string{"real/a.yaml": named("Deployment", "a")})
	if err := os.Symlink("nowhere", filepath.Join("real", "b.yaml")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	s, _, err := Read(context.Background(), Options{Filenames: []string{"real"}})
	if err == nil || !strings.HasPrefix(filepath.ToSlash(err.Error()), "real/b.yaml: ") {
		t.Errorf("got %v, want an error about real/b.yaml", err)
	}
	if diff := cmp.Diff([]string{"Deployment default/a real/a.yaml#1"}, listing(s)); diff != "" {
		t.Error(diff)
	}
}

func TestReadADump(t *testing.T) {
	const logs = "==== START logs for container app of pod sets/x ====\n"
	dump := map[string]string{
		"dump/nodes.json":                              typed(t, "nodes.json", "NodeList"),
		"dump/version.json":                            capture(t, "version.json"),
		"dump/sets/pods.json":                          typed(t, "sets/pods.json", "PodList"),
		"dump/sets/events.json":                        typed(t, "sets/events.json", "EventList"),
		"dump/sets/services.json":                      typed(t, "sets/services.json", "ServiceList"),
		"dump/sets/daemonsets.json":                    typed(t, "sets/daemonsets.json", "DaemonSetList"),
		"dump/sets/deployments.json":                   `{"kind":"DeploymentList","apiVersion":"apps/v1","metadata":{},"items":null}`,
		"dump/sets/replication-controllers.json":       `{"kind":"ReplicationControllerList","apiVersion":"v1","metadata":{},"items":[]}`,
		"dump/sets/db-0/logs.txt":                      logs,
		"dump/liveness-404/pods.json":                  typed(t, "liveness-404/pods.json", "PodList"),
		"dump/liveness-404/replicasets.json":           typed(t, "liveness-404/replicasets.json", "ReplicaSetList"),
		"dump/liveness-404/deployments.json":           typed(t, "liveness-404/deployments.json", "DeploymentList"),
		"dump/liveness-404/events.json":                `{"kind":"EventList","apiVersion":"v1","metadata":{},"items":[]}`,
		"dump/liveness-404/services.json":              `{"kind":"ServiceList","apiVersion":"v1","metadata":{},"items":null}`,
		"dump/liveness-404/web-6f/logs.txt":            logs,
		"notadump/shop/deployments.json":               `{}`,
		"notadump/a.yaml":                              named("Deployment", "a"),
		"yamldump/shop/pods.yaml":                      podYAML,
		"yamldump/shop/deployments.yaml":               deployYAML,
		"dump/kube-system/deeper/still/statefuls.json": typed(t, "sets/statefulsets.json", "StatefulSetList"),
	}
	folderOf(t, dump)
	s, info := readFiles(t, "dump")
	if len(s.Pods) != 5 || len(s.Objects) != 6 || len(s.Events) != 14 || len(s.Services) != 1 || len(s.Nodes) != 1 {
		t.Errorf("%d pods, %d objects, %d events, %d services, %d nodes", len(s.Pods), len(s.Objects), len(s.Events), len(s.Services), len(s.Nodes))
	}
	if want := "dump/version.json: document 1 is left out: it is not a Kubernetes object"; notes(info) != want {
		t.Errorf("notes %q, want %q", notes(info), want)
	}
	if len(s.Gaps) != 0 {
		t.Errorf("gaps %v in a whole dump", s.Gaps)
	}
	s, _ = readFiles(t, "notadump")
	if diff := cmp.Diff([]string{"Deployment default/a notadump/a.yaml#1"}, listing(s)); diff != "" {
		t.Error(diff)
	}
	s, _ = readFiles(t, "yamldump")
	want := []string{"Deployment default/api yamldump/shop/deployments.yaml#1", "Pod shop/web yamldump/shop/pods.yaml#1"}
	if diff := cmp.Diff(want, listing(s)); diff != "" {
		t.Error(diff)
	}
}
