package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
	"github.com/kubectl-probes/kubectl-probes/test/command"
)

// files runs command lines without a cluster.
func files(t *testing.T) command.Line {
	return command.Line{Kubeconfig: filepath.Join(t.TempDir(), "none"), CacheDir: t.TempDir(), Arguments: []string{"-o", "json"}}
}

func TestManifestsKeepTheirPromises(t *testing.T) {
	kept(t, files(t).Must(t, "-f", at("manifests")), promises(t, "files"))
	kept(t, files(t).Must(t, "-k", at("manifests")), promises(t, "files"))
	kept(t, files(t).Must(t, "-k", at("chaos")), promises(t, "files")) // what is wrong with it, only a cluster tells
	kept(t, files(t).Must(t, "-f", at("drafts")), promises(t, "draft"))
}

func TestFailOn(t *testing.T) {
	for _, p := range promises(t, "files", "draft") {
		folder := map[string]string{"files": "manifests", "draft": "drafts"}[p.seen]
		if got := files(t).Run(t, "-f", at(folder), "--fail-on="+p.rule); got.Status != cli.ExitFindings {
			t.Errorf("--fail-on=%s: %s", p.rule, got)
		}
	}
}

func TestKustomizationNamesEveryManifest(t *testing.T) {
	text, err := os.ReadFile(at("manifests/kustomization.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(at("manifests"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "kustomization.yaml" && !strings.Contains(string(text), "- "+e.Name()+"\n") {
			t.Errorf("%s would not be applied", e.Name())
		}
	}
}

// TestEveryFileSaysWhatItIsFor is for people who read one of them.
func TestEveryFileSaysWhatItIsFor(t *testing.T) {
	for _, p := range promises(t) {
		_, name, _ := strings.Cut(strings.Fields(p.where)[0], "/")
		folder := "manifests"
		if p.seen == "draft" {
			folder = "drafts"
		}
		text, err := os.ReadFile(at(filepath.Join(folder, name+".yaml")))
		if err != nil {
			t.Fatal(err)
		}
		comment, _, _ := strings.Cut(string(text), "\napiVersion")
		if !strings.HasPrefix(comment, "# ") || !strings.Contains(comment, p.rule) && p.seen != "chaos" {
			t.Errorf("%s does not say at its top that it is for %s", name, p.rule)
		}
	}
}

func TestKindConfigs(t *testing.T) {
	for name, gates := range map[string]int{"kind.yaml": 0, "kind-mutable-probes.yaml": 1} {
		text, err := os.Open(at(name))
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		var c v1alpha4.Cluster
		strict := yaml.NewDecoder(text) // as kind reads it
		strict.KnownFields(true)
		if err := strict.Decode(&c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		v1alpha4.SetDefaultsCluster(&c)
		if c.APIVersion != "kind.x-k8s.io/v1alpha4" || c.Kind != "Cluster" || len(c.Nodes) != 2 || c.Nodes[0].Role != v1alpha4.ControlPlaneRole {
			t.Errorf("%s is read as %+v", name, c)
		}
		if len(c.FeatureGates) != gates || c.FeatureGates["MutableContainerProbes"] != (gates == 1) {
			t.Errorf("%s has the gates %v", name, c.FeatureGates)
		}
	}
}
