package files

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadKustomize(t *testing.T) {
	folderOf(t, map[string]string{
		"base/kustomization.yaml":    "resources: [deploy.yaml, config.yaml]\n",
		"base/deploy.yaml":           deployYAML,
		"base/config.yaml":           "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
		"overlay/kustomization.yaml": "namespace: shop\nnamePrefix: eu-\nresources: [../base]\n",
		"bad/kustomization.yaml":     "resources: [missing.yaml]\n",
		"plugin/kustomization.yaml":  "generators: [g.yaml]\n",
		"plugin/g.yaml":              "apiVersion: example.com/v1\nkind: G\nmetadata: {name: g, annotations: {config.kubernetes.io/function: \"exec: {path: ./g.sh}\"}}\n",
	})
	s, info := mustRead(t, Options{Kustomize: "overlay"})
	if diff := cmp.Diff([]string{"Deployment shop/eu-api overlay#2"}, listing(s)); diff != "" {
		t.Error(diff)
	}
	if info.Skipped["ConfigMap"] != 1 {
		t.Errorf("skipped %v, want the ConfigMap", info.Skipped)
	}
	for folder, want := range map[string]string{"bad": "missing.yaml", "plugin": "plugin"} {
		_, _, err := Read(context.Background(), Options{Kustomize: folder})
		if err == nil || !strings.HasPrefix(err.Error(), folder+": kustomize: ") || !strings.Contains(filepath.ToSlash(err.Error()), want) {
			t.Errorf("%s: got %v, want an error about %s", folder, err, want)
		}
	}
}
