package report

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

func TestUnderstandsEveryMessage(t *testing.T) {
	const container = "spec.containers{app}"
	for _, tc := range []struct {
		name, reason, fieldPath, message string
		want                             []signal
	}{
		{
			"http status", "Unhealthy", container, "Readiness probe failed: HTTP probe failed with statuscode: 500",
			[]signal{{verb: failed, probe: probe.Readiness, container: "app", text: "HTTP probe failed with statuscode: 500"}},
		},
		{
			"output on several lines", "Unhealthy", container, "Liveness probe failed: one\ntwo: three\n",
			[]signal{{verb: failed, probe: probe.Liveness, container: "app", text: "one\ntwo: three"}},
		},
		{
			"no output", "Unhealthy", container, "Startup probe failed: ",
			[]signal{{verb: failed, probe: probe.Startup, container: "app"}},
		},
		{
			"no output, cut", "Unhealthy", container, "Startup probe failed:",
			[]signal{{verb: failed, probe: probe.Startup, container: "app"}},
		},
		{
			"errored until v1.32", "Unhealthy", container, "Readiness probe errored: rpc error: code = NotFound",
			[]signal{{verb: errored, probe: probe.Readiness, container: "app", text: "rpc error: code = NotFound"}},
		},
		{
			"errored from v1.33 on, unknown", "Unhealthy", container, `Liveness probe errored and resulted in unknown state: port "web" not found`,
			[]signal{{verb: errored, probe: probe.Liveness, container: "app", text: `port "web" not found`}},
		},
		{
			"errored from v1.33 on, failure", "Unhealthy", container, `Startup probe errored and resulted in failure state: strconv.Atoi: parsing "web": invalid syntax`,
			[]signal{{verb: errored, probe: probe.Startup, container: "app", text: `strconv.Atoi: parsing "web": invalid syntax`}},
		},
		{
			"output that speaks of an error", "Unhealthy", container, "Liveness probe failed: Readiness probe errored: no",
			[]signal{{verb: failed, probe: probe.Liveness, container: "app", text: "Readiness probe errored: no"}},
		},
		{
			"redirect elsewhere", "ProbeWarning", container, "Readiness probe warning: Probe terminated redirects, Response body: <a>",
			[]signal{{verb: warned, probe: probe.Readiness, container: "app", text: "Probe terminated redirects, Response body: <a>"}},
		},
		{
			"a sidecar's check", "Unhealthy", "spec.initContainers{proxy}", "Liveness probe failed: x",
			[]signal{{verb: failed, probe: probe.Liveness, container: "proxy", text: "x"}},
		},
		{"an ephemeral container", "Unhealthy", "spec.ephemeralContainers{debug}", "Liveness probe failed: x", nil},
		{"another component's Unhealthy", "Unhealthy", container, "Gateway is not programmed: no address", nil},
		{
			"liveness kill", "Killing", container, "Container app failed liveness probe, will be restarted",
			[]signal{{verb: killed, probe: probe.Liveness, container: "app", text: "Container app failed liveness probe, will be restarted"}},
		},
		{
			"startup kill", "Killing", container, "Container app failed startup probe, will be restarted",
			[]signal{{verb: killed, probe: probe.Startup, container: "app", text: "Container app failed startup probe, will be restarted"}},
		},
		{
			"liveness kill, not restarted", "Killing", container, "Container app failed liveness probe",
			[]signal{{verb: killed, probe: probe.Liveness, container: "app", text: "Container app failed liveness probe"}},
		},
		{
			"startup kill, not restarted", "Killing", container, "Container app failed startup probe",
			[]signal{{verb: killed, probe: probe.Startup, container: "app", text: "Container app failed startup probe"}},
		},
		{
			"sidecar's liveness kill", "Killing", "spec.initContainers{proxy}", "Init container proxy failed liveness probe",
			[]signal{{verb: killed, probe: probe.Liveness, container: "proxy", text: "Init container proxy failed liveness probe"}},
		},
		{
			"sidecar's startup kill, by its message alone", "Killing", "", "Init container proxy failed startup probe",
			[]signal{{verb: killed, probe: probe.Startup, container: "proxy", text: "Init container proxy failed startup probe"}},
		},
		{
			"stopped", "Killing", container, "Stopping container app",
			[]signal{{verb: stopped, container: "app", text: "Stopping container app"}},
		},
		{
			"a container called liveness", "Killing", "spec.containers{liveness}", "Stopping container liveness",
			[]signal{{verb: stopped, container: "liveness", text: "Stopping container liveness"}},
		},
		{
			"definition changed", "Killing", container, "Container app definition changed, will be restarted",
			[]signal{{verb: redefined, container: "app", text: "Container app definition changed, will be restarted"}},
		},
		{
			"sidecar's definition changed", "Killing", "spec.initContainers{proxy}", "Init container proxy definition changed",
			[]signal{{verb: redefined, container: "proxy", text: "Init container proxy definition changed"}},
		},
		{
			"resize", "Killing", container, "Container app resize requires restart",
			[]signal{{verb: resized, container: "app", text: "Container app resize requires restart"}},
		},
		{
			"back-off", "BackOff", container, "Back-off restarting failed container app in pod web_shop(uid)",
			[]signal{{verb: backedOff, container: "app", text: "Back-off restarting failed container app in pod web_shop(uid)"}},
		},
		{"back-off of a pull", "BackOff", container, `Back-off pulling image "x"`, nil},
		{
			"combined", "Unhealthy", container, "(combined from similar events): Readiness probe failed: x",
			[]signal{{verb: failed, probe: probe.Readiness, text: "x"}},
		},
		{
			"combined kill: others hide behind the name", "Killing", container, "(combined from similar events): Container app failed liveness probe, will be restarted",
			[]signal{{verb: killed, probe: probe.Liveness, text: "Container app failed liveness probe, will be restarted"}},
		},
		{
			"probe added", "ContainerProbeChanged", "", "Container app: liveness probe added",
			[]signal{{verb: reconfigured, probe: probe.Liveness, action: "added", container: "app", text: "Container app: liveness probe added"}},
		},
		{
			"probe removed, said otherwise", "ContainerProbeChanged", container, "Changed probes: removed livenessProbe",
			[]signal{{verb: reconfigured, probe: probe.Liveness, action: "removed", container: "app", text: "Changed probes: removed livenessProbe"}},
		},
		{
			"probe updated, no container", "ContainerProbeChanged", "", "Readiness probe updated",
			[]signal{{verb: reconfigured, probe: probe.Readiness, action: "updated", text: "Readiness probe updated"}},
		},
		{
			"two probes", "ContainerProbeChanged", container, "Startup and Liveness probes of container app have changed",
			[]signal{
				{verb: reconfigured, probe: probe.Startup, action: "updated", container: "app", text: "Startup and Liveness probes of container app have changed"},
				{verb: reconfigured, probe: probe.Liveness, action: "updated", container: "app", text: "Startup and Liveness probes of container app have changed"},
			},
		},
		{"of no interest", "Pulled", container, "Container image already present", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := atPath(tc.fieldPath, event(runningPod("web"), tc.reason, tc.message, 1, time.Minute, time.Minute))
			if diff := cmp.Diff(tc.want, understand(e), cmp.AllowUnexported(signal{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestKnowsTimeouts(t *testing.T) {
	timeouts := []string{
		`command "a b" timed out`,
		`command timed out: "a b" timed out after 1s`,
		`Get "http://10.0.0.1:80/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
		`Get "https://10.0.0.1:80/": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)`,
		`Get "http://10.0.0.1:80/": dial tcp 10.0.0.1:80: i/o timeout`,
		`dial tcp 10.0.0.1:80: i/o timeout`,
		`timeout: failed to connect service "10.0.0.1:80" within 3s: context deadline exceeded`,
		`timeout: health rpc did not complete within 1s`,
	}
	others := []string{
		"", "HTTP probe failed with statuscode: 504", `Get "http://10.0.0.1:80/": dial tcp 10.0.0.1:80: connect: connection refused`,
		"psql: the query timed out", `error: health rpc probe failed: rpc error: code = Unavailable`, `service unhealthy (responded with "NOT_SERVING")`,
	}
	for _, output := range slices.Concat(timeouts, others) {
		if got, want := isTimeout(output), slices.Contains(timeouts, output); got != want {
			t.Errorf("%q is a timeout: %v, want %v", output, got, want)
		}
	}
}
