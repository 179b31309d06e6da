package change

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestWait is what nodes make of accepted changes, and what is said about it.
func TestWait(t *testing.T) {
	off := []string{"-c", "app", "--liveness-off"}
	for name, c := range map[string]struct {
		node   string
		args   []string
		status int
		says   []string
	}{
		"follows":                   {follows, off, 0, []string{"  in force: node-follows applied it "}},
		"follows, asked explicitly": {follows, append(off, "--wait"), 0, []string{"  in force: node-follows applied it "}},
		"two, each of them said": {
			follows,
			[]string{"-c", "app", "--liveness=period=3", "--readiness=period=3"},
			0,
			[]string{"  in force: node-follows applied it "},
		},
		"ignores a removal": {
			ignores, off, 1,
			[]string{"  accepted, NOT in force: node-ignores runs kubelet v1.37.2, which keeps the old probe until it restarts\n"},
		},
		"ignores a change": {ignores, []string{"--liveness=failure=9"}, 1, []string{"  accepted, NOT in force: node-ignores runs kubelet v1.37.2, which keeps the old probe"}},
		"runs an added probe, the first of its container": {
			ignores,
			[]string{"-c", "helper", "--liveness=tcp=:1"},
			0,
			[]string{"  in force: node-ignores runs kubelet v1.37.2, which starts added probes\n"},
		},
		"ignores an added probe behind another": {
			ignores,
			[]string{"-c", "mesh", "--liveness=tcp=:1"},
			1,
			[]string{"  accepted, NOT in force: node-ignores runs kubelet v1.37.2, which ignores this probe until it restarts\n"},
		},
		"an older one, behind another container": {
			ignores2,
			[]string{"-c", "helper", "--liveness=tcp=:1"},
			1,
			[]string{"  accepted, NOT in force: node-ignores2 runs kubelet v1.36.1, which ignores this probe until it restarts\n"},
		},
		"takes Started away": {
			ignores,
			[]string{"-c", "helper", "--startup=tcp=:1"},
			0,
			[]string{"  in force: ", "          node-ignores runs kubelet v1.37.2, which takes Started away from the container until the new startup probe passes"},
		},
		"grace is read when it kills": {ignores, []string{"--liveness=grace=77"}, 0, []string{"  in force: node-ignores runs kubelet v1.37.2, which reads the grace period when it kills\n"}},
		"restarts the container": {
			restarts, off, 0,
			[]string{"  accepted, in force or not is unknown: node-restarts runs kubelet v1.30.4, which restarts the container for it\n"},
		},
		"sees and is silent": {
			quiet, append(off, "--timeout=2s"), 0,
			[]string{"  accepted, in force or not is unknown: node-quiet runs kubelet v1.38.0, and did not say that it applied the change\n"},
		},
		"sees and is silent, asked explicitly": {quiet, append(off, "--timeout=2s", "--wait"), 1, []string{"is unknown: node-quiet "}},
		"does nothing": {
			down, append(off, "--timeout=1s"), 0,
			[]string{"  accepted, in force or not is unknown: no answer from node-down within 1s: node-down runs kubelet v1.38.0"},
		},
		"does nothing, asked explicitly": {down, append(off, "--timeout=1s", "--wait=true"), 1, []string{"no answer from node-down within 1s"}},
		"does nothing, not asked":        {down, append(off, "--wait=false"), 0, []string{"  accepted, not waited for\n"}},
		"does nothing, no time to":       {down, append(off, "--timeout=0"), 0, []string{"  accepted, not waited for\n"}},
		"nobody knows the node":          {"node-nobody-knows", append(off, "--timeout=1s"), 0, []string{"is unknown: no answer from node-nobody-knows within 1s: the kubelet version of node-nobody-knows is not known\n"}},
		"a virtual node":                 {virtual, append(off, "--timeout=1s"), 0, []string{"node-virtual is a virtual node, which probes in its own way\n"}},
		"no node yet":                    {"", append(off, "--wait"), 0, []string{"  in force when it starts: no node has the Pod yet, and its kubelet starts with the probe as it is now\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, env.mutable)
			s.alone(t, "web-0", On(c.node))
			began := time.Now()
			got := status(t, c.status, s.set(t, append([]string{"pod/web-0"}, c.args...)...))
			has(t, got.Err, c.says...)
			has(t, got.Out, "pod/web-0 probes updated\n")
			if strings.Contains(strings.Join(c.says, ""), "not waited for") && strings.Contains(got.Err, "force") {
				t.Error("it was asked all the same")
			}
			if took := time.Since(began); took > 9*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// TestWaitForMany waits for all nodes together, and not for one Pod after the other.
func TestWaitForMany(t *testing.T) {
	s := newScene(t, env.mutable)
	s.deployment(t, web(), 30, On(down))
	began := time.Now()
	got := status(t, 1, s.set(t, "deploy/web", "--pods", "-c", "app", "--liveness-off", "--timeout=2s", "--wait"))
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it took %s", took)
	}
	has(t, got.Err, "no answer from node-down within 2s: node-down runs kubelet v1.38.0, and did not say that it applied the change: pod/web-5555555555-0, pod/web-5555555555-1, pod/web-5555555555-10 and 27 more\n")
	if n := strings.Count(got.Err, "no answer"); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// item is one of a ProbeChangeResult.
type item struct {
	Namespace, Pod, Workload, Container, Probe, Action, Outcome, Message, Instead string
	Before, After                                                                 *struct {
		Config    map[string]int
		Detection struct{ HangSeconds int }
	}
	Effects   []string
	InForce   *bool
	Confirmed *struct{ ObservedGeneration, Event bool }
	Undo      []string
}

func items(t *testing.T, text string) []item {
	t.Helper()
	var r struct {
		APIVersion, Kind string
		Items            []item
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if r.APIVersion != "kubectl-probes.github.io/v1alpha1" || r.Kind != "ProbeChangeResult" {
		t.Errorf("it is a %s of %s", r.Kind, r.APIVersion)
	}
	return r.Items
}

// TestOutput is the machine-readable side, with every outcome that there is.
func TestOutput(t *testing.T) {
	s := newScene(t, env.mutable)
	s.alone(t, "web-0", On(follows))
	s.alone(t, "web-1", On(ignores))
	change := []string{"pod/web-0", "-c", "app", "--liveness=failure=6", "--readiness=period=5"}

	got := s.must(t, append(change, "-o", "json", "--dry-run=client")...)
	all := items(t, got.Out)
	if len(all) != 2 || all[0].Probe != "readiness" || all[0].Action != "unchanged" || all[0].Outcome != "" ||
		all[1].Action != "updated" || all[1].Outcome != "dry-run" || all[1].Confirmed != nil || len(all[1].Effects) == 0 {
		t.Errorf("items %+v", all)
	}
	if before, after := all[1].Before, all[1].After; before.Detection.HangSeconds != 31 || after.Detection.HangSeconds != 61 || after.Config["failureThreshold"] != 6 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	for _, format := range []string{"yaml", "kyaml"} {
		text, err := yaml.YAMLToJSON([]byte(s.must(t, append(change, "-o", format, "--dry-run=server")...).Out))
		if all := items(t, string(text)); err != nil || all[1].Outcome != "dry-run" {
			t.Errorf("%s: %v, %+v", format, err, all)
		}
	}
	if got := s.must(t, append(change, "-o", `jsonpath={range .items[*]}{.probe}={.action} {end}`, "--dry-run")...); got.Out != "readiness=unchanged liveness=updated " {
		t.Errorf("jsonpath: %s", got)
	}
	if got := s.must(t, append(change, "-o", "name", "--dry-run=server")...); got.Out != "pod/web-0\n" {
		t.Errorf("name: %s", got)
	}
	s.same(t, "web-0", s.probes(t, "web-1"))

	got = s.must(t, append(change, "-o", "json")...)
	done := items(t, got.Out)[1]
	if done.Outcome != "patched" || done.InForce == nil || !*done.InForce || !done.Confirmed.Event || len(done.Undo) != 1 || done.Pod != "web-0" || done.Namespace != s.Name {
		t.Errorf("item %+v", done)
	}
	got = status(t, 1, s.set(t, "pod/web-1", "--liveness-off", "-o", "json"))
	done = items(t, got.Out)[0]
	if done.Outcome != "patched" || done.InForce == nil || *done.InForce || done.Confirmed.Event || !done.Confirmed.ObservedGeneration || done.After != nil {
		t.Errorf("item %+v", done)
	}
	s.through(t, once(t, func() error { return s.deleteNow("web-1") }))
	got = status(t, 1, s.set(t, "pod/web-1", "-c", "app", "--startup=tcp=:1", "-o", "json"))
	done = items(t, got.Out)[0]
	if done.Outcome != "failed" && done.Outcome != "rejected" || done.Message != "it is gone: deleted since it was read" || done.Before != nil || done.Action != "added" || done.Undo != nil {
		t.Errorf("item %+v", done)
	}
	if got := status(t, 1, s.set(t, append(change, "-o", "table")...)); !strings.Contains(got.Err, "table") || got.Out != "" {
		t.Errorf("%s", got)
	}
}

// TestUnchanged asks for what is there: nothing is sent, and that is well.
func TestUnchanged(t *testing.T) {
	s := newScene(t, env.mutable)
	s.alone(t, "web-0", On(follows))
	p := s.through(t, nil)
	for _, args := range [][]string{
		{"-c", "helper", "--liveness-off"},
		{"--liveness=period=10,failure=3"},
		{"-c", "app", "--liveness=http=http://:8080/healthz"},
		{"-c", "app", "--liveness=period=10", "--startup-off"},
		{"-c", "app", `--liveness={"httpGet":{"path":"/healthz","port":8080},"terminationGracePeriodSeconds":5}`},
	} {
		got := s.must(t, append([]string{"pod/web-0"}, args...)...)
		if got.Out != "pod/web-0 probes unchanged\n" || len(undo(got)) > 0 {
			t.Errorf("%v: %s", args, got)
		}
	}
	p.sent(t, 0)
	if pod := s.pod(t, "web-0"); pod.Generation != 1 || pod.Annotations[original] != "" {
		t.Errorf("the Pod was touched: %+v", pod.ObjectMeta)
	}
}

// TestWhatIf is the calculator: what the new numbers mean, without a change and with the right to read alone.
func TestWhatIf(t *testing.T) {
	s := newScene(t, env.stock)
	s.deployment(t, web(), 3)
	p := s.through(t, nil)
	got := s.must(t, "deploy/web", "--pods", "-c", "app", "--liveness=period=20,failure=3,timeout=5", "--dry-run=client")
	want := `pod/web-5555555555-0, pod/web-5555555555-1, pod/web-5555555555-2:
  app  liveness  updated   acts within 31s -> 1m5s
       was GET :8080/healthz period=10 timeout=1 failure=3 grace=5
       now GET :8080/healthz period=20 timeout=5 failure=3 grace=5
`
	has(t, got.Out, want, "pod/web-5555555555-2 probes updated (dry run)\n")
	got = s.must(t, "deploy/web", "--pod-template", "-c", "app", "--startup=tcp=:1,period=5,failure=30", "--dry-run=client")
	has(t, got.Out, "deployment.apps/web probes updated (dry run)\n  app  startup  added     now tcp :1 period=5 timeout=1 failure=30, allows 2m25s\n")
	p.sent(t, 0)
}
