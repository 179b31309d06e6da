package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"
)

// One odd byte of one application must not cost the report, in any format.
func TestOddCharactersCostNoReport(t *testing.T) {
	pod := unready(running("web", nil, app(httpProbe("/"))))
	odd := "HTTP probe failed: \x7f\u009b31m\ufffe\u202e\x1b[2J\U000e0001 end"
	event := eventOf(pod, "Unhealthy", "Readiness probe failed: "+odd, corev1.EventTypeWarning)
	file := dump(t, pod, event)
	for _, format := range []string{"json", "yaml", "kyaml"} {
		t.Run(format, func(t *testing.T) {
			out := pipe(t, "-f", file, "-o", format).out
			if strings.ContainsAny(out, "\x7f\u009b\x1b") {
				t.Errorf("raw control characters: %q", out)
			}
			raw, err := yaml.YAMLToJSON([]byte(out))
			if err != nil {
				t.Fatal(err)
			}
			var r struct {
				Workloads []struct {
					Containers []struct {
						Pods []struct {
							Evidence []struct{ Message string }
						}
					}
				}
			}
			if err := json.Unmarshal(raw, &r); err != nil {
				t.Fatal(err)
			}
			if got := r.Workloads[0].Containers[0].Pods[0].Evidence[0].Message; got != odd {
				t.Errorf("message %q, want %q", got, odd)
			}
		})
	}
}

// Numbers are those of the JSON, also where they are too large for a floating-point number to hold or to print, and a
// filter can compare them.
func TestNumbersInTemplates(t *testing.T) {
	const pod = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [
  {name: slow, livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 1000000}},
  {name: never, livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 2147483647, failureThreshold: 2147483647}}]}}`
	for format, want := range map[string]string{
		`jsonpath={.workloads[*].containers[*].probes.liveness.config.periodSeconds}`:              "1000000 2147483647",
		`jsonpath={.workloads[*].containers[*].probes.liveness.detection.hangSeconds}`:             "3000001 4611686014132420610",
		`jsonpath={.workloads[*].containers[?(@.probes.liveness.config.failureThreshold>3)].name}`: "never",
		`jsonpath={.workloads[*].containers[?(@.total==1)].name}`:                                  "slow never",
		`jsonpath-as-json={.workloads[*].containers[1].probes.liveness.detection.atOnceSeconds}`:   "[\n    4611686014132420609\n]\n",
	} {
		if got := terminal(t, 0, pod, "-f", "-", "-o", format); got.out != want {
			t.Errorf("%s: %q, want %q %s", format, got.out, want, got.err)
		}
	}
}

// A read that knows no context must not keep the process.
func TestInterruptEndsARead(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	never, writer := io.Pipe()
	defer writer.Close()
	var out, errOut bytes.Buffer
	time.AfterFunc(50*time.Millisecond, cancel)
	streams := Streams{IOStreams: genericiooptions.IOStreams{In: never, Out: &out, ErrOut: &errOut}, Now: noon, Getenv: func(string) string { return "" }}
	if status := Main(ctx, []string{"-f", "-"}, streams); status != ExitInterrupted {
		t.Errorf("ended with %d: %s", status, errOut.String())
	}
	if out.Len() > 0 {
		t.Errorf("printed %q", out.String())
	}
}
