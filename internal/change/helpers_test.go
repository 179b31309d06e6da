package change

import (
	"encoding/json"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

const webPod = `
apiVersion: v1
kind: Pod
metadata:
  name: web-0
  namespace: shop
  uid: uid-1
  generation: 1
  annotations: {team: shop}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-58b7, uid: rs-1, controller: true}]
spec:
  nodeName: node-1
  initContainers:
  - name: migrate
    image: x
  - name: proxy
    image: x
    restartPolicy: Always
    readinessProbe:
      tcpSocket: {port: 15021}
      timeoutSeconds: 1
      periodSeconds: 10
      successThreshold: 1
      failureThreshold: 3
  containers:
  - name: web
    image: x
    ports: [{name: http, containerPort: 8080}]
    livenessProbe:
      httpGet: {path: /healthz, port: 8080, scheme: HTTP, newer: kept}
      timeoutSeconds: 1
      periodSeconds: 10
      successThreshold: 1
      failureThreshold: 3
    readinessProbe:
      httpGet: {path: /readyz, port: 8080, scheme: HTTP}
      timeoutSeconds: 1
      periodSeconds: 5
      successThreshold: 1
      failureThreshold: 3
  - name: worker
    image: x
status:
  phase: Running
  containerStatuses:
  - {name: web, started: true, ready: true, restartCount: 0}
  - {name: worker, started: true, ready: true, restartCount: 0}
`

func toJSON(t *testing.T, manifest string) []byte {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// pod reads a manifest as the server would send it, with replacements (old, new, ...) made first.
func pod(t *testing.T, manifest string, replacements ...string) Target {
	t.Helper()
	s, err := PodFromJSON(toJSON(t, replaced(t, manifest, replacements)))
	if err != nil {
		t.Fatal(err)
	}
	return Target{Subject: s, Named: true}
}

func replaced(t *testing.T, manifest string, replacements []string) string {
	t.Helper()
	for i := 0; i < len(replacements); i += 2 {
		if !strings.Contains(manifest, replacements[i]) {
			t.Fatalf("the manifest has no %q", replacements[i])
		}
		manifest = strings.ReplaceAll(manifest, replacements[i], replacements[i+1])
	}
	return manifest
}

func parsed(t *testing.T, kind probe.Kind, values ...string) probe.Edit {
	t.Helper()
	e, err := probe.ParseEdit(kind, values)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func planned(t *testing.T, r Request, targets ...Target) *Plan {
	t.Helper()
	p, err := NewPlan(r, targets)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// patched applies a plan's patch as the server does.
func patched(t *testing.T, p *ObjectPlan, object []byte) ([]byte, error) {
	t.Helper()
	data, err := p.Patch()
	if err != nil {
		t.Fatal(err)
	}
	if data == nil {
		return object, nil
	}
	patch, err := jsonpatch.DecodePatch(data)
	if err != nil {
		t.Fatal(err)
	}
	return patch.Apply(object)
}

func mustPatch(t *testing.T, p *ObjectPlan, object []byte) []byte {
	t.Helper()
	out, err := patched(t, p, object)
	if err != nil {
		patch, _ := p.Patch()
		t.Fatalf("the patch does not apply: %v\n%s", err, patch)
	}
	return out
}

// probesOf are an object's probes, canonical, by container and kind.
func probesOf(t *testing.T, object []byte) map[string]string {
	t.Helper()
	s, err := PodFromJSON(object)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for key, raw := range s.raw {
		out[key.container+" "+string(key.kind)] = canonical(raw)
	}
	return out
}

func fieldsOf(t *testing.T, object []byte, path ...string) json.RawMessage {
	t.Helper()
	raw, err := at(object, path...)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// fromCommand reads an undo command back, as the command line would.
func fromCommand(t *testing.T, command string) Request {
	t.Helper()
	words, err := probe.SplitWords(command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	if len(words) < 4 || strings.Join(words[:3], " ") != "kubectl probes set" {
		t.Fatalf("not a set command: %s", command)
	}
	var r Request
	flags := EditFlags{Values: map[probe.Kind][]string{}, Off: map[probe.Kind]bool{}}
	for i := 4; i < len(words); i++ {
		name, value, _ := strings.Cut(strings.TrimPrefix(words[i], "--"), "=")
		kind := probe.Kind(strings.TrimSuffix(name, "-off"))
		switch {
		case words[i] == "-c":
			i++
			r.Containers = append(r.Containers, words[i])
		case words[i] == "-n":
			i++
		case name == "restore":
			r.Restore = true
		case name == "pod-template":
			r.Template = true
		case strings.HasSuffix(name, "-off"):
			flags.Off[kind] = true
		default:
			flags.Values[kind] = append(flags.Values[kind], value)
		}
	}
	if r.Edits, err = flags.Edits(); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return r
}

// edits is one edit: FIELD=VALUE or -off.
func edits(t *testing.T, kind probe.Kind, value string) []probe.Edit {
	t.Helper()
	if value == "-off" {
		return []probe.Edit{probe.Off(kind)}
	}
	return []probe.Edit{parsed(t, kind, value)}
}
