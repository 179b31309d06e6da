package change

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestPlanLiveOff(t *testing.T) {
	p := planned(t, Request{Edits: []probe.Edit{probe.Off(probe.Liveness)}}, pod(t, webPod))
	if len(p.Objects) != 1 || len(p.Objects[0].Changes) != 1 {
		t.Fatalf("plan %+v", p.Objects)
	}
	o := p.Objects[0]
	c := o.Changes[0]
	if c.Container != "web" || c.Kind != probe.Liveness || c.Action != Removed || c.After != nil || c.Risky {
		t.Errorf("change %+v", c)
	}
	if c.Before == nil || c.Before.Handler.Text != "GET :8080/healthz" || c.Before.HeadlineSeconds() != 31 {
		t.Errorf("before %+v", c.Before)
	}
	if want := []string{"no more liveness restarts of this container; its ready and started status stay as they are"}; !slices.Equal(want, c.Effects) {
		t.Errorf("effects %q", c.Effects)
	}
	if want := []string{"kubectl probes set pod/web-0 -n shop -c web --restore"}; !slices.Equal(want, o.Undo) {
		t.Errorf("undo %q", o.Undo)
	}
}

func TestPlanBudgets(t *testing.T) {
	p := planned(t, Request{Edits: []probe.Edit{parsed(t, probe.Liveness, "period=20,timeout=5")}}, pod(t, webPod))
	c := p.Objects[0].Changes[0]
	if c.Action != Updated || c.Before.HeadlineSeconds() != 31 || c.After.HeadlineSeconds() != 65 {
		t.Errorf("%s %d -> %d", c.Action, c.Before.HeadlineSeconds(), c.After.HeadlineSeconds())
	}
}

func TestContainerChoice(t *testing.T) {
	off := func(kind probe.Kind) []probe.Edit { return []probe.Edit{probe.Off(kind)} }
	tests := []struct {
		name       string
		edits      []probe.Edit
		containers []string
		want       []string // container action, ...
		err        string
	}{
		{"the one that has it", off(probe.Liveness), nil, []string{"web removed"}, ""},
		{"sidecars too", off(probe.Readiness), nil, nil, "several containers could be meant: choose with -c web, -c proxy, or -c '*'"},
		{"with a handler: regular ones", []probe.Edit{parsed(t, probe.Startup, "tcp=:80")}, nil, nil, "-c web, -c worker, or"},
		{"none has it, off", off(probe.Startup), nil, []string{"web unchanged", "worker unchanged", "proxy unchanged"}, ""},
		{"none has it, fields", []probe.Edit{parsed(t, probe.Startup, "period=5")}, nil, nil, "no container has a startup probe; to add one give a handler"},
		{"by name", off(probe.Readiness), []string{"proxy"}, []string{"proxy removed"}, ""},
		{"by glob", off(probe.Readiness), []string{"*"}, []string{"web removed", "worker unchanged", "proxy removed"}, ""},
		{"anchored", off(probe.Readiness), []string{"eb*"}, nil, `no container matches "eb*"; there are web, worker, proxy`},
		{"unknown", off(probe.Readiness), []string{"web", "nope"}, nil, `no container is named "nope"`},
		{"plain init", off(probe.Readiness), []string{"migrate"}, nil, `container "migrate" is an init container without restartPolicy Always`},
		{"fields by name without probe", []probe.Edit{parsed(t, probe.Liveness, "period=5")}, []string{"worker"}, nil, "container worker: it has no liveness probe; to add one give a handler too"},
		{"fields by glob without probe", []probe.Edit{parsed(t, probe.Liveness, "period=5")}, []string{"w*"}, []string{"web updated"}, ""},
		{"add by name", []probe.Edit{parsed(t, probe.Liveness, "tcp=:80")}, []string{"worker"}, []string{"worker added"}, ""},
		{"invalid together", []probe.Edit{parsed(t, probe.Readiness, `{"tcpSocket":{"port":1},"successThreshold":0}`)}, []string{"web"}, []string{"web updated"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := NewPlan(Request{Edits: tt.edits, Containers: tt.containers}, []Target{pod(t, webPod)})
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), "pod/web-0 in namespace shop") {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range p.Objects[0].Changes {
				got = append(got, c.Container+" "+string(c.Action))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name    string
		replace []string
		unnamed bool
		err     string // empty: skipped, and then nothing is left
	}{
		{"mirror", []string{"annotations: {team: shop}", "annotations: {kubernetes.io/config.mirror: x}"}, false, "static pod that the API server only mirrors: change its manifest on node node-1"},
		{"mirror, not named", []string{"annotations: {team: shop}", "annotations: {kubernetes.io/config.mirror: x}"}, true, "static pod"},
		{"static", []string{"apiVersion: apps/v1, kind: ReplicaSet", "apiVersion: v1, kind: Node"}, false, "static pod"},
		{"terminating", []string{"generation: 1", "deletionTimestamp: 2026-01-01T00:00:00Z"}, false, "it is terminating"},
		{"terminating, not named", []string{"generation: 1", "deletionTimestamp: 2026-01-01T00:00:00Z"}, true, "no running pod is left to change: pod/web-0: it is terminating"},
		{"finished", []string{"phase: Running", "phase: Succeeded"}, false, "it has finished (Succeeded)"},
		{"failed, not named", []string{"phase: Running", "phase: Failed"}, true, "no running pod is left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := pod(t, webPod, tt.replace...)
			target.Named = !tt.unnamed
			_, err := NewPlan(Request{Edits: []probe.Edit{probe.Off(probe.Liveness)}}, []Target{target})
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestAllOrNothing(t *testing.T) {
	good, skipped := pod(t, webPod), pod(t, webPod, "web-0", "web-1", "phase: Running", "phase: Failed")
	skipped.Named = false
	p := planned(t, Request{Edits: []probe.Edit{probe.Off(probe.Liveness)}}, good, skipped)
	if len(p.Objects) != 1 || len(p.Skipped) != 1 || p.Skipped[0].Name != "web-1" {
		t.Errorf("plan %+v", p)
	}
	bad := pod(t, webPod, "web-0", "web-2", "annotations: {team: shop}", "annotations: {kubernetes.io/config.mirror: x}")
	worse := pod(t, webPod, "web-0", "web-3", "phase: Running", "phase: Failed")
	_, err := NewPlan(Request{Edits: []probe.Edit{probe.Off(probe.Liveness)}}, []Target{good, bad, worse})
	var refusal *Refusal
	if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "pod/web-2") || !strings.Contains(err.Error(), "pod/web-3") {
		t.Errorf("error %v", err)
	}
	_, err = NewPlan(Request{Edits: []probe.Edit{probe.Off(probe.Liveness)}}, nil)
	if err == nil {
		t.Error("no targets, no error")
	}
}

func TestCheck(t *testing.T) {
	off := []probe.Edit{probe.Off(probe.Liveness)}
	for name, r := range map[string]Request{
		"nothing":          {},
		"restore and more": {Restore: true, Edits: off},
		"template restore": {Restore: true, Template: true},
		"bad glob":         {Edits: off, Containers: []string{"[a"}},
		"empty glob":       {Edits: off, Containers: []string{""}},
	} {
		if r.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	_, err := EditFlags{
		Values: map[probe.Kind][]string{probe.Liveness: {"period=5"}, probe.Startup: {"x=1"}},
		Off:    map[probe.Kind]bool{probe.Liveness: true, probe.Readiness: true},
	}.Edits()
	if err == nil || !strings.Contains(err.Error(), "--liveness and --liveness-off cannot be combined") || !strings.Contains(err.Error(), "--startup: unknown field") {
		t.Errorf("edits: %v", err)
	}
}

func TestUndoGivesBackWhatWas(t *testing.T) {
	const annotated = `annotations: {kubectl-probes.github.io/original: '{"web":{"startup":null}}'}`
	requests := map[string]Request{
		"off":                {Edits: []probe.Edit{probe.Off(probe.Liveness)}},
		"tune":               {Edits: []probe.Edit{parsed(t, probe.Liveness, "period=30,grace=5")}},
		"switch the handler": {Edits: []probe.Edit{parsed(t, probe.Liveness, `exec=sh -c 'it'"'"'s "x" \ é'`)}, Containers: []string{"web"}},
		"add":                {Edits: []probe.Edit{parsed(t, probe.Startup, "http=:http/")}, Containers: []string{"worker"}},
		"several":            {Edits: []probe.Edit{probe.Off(probe.Liveness), probe.Off(probe.Readiness)}, Containers: []string{"*"}},
		"sidecar":            {Edits: []probe.Edit{parsed(t, probe.Readiness, "failure=9")}, Containers: []string{"proxy"}},
		"whole":              {Edits: []probe.Edit{parsed(t, probe.Readiness, `{"grpc":{"port":1},"periodSeconds":3}`)}, Containers: []string{"web"}},
	}
	for name, r := range requests {
		for annotation, replace := range map[string][]string{
			"":               nil,
			" without any":   {"  annotations: {team: shop}\n", ""},
			" changed twice": {"annotations: {team: shop}", annotated, ", newer: kept", ""},
			" not known":     {"annotations: {team: shop}", annotated},
		} {
			t.Run(name+annotation, func(t *testing.T) {
				before := toJSON(t, replaced(t, webPod, replace))
				p := planned(t, r, pod(t, webPod, replace...))
				after := mustPatch(t, &p.Objects[0], before)
				if cmp.Equal(probesOf(t, before), probesOf(t, after)) {
					t.Fatal("nothing changed")
				}
				for _, command := range p.Objects[0].Undo {
					if strings.HasPrefix(command, "kubectl patch") {
						after = byKubectl(t, command, after)
						continue
					}
					s, err := PodFromJSON(after)
					if err != nil {
						t.Fatal(err)
					}
					back := planned(t, fromCommand(t, command), Target{Subject: s})
					after = mustPatch(t, &back.Objects[0], after)
				}
				if diff := cmp.Diff(probesOf(t, before), probesOf(t, after)); diff != "" {
					t.Errorf("probes after the undo (-want +got):\n%s\nby %q", diff, p.Objects[0].Undo)
				}
			})
		}
	}
}

func TestRestoreTakesTheAnnotationAway(t *testing.T) {
	before := toJSON(t, webPod)
	p := planned(t, Request{Edits: []probe.Edit{probe.Off(probe.Liveness)}}, pod(t, webPod))
	after := mustPatch(t, &p.Objects[0], before)
	if got := string(fieldsOf(t, after, "metadata", "annotations", snapshot.OriginalAnnotation)); !strings.Contains(got, `newer`) {
		t.Errorf("annotation %s", got)
	}
	s, err := PodFromJSON(after)
	if err != nil {
		t.Fatal(err)
	}
	back := planned(t, Request{Restore: true}, Target{Subject: s})
	after = mustPatch(t, &back.Objects[0], after)
	if got := string(fieldsOf(t, after, "metadata", "annotations")); got != `{"team":"shop"}` {
		t.Errorf("annotations %s", got)
	}
}

func TestUnchangedSendsNothing(t *testing.T) {
	p := planned(t, Request{Edits: []probe.Edit{parsed(t, probe.Liveness, "period=10,http=:8080/healthz")}, Containers: []string{"web"}}, pod(t, webPod, ", newer: kept", ""))
	o := p.Objects[0]
	patch, err := o.Patch()
	if err != nil || patch != nil || o.Changed() || o.Undo != nil || o.Notes != nil || o.Changes[0].Action != Unchanged {
		t.Errorf("patch %s, %v; plan %+v", patch, err, o)
	}
}

func TestPatchTests(t *testing.T) {
	r := Request{Edits: []probe.Edit{parsed(t, probe.Liveness, "period=30")}}
	tests := []struct {
		name    string
		replace []string
		applies bool
	}{
		{"nothing", nil, true},
		{"another Pod", []string{"uid-1", "uid-2"}, false},
		{"the probe", []string{"path: /healthz", "path: /other"}, false},
		{"a field this program does not know", []string{"newer: kept", "newer: lost"}, false},
		{"the other probe", []string{"path: /readyz", "path: /other"}, true},
		{"the containers' order", []string{"name: web\n", "name: www\n"}, false},
		{"labels and status", []string{"namespace: shop", "namespace: shop\n  labels: {a: b}", "phase: Running", "phase: Pending"}, true},
		{"another annotation", []string{"team: shop", "team: other"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := planned(t, r, pod(t, webPod))
			_, err := patched(t, &p.Objects[0], toJSON(t, replaced(t, webPod, tt.replace)))
			if (err == nil) != tt.applies {
				t.Errorf("applies: %v, want %v", err, tt.applies)
			}
		})
	}
	t.Run("annotations added meanwhile", func(t *testing.T) {
		p := planned(t, r, pod(t, webPod, "  annotations: {team: shop}\n", ""))
		if _, err := patched(t, &p.Objects[0], toJSON(t, webPod)); err == nil {
			t.Error("the other annotations are lost")
		}
	})
}

// byKubectl does what kubectl patch would send.
func byKubectl(t *testing.T, command string, object []byte) []byte {
	t.Helper()
	words, err := probe.SplitWords(command)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.DecodePatch([]byte(words[len(words)-1]))
	if err != nil {
		t.Fatal(err)
	}
	out, err := patch.Apply(object)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAPortThatTheContainerDoesNotHave(t *testing.T) {
	const says = `its container has no port named "htpp": every check errors and none counts, so the probe can never act`
	for value, want := range map[string]bool{"http=:htpp/": true, "tcp=:htpp": true, "http=:http/": false, "tcp=:1": false} {
		p := planned(t, Request{Containers: []string{"web"}, Edits: edits(t, probe.Liveness, value)}, pod(t, webPod))
		if got := slices.Contains(p.Objects[0].Changes[0].Effects, says); got != want {
			t.Errorf("%s: %q", value, p.Objects[0].Changes[0].Effects)
		}
	}
}

// A probe that cannot run has no time in which it acts: not before a change, not after it, and not in JSON.
func TestAProbeThatNeverActsHasNoTime(t *testing.T) {
	good, bad := `{path: /healthz, port: 8080`, `{path: /healthz, port: nope`
	for name, tt := range map[string]struct {
		port, value, want string
		before, after     bool // can run
	}{
		"removed":       {bad, "-off", "was GET :nope/healthz period=10 timeout=1 failure=3, never acted", false, false},
		"tuned":         {bad, "failure=7", "never acts", false, false},
		"broken":        {good, "http=:nope/x", "acts within 31s -> never acts", true, false},
		"mended":        {bad, "http=:8080/x", "never acts -> acts within 31s", false, true},
		"stays able":    {good, "failure=7", "acts within 31s -> 1m11s", true, true},
		"of same times": {good, "http=:1/x", "acts within 31s", true, true},
	} {
		p := planned(t, Request{Containers: []string{"web"}, Edits: edits(t, probe.Liveness, tt.value)}, pod(t, webPod, good, tt.port))
		item := NewResult([]ObjectResult{{Plan: &p.Objects[0]}}).Items[0]
		if got := changeLines(p.Objects[0].Changes[0])[0]; got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		for shown, want := range map[*report.Probe]bool{item.Before: tt.before, item.After: tt.after} {
			if shown != nil && (shown.CanRun != want || shown.HasFigures() != want) {
				t.Errorf("%s: %+v", name, shown)
			}
		}
		if may := strings.Contains(strings.Join(item.Effects, "\n"), "may restart"); may && !tt.after {
			t.Errorf("%s: %q", name, item.Effects)
		}
	}
	p := planned(t, Request{Containers: []string{"web"}, Edits: edits(t, probe.Liveness, "-off")}, pod(t, webPod, "periodSeconds: 10", "periodSeconds: -10"))
	if got, want := changeLines(p.Objects[0].Changes[0])[0], "was GET :8080/healthz period=-10 timeout=1 failure=3, acted within an unknown time"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p = planned(t, Request{Containers: []string{"web"}, Edits: edits(t, probe.Startup, "tcp=:nope")}, pod(t, webPod))
	if got, want := changeLines(p.Objects[0].Changes[0])[0], "now tcp :nope period=10 timeout=1 failure=3, never acts"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
