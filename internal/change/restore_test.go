package change

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// madeFrom is the template that webPod was made from, before somebody took its liveness probe away.
func madeFrom(t *testing.T) *Template {
	t.Helper()
	spec := fieldsOf(t, toJSON(t, webPod), "spec")
	template, err := TemplateFromJSON("rs/web-58b7", []byte(`{"spec":`+string(spec)+`}`))
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// changedPod is webPod without its liveness probe, changed by hand.
func changedPod(t *testing.T, replacements ...string) Target {
	t.Helper()
	var object map[string]any
	if err := yaml.Unmarshal([]byte(replaced(t, webPod, append([]string{"generation: 1", "generation: 2"}, replacements...))), &object); err != nil {
		t.Fatal(err)
	}
	web := object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	delete(web, "livenessProbe")
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	target := pod(t, string(text))
	target.Workload, target.MadeFrom = "deploy/web", madeFrom(t)
	return target
}

func TestRestoreFromTemplate(t *testing.T) {
	target := changedPod(t)
	p := planned(t, Request{Restore: true}, target)
	o := p.Objects[0]
	if len(o.containers()) != 1 || o.containers()[0] != "web" {
		t.Fatalf("changes %+v", o.Changes)
	}
	for _, c := range o.Changes {
		if c.Action != Unchanged && (c.Action != Added || !sameJSON(c.after, o.MadeFrom.raw[c.key()])) {
			t.Errorf("change %+v", c)
		}
	}
	want := []string{"kubectl probes set pod/web-0 -n shop -c web --liveness-off"}
	if diff := cmp.Diff(want, o.Undo); diff != "" {
		t.Errorf("undo (-want +got):\n%s", diff)
	}
}

func TestRestoreRefused(t *testing.T) {
	sibling := func(t *testing.T, replacements ...string) *Subject {
		return pod(t, webPod, append([]string{"web-0", "web-9"}, replacements...)...).Subject
	}
	tests := []struct {
		name   string
		target func(t *testing.T) Target
		err    string // empty: accepted
	}{
		{"no template", func(t *testing.T) Target {
			target := changedPod(t)
			target.MadeFrom, target.Workload = nil, ""
			return target
		}, "nothing says what its probes were"},
		{"not read", func(t *testing.T) Target {
			target := changedPod(t)
			target.MadeFrom = nil
			return target
		}, "was not read"},
		{"unreadable", func(t *testing.T) Target {
			target := changedPod(t)
			target.MadeFrom = &Template{Err: errors.New("replicasets is forbidden")}
			return target
		}, "could not be read: replicasets is forbidden"},
		{"rewritten, unchanged Pod", func(t *testing.T) Target {
			target := changedPod(t, "generation: 2", "generation: 1")
			return target
		}, "admission rewrote it, nobody has changed this pod"},
		{"rewritten, a sibling shows it", func(t *testing.T) Target {
			target := changedPod(t)
			target.MadeFrom.Siblings = []*Subject{sibling(t, "path: /healthz", "path: /app-health/web/livez")}
			return target
		}, "admission rewrote it, as pod/web-9 shows"},
		{"a sibling like the template", func(t *testing.T) Target {
			target := changedPod(t, "team: shop", "sidecar.istio.io/status: x")
			target.MadeFrom.Siblings = []*Subject{sibling(t)}
			return target
		}, ""},
		{"Istio, alone", func(t *testing.T) Target {
			return changedPod(t, "team: shop", "sidecar.istio.io/status: x")
		}, "Istio rewrites probes"},
		{"garbled annotation", func(t *testing.T) Target {
			return changedPod(t, "team: shop", "kubectl-probes.github.io/original: x")
		}, "kubectl annotate pod web-0 -n shop kubectl-probes.github.io/original-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewPlan(Request{Restore: true}, []Target{tt.target(t)})
			if tt.err == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestReplacementNotes(t *testing.T) {
	target := pod(t, webPod)
	target.Workload, target.Current = "deploy/web", madeFrom(t)
	p := planned(t, Request{Edits: edits(t, "liveness", "-off")}, target)
	want := []string{"a replacement Pod comes from deploy/web's template, which still has this probe"}
	if diff := cmp.Diff(want, p.Objects[0].Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	back := changedPod(t)
	back.Current = madeFrom(t)
	if got := planned(t, Request{Restore: true}, back).Objects[0].Notes; got != nil {
		t.Errorf("notes of a Pod that is like the template again: %q", got)
	}
}

func TestRestoreOfAContainerThatIsGone(t *testing.T) {
	target := pod(t, webPod)
	target.Meta.Annotations[snapshot.OriginalAnnotation] = `{"old":{"liveness":null},"web":{"liveness":null}}`
	o := planned(t, Request{Restore: true}, target).Objects[0]
	want := "its annotation " + snapshot.OriginalAnnotation + " names a container old, which it does not have"
	if len(o.Notes) != 1 || o.Notes[0] != want {
		t.Errorf("notes %q, want %q", o.Notes, want)
	}
}
