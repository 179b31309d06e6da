package cli

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// killed is what the kubelet writes when a liveness probe has failed often enough.
func killed(p *corev1.Pod) *corev1.Event {
	return eventOf(p, "Killing", "Container app failed liveness probe, will be restarted", corev1.EventTypeNormal)
}

func unhealthy(p *corev1.Pod, probe string) *corev1.Event {
	return eventOf(p, "Unhealthy", probe+" probe failed: HTTP probe failed with statuscode: 503", corev1.EventTypeWarning)
}

func eventOf(p *corev1.Pod, reason, message, kind string) *corev1.Event {
	at := metav1.NewTime(noon().Add(-60e9))
	e := &corev1.Event{
		ObjectMeta:     meta(p.Name + "." + strings.ToLower(reason)),
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: p.UID, FieldPath: "spec.containers{app}"},
		Reason:         reason, Message: message, Type: kind, Count: 5, FirstTimestamp: at, LastTimestamp: at,
		Source: corev1.EventSource{Component: "kubelet", Host: "node-1"},
	}
	e.Namespace = p.Namespace
	return e
}

func livenessOnly() corev1.Container {
	return corev1.Container{Name: "app", Image: "app", LivenessProbe: httpProbe("/live")}
}

// sick is a Pod whose liveness probe kills it.
func sick(name string) *corev1.Pod {
	p := unready(running(name, nil, livenessOnly()))
	p.Status.ContainerStatuses[0].RestartCount = 5
	p.Status.ContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 143, FinishedAt: metav1.NewTime(noon().Add(-60e9))}
	return p
}

func TestFailOn(t *testing.T) {
	pod := sick("web")
	bad := dump(t, pod, killed(pod))
	good := dump(t, running("web", nil, app(httpProbe("/"))), unhealthy(running("other", nil, app(nil)), "Readiness"))
	unknown := dump(t, running("web", nil, livenessOnly()))
	tests := []struct {
		name, file, failOn string
		want               int
		err                string
	}{
		{"matched", bad, "error", ExitFindings, ""},
		{"matched by rule", bad, "killed-by-probe", ExitFindings, ""},
		{"nothing to match", good, "killed-by-probe", ExitOK, ""},
		{"a gap keeps it from being decided", unknown, "killed-by-probe", ExitError, "cannot decide killed-by-probe: events"},
		{"no such rule", bad, "killed-by-prob", ExitError, "killed-by-probe"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := terminal(t, 0, "", "-f", test.file, "--fail-on="+test.failOn)
			if r.status != test.want || !strings.Contains(r.err, test.err) {
				t.Errorf("ended with %d, want %d: %s", r.status, test.want, r.err)
			}
		})
	}
}

// There would be no way to stop a pipeline.
func TestPeerFault42FindingsEndAPipeline(t *testing.T) {
	pod := sick("web")
	r := terminal(t, 0, "", "-f", dump(t, pod, killed(pod)), "--fail-on=error")
	if r.status != ExitFindings || !strings.Contains(r.out, "killed-by-probe") || strings.Contains(r.err, "--fail-on matched") {
		t.Errorf("ended with %d: %s%s", r.status, r.out, r.err)
	}
}

// --no-findings would claim that there are none.
func TestPeerFault34NoFindingsDropsTheColumn(t *testing.T) {
	pod := sick("web")
	r := pipe(t, "-f", dump(t, pod, killed(pod)), "--no-findings")
	if strings.Contains(r.out, "FINDINGS") {
		t.Errorf("there is a column:\n%s", r.out)
	}
	for _, flag := range []string{"--fail-on=error", "--only=killed-by-probe", "--only=failing,warning"} {
		if r := terminal(t, 0, "", "-f", "x", "--no-findings", flag); r.status != ExitError || !strings.Contains(r.err, "--no-findings leaves out") {
			t.Errorf("%s ended with %d: %s", flag, r.status, r.err)
		}
	}
}

// The Summary would come after every table and break what reads it.
func TestPeerFault44TheSummaryIsAskedFor(t *testing.T) {
	file := dump(t, running("web", nil, livenessOnly()))
	if out := pipe(t, "-f", file).out; strings.Count(out, "\n") != 2 {
		t.Errorf("more than a header and a row:\n%s", out)
	}
	if out := pipe(t, "-f", file, "--summary").out; !strings.Contains(out, "WORKLOAD") || !strings.Contains(out, "1 container") {
		t.Errorf("--summary:\n%s", out)
	}
	if out := pipe(t, "-f", file, "--summary=only").out; strings.Contains(out, "WORKLOAD") && strings.Contains(out, "READY") || !strings.Contains(out, "1 container") {
		t.Errorf("--summary=only:\n%s", out)
	}
	if out := pipe(t, "-f", file, "pod/web", "--summary=only").out; !strings.Contains(out, "1 container") {
		t.Errorf("of a named target:\n%s", out)
	}
	if r := terminal(t, 0, "", "-f", file, "--summary", "only"); r.status != ExitError || !strings.Contains(r.err, "did you mean --summary=only?") {
		t.Errorf("--summary only ends with %d: %s", r.status, r.err)
	}
	if r := reportOf(t, "-f", file, "--summary=only"); r.Summary == nil || len(r.Workloads) != 0 {
		t.Errorf("--summary=only -o json: %d workloads, summary %v", len(r.Workloads), r.Summary)
	}
	if r := reportOf(t, "-f", file, "--summary=hide"); r.Summary != nil {
		t.Error("--summary=hide -o json has a summary")
	}
}

// There would be no way to see only what fails.
func TestPeerFault54OnlyKeepsTheRowsAskedFor(t *testing.T) {
	pod := sick("bad")
	file := dump(t, pod, killed(pod), unhealthy(pod, "Liveness"), running("good", nil, app(httpProbe("/"))))
	for _, only := range []string{"failing", "unready", "restarting", "no-readiness", "error", "killed-by-probe"} {
		if out := pipe(t, "-f", file, "--only="+only, "-o", "name").out; out != "pod/bad\n" {
			t.Errorf("--only=%s: %q", only, out)
		}
	}
	if out := pipe(t, "-f", file, "--only=no-liveness", "-o", "name").out; out != "pod/good\n" {
		t.Errorf("--only=no-liveness: %q", out)
	}
	r := pipe(t, "-f", file, "--only=drifted")
	if r.out != "" || !strings.HasPrefix(r.err, "0 of 2 containers drifted") {
		t.Errorf("nothing left: %q %q", r.out, r.err)
	}
}

// --only hides rows; what is judged and counted is everything, and where that could be missed it is said.
func TestOnlyHidesRowsAlone(t *testing.T) {
	pod := sick("bad")
	file := dump(t, pod, killed(pod), unhealthy(pod, "Liveness"), running("good", nil, app(httpProbe("/"))))
	const note = "--fail-on matched in rows that --only hides\n"
	for _, tt := range []struct {
		args   []string
		status int
		out    string
		noted  bool
	}{
		{[]string{"--only=no-liveness", "--fail-on=error", "-o", "name"}, ExitFindings, "pod/good\n", true},
		{[]string{"--only=failing", "--fail-on=error", "-o", "name"}, ExitFindings, "pod/bad\n", false},
		{[]string{"--only=no-liveness", "--fail-on=flapping", "-o", "name"}, ExitOK, "pod/good\n", false},
		{[]string{"--only=no-liveness", "--summary=only"}, ExitOK, "Summary: 2 containers in 2 workloads, with those that --only hides\n", false},
		{[]string{"--summary=only"}, ExitOK, "Summary: 2 containers in 2 workloads\n", false},
	} {
		r := terminal(t, 0, "", append(tt.args, "-f", file)...)
		if r.status != tt.status || !strings.HasPrefix(r.out, tt.out) || strings.Contains(r.err, note) != tt.noted {
			t.Errorf("%q ended with %d: %q %q", tt.args, r.status, r.out, r.err)
		}
	}
	if r := reportOf(t, "-f", file, "--only=no-liveness, failing", "--only=drifted"); r.Summary.Containers != 2 || strings.Join(r.Scope.Only, " ") != "no-liveness failing drifted" {
		t.Errorf("summary of %d, --only=%q", r.Summary.Containers, r.Scope.Only)
	}
}

func TestOnlyIsNotZeroOverAGap(t *testing.T) {
	r := terminal(t, 0, "", "-f", dump(t, running("web", nil, livenessOnly())), "--only=failing")
	if r.status != ExitError || strings.Contains(r.err, "0 of") || !strings.Contains(r.err, "events") {
		t.Errorf("ended with %d: %s", r.status, r.err)
	}
}

func TestSuppression(t *testing.T) {
	pod := sick("web")
	pod.Annotations = map[string]string{"kubectl-probes.github.io/ignore": "killed-by-probe,app:failing-now"}
	file := dump(t, pod, killed(pod))
	if r := terminal(t, 0, "", "-f", file, "--fail-on=killed-by-probe"); r.status != ExitOK {
		t.Errorf("a suppressed finding ends with %d: %s", r.status, r.err)
	}
	if r := terminal(t, 0, "", "-f", file, "--fail-on=killed-by-probe", "--no-suppress"); r.status != ExitFindings {
		t.Errorf("--no-suppress ends with %d", r.status)
	}
	c := onlyWorkload(t, reportOf(t, "-f", file)).Containers[0]
	for _, f := range c.Findings {
		if f.Rule == "killed-by-probe" && !f.Suppressed {
			t.Error("it is not said to be suppressed")
		}
	}
}

// Exactly one thing that was named has a view of its own.
func TestDetail(t *testing.T) {
	pod := sick("web")
	file := dump(t, pod, killed(pod), unhealthy(pod, "Liveness"))
	for _, args := range [][]string{{"pod/web"}, {"web"}, {"pod", "web"}} {
		if out := pipe(t, append(args, "-f", file)...).out; !strings.HasPrefix(out, "pod/web -n shop") {
			t.Errorf("%v:\n%s", args, out)
		}
	}
	if out := pipe(t, "-f", file, "pods").out; !strings.HasPrefix(out, "WORKLOAD") {
		t.Errorf("a type:\n%s", out)
	}
}

// No command can mean one of two containers of a name, so the words have to do.
func TestRepeatedNamesHaveNoCommand(t *testing.T) {
	const pod = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [
  {name: app, livenessProbe: {exec: {command: [a]}}}, {name: app, livenessProbe: {exec: {command: [b]}}}, {name: other, livenessProbe: {exec: {command: [c]}}}]}}`
	got := terminal(t, 0, pod, "-f", "-", "-o", `jsonpath={range .workloads[0].containers[*]}{.name} {.probes.liveness.handler.command[0]}: {.findings[?(@.rule=="exec-timeout-default")].command}{"\n"}{end}`)
	want := "app a: \napp b: \nother c: kubectl probes set -f - --local pod/web -c other --liveness=timeout=5\n"
	if got.out != want {
		t.Errorf("got\n%s%s\nwant\n%s", got.out, got.err, want)
	}
}
