package change

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

const manifests = `# the first
apiVersion:   v1
kind: Service   # as it was
metadata: {name: web}
---

---
kind: Deployment
apiVersion: apps/v1
metadata: {name: web}
spec:
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - image: x   # the image
        name: web
        # watch out
        livenessProbe:
          httpGet: {path: /healthz, port: 8080}
          periodSeconds: 10 # seconds
        env: [{name: A, value: "on"}]
--- # the last
apiVersion: example.com/v1
kind:  Custom
spec: {"a":   1}
`

func TestLocal(t *testing.T) {
	tests := []struct {
		name  string
		kind  probe.Kind
		value string
		want  [2]string // in the Deployment
	}{
		{"tune", probe.Liveness, "period=30", [2]string{"periodSeconds: 10 # seconds", "periodSeconds: 30 # seconds"}},
		{"off", probe.Liveness, "-off", [2]string{`        # watch out
        livenessProbe:
          httpGet: {path: /healthz, port: 8080}
          periodSeconds: 10 # seconds
`, ""}},
		{"switch", probe.Liveness, "exec=sh -c on", [2]string{"          httpGet: {path: /healthz, port: 8080}\n          periodSeconds: 10 # seconds\n", `          periodSeconds: 10 # seconds
          exec:
            command:
              - sh
              - -c
              - "on"
`}},
	}
	before, after, _ := strings.Cut(manifests, "kind: Deployment")
	deployment, after, _ := strings.Cut(after, "--- # the last")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, plan, err := Local(Request{Edits: edits(t, tt.kind, tt.value)}, []Manifest{{"all.yaml", []byte(manifests)}}, LocalOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Objects) != 1 || plan.Objects[0].Undo != nil || plan.Objects[0].Notes != nil {
				t.Errorf("plan %+v", plan.Objects)
			}
			text := string(out)
			if !strings.HasPrefix(text, before) || !strings.HasSuffix(text, "--- # the last"+after) {
				t.Errorf("other documents changed:\n%s", text)
			}
			changed := strings.TrimSuffix(strings.TrimPrefix(text, before), "--- # the last"+after)
			want := strings.Replace(unindented("kind: Deployment"+deployment), unindented(tt.want[0]), unindented(tt.want[1]), 1)
			if diff := cmp.Diff(want, unindented(changed)); diff != "" {
				t.Errorf("the Deployment (-want +got):\n%s", diff)
			}
		})
	}
}

// unindented compares lines without their indentation, which the library sets anew.
func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

func TestLocalUnchangedIsByteForByte(t *testing.T) {
	for name, in := range map[string]string{
		"yaml":       manifests,
		"no newline": strings.TrimSuffix(manifests, "\n"),
		"windows":    strings.ReplaceAll(manifests, "\n", "\r\n"),
		"ended":      manifests + "...\n# more\n",
		"marked":     "\ufeff" + manifests,
		"json, json": `{"a":1}{"b":2}` + "\t" + `{"kind":"Pod","metadata":{"name":"a"},"apiVersion":"v1","spec":{"containers":[{"name":"b","livenessProbe":{"tcpSocket":{"port":1}}}]}}`,
		"json, yaml": `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}` + "\n---\n" + manifests,
		"json":       `{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a"},"spec":{"template":{"spec":{"containers":[{"name":"b","livenessProbe":{"tcpSocket":{"port":1}}}]}}}}` + "\n \n",
	} {
		t.Run(name, func(t *testing.T) {
			out, _, err := Local(Request{Edits: edits(t, "liveness", "period=10")}, []Manifest{{"f", []byte(in)}}, LocalOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(in, string(out)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLocalKeepsTheIndentationOfLists(t *testing.T) {
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  template:\n    spec:\n      containers:\n"
	for _, list := range []string{
		"      - name: a\n        livenessProbe:\n          exec:\n            command:\n            - a\n          periodSeconds: 3\n",
		"        - name: a\n          livenessProbe:\n            exec:\n              command:\n                - a\n            periodSeconds: 3\n",
	} {
		in := deployment + list
		out, _, err := Local(Request{Edits: edits(t, "liveness", "period=7")}, []Manifest{{"f", []byte(in)}}, LocalOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Replace(in, "periodSeconds: 3", "periodSeconds: 7", 1), string(out)); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
	}
}

func TestLocalListsAndJSON(t *testing.T) {
	const list = `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"x"}]}},{"kind":"Other"}]}`
	out, _, err := Local(Request{Edits: edits(t, "readiness", "tcp=:80")}, []Manifest{{"f", []byte(list + list)}}, LocalOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range splitJSON(out) {
		if got := canonical(doc.text); got != canonical([]byte(strings.Replace(list, `"image":"x"`, `"image":"x","readinessProbe":{"tcpSocket":{"port":80}}`, 1))) {
			t.Errorf("got %s", got)
		}
	}
	out, _, err = Local(Request{Edits: edits(t, "readiness", "tcp=:80")}, []Manifest{{"f", []byte(list)}}, LocalOptions{Format: "yaml"})
	if err != nil || !strings.Contains(string(out), "\n      readinessProbe:\n        tcpSocket:\n          port: 80\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestLocalWanted(t *testing.T) {
	var seen []string
	o := LocalOptions{Wanted: func(ref Ref, labels map[string]string) bool {
		seen = append(seen, ref.String()+" "+labels["app"])
		return false
	}}
	_, _, err := Local(Request{Edits: edits(t, "liveness", "-off")}, []Manifest{{"f", []byte(manifests)}}, o)
	if !errors.Is(err, ErrNoneWanted) || !cmp.Equal(seen, []string{"deploy/web web"}) {
		t.Errorf("%v, %q", err, seen)
	}
}

func TestLocalErrors(t *testing.T) {
	const shared = `
kind: Pod
apiVersion: v1
metadata: {name: a}
spec:
  containers:
  - name: a
    livenessProbe: &p {tcpSocket: {port: 1}}
  - name: b
    livenessProbe: *p
`
	_, _, err := Local(Request{Edits: edits(t, "liveness", "period=5"), Containers: []string{"a"}}, []Manifest{{"f", []byte(shared)}}, LocalOptions{})
	if want := "f: document 1: pod/a: container a: its probe shares text"; err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "anchor") {
		t.Errorf("a shared probe: %v", err)
	}
	const twice = `
kind: Pod
apiVersion: v1
metadata: {name: a}
spec:
  containers:
  - name: a
    livenessProbe: {tcpSocket: {port: 1}}
    livenessProbe: {tcpSocket: {port: 2}}
`
	_, _, err = Local(Request{Edits: edits(t, "liveness", "period=5")}, []Manifest{{"f", []byte(twice)}}, LocalOptions{})
	if err == nil || err.Error() != `f: document 1: yaml: line 9: key "livenessProbe" already set in map` {
		t.Errorf("a key that is there twice: %v", err)
	}
	out, _, err := Local(Request{Edits: edits(t, "liveness", "period=5"), Containers: []string{"b"}}, []Manifest{{"f", []byte(shared)}}, LocalOptions{})
	if err != nil || !strings.Contains(string(out), "port: 1\n      periodSeconds: 5") && !strings.Contains(string(out), "periodSeconds: 5") {
		t.Errorf("an alias: %v\n%s", err, out)
	}
	_, _, err = Local(Request{Edits: edits(t, "liveness", "period=5")}, []Manifest{{"bad.yaml", []byte("a: [\n---\nb: ]\n")}}, LocalOptions{})
	if err == nil || !strings.Contains(err.Error(), "bad.yaml: document 1") || !strings.Contains(err.Error(), "document 2") {
		t.Errorf("bad YAML: %v", err)
	}
}

// What is meant to do harm costs no more here than where files are only read.
func TestLocalBounds(t *testing.T) {
	const pod = "kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec: {containers: [{name: c, livenessProbe: {tcpSocket: {port: 1}}}]}\n"
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%[1]d [%s*a%d]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d,", i), 8), i)
	}
	lists := strings.Repeat(`{"kind":"List","apiVersion":"v1","items":[`, 9) + `{"kind":"ConfigMap"}` + strings.Repeat("]}", 9)
	for name, tt := range map[string]struct{ in, want string }{
		"a bomb":         {pod + "---\n" + bomb, "f: document 2: yaml: with its aliases (*name) followed, the document is larger than 8 MiB"},
		"deep yaml":      {pod + "---\na: " + strings.Repeat("[", 1<<16), "f: document 2: yaml: line 6: exceeded max depth of 10000"},
		"deep json":      {strings.Repeat(`{"a":`, 1<<16), "f: document 1: yaml: line 1: exceeded max depth of 10000"},
		"deep lists":     {lists, "f: document 1: item 1: item 1: item 1: item 1: item 1: item 1: item 1: item 1: more than 8 Lists in one another"},
		"a key twice":    {pod + "---\na: 1\na: 2\n", `f: document 2: yaml: line 7: key "a" already set in map`},
		"twice in json":  {`{"kind":"Pod","spec":{"a":1,"a":2}}`, `f: document 1: duplicate field "spec.a"`},
		"a large object": {pod + "---\na: |\n" + strings.Repeat(" x\n", 3<<20), "f: document 2: larger than 8 MiB, which no API server takes; divide a List by ---"},
		"many maps":      {`{"kind":"Pod","a":[` + strings.Repeat("{},", 1<<18) + "{}]}", "f: document 1: more than 262144 maps ({) in one object, which no API server takes"},
		"many documents": {strings.Repeat("---\n", 1<<17), "more than 65536 documents and objects, which are held at once: give fewer files at a time"},
		"old breaks":     {"# head\r" + strings.ReplaceAll(pod+"---\n"+pod, "\n", "\r"), "f: document 1: yaml: another document begins inside, after a line break that is neither LF nor CRLF"},
	} {
		t.Run(name, func(t *testing.T) {
			out, _, err := Local(Request{Edits: edits(t, "liveness", "period=5")}, []Manifest{{"f", []byte(tt.in)}}, LocalOptions{})
			if err == nil || err.Error() != tt.want || out != nil {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestLocalPassesOverARolloutWithoutATemplate(t *testing.T) {
	const rollout = "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\nspec: {workloadRef: {kind: Deployment, name: web}}\n---\n"
	r := Request{Edits: edits(t, "liveness", "period=5")}
	out, plan, err := Local(r, []Manifest{{"f", []byte(rollout + manifests)}}, LocalOptions{})
	if err != nil || !strings.HasPrefix(string(out), rollout) || len(plan.Objects) != 1 || len(plan.Skipped) != 1 {
		t.Errorf("%v\n%s", err, out)
	}
	_, _, err = Local(r, []Manifest{{"f", []byte(rollout)}}, LocalOptions{})
	if err == nil || !strings.Contains(err.Error(), "its template is that of deployment/web") {
		t.Errorf("a Rollout alone: %v", err)
	}
}

// What a controller makes is left alone: it would make the next one without the change.
func TestLocalLeavesAloneWhatAControllerMakes(t *testing.T) {
	const containers = "{containers: [{name: c, livenessProbe: {tcpSocket: {port: 1}}}]}"
	object := func(kind, name, owner string) string {
		apiVersion, spec := "apps/v1", "{template: {spec: "+containers+"}}"
		if kind == "Pod" {
			apiVersion, spec = "v1", containers
		}
		return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: shop, ownerReferences: [%s]}\nspec: %s\n", apiVersion, kind, name, owner, spec)
	}
	by := func(kind, name string) string {
		apiVersions := map[string]string{"Deployment": "apps/v1", "ReplicaSet": "apps/v1", "Node": "v1", "Prometheus": "monitoring.coreos.com/v1"}
		return fmt.Sprintf("{apiVersion: %s, kind: %s, name: %s, uid: x, controller: true}", apiVersions[kind], kind, name)
	}
	for name, tt := range map[string]struct{ in, changed, skipped, err string }{
		"a chain": {
			in:      object("Deployment", "web", "") + object("ReplicaSet", "web-1", by("Deployment", "web")) + object("Pod", "web-1-a", by("ReplicaSet", "web-1")),
			changed: "deploy/web", skipped: "rs/web-1, pod/web-1-a skipped: made by deploy/web: change that\n",
		},
		"bare ones": {in: object("ReplicaSet", "web-1", "") + object("Pod", "a", "{apiVersion: v1, kind: ConfigMap, name: a, uid: x}"), changed: "rs/web-1 pod/a"},
		"nothing left": {
			in:  object("Pod", "a", by("ReplicaSet", "web-1")) + object("Pod", "b", by("ReplicaSet", "web-1")),
			err: "f: pod/a, pod/b in namespace shop: made by rs/web-1: change that",
		},
		"of a custom controller": {in: object("StatefulSet", "a", by("Prometheus", "k8s")), err: "f: sts/a in namespace shop: made by prometheus.monitoring.coreos.com/k8s: change that"},
		"of a node":              {in: object("Pod", "a", by("Node", "node-1")), err: "f: pod/a in namespace shop: it is a static pod that the API server only mirrors: change its manifest on node (unknown)"},
		"a circle":               {in: object("ReplicaSet", "a", by("ReplicaSet", "a")), err: "f: rs/a in namespace shop: made by rs/a: change that"},
	} {
		t.Run(name, func(t *testing.T) {
			in := []Manifest{{"f", []byte(tt.in)}}
			out, plan, err := Local(Request{Edits: edits(t, "liveness", "period=5")}, in, LocalOptions{})
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("%v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var changed []string
			for _, o := range plan.Objects {
				changed = append(changed, o.String())
			}
			p, _, errOut := printer("")
			p.Start(plan)
			if strings.Join(changed, " ") != tt.changed || errOut.String() != tt.skipped || strings.Count(string(out), "periodSeconds: 5") != len(changed) {
				t.Errorf("changed %s, said %q\n%s", changed, errOut, out)
			}
		})
	}
}

// Of many files, an error says which one is meant; what is the same in one file is said once.
func TestLocalErrorsNameTheFile(t *testing.T) {
	pod := func(name string) string {
		return "---\nkind: Pod\napiVersion: v1\nmetadata: {name: " + name + "}\nspec: {containers: [{name: a}, {name: b}]}\n"
	}
	in := []Manifest{{"one.yaml", []byte(pod("web") + pod("api"))}, {"two.yaml", []byte(pod("db"))}}
	_, _, err := Local(Request{Edits: edits(t, "liveness", "tcp=:80")}, in, LocalOptions{})
	const reason = "several containers could be meant: choose with -c a, -c b, or -c '*' for all of them"
	if want := "one.yaml: pod/web, pod/api: " + reason + "\ntwo.yaml: pod/db: " + reason; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{manifests, "---\n---", "...\n", "a\n...\nb\n---", `{"a":1} {"b":2}`, "\ufeff---\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var joined []byte
		for _, p := range split(data) {
			joined = append(joined, p.text...)
		}
		if string(joined) != string(data) {
			t.Errorf("%q was cut into %q", data, joined)
		}
	})
}
