package rules

import (
	"slices"
	"testing"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// example is a Report in which a rule has to speak, or to be silent.
type example struct {
	name  string
	fires bool
	in    func(*testing.T) *report.Report
}

func manifest(text string) func(*testing.T) *report.Report {
	return func(t *testing.T) *report.Report { return read(t, Options{}, text, "-") }
}

func live(r *report.Report) func(*testing.T) *report.Report {
	return func(*testing.T) *report.Report { return r }
}

func TestRules(t *testing.T) {
	all := map[string][]example{}
	for _, examples := range []map[string][]example{configExamples(), evidenceExamples()} {
		for id, e := range examples {
			all[id] = append(all[id], e...)
		}
	}
	for _, rule := range All() {
		fires, quiet := 0, 0
		for _, e := range all[rule.ID] {
			if e.fires {
				fires++
			} else {
				quiet++
			}
			t.Run(rule.ID+"/"+e.name, func(t *testing.T) {
				r := e.in(t)
				got := slices.ContainsFunc(r.Workloads[0].Containers[0].Findings, func(f report.Finding) bool { return f.Rule == rule.ID })
				if got != e.fires {
					t.Errorf("fires: %v, want %v; findings: %v", got, e.fires, foundIn(r))
				}
			})
		}
		if fires == 0 || quiet == 0 {
			t.Errorf("%s has %d examples where it speaks and %d where it does not", rule.ID, fires, quiet)
		}
		delete(all, rule.ID)
	}
	for id := range all {
		t.Errorf("examples of %s, which is no rule", id)
	}
}

func configExamples() map[string][]example {
	return map[string][]example{
		"probe-cannot-run": {
			{"port name of nobody", true, manifest(deployment(`
ports: [{name: http, containerPort: 8080}]
livenessProbe: {httpGet: {port: htpp}}`))},
			{"no handler", true, manifest(deployment(`livenessProbe: {periodSeconds: 5}`))},
			{"port name", false, manifest(deployment(`
ports: [{name: http, containerPort: 8080}]
livenessProbe: {httpGet: {port: http}}`))},
			{"port that is not declared", false, manifest(deployment(`livenessProbe: {tcpSocket: {port: 8080}}`))},
			{"grpc", false, manifest(deployment(`livenessProbe: {grpc: {port: 9090}}`))},
		},
		"probe-host-loopback": {
			{"localhost", true, manifest(deployment(`readinessProbe: {httpGet: {host: localhost, port: 80}}`))},
			{"IPv4", true, manifest(deployment(`readinessProbe: {tcpSocket: {host: 127.0.0.1, port: 80}}`))},
			{"IPv6", true, manifest(deployment(`readinessProbe: {tcpSocket: {host: "::1", port: 80}}`))},
			{"another host", false, manifest(deployment(`readinessProbe: {httpGet: {host: web.example, port: 80}}`))},
			{"no host", false, manifest(deployment(`readinessProbe: {httpGet: {port: 80}}`))},
			{"the node's network", false, manifest(deployment(`readinessProbe: {httpGet: {host: 127.0.0.1, port: 80}}`) + "      hostNetwork: true\n")},
		},
		"invalid-probe": {
			{"successThreshold", true, manifest(deployment(`livenessProbe: {tcpSocket: {port: 80}, successThreshold: 2}`))},
			{"a field that there is not", true, manifest(deployment(`livenessProbe: {tcpSocket: {port: 80}, periodSecond: 3}`))},
			{"such a field elsewhere", false, manifest(deployment(`imagepullpolicy: Always`))},
			{"valid", false, manifest(deployment(`readinessProbe: {tcpSocket: {port: 80}, successThreshold: 2}`))},
		},
		"liveness-before-readiness": {
			{"fewer failures", true, manifest(deployment(`
livenessProbe: {httpGet: {path: /live, port: 80}, failureThreshold: 2}
readinessProbe: {httpGet: {path: /ready, port: 80}}`))},
			{"alike", false, manifest(deployment(`
livenessProbe: {httpGet: {path: /live, port: 80}}
readinessProbe: {httpGet: {path: /ready, port: 80}}`))},
			{"sooner only when checks hang", false, manifest(deployment(`
livenessProbe: {httpGet: {path: /live, port: 80}}
readinessProbe: {httpGet: {path: /ready, port: 80}, timeoutSeconds: 10}`))},
		},
		"liveness-same-as-readiness": {
			{"alike", true, manifest(deployment(`
livenessProbe: {httpGet: {path: /health, port: 80}}
readinessProbe: {httpGet: {path: /health, port: 80}}`))},
			{"by name and number", true, manifest(deployment(`
ports: [{name: http, containerPort: 80}]
livenessProbe: {httpGet: {path: /health, port: http}}
readinessProbe: {httpGet: {path: /health, port: 80}}`))},
			{"grpc", true, manifest(deployment(`
livenessProbe: {grpc: {port: 80}}
readinessProbe: {grpc: {port: 80}}`))},
			{"a more tolerant liveness", false, manifest(deployment(`
livenessProbe: {httpGet: {path: /health, port: 80}, failureThreshold: 6}
readinessProbe: {httpGet: {path: /health, port: 80}}`))},
			{"other named ports", false, manifest(deployment(`
ports: [{name: http, containerPort: 80}, {name: admin, containerPort: 81}]
livenessProbe: {httpGet: {path: /health, port: admin}}
readinessProbe: {httpGet: {path: /health, port: http}}`))},
			{"another scheme", false, manifest(deployment(`
livenessProbe: {httpGet: {path: /health, port: 80, scheme: HTTPS}}
readinessProbe: {httpGet: {path: /health, port: 80}}`))},
		},
		"liveness-without-startup": {
			{"delay 30s", true, manifest(deployment(`livenessProbe: {httpGet: {port: 80}, initialDelaySeconds: 30}`))},
			{"delay 29s", false, manifest(deployment(`livenessProbe: {httpGet: {port: 80}, initialDelaySeconds: 29}`))},
			{"with a startup probe", false, manifest(deployment(`
startupProbe: {httpGet: {port: 80}}
livenessProbe: {httpGet: {port: 80}, initialDelaySeconds: 60}`))},
		},
		"timeout-exceeds-period": {
			{"longer", true, manifest(deployment(`livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 20, timeoutSeconds: 30}`))},
			{"startup alone", false, manifest(deployment(`startupProbe: {tcpSocket: {port: 80}, periodSeconds: 2, timeoutSeconds: 3}`))},
			{"injected", false, live(cluster([]report.Pod{readyPod("web-1")}, hasProbes(report.Probes{Readiness: slowerThanItsPeriod()}),
				func(_ *report.Report, _ *report.Workload, c *report.Container) { c.Injected = true }))},
			{"not injected", true, live(cluster([]report.Pod{readyPod("web-1")}, hasProbes(report.Probes{Readiness: slowerThanItsPeriod()})))},
			{"as long", false, manifest(deployment(`livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 20, timeoutSeconds: 20}`))},
		},
		"exec-timeout-default": {
			{"default", true, manifest(deployment(`livenessProbe: {exec: {command: [pg_isready]}}`))},
			{"given", false, manifest(deployment(`livenessProbe: {exec: {command: [pg_isready]}, timeoutSeconds: 5}`))},
			{"http", false, manifest(deployment(`livenessProbe: {httpGet: {port: 80}}`))},
		},
		"no-readiness-probe": {
			{"Services unknown", true, manifest(deployment(`image: web`))},
			{"a Service selects it", true, manifest(deployment(`image: web`) + service())},
			{"no Service selects it", false, manifest(deployment(`image: web`) + "\n---\napiVersion: v1\nkind: Service\nmetadata: {name: other, namespace: shop}\nspec: {selector: {app: other}}\n")},
			{"has one", false, manifest(deployment(`readinessProbe: {httpGet: {port: 80}}`) + service())},
			{"a Job", false, manifest("apiVersion: batch/v1\nkind: Job\nmetadata: {name: import}\nspec: {template: {spec: {containers: [{name: app}]}}}\n")},
			{"a CronJob", false, manifest("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: import}\nspec: {jobTemplate: {spec: {template: {spec: {containers: [{name: app}]}}}}}\n")},
			{"only a Service that sends to Pods that are not ready", false, live(cluster([]report.Pod{readyPod("web-1")}, hasProbes(report.Probes{}),
				func(_ *report.Report, w *report.Workload, _ *report.Container) {
					w.Services = []report.Service{{Name: "peers", PublishNotReadyAddresses: true}}
				}))},
		},
	}
}

const minute = time.Minute

func evidenceExamples() map[string][]example {
	failing := failures(probe.Readiness, 60, report.StateNow, 20*minute, 10*time.Second)
	return map[string][]example{
		"killed-by-probe": {
			{"liveness", true, live(cluster([]report.Pod{killed(readyPod("web-1"), probe.Liveness, 3, 20*minute, minute)}))},
			{"only a Pod that is gone", true, live(cluster([]report.Pod{readyPod("web-1"), gone(killed(readyPod("web-0"), probe.Startup, 1, 20*minute, 20*minute))}))},
			{"never", false, live(cluster([]report.Pod{readyPod("web-1")}))},
			{"long ago", false, live(cluster([]report.Pod{killed(readyPod("web-1"), probe.Liveness, 3, 9*time.Hour, 8*time.Hour)}))},
		},
		"failing-now": {
			{"readiness", true, live(cluster([]report.Pod{with(down(readyPod("web-1")), failing)}))},
			{"liveness that is about to kill", true, live(cluster([]report.Pod{with(readyPod("web-1"), every(failures(probe.Liveness, 9, report.StateNow, 10*minute, minute)))}))},
			{"liveness that kills is killed-by-probe", false, live(cluster([]report.Pod{killed(with(readyPod("web-1"), failures(probe.Liveness, 9, report.StateNow, 10*minute, minute)), probe.Liveness, 3, 9*minute, minute)}))},
			{"ready again", false, live(cluster([]report.Pod{with(readyPod("web-1"), failures(probe.Readiness, 9, report.StateRecovered, 10*minute, 8*minute))}))},
			{"starting", false, live(cluster([]report.Pod{with(down(readyPod("web-1")), failures(probe.Readiness, 2, report.StateStarting, 20*time.Second, 10*time.Second))}))},
			{"an earlier container", false, live(cluster([]report.Pod{with(readyPod("web-1"), failures(probe.Liveness, 9, report.StatePast, 50*minute, 40*minute))}))},
			{"a crash that refuses its checks", false, live(cluster([]report.Pod{with(down(readyPod("web-1")), failing)},
				func(_ *report.Report, _ *report.Workload, c *report.Container) {
					c.Causes = []report.Cause{{Cause: "exit-1", Pods: 1}}
				}))},
		},
		"rollout-stalled": {
			{"new Pods fail", true, live(cluster([]report.Pod{ofRevision("old", readyPod("web-1")), ofRevision("new", with(down(readyPod("web-2")), failing))}, stalled))},
			{"Events unknown", true, live(cluster([]report.Pod{ofRevision("old", readyPod("web-1")), ofRevision("new", with(down(readyPod("web-2"))))}, stalled))},
			{"new Pods wait for an image", false, live(cluster([]report.Pod{ofRevision("old", readyPod("web-1")), ofRevision("new", waiting(readyPod("web-2")))}, stalled))},
			{"old Pods fail", false, live(cluster([]report.Pod{ofRevision("old", with(down(readyPod("web-1")), failing)), ofRevision("new", readyPod("web-2"))}, stalled))},
			{"no rollout", false, live(cluster([]report.Pod{with(down(readyPod("web-1")), failing)}))},
		},
		"probe-cannot-run": {
			{"every check errored", true, live(cluster([]report.Pod{with(down(readyPod("web-1")), errors(60, 10*minute, 10*time.Second))}))},
			{"a startup probe", true, live(cluster([]report.Pod{with(down(readyPod("web-1")), startupErrors())}, hasProbes(report.Probes{Startup: described(probe.Startup, httpProbe("/"))})))},
			{"two errors", false, live(cluster([]report.Pod{with(readyPod("web-1"), errors(2, 10*minute, 10*time.Second))}))},
			{"errors now and then, while it was killed", false, live(cluster([]report.Pod{with(readyPod("web-1"), errors(6, 25*minute, 10*time.Second))}))},
			{"over", false, live(cluster([]report.Pod{with(readyPod("web-1"), errors(6, 25*minute, 24*minute))}))},
			{"failures too", false, live(cluster([]report.Pod{with(readyPod("web-1"), report.Evidence{Probe: probe.Readiness, Errors: 60, Failures: 1, FirstSeen: ago(10 * minute), LastSeen: ago(0), State: report.StateRecovered})}))},
		},
		"restart-loop-on-start": {
			{"longer than liveness allows", true, live(cluster([]report.Pod{started(readyPod("web-1"), 42), started(readyPod("web-2"), 71)}))},
			{"longer than the startup probe allows", true, live(cluster([]report.Pod{started(readyPod("web-1"), 42)}, hasProbes(report.Probes{Startup: described(probe.Startup, httpProbe("/"))})))},
			{"shorter", false, live(cluster([]report.Pod{started(readyPod("web-1"), 18)}))},
			{"not known", false, live(cluster([]report.Pod{readyPod("web-1")}))},
			{"readiness alone kills nothing", false, live(cluster([]report.Pod{started(readyPod("web-1"), 71)}, hasProbes(report.Probes{Readiness: httpProbe("/")})))},
		},
		"flapping": {
			{"1 in 9", true, live(cluster([]report.Pod{with(readyPod("web-1"), failures(probe.Readiness, 14, report.StateRecovered, 21*minute, minute))}))},
			{"its start taken off", true, live(cluster([]report.Pod{with(readyPod("web-1"), failures(probe.Readiness, 30, report.StateRecovered, 30*minute, minute))}))},
			{"only its start, and one", false, live(cluster([]report.Pod{with(readyPod("web-1"), failures(probe.Readiness, 9, report.StateRecovered, 30*minute, minute))}))},
			{"one bad moment", false, live(cluster([]report.Pod{with(readyPod("web-1"), failures(probe.Readiness, 3, report.StateRecovered, 2*minute, minute))}))},
			{"an outage that is over", false, live(cluster([]report.Pod{with(readyPod("web-1"), failures(probe.Readiness, 30, report.StateRecovered, 28*minute, 20*minute))}))},
			{"not ready", false, live(cluster([]report.Pod{with(down(readyPod("web-1")), failing)}))},
		},
		"redirect-elsewhere": {
			{"a warning", true, live(cluster([]report.Pod{with(readyPod("web-1"), report.Evidence{Probe: probe.Readiness, Warnings: 9, FirstSeen: ago(9 * minute), LastSeen: ago(minute), State: report.StateRecovered, Message: "Probe terminated redirects"})}))},
			{"none", false, live(cluster([]report.Pod{readyPod("web-1")}))},
		},
	}
}

func every(e report.Evidence) report.Evidence {
	all := 1.0
	e.PerCheck = &all
	return e
}

func slowerThanItsPeriod() *report.Probe {
	p := httpProbe("/")
	p.Config.TimeoutSeconds = 20
	return described(probe.Readiness, p)
}

func gone(p report.Pod) report.Pod {
	p.Phase = report.Gone
	return p
}

func waiting(p report.Pod) report.Pod {
	p = down(p)
	p.State, p.Reason = "waiting", "ImagePullBackOff"
	return p
}

func started(p report.Pod, seconds int64) report.Pod {
	p.StartSeconds = seconds
	return p
}

func errors(n int64, first, last time.Duration) report.Evidence {
	return report.Evidence{Probe: probe.Readiness, Errors: n, FirstSeen: ago(first), LastSeen: ago(last), State: report.StateRecovered, Messages: 1, Message: "no such file"}
}

func startupErrors() report.Evidence {
	e := errors(9, 80*time.Second, 0)
	e.Probe, e.State = probe.Startup, report.StateStarting
	return e
}
