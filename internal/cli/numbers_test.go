package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// numbers are the fields of a probe that figures come of.
func numbers() map[string]func(p *corev1.Probe, n int32) {
	return map[string]func(*corev1.Probe, int32){
		"initialDelaySeconds": func(p *corev1.Probe, n int32) { p.InitialDelaySeconds = n },
		"timeoutSeconds":      func(p *corev1.Probe, n int32) { p.TimeoutSeconds = n },
		"periodSeconds":       func(p *corev1.Probe, n int32) { p.PeriodSeconds = n },
		"successThreshold":    func(p *corev1.Probe, n int32) { p.SuccessThreshold = n },
		"failureThreshold":    func(p *corev1.Probe, n int32) { p.FailureThreshold = n },
		"all of them": func(p *corev1.Probe, n int32) {
			p.InitialDelaySeconds, p.TimeoutSeconds, p.PeriodSeconds, p.SuccessThreshold, p.FailureThreshold = n, n, n, n, n
		},
		"terminationGracePeriodSeconds": func(p *corev1.Probe, n int32) { p.TerminationGracePeriodSeconds = new(int64(n)) },
	}
}

// numbered is a little of everything, with a number in all its probes.
func numbered(set func(*corev1.Probe, int32), n int32) []runtime.Object {
	objects := world()
	for _, o := range objects {
		spec := specOf(o)
		if spec == nil {
			continue
		}
		for _, containers := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
			for i := range containers {
				for _, p := range []**corev1.Probe{&containers[i].StartupProbe, &containers[i].ReadinessProbe, &containers[i].LivenessProbe} {
					if *p != nil {
						*p = (*p).DeepCopy() // objects share them
						set(*p, n)
					}
				}
			}
		}
	}
	return objects
}

func specOf(o runtime.Object) *corev1.PodSpec {
	switch o := o.(type) {
	case *corev1.Pod:
		return &o.Spec
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec
	case *batchv1.Job:
		return &o.Spec.Template.Spec
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec
	default:
		return nil
	}
}

// negativeTime is one that is printed; what the API server says of a number repeats it.
var negativeTime = regexp.MustCompile(`(^|[\s:(])-\d+([smhdy]|[ ,;.]|$)`)

// A negative number is a mistake in a manifest and no time: no output computes with it, nor with the largest there are.
func TestNumbersThatMakeNoSense(t *testing.T) {
	for field, set := range numbers() {
		for _, n := range []int32{-1, -5, math.MinInt32, math.MaxInt32} {
			t.Run(fmt.Sprint(field, " ", n), func(t *testing.T) {
				file := dump(t, numbered(set, n)...)
				for _, args := range append(slices.Collect(maps.Values(outputs())), details()...) {
					r := terminal(t, 0, "", append(args, "-f", file)...)
					text := r.out + r.err
					if slices.Contains(args, "json") {
						text = strings.Join(negatives(t, r.out), "\n")
					} else if slices.Contains(args, "yaml") || slices.Contains(args, "kyaml") {
						continue // as JSON
					}
					for line := range strings.Lines(text) {
						if negativeTime.MatchString(line) && !strings.Contains(line, "nvalid value: ") && !strings.Contains(line, "value: -") {
							t.Errorf("%q: %q", args, line)
						}
					}
				}
			})
		}
	}
}

func details() [][]string {
	return [][]string{{"deploy/web"}, {"deploy/web", "-o", "wide"}, {"pod/web-a"}, {"deploy/web", "--sort-by=detection"}}
}

// negatives are the negative numbers of a report, but for what the manifest says, and the texts of its findings.
func negatives(t *testing.T, report string) []string {
	t.Helper()
	var decoded any
	if err := json.Unmarshal([]byte(report), &decoded); err != nil {
		t.Fatalf("%v: %.300s", err, report)
	}
	var all []string
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for key, below := range v {
				if key != "config" && key != "fields" && key != "invalid" {
					walk(path+"."+key, below)
				}
			}
		case []any:
			for _, below := range v {
				walk(path, below)
			}
		case float64:
			if v < 0 {
				all = append(all, fmt.Sprint(path, ": ", int64(v)))
			}
		case string:
			all = append(all, strings.Split(v, "\n")...)
		}
	}
	walk("", decoded)
	return all
}

// The API server makes a zero the default, and so does the report of a manifest.
func TestZeroIsTheDefault(t *testing.T) {
	for field, set := range numbers() {
		if field == "terminationGracePeriodSeconds" {
			continue // of which a zero is refused
		}
		t.Run(field, func(t *testing.T) {
			left := map[string]int32{"initialDelaySeconds": 0, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
			want := numbered(func(p *corev1.Probe, _ int32) {
				for name, fallback := range left {
					if name == field || field == "all of them" {
						numbers()[name](p, fallback)
					}
				}
			}, 0)
			read := func(objects []runtime.Object) string {
				text, err := os.ReadFile(dump(t, objects...))
				if err != nil {
					t.Fatal(err)
				}
				return terminal(t, 0, string(text), "-f", "-", "-o", "yaml").out
			}
			if diff := cmp.Diff(read(want), read(numbered(set, 0))); diff != "" {
				t.Errorf("(-default +zero):\n%s", diff)
			}
		})
	}
}
