package change

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func outcomes(results []ObjectResult) map[Outcome]int {
	out := map[Outcome]int{}
	for _, r := range results {
		out[r.Outcome]++
	}
	return out
}

func apply(t *testing.T, a *Applier, r Request, targets []Target) []ObjectResult {
	t.Helper()
	results, err := a.Apply(context.Background(), planned(t, r, targets...))
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestOneRequestWhenTheServerHasNoGate(t *testing.T) {
	s, targets := replicas(t, 30)
	s.before = func(_ *server, name string, _ int) error { return gateless(name) }
	results := apply(t, s.applier(), Request{Edits: edits(t, "liveness", "-off")}, targets)
	if len(s.patches) != 1 {
		t.Errorf("%d patches", len(s.patches))
	}
	if diff := cmp.Diff(map[Outcome]int{Rejected: 1, Refused: 29}, outcomes(results)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if m := results[0].Message; !strings.Contains(m, "MutableContainerProbes") || !strings.Contains(m, "nothing was changed") || strings.Contains(m, "image") {
		t.Errorf("message %q", m)
	}
	if Err(results, false) == nil {
		t.Error("no error")
	}
}

func TestGoesOnAfterSingleFailures(t *testing.T) {
	s, targets := replicas(t, 30)
	s.before = func(s *server, name string, _ int) error {
		switch name {
		case "web-7":
			delete(s.objects, name)
		case "web-9":
			return &apierrors.StatusError{ErrStatus: metav1.Status{
				Code: 422, Reason: metav1.StatusReasonInvalid, Message: `pods "web-9" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: not this one`,
				Details: &metav1.StatusDetails{Name: "web-9", Kind: "pods", Causes: []metav1.StatusCause{{Message: "not this one"}}},
			}}
		}
		return nil
	}
	var told []string
	a := s.applier()
	a.Done = func(r ObjectResult) { told = append(told, r.Plan.Name) }
	results := apply(t, a, Request{Edits: edits(t, "liveness", "-off")}, targets)
	if diff := cmp.Diff(map[Outcome]int{Patched: 28, Rejected: 2}, outcomes(results)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if !strings.Contains(results[7].Message, "it is gone") || !strings.HasPrefix(results[9].Message, `pods "web-9" is forbidden`) {
		t.Errorf("messages %q, %q", results[7].Message, results[9].Message)
	}
	var want []string
	for i := range 30 {
		want = append(want, fmt.Sprintf("web-%d", i))
	}
	if !slices.Equal(want, told) {
		t.Errorf("told in the order %v", told)
	}
}

func TestFailedTests(t *testing.T) {
	meta := func(object map[string]any) map[string]any { return object["metadata"].(map[string]any) }
	web := func(object map[string]any) map[string]any {
		return object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	}
	tests := []struct {
		name   string
		change func(object map[string]any)
		want   Outcome
		says   string
	}{
		{"replaced", func(o map[string]any) {
			meta(o)["uid"], meta(o)["creationTimestamp"] = "uid-new", "2026-11-29T13:59:48Z"
		}, Failed, "it was replaced: another of that name was created at 2026-11-29T13:59:48Z"},
		{"changed", func(o map[string]any) {
			web(o)["livenessProbe"].(map[string]any)["periodSeconds"] = 99
			meta(o)["generation"] = 2
			meta(o)["managedFields"] = []any{map[string]any{
				"manager": "kubectl-edit", "operation": "Update", "time": "2026-11-29T13:59:59Z", "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{"f:spec": map[string]any{"f:containers": map[string]any{`k:{"name":"web"}`: map[string]any{"f:livenessProbe": map[string]any{}}}}},
			}}
		}, Failed, "the liveness probe of container web was changed meanwhile by kubectl-edit at 2026-11-29T13:59:59Z: it is now GET :8080/healthz period=99"},
		{"removed", func(o map[string]any) { delete(web(o), "livenessProbe") }, Failed, "was changed meanwhile: it has none now"},
		{"terminating", func(o map[string]any) {
			meta(o)["deletionTimestamp"] = "2026-11-29T13:59:48Z"
			web(o)["livenessProbe"] = nil
		}, Failed, "it is terminating"},
		{"finished, on a server with the gate", func(o map[string]any) { o["status"].(map[string]any)["phase"] = "Succeeded" }, Rejected, "it has finished (Succeeded)"},
		{"an annotation of ours", func(o map[string]any) {
			meta(o)["annotations"].(map[string]any)[snapshot.OriginalAnnotation] = `{"worker":{"startup":null}}`
		}, Patched, ""},
		{"no annotations left", func(o map[string]any) { delete(meta(o), "annotations") }, Patched, ""},
		{"another probe and the status", func(o map[string]any) {
			delete(web(o), "readinessProbe")
			o["status"].(map[string]any)["phase"] = "Pending"
		}, Patched, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, targets := replicas(t, 1)
			s.before = func(s *server, name string, try int) error {
				if try == 1 {
					s.set(name, tt.change)
				}
				if strings.Contains(string(s.objects[name]), "Succeeded") {
					return gateless(name)
				}
				return nil
			}
			results := apply(t, s.applier(), Request{Edits: edits(t, "liveness", "period=30")}, targets)
			if results[0].Outcome != tt.want || !strings.Contains(results[0].Message, tt.says) {
				t.Errorf("%s: %q", results[0].Outcome, results[0].Message)
			}
		})
	}
}

func TestAnswersAreNotTrusted(t *testing.T) {
	lost := fmt.Errorf("patch: %w", io.ErrUnexpectedEOF)
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	tests := []struct {
		name          string
		before, after func(s *server, name string, try int) error
		dryRun        bool
		want          Outcome
		says          string
		patches       int
	}{
		{"lost after it was made", nil, func(*server, string, int) error { return lost }, false, Patched, "read back the change is there", 1},
		{"lost before it was made", func(_ *server, _ string, try int) error {
			if try == 1 {
				return lost
			}
			return nil
		}, nil, false, Patched, "", 2},
		{"lost each time", func(*server, string, int) error { return lost }, nil, false, Failed, "whether it was changed is not known: the answer was lost (patch: unexpected EOF), and a slow server may still change it; " +
			"read back it was not changed yet; look with: kubectl probes pod/web-0 -n shop", tries},
		{"lost, and made later", func(s *server, name string, try int) error {
			if try == 1 {
				return lost
			}
			s.set(name, func(object map[string]any) {
				container := object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
				container["livenessProbe"].(map[string]any)["periodSeconds"] = 30
			})
			return nil
		}, nil, false, Patched, "read back the change is there", 2},
		{"lost, then nobody there", func(_ *server, _ string, try int) error {
			if try == 1 {
				return lost
			}
			return refused
		}, nil, false, Failed, "whether it was changed is not known: the answer was lost (patch: unexpected EOF)", tries},
		{"lost, then refused", func(_ *server, name string, try int) error {
			if try == 1 {
				return lost
			}
			return gateless(name)
		}, nil, false, Failed, "whether it was changed is not known", 2},
		{"lost with the Pod", func(s *server, name string, _ int) error {
			delete(s.objects, name)
			return lost
		}, nil, false, Failed, "not known", 1},
		{"500", func(_ *server, _ string, try int) error {
			if try < 3 {
				return apierrors.NewInternalError(errors.New("etcd"))
			}
			return nil
		}, nil, false, Patched, "", 3},
		{"timeout after it was made", nil, func(_ *server, _ string, try int) error {
			return apierrors.NewTimeoutError("slow", 0)
		}, false, Patched, "read back the change is there", 1},
		{"too many requests", func(_ *server, _ string, try int) error {
			if try < 3 {
				return apierrors.NewTooManyRequests("later", 1)
			}
			return nil
		}, nil, false, Patched, "", 3},
		{"nobody there", func(*server, string, int) error { return refused }, nil, false, Failed, "connection refused", tries},
		{"dry run, lost", func(*server, string, int) error { return lost }, nil, true, Failed, "unexpected EOF", tries},
		{"dry run", nil, nil, true, DryRun, "", 1},
		{"a webhook that is down", func(*server, string, int) error {
			return apierrors.NewInternalError(errors.New(`failed calling webhook "x.example": no endpoints`))
		}, nil, false, Rejected, "failed calling webhook", 1},
		{"a webhook that denies", func(*server, string, int) error {
			return &apierrors.StatusError{ErrStatus: metav1.Status{Code: 403, Reason: metav1.StatusReasonForbidden, Message: `admission webhook "x.example" denied the request: freeze`}}
		}, nil, false, Rejected, "denied the request: freeze", 1},
		{"invalid", func(_ *server, name string, _ int) error {
			err := gateless(name).(*apierrors.StatusError)
			err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{Field: "spec.containers[0].livenessProbe.periodSeconds", Message: "Invalid value: -1"})
			return err
		}, nil, false, Rejected, "spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1", 1},
		{"no right", func(_ *server, name string, _ int) error {
			return apierrors.NewForbidden(pods(), name, errors.New(`User "jane" cannot patch resource "pods" in API group "" in the namespace "shop"`))
		}, nil, false, Rejected, "the right is missing to patch pods in namespace shop", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, targets := replicas(t, 1)
			s.before, s.after = tt.before, tt.after
			a := s.applier()
			a.DryRun = tt.dryRun
			results := apply(t, a, Request{Edits: edits(t, "liveness", "period=30")}, targets)
			if results[0].Outcome != tt.want || !strings.Contains(results[0].Message, tt.says) || len(s.patches) != tt.patches {
				t.Errorf("%s after %d patches: %q", results[0].Outcome, len(s.patches), results[0].Message)
			}
		})
	}
}

func TestRiskyChangesWaitForTheFirst(t *testing.T) {
	tests := []struct {
		name    string
		value   string
		atOnce  bool
		ill     func(s *server) // while the first is watched
		patches int
		slept   time.Duration
		says    string
	}{
		{"well", "period=5,failure=2", false, nil, 4, (2*6+1)*time.Second + nodeLatency, ""},
		{"not risky", "period=60", false, nil, 4, 0, ""},
		{"at once", "period=5", true, nil, 4, 0, ""},
		{"restarted", "period=5", false, func(s *server) {
			s.set("web-0", func(o map[string]any) {
				o["status"].(map[string]any)["containerStatuses"].([]any)[0].(map[string]any)["restartCount"] = 1
			})
		}, 1, pollEvery, "pod/web-0 did not stay well: a container was restarted"},
		{"gone", "period=5", false, func(s *server) { delete(s.objects, "web-0") }, 1, pollEvery, "pod/web-0 could not be watched"},
		{"unready", "period=5,failure=2", false, func(s *server) {
			s.set("web-0", func(o map[string]any) {
				o["status"].(map[string]any)["conditions"] = []any{map[string]any{"type": "Ready", "status": "False"}}
			})
		}, 1, pollEvery, "it is no longer ready"},
		{"unready between two looks", "period=5,failure=2", false, func(s *server) {
			s.set("web-0", func(o map[string]any) {
				o["status"].(map[string]any)["conditions"] = []any{map[string]any{"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-29T14:00:00Z"}}
			})
		}, 1, pollEvery, "it was not ready for a while"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, targets := replicas(t, 4)
			for i := range targets {
				targets[i].Pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
				s.set(targets[i].Name, func(o map[string]any) {
					o["status"].(map[string]any)["conditions"] = []any{map[string]any{"type": "Ready", "status": "True"}}
				})
			}
			s.now.tick = func(time.Time) {
				s.mu.Lock()
				defer s.mu.Unlock()
				if tt.ill != nil {
					tt.ill(s)
					tt.ill = nil
				}
			}
			a := s.applier()
			a.AtOnce = tt.atOnce
			results := apply(t, a, Request{Edits: edits(t, probe.Liveness, tt.value)}, targets)
			if len(s.patches) != tt.patches || s.now.slept != tt.slept {
				t.Errorf("%d patches after %s, want %d after %s", len(s.patches), s.now.slept, tt.patches, tt.slept)
			}
			if tt.says != "" && (results[3].Outcome != Refused || !strings.Contains(results[3].Message, tt.says)) {
				t.Errorf("%s: %q", results[3].Outcome, results[3].Message)
			}
		})
	}
}

// TestUnreadyOnTheWay: a new readiness probe takes Ready away until it passes.
func TestUnreadyOnTheWay(t *testing.T) {
	ready := func(status, since string) func(o map[string]any) {
		return func(o map[string]any) {
			o["status"].(map[string]any)["conditions"] = []any{map[string]any{"type": "Ready", "status": status, "lastTransitionTime": since}}
		}
	}
	s, targets := replicas(t, 2)
	s.set("web-0", ready("True", "2026-11-29T13:00:00Z"))
	data, err := s.Get(context.Background(), targets[0].Ref)
	if err != nil {
		t.Fatal(err)
	}
	if targets[0].Subject, err = PodFromJSON(data); err != nil {
		t.Fatal(err)
	}
	looks := 0
	s.now.tick = func(time.Time) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch looks++; looks {
		case 1:
			s.set("web-0", ready("False", "2026-11-29T14:00:01Z"))
		case 4:
			s.set("web-0", ready("True", "2026-11-29T14:00:02Z"))
		}
	}
	var told []string
	a := s.applier()
	a.Watching = func(text string) { told = append(told, text) }
	apply(t, a, Request{Containers: []string{"worker"}, Edits: edits(t, probe.Readiness, "tcp=:80")}, targets)
	if len(s.patches) != 2 || len(told) != 2 || !strings.Contains(told[0], " before the other one follows (") || told[1] != "pod/web-0 was not ready for a while, and is again" {
		t.Errorf("%d patches, told %q", len(s.patches), told)
	}
}

func TestUnknownFirstStopsTheOthers(t *testing.T) {
	s, targets := replicas(t, 3) // the node never answers
	a := s.applier()
	a.Wait = 10 * time.Second
	results := apply(t, a, Request{Edits: edits(t, probe.Liveness, "period=5")}, targets)
	if len(s.patches) != 1 || results[2].Outcome != Refused || !strings.Contains(results[2].Message, "pod/web-0 is not known to have it in force, so nothing can be learned from it") {
		t.Errorf("%d patches, %s: %q", len(s.patches), results[2].Outcome, results[2].Message)
	}
	if Err(results, false) == nil {
		t.Error("no error")
	}
}

func TestAPodWithoutANodeIsNoFirst(t *testing.T) {
	s, targets := replicas(t, 3) // no node ever answers
	targets[0].Node, targets[0].Pod.Spec.NodeName = Node{}, ""
	a := s.applier()
	a.Wait = 10 * time.Second
	results := apply(t, a, Request{Edits: edits(t, probe.Liveness, "period=5")}, targets)
	if len(s.patches) != 2 || results[2].Outcome != Refused {
		t.Errorf("%d patches, %s: %q", len(s.patches), results[2].Outcome, results[2].Message)
	}
	if effects := results[0].Plan.Changes[0].Effects; len(effects) > 0 {
		t.Errorf("effects %q", effects)
	}
	if got := results[0].Confirms[0].verdict(true); !strings.HasPrefix(got, "in force when it starts: no node has the Pod yet") {
		t.Error(got)
	}
}

func TestUnchangedFirstSaysNothing(t *testing.T) {
	s, targets := replicas(t, 3)
	off := Request{Edits: edits(t, "liveness", "-off")}
	apply(t, s.applier(), off, targets[:1])
	data, err := s.Get(context.Background(), targets[0].Ref)
	if err != nil {
		t.Fatal(err)
	}
	if targets[0].Subject, err = PodFromJSON(data); err != nil {
		t.Fatal(err)
	}
	s.patches = nil
	results := apply(t, s.applier(), off, targets)
	if diff := cmp.Diff(map[Outcome]int{"": 1, Patched: 2}, outcomes(results)); diff != "" || len(s.patches) != 2 || Err(results, true) != nil {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// A slow server may make a change whose answer nobody waited for.
func TestInterruptedPatch(t *testing.T) {
	for name, gone := range map[string]bool{"readable": false, "unreadable": true} {
		t.Run(name, func(t *testing.T) {
			s, targets := replicas(t, 2)
			ctx, cancel := context.WithCancel(context.Background())
			s.before = func(s *server, name string, _ int) error {
				cancel()
				if gone {
					delete(s.objects, name)
				}
				return ctx.Err()
			}
			results, err := s.applier().Apply(ctx, planned(t, Request{Edits: edits(t, "liveness", "-off")}, targets...))
			message := results[0].Message
			if !errors.Is(err, context.Canceled) || results[0].Outcome != Failed || results[1].Outcome != Refused || len(s.patches) != 1 ||
				!strings.Contains(message, "whether it was changed is not known: the answer was lost (context canceled)") ||
				!strings.HasSuffix(message, "look with: kubectl probes pod/web-0 -n shop") {
				t.Errorf("%v, %d patches, %+v", err, len(s.patches), results)
			}
		})
	}
}

func TestInterrupted(t *testing.T) {
	s, targets := replicas(t, 3)
	ctx, cancel := context.WithCancel(context.Background())
	a := s.applier()
	a.Done = func(ObjectResult) { cancel() }
	results, err := a.Apply(ctx, planned(t, Request{Edits: edits(t, "liveness", "-off")}, targets...))
	if !errors.Is(err, context.Canceled) || len(s.patches) != 1 || results[2].Outcome != Refused {
		t.Errorf("%v, %d patches, %+v", err, len(s.patches), results)
	}
}
