package change

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func printer(dryRun string) (*Printer, *bytes.Buffer, *bytes.Buffer) {
	var out, errOut bytes.Buffer
	escape := strings.NewReplacer("\x1b", `\x1b`, "\n", `\n`).Replace
	return &Printer{Out: &out, Err: &errOut, DryRun: dryRun, FieldManager: FieldManager, Escape: escape}, &out, &errOut
}

func TestTextOfOne(t *testing.T) {
	s, targets := replicas(t, 1)
	targets[0].Workload, targets[0].Current = "deploy/web", madeFrom(t)
	s.now.tick = func(time.Time) {
		s.events = append(s.events, event("e", "web", "liveness removed"))
	}
	a := s.applier()
	a.Wait = time.Minute
	p, out, errOut := printer("")
	plan := planned(t, Request{Edits: edits(t, "liveness", "-off")}, targets...)
	p.Start(plan)
	a.Done = p.Result
	results, err := a.Apply(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	p.Finish(results)
	want := `pod/web-0 probes updated
---
  web  liveness  removed   was GET :8080/healthz period=10 timeout=1 failure=3, acted within 31s
       no more liveness restarts of this container; its ready and started status stay as they are
  in force: node-1 applied it after 500ms
  undo:  kubectl probes set pod/web-0 -n shop -c web --restore
  as:    field manager kubectl-probes
  note:  a replacement Pod comes from deploy/web's template, which still has this probe
`
	if diff := cmp.Diff(want, out.String()+"---\n"+errOut.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestTextOfADryRun(t *testing.T) {
	p, out, errOut := printer("client")
	plan := planned(t, Request{Edits: edits(t, "liveness", "period=20,exec=sh -c \"a\x1b[31m\nb\""), Containers: []string{"web"}}, pod(t, webPod))
	p.Start(plan)
	p.Result(ObjectResult{Plan: &plan.Objects[0], Outcome: DryRun})
	want := `pod/web-0 probes updated (dry run)
  web  liveness  updated   acts within 31s -> 1m1s
       was GET :8080/healthz period=10 timeout=1 failure=3
       now exec sh -c 'a\x1b[31m\nb' period=20 timeout=1 failure=3
       the check in flight is cancelled and does not count; counts start again at zero, with a check at once; the last result (passed or failed) stays until the new checks reach a threshold
       it may restart the container later, when it fails long enough; a restart already decided goes on
`
	if diff := cmp.Diff(want, out.String()); diff != "" || errOut.Len() > 0 {
		t.Errorf("text (-want +got):\n%s\nstderr %q", diff, errOut)
	}
}

func TestTextOfMany(t *testing.T) {
	s, targets := replicas(t, 5)
	s.before = func(s *server, name string, _ int) error {
		if name == "web-3" {
			delete(s.objects, name)
		}
		return nil
	}
	p, out, errOut := printer("")
	plan := planned(t, Request{Edits: edits(t, "liveness", "-off")}, targets...)
	p.Start(plan)
	a := s.applier()
	a.Done = func(r ObjectResult) { p.Result(r) }
	results, err := a.Apply(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	p.Finish(results)
	want := `pod/web-0 probes updated
pod/web-1 probes updated
pod/web-2 probes updated
pod/web-4 probes updated
---
pod/web-0, pod/web-1, pod/web-2 and 2 more:
  web  liveness  removed   was GET :8080/healthz period=10 timeout=1 failure=3, acted within 31s
       no more liveness restarts of this container; its ready and started status stay as they are
error: pod/web-3: it is gone: deleted since it was read
  accepted, not waited for: pod/web-0, pod/web-1, pod/web-2 and 1 more
4 updated, 1 failed
  undo:  kubectl probes set pod/web-0 pod/web-1 pod/web-2 pod/web-4 -n shop -c web --restore
  as:    field manager kubectl-probes
`
	if diff := cmp.Diff(want, out.String()+"---\n"+errOut.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestTextNotInForce(t *testing.T) {
	no := false
	p, _, errOut := printer("")
	plan := planned(t, Request{Edits: edits(t, "liveness", "-off")}, pod(t, webPod))
	p.Start(plan)
	p.Finish([]ObjectResult{{Plan: &plan.Objects[0], Outcome: Patched, Confirms: []Confirmation{{InForce: &no, Text: "n runs kubelet v1.37.2, which keeps the old probe until it restarts"}}}})
	if !strings.Contains(errOut.String(), "  accepted, NOT in force: n runs kubelet v1.37.2, which keeps the old probe until it restarts\n") {
		t.Errorf("stderr %s", errOut)
	}
}

func TestNewResult(t *testing.T) {
	plan := planned(t, Request{Edits: edits(t, "liveness", "-off"), Containers: []string{"web", "worker"}}, pod(t, webPod))
	yes := true
	r := NewResult([]ObjectResult{{Plan: &plan.Objects[0], Outcome: Patched, Confirms: []Confirmation{
		{Confirmed: Confirmed{true, true}, InForce: &yes, Text: "x"}, {},
	}}})
	if r.APIVersion != "kubectl-probes.github.io/v1alpha1" || r.Kind != "ProbeChangeResult" || len(r.Items) != 2 {
		t.Fatalf("%+v", r)
	}
	first, second := r.Items[0], r.Items[1]
	if first.Action != Removed || first.Before == nil || first.After != nil || first.Outcome != Patched || !*first.InForce || !first.Confirmed.Event || first.Pod != "web-0" {
		t.Errorf("%+v", first)
	}
	if second.Action != Unchanged || second.Outcome != "" || second.Confirmed != nil || second.Effects == nil {
		t.Errorf("%+v", second)
	}
}

func TestTextWithoutGate(t *testing.T) {
	s, targets := replicas(t, 30)
	for i := range targets {
		targets[i].Workload, targets[i].Current = "deploy/web", madeFrom(t)
	}
	s.before = func(_ *server, name string, _ int) error { return gateless(name) }
	p, out, errOut := printer("")
	plan := planned(t, Request{Edits: edits(t, "liveness", "exec=echo 'a b'"), Containers: []string{"web"}}, targets...)
	p.Start(plan)
	a := s.applier()
	a.Done = p.Result
	results, err := a.Apply(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	p.Finish(results)
	want := `error: pod/web-0: this API server does not accept probe changes on running Pods (feature gate MutableContainerProbes, alpha in v1.38); nothing was changed
instead: kubectl probes set deploy/web -n shop --pod-template -c web --liveness="exec=echo 'a b'"   (starts a rollout)
1 failed, 29 not sent
  not sent: the server would answer the same
`
	if diff := cmp.Diff(want, errOut.String()); diff != "" || out.Len() > 0 {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}
