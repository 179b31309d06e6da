package change

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestMeanwhile is what others do between the reading of a Pod and the patch.
func TestMeanwhile(t *testing.T) {
	off := []string{"pod/web-0", "-c", "app", "--liveness-off"}
	for name, c := range map[string]struct {
		happens func(s *scene) error
		args    []string
		status  int
		says    string
		patches int
		made    bool
	}{
		"replaced": {
			func(s *scene) error { return s.replace("web-0") },
			off, 1, "error: pod/web-0: it was replaced: another of that name was created at ", 1, false,
		},
		"gone": {
			func(s *scene) error { return s.deleteNow("web-0") },
			off, 1, "error: pod/web-0: it is gone: deleted since it was read\n", 1, false,
		},
		"terminating": {
			func(s *scene) error { return s.deleteSlowly("web-0") },
			off, 1, "error: pod/web-0: it is terminating\n", 1, false,
		},
		"finished": {
			func(s *scene) error { return s.patch("web-0", "kubelet", `{"status":{"phase":"Succeeded"}}`, "status") },
			off, 1, "error: pod/web-0: it has finished (Succeeded)\n", 1, false,
		},
		"the same probe": {
			func(s *scene) error { return s.patch("web-0", "oncall", liveness(`{"periodSeconds":99}`)) },
			off, 1, "error: pod/web-0: the liveness probe of container app was changed meanwhile by oncall at ", 1, false,
		},
		"the same probe, tuned here": {
			func(s *scene) error { return s.patch("web-0", "oncall", liveness(`{"periodSeconds":99}`)) },
			[]string{"pod/web-0", "--liveness=failure=7"},
			1, ": it is now GET :8080/healthz period=99 timeout=1 failure=3 grace=5\n", 1, false,
		},
		"the same probe, taken away": {
			func(s *scene) error { return s.patch("web-0", "oncall", liveness(`null`)) },
			[]string{"pod/web-0", "--liveness=failure=7"},
			1, "the liveness probe of container app was changed meanwhile: it has none now\n", 1, false,
		},
		"a probe added where there was none": {
			func(s *scene) error {
				return s.patch("web-0", "oncall", `{"spec":{"containers":[{"name":"app","startupProbe":{"tcpSocket":{"port":9}}}]}}`)
			},
			[]string{"pod/web-0", "-c", "app", "--startup=tcp=:1"},
			1, "was changed meanwhile by oncall at ", 1, false,
		},
		"another probe": {
			func(s *scene) error {
				return s.patch("web-0", "oncall", `{"spec":{"containers":[{"name":"app","readinessProbe":{"periodSeconds":77}}]}}`)
			},
			off, 0, "", 1, true,
		},
		"status": {
			func(s *scene) error { return s.patch("web-0", "kubelet", `{"status":{"message":"again"}}`, "status") },
			off, 0, "", 1, true,
		},
		"a label": {
			func(s *scene) error { return s.patch("web-0", "oncall", `{"metadata":{"labels":{"a":"b"}}}`) },
			off, 0, "", 1, true,
		},
		"the first annotation": { // a test of the patch fails, and the patch is made again
			func(s *scene) error { return s.patch("web-0", "oncall", `{"metadata":{"annotations":{"a":"b"}}}`) },
			off, 0, "", 2, true,
		},
		"an image": {
			func(s *scene) error {
				return s.patch("web-0", "oncall", `{"spec":{"containers":[{"name":"app","image":"x:2"}]}}`)
			},
			off, 0, "", 1, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, env.mutable)
			s.alone(t, "web-0", On(follows))
			var others map[string]string // the probes as the others left them
			var left *corev1.Pod
			p := s.through(t, once(t, func() error {
				if err := c.happens(s); err != nil {
					return err
				}
				if name != "gone" {
					others, left = s.probes(t, "web-0"), s.pod(t, "web-0")
				}
				return nil
			}))
			got := status(t, c.status, s.set(t, c.args...))
			has(t, got.Err, c.says)
			p.sent(t, c.patches)
			switch {
			case name == "gone":
			case c.made:
				delete(others, "app livenessProbe")
				s.same(t, "web-0", others)
				s.kept(t, left)
			default:
				s.same(t, "web-0", others)
				if now := s.pod(t, "web-0"); now.UID != left.UID || now.Generation != left.Generation || now.Annotations[original] != "" {
					t.Errorf("the Pod was touched: %+v", now.ObjectMeta)
				}
				if got.Out != "" || len(undo(got)) > 0 {
					t.Errorf("says that something was done: %s", got)
				}
			}
		})
	}
}

// kept fails the test when a label, an annotation or an image of somebody else was lost.
func (s *scene) kept(t *testing.T, left *corev1.Pod) {
	t.Helper()
	now := s.pod(t, left.Name)
	delete(now.Annotations, original)
	if len(now.Annotations) == 0 {
		now.Annotations = nil
	}
	if diff := cmp.Diff(left.Annotations, now.Annotations) + cmp.Diff(left.Labels, now.Labels) + cmp.Diff(left.Spec.Containers[0].Image, now.Spec.Containers[0].Image); diff != "" {
		t.Errorf("what others did was lost:\n%s", diff)
	}
}

func liveness(probe string) string {
	return `{"spec":{"containers":[{"name":"app","livenessProbe":` + probe + `}]}}`
}

func (s *scene) deleteNow(name string) error {
	return s.server.Core.CoreV1().Pods(s.Name).Delete(context.Background(), name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)})
}

// deleteSlowly leaves a Pod terminating: there is no kubelet that ends it.
func (s *scene) deleteSlowly(name string) error {
	return s.server.Core.CoreV1().Pods(s.Name).Delete(context.Background(), name, metav1.DeleteOptions{})
}

// replace puts another Pod under the same name, as a StatefulSet would.
func (s *scene) replace(name string) error {
	if err := s.deleteNow(name); err != nil {
		return err
	}
	s.Pod(name, Owner{Template: web()}, Ready, On(follows))
	return s.Err()
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }
