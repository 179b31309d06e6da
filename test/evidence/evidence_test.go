// Package evidence tests what is said of Events that only some may read, against a real API server.
package evidence

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// server holds the namespaces left and right, whose Events the user may read, and hidden, whose he may not.
var server *controlplane.Server

func TestMain(m *testing.M) {
	os.Exit(controlplane.Run(m, prepare, controlplane.Stock))
}

func prepare(s *controlplane.Server) error {
	server = s
	c := fixture.New(context.Background(), server.Config)
	c.Node("node-1")
	for _, name := range []string{"left", "right", "hidden"} {
		n := c.Namespace(name)
		template := fixture.Template("web", fixture.Container("app", fixture.Liveness(fixture.HTTP("/live", fixture.Number(8080)))))
		d := n.Deployment(fixture.Meta{Name: "web", Replicas: 1}, template)
		rs := n.ReplicaSet(fixture.Meta{Name: "web-5555555555", Replicas: 1, Owner: d}, "5555555555", template)
		pod := n.Pod("web-5555555555-aaaaa", rs, restarted, fixture.On("node-1"))
		if name != "left" {
			n.Killed(pod, "app", "Container app failed liveness probe, will be restarted", 2)
		}
	}
	for _, resource := range []string{"pods", "services", "replicationcontrollers", "replicasets.apps", "deployments.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch", "nodes"} {
		c.Allow("oncall", fixture.Everywhere, resource)
		c.Allow("newcomer", fixture.Everywhere, resource)
	}
	c.Allow("oncall", "left", "events")
	c.Allow("oncall", "right", "events")
	c.Allow("newcomer", "left", "events")
	return c.Err()
}

// restarted is a Pod whose container ended two minutes ago and waits to be started anew.
func restarted(p *corev1.Pod) {
	fixture.Unready(p)
	ended := metav1.NewTime(time.Now().Add(-2 * time.Minute))
	for i := range p.Status.ContainerStatuses {
		s := &p.Status.ContainerStatuses[i]
		s.RestartCount = 2
		s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
		s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
			ExitCode: 143, Reason: "Error", StartedAt: metav1.NewTime(ended.Add(-5 * time.Minute)), FinishedAt: ended,
		}
	}
}

func TestEventsOfSomeNamespaces(t *testing.T) {
	line := command.Line{Kubeconfig: server.Kubeconfig, CacheDir: t.TempDir(), Arguments: []string{"-A", "--as=oncall"}}
	got := line.Must(t)
	rows := map[string]string{}
	for _, row := range strings.Split(got.Out, "\n") {
		if cells := strings.Fields(row); len(cells) > 6 {
			rows[cells[0]] = cells[6] // NAMESPACE WORKLOAD CONTAINER READY RESTARTS LAST REASON
		}
	}
	if rows["right"] != "liveness:1" || rows["hidden"] != "?:1" {
		t.Errorf("right is killed by its probe, and of hidden nobody knows: %v\n%s", rows, got)
	}
	if !strings.Contains(got.Err, "events") || !strings.Contains(got.Err, "hidden") || strings.Contains(got.Err, "right") {
		t.Errorf("stderr does not name the gap, and it alone:\n%s", got.Err)
	}
	gaps := line.Must(t, `-o=jsonpath={range .gaps[?(@.what=="events")]}{.namespace} {.reason}{"\n"}{end}`)
	if gaps.Out != "hidden forbidden\n" {
		t.Errorf("gaps: %s", gaps)
	}
}

func TestFailOnOverAGap(t *testing.T) {
	for user, want := range map[string]int{"oncall": cli.ExitFindings, "newcomer": cli.ExitError} {
		t.Run(user, func(t *testing.T) {
			line := command.Line{Kubeconfig: server.Kubeconfig, CacheDir: t.TempDir(), Arguments: []string{"-A", "--as=" + user}}
			got := line.Run(t, "--fail-on=killed-by-probe")
			if got.Status != want {
				t.Errorf("ended with %d, want %d: %s", got.Status, want, got)
			}
			if undecided := strings.Contains(got.Err, "cannot decide killed-by-probe: events forbidden in"); undecided != (want == cli.ExitError) {
				t.Errorf("stderr: %s", got.Err)
			}
		})
	}
}
