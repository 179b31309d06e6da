package files

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadKeepsOneOfEach(t *testing.T) {
	const webUID = `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, uid: u1, creationTimestamp: "2026-01-01T00:00:00Z"}
status: {phase: %s, startTime: %q}
---
`
	older, newer := fmt.Sprintf(webUID, "Pending", "2026-01-01T00:00:01Z"), fmt.Sprintf(webUID, "Running", "2026-01-01T00:00:09Z")
	custom := "apiVersion: example.com/v1\nkind: App\nmetadata: {name: api, namespace: shop}\nspec: {template: {spec: {containers: [{name: c}]}}}\n---\n"
	tests := []struct {
		name  string
		in    map[string]string
		want  []string
		notes string
	}{
		{"the same from a cluster", map[string]string{"a": newer, "b": newer}, []string{"Pod shop/web b#1"}, ""},
		{"an older reading", map[string]string{"a": newer, "b": older}, []string{"Pod shop/web a#1"}, ""},
		{"a newer reading", map[string]string{"a": older, "b": newer}, []string{"Pod shop/web b#1"}, ""},
		{
			"made again under the same name",
			map[string]string{"a": older, "b": strings.ReplaceAll(newer, "u1", "u2")},
			[]string{"Pod shop/web a#1", "Pod shop/web b#1"},
			"",
		},
		{
			"manifests: the last one",
			map[string]string{"a": deployYAML, "b": podYAML + "---\n" + deployYAML},
			[]string{"Deployment default/api b#2", "Pod shop/web b#1"},
			"deploy/api in default is in document 1 of a and in document 2 of b: the last one counts",
		},
		{
			"custom manifests",
			map[string]string{"a": custom + custom},
			[]string{"App shop/api a#2"},
			"app.example.com/api in shop is in document 1 of a and in document 2 of a: the last one counts",
		},
		{
			"manifests in other namespaces",
			map[string]string{"a": podYAML, "b": strings.ReplaceAll(podYAML, "shop", "store")},
			[]string{"Pod shop/web a#1", "Pod store/web b#1"},
			"",
		},
		{
			"manifests whose names are generated",
			map[string]string{"a": "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: x-}\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: x-}\n"},
			[]string{"Job default/x- a#1", "Job default/x- a#2"},
			"",
		},
		{
			"a manifest of what is from a cluster",
			map[string]string{"a": newer, "b": podYAML},
			[]string{"Pod shop/web a#1"},
			"pod/web in shop is in document 1 of b and in document 1 of a: what is from a cluster counts",
		},
		{
			"a manifest before what is from a cluster",
			map[string]string{"a": podYAML, "b": newer},
			[]string{"Pod shop/web b#1"},
			"pod/web in shop is in document 1 of a and in document 1 of b: what is from a cluster counts",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, test.in)
			names := []string{"a", "b"}[:len(test.in)]
			s, info := readFiles(t, names...)
			if diff := cmp.Diff(test.want, listing(s)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.notes, notes(info)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadKeepsTheLaterOfAnEvent(t *testing.T) {
	const core = `{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"shop","uid":"u"},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web"},"lastTimestamp":%q,"count":%d}`
	const v1 = `{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e","namespace":"shop","uid":"u"},"regarding":{"kind":"Pod","namespace":"shop","name":"web"},"deprecatedLastTimestamp":%q,"deprecatedCount":%d}`
	early, late := "2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z"
	tests := []struct {
		name, a, b string
		want       int32
	}{
		{"later last", fmt.Sprintf(core, late, 3), fmt.Sprintf(v1, early, 2), 3},
		{"later last, the other way", fmt.Sprintf(core, early, 2), fmt.Sprintf(v1, late, 3), 3},
		{"greater count", fmt.Sprintf(v1, late, 7), fmt.Sprintf(core, late, 6), 7},
		{"greater count, the other way", fmt.Sprintf(v1, late, 6), fmt.Sprintf(core, late, 7), 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, map[string]string{"x.json": test.a + test.b})
			s, _ := readFiles(t, "x.json")
			if len(s.Events) != 1 || s.Events[0].Count != test.want {
				t.Errorf("got %+v, want one Event counting %d", s.Events, test.want)
			}
		})
	}
}

func TestReadCustomObjects(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"a template", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: c}]}}}\n", []string{"Rollout default/r x#1"}},
		{
			"an owner of Pods", "apiVersion: a.b/v1\nkind: Set\nmetadata: {name: s, namespace: shop, uid: u}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: shop, ownerReferences: [{apiVersion: a.b/v1, kind: Set, name: s, uid: u, controller: true}]}\n",
			[]string{"Pod shop/p x#2", "Set shop/s x#1"},
		},
		{
			"an owner of a workload, of no namespace", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: shop, ownerReferences: [{apiVersion: a.b/v1, kind: Root, name: s, uid: u, controller: true}]}\n---\napiVersion: a.b/v1\nkind: Root\nmetadata: {name: s, uid: u}\n",
			[]string{"Deployment shop/d x#1", "Root /s x#2"},
		},
		{"neither", "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: c}\nspec: {template: 5}\n", []string{}},
		{"a kind that ends like a list", "apiVersion: a.b/v1\nkind: AllowList\nmetadata: {name: c}\nspec: {template: {spec: {containers: [{name: c}]}}}\n", []string{"AllowList default/c x#1"}},
		{
			"such a kind in a list", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"a.b/v1","kind":"AllowList","metadata":{"name":"c"},"spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}}]}`,
			[]string{"AllowList default/c x#1"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, map[string]string{"x": test.in})
			s, _ := readFiles(t, "x")
			if diff := cmp.Diff(test.want, listing(s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadMetadata(t *testing.T) {
	const list = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[
 {"metadata":{"name":"api-1","namespace":"shop","uid":"rs","annotations":{"deployment.kubernetes.io/revision":"4"},
  "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"api","uid":"d","controller":true}]}},
 {"metadata":{"name":"api","namespace":"shop","uid":"d"}},
 {"metadata":{"name":"stray","namespace":"shop","uid":"x"}}]}`
	const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop","uid":"p","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"api-1","uid":"rs","controller":true}]}}`
	const whole = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"api","namespace":"shop","uid":"d"}}`
	for name, in := range map[string]string{"before": list + pod + whole, "after": pod + whole + list} {
		t.Run(name, func(t *testing.T) {
			folderOf(t, map[string]string{"x": in})
			s, info := readFiles(t, "x")
			got := map[string]string{}
			for _, o := range s.Objects {
				got[o.Kind+"."+o.Group+"/"+o.Name] = fmt.Sprintf("%v %s", o.MetadataOnly, o.Revision)
			}
			want := map[string]string{"ReplicaSet.apps/api-1": "true 4", "Deployment.apps/api": "false "}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if info.Skipped["PartialObjectMetadata.meta.k8s.io"] != 1 {
				t.Errorf("skipped %v, want the stray one", info.Skipped)
			}
		})
	}
}
