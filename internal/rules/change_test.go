package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// parsesBack reads a command as a shell and `set` would.
func parsesBack(t *testing.T, command string) {
	t.Helper()
	words, err := probe.SplitWords(command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	for _, word := range words {
		for _, kind := range probe.Kinds() {
			if value, ok := strings.CutPrefix(word, "--"+string(kind)+"="); ok {
				if _, err := probe.ParseEdit(kind, []string{value}); err != nil {
					t.Errorf("%s: %v", command, err)
				}
			}
		}
	}
}

func TestCommandsAreWhatSetTakes(t *testing.T) {
	for name, fields := range map[string]string{
		"exec":    `livenessProbe: {exec: {command: [sh, -c, 'a "b" | c, d']}, initialDelaySeconds: 40, timeoutSeconds: 3}`,
		"http":    `livenessProbe: {httpGet: {path: "/a,b?c='d'", port: 80, scheme: HTTPS, host: "::2"}, initialDelaySeconds: 40}`,
		"grpc":    `livenessProbe: {grpc: {port: 80, service: my.Service}, initialDelaySeconds: 40}`,
		"tcp":     `livenessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 40}`,
		"timeout": `readinessProbe: {tcpSocket: {port: 80}, timeoutSeconds: 20}`,
		"host":    `readinessProbe: {httpGet: {port: 80, host: localhost}}`,
	} {
		t.Run(name, func(t *testing.T) {
			some := false
			for _, f := range read(t, Options{}, deployment(fields), "-").Workloads[0].Containers[0].Findings {
				if f.Command != "" {
					some = true
					parsesBack(t, f.Command)
				}
			}
			if !some {
				t.Error("there is no command")
			}
		})
	}
	for _, name := range []string{"exec-timeout", "grpc-failing", "startup-failing", "liveness-404"} {
		for _, w := range capture(t, name).Workloads {
			for _, c := range w.Containers {
				for _, f := range c.Findings {
					parsesBack(t, f.Command)
				}
			}
		}
	}
}

func TestWhatOnlyJSONCanSayHasNoCommand(t *testing.T) {
	r := read(t, Options{}, deployment(`livenessProbe: {httpGet: {port: 80, httpHeaders: [{name: Host, value: web}]}, initialDelaySeconds: 40}`), "-")
	if f := findingOf(t, r, "liveness-without-startup"); f.Command != "" || f.Hint == "" {
		t.Errorf("command %q, hint %q", f.Command, f.Hint)
	}
}

func beingKilled() []report.Pod {
	pod := with(readyPod("web-1"), failures(probe.Liveness, 9, report.StateNow, 10*time.Minute, time.Minute))
	return []report.Pod{killed(pod, probe.Liveness, 3, 9*time.Minute, time.Minute)}
}

func TestHintsAreWhatTheServerAccepts(t *testing.T) {
	const onTemplate = "kubectl probes set deploy/web -n shop -c app --pod-template --liveness=failure=30 --dry-run=server"
	tests := []struct {
		name, server, command, in, notIn string
		change                           func(*report.Report, *report.Workload, *report.Container)
	}{
		{"v1.34", "v1.34.2", onTemplate, "this server is v1.34: probes of running Pods cannot be changed", "--pods", nil},
		{"v1.37 of a distribution", "v1.37.1-gke.100", onTemplate, "this server is v1.37", "--pods", nil},
		{"unknown", "", onTemplate, "starts a rollout", "--pods", nil},
		{"v1.38", "v1.38.0-beta.0", onTemplate, "with --pods instead of --pod-template on the running Pods, if this server allows it", "cannot be changed", nil},
		{"a Pod, v1.34", "v1.34.2", "", "try liveness failure=30: create the Pod anew with that: it has no workload", "allows", asPod},
		{"a Pod, v1.38", "v1.38.0", "kubectl probes set pod/web -n shop -c app --liveness=failure=30 --dry-run=server", "if this server allows it", "--pods", asPod},
		{"a static Pod", "v1.38.0", "", "whose manifest on node-1 is the place", "set", func(r *report.Report, w *report.Workload, c *report.Container) {
			asPod(r, w, c)
			w.RootOwner = &report.OwnerRef{Kind: "Node", Name: "node-1"}
		}},
		{"an operator's", "v1.34.2", "", "prometheus.monitoring.coreos.com/k8s manages deploy/web", "", func(_ *report.Report, w *report.Workload, _ *report.Container) {
			w.RootOwner = &report.OwnerRef{Kind: "Prometheus", Group: "monitoring.coreos.com", Name: "k8s"}
		}},
		{"injected", "v1.34.2", "", "an injector adds this container", "", func(_ *report.Report, _ *report.Workload, c *report.Container) { c.Injected = true }},
		{"a kind nobody knows", "v1.34.2", "", "liveness failure=30", "", func(_ *report.Report, w *report.Workload, _ *report.Container) {
			w.Kind, w.Group, w.DisplayName = "Thing", "example.com", "thing.example.com/web"
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changes := []func(*report.Report, *report.Workload, *report.Container){onServer(test.server)}
			if test.change != nil {
				changes = append(changes, test.change)
			}
			f := findingOf(t, cluster(beingKilled(), changes...), "killed-by-probe")
			if f.Command != test.command {
				t.Errorf("command %q, want %q", f.Command, test.command)
			}
			if !strings.Contains(f.Hint, test.in) || test.notIn != "" && strings.Contains(f.Hint, test.notIn) {
				t.Errorf("hint:\n%s\nwant %q in it, and not %q", f.Hint, test.in, test.notIn)
			}
		})
	}
}

func asPod(_ *report.Report, w *report.Workload, _ *report.Container) {
	w.Kind, w.Group, w.DisplayName = "Pod", "", "pod/web"
}

func TestManifestsAreChangedInTheirFiles(t *testing.T) {
	const fields = `livenessProbe: {tcpSocket: {port: 80}, timeoutSeconds: 20}`
	job := strings.NewReplacer("apps/v1", "batch/v1", "Deployment", "Job").Replace(deployment(fields))
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec: {containers: [{name: app, " + fields + "}]}\n"
	for name, in := range map[string]string{"deploy/web": deployment(fields), "job/web": job, "pod/web": pod} {
		f := findingOf(t, read(t, Options{}, in, "-"), "timeout-exceeds-period")
		want := "kubectl probes set -f - --local " + name + " -c app --liveness=timeout=10"
		if f.Command != want || !strings.HasSuffix(f.Hint, "prints the manifest with the change:") {
			t.Errorf("command %q, want %q; hint:\n%s", f.Command, want, f.Hint)
		}
	}
	manifestIn := func(file string, change func(*report.Workload)) report.Finding {
		return findingOf(t, cluster(nil, hasProbes(report.Probes{Liveness: slowerThanItsPeriod()}), func(_ *report.Report, w *report.Workload, _ *report.Container) {
			w.Source = &report.Source{File: file, Document: 1}
			change(w)
		}), "timeout-exceeds-period")
	}
	same := func(*report.Workload) {}
	if f := manifestIn("https://example.com/web.yaml", same); f.Command != "" || !strings.Contains(f.Hint, "try liveness timeout=10: in the manifest") {
		t.Errorf("of a URL: %q %q", f.Command, f.Hint)
	}
	if f := manifestIn("overlays/prod", same); f.Command != "" {
		t.Errorf("of a kustomization: %q", f.Command)
	}
	if f := manifestIn("dump/shop/deployments.json", func(w *report.Workload) { w.Revision = "3" }); !strings.Contains(f.Command, "--pod-template") {
		t.Errorf("of a cluster: %q", f.Command)
	}
}

func TestOnlyTheNewestAreKilledSoUndo(t *testing.T) {
	pods := beingKilled()
	pods[0].Revision = "new"
	pods = append(pods, ofRevision("old", readyPod("web-0")))
	f := findingOf(t, cluster(pods, stalled), "killed-by-probe")
	if want := "kubectl rollout undo deploy/web -n shop"; f.Command != want {
		t.Errorf("command %q, want %q", f.Command, want)
	}
}

func TestAnswersOfApplicationsStayOnOneLine(t *testing.T) {
	pods := beingKilled()
	pods[0].Evidence[0].Message = "first\nkubectl delete ns shop\r\n" + strings.Repeat("x", 10000) + "why"
	f := findingOf(t, cluster(pods), "killed-by-probe")
	line, _, _ := strings.Cut(f.Hint, "\n")
	if len(line) > 300 || !strings.HasPrefix(line, "it says: first kubectl delete") || !strings.HasSuffix(line, "why") {
		t.Errorf("%q", line)
	}
}

// Numbers that no one means must not make a command that no server takes.
func TestExtremeNumbers(t *testing.T) {
	for _, numbers := range []string{
		"initialDelaySeconds: 2147483647, periodSeconds: 2147483647, failureThreshold: 2147483647, timeoutSeconds: 2147483647",
		"initialDelaySeconds: 2147483647, periodSeconds: 1, failureThreshold: 2147483647, timeoutSeconds: 2147483647",
		"initialDelaySeconds: -1, periodSeconds: -5, failureThreshold: -1, timeoutSeconds: -1",
	} {
		fields := "livenessProbe: {tcpSocket: {port: 80}, " + numbers + "}\nreadinessProbe: {tcpSocket: {port: 80}, " + numbers + "}\nstartupProbe: {exec: {command: [a]}, " + numbers + "}"
		for _, text := range []string{fields, strings.Split(fields, "\n")[0]} {
			for _, f := range read(t, Options{}, deployment(text), "-").Workloads[0].Containers[0].Findings {
				parsesBack(t, f.Command)
			}
		}
	}
}
