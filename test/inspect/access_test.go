package inspect

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/cli"
	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// gapLines prints one line for each gap.
const gapLines = `-o=jsonpath={range .gaps[*]}{.what} {.namespace} {.reason}{"\n"}{end}`

// allowed lets a user read some resources of a namespace.
func allowed(t *testing.T, user, namespace string, resources ...string) {
	t.Helper()
	c := fixture.New(context.Background(), server.Config)
	c.Allow(user, namespace, resources...)
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
}

// everythingElse are the namespaced kinds beside Pods and Deployments.
func everythingElse() []string {
	return []string{
		"services", "events", "endpointslices.discovery.k8s.io", "replicationcontrollers", "replicasets.apps", "statefulsets.apps", "daemonsets.apps",
		"jobs.batch", "cronjobs.batch", "rollouts.argoproj.io",
	}
}

// TestPodsAlone is somebody who may read nothing but Pods: the report is of Pods, and says what it lacks.
func TestPodsAlone(t *testing.T) {
	allowed(t, "podreader", "shop", "pods")
	line := cluster(t)
	line.Arguments = []string{"-n", "shop", "--as", "podreader"}
	got := line.Must(t, counts)
	want := []string{
		"rs/api-6d4f9b7c58 1/2", "rs/canary-55555555a5 1/1", "rs/canary-66666666b6 1/1", "rs/cart-99999999c9 2/2",
		"rs/pay-77777777d7 1/1", "rs/pay-88888888e8 1/1", "rs/web-58b7b6f6f9 2/2", "rs/web-7c9d8f5b64 0/1",
	}
	if diff := cmp.Diff(want, lines(got.Out)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	gaps := line.Must(t, gapLines)
	for _, what := range []string{"deployments.apps shop", "replicasets.apps shop", "services shop", "events shop", "nodes "} {
		if !strings.Contains(gaps.Out, what+" forbidden\n") {
			t.Errorf("no gap for %q in:\n%s", what, gaps.Out)
		}
	}
	table := line.Must(t)
	if !strings.Contains(table.Out, "http:16s?") || !strings.Contains(table.Err, "forbidden") {
		t.Errorf("the table does not say that drift is unknown, and why: %s", table)
	}
}

// TestNoDeploymentsNoNodes is the usual narrow role: the workloads have their names, and no template.
func TestNoDeploymentsNoNodes(t *testing.T) {
	allowed(t, "narrow", "shop", append(everythingElse(), "pods")...)
	line := cluster(t)
	line.Arguments = []string{"-n", "shop", "--as", "narrow"}
	got := line.Must(t, counts)
	want := []string{"deploy/api 1/2", "deploy/cart 2/2", "deploy/pay 2/2", "deploy/web 2/3", "rollout.argoproj.io/canary 2/2"} // idle has no Pods to be known by
	if diff := cmp.Diff(want, lines(got.Out)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	gaps := line.Must(t, gapLines)
	if diff := cmp.Diff([]string{"nodes  forbidden", "deployments.apps shop forbidden"}, lines(gaps.Out)); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	named := line.Run(t, "deploy/web")
	if named.Status != cli.ExitError || !strings.Contains(named.Err, "forbidden") || len(lines(named.Err)) != 1 {
		t.Errorf("deploy/web cannot be read, and that is not said in one line: %s", named)
	}
	if pod := line.Must(t, "pod/web-7c9d8f5b64-ccccc", counts); pod.Out != "deploy/web 0/1\n" {
		t.Errorf("a Pod needs no right on its Deployment: %s", pod)
	}
}

// TestNoPods says so in one line that names who may not do what: without Pods there is nothing to report.
func TestNoPods(t *testing.T) {
	allowed(t, "blind", "shop", append(everythingElse(), "deployments.apps")...)
	for _, args := range []string{"-n shop", "-A", "-n shop deploy", "-n shop deploy/web", "-n shop pod/web-7c9d8f5b64-ccccc", "-n shop svc/web"} {
		got := cluster(t).Run(t, append(words(args), "--as=blind")...)
		if got.Status != cli.ExitError || got.Out != "" || len(lines(got.Err)) != 1 {
			t.Errorf("%s: %s", args, got)
		}
		for _, want := range []string{"Error from server (Forbidden): ", `pods`, `User "blind" cannot `} {
			if !strings.Contains(got.Err, want) {
				t.Errorf("%s: no %q in %s", args, want, got.Err)
			}
		}
	}
}

// TestSomeNamespaces is somebody with all rights in two of three namespaces.
func TestSomeNamespaces(t *testing.T) {
	for _, namespace := range []string{"shop", "platform"} {
		allowed(t, "tenant", namespace, append(everythingElse(), "pods", "deployments.apps")...)
	}
	got := cluster(t).Run(t, "-A", "--as=tenant")
	if got.Status != cli.ExitError || got.Out != "" || len(lines(got.Err)) != 1 || !strings.Contains(got.Err, "at the cluster scope") {
		t.Errorf("Pods of all namespaces were asked for: %s", got)
	}
	if own := cluster(t).Must(t, "-n", "shop", "--as=tenant", counts); !strings.Contains(own.Out, "deploy/web 2/3\n") {
		t.Errorf("the own namespace: %s", own)
	}
}

// TestDeploymentsOfSomeNamespaces is somebody who sees all Pods: where Deployments cannot be read at once
// they are read namespace by namespace, and only what stays hidden is a gap.
func TestDeploymentsOfSomeNamespaces(t *testing.T) {
	others := append(everythingElse(), "nodes", "clonesets.apps.kruise.io", "prometheuses.monitoring.coreos.com", "services.serving.knative.dev", "fleets.fleet.example.com")
	allowed(t, "overseer", fixture.Everywhere, append(others, "pods")...)
	for _, namespace := range []string{"shop", "platform", "crowd", "twins"} {
		allowed(t, "overseer", namespace, "deployments.apps")
	}
	gaps := cluster(t).Must(t, "-A", "--as=overseer", gapLines)
	if diff := cmp.Diff([]string{"deployments.apps jobs forbidden"}, lines(gaps.Out)); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	templates := cluster(t).Must(t, "-A", "--as=overseer", `-o=jsonpath={range .workloads[?(@.kind=="Deployment")]}{.displayName} {.template}{"\n"}{end}`)
	want := []string{
		"deploy/large known", "deploy/small known", "deploy/greedy unknown", "deploy/left unknown", "deploy/edge known", "deploy/hello-00001 known",
		"deploy/api known", "deploy/cart known", "deploy/idle known", "deploy/pay known", "deploy/web known", "deploy/double known",
	}
	if diff := cmp.Diff(want, lines(templates.Out)); diff != "" {
		t.Errorf("templates (-want +got):\n%s", diff)
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// TestCustomKindsForbidden is somebody without rights on what operators bring: the Pods are there, and their
// template is not known.
func TestCustomKindsForbidden(t *testing.T) {
	allowed(t, "builtin", "platform", "pods", "services", "events", "endpointslices.discovery.k8s.io", "replicationcontrollers",
		"replicasets.apps", "statefulsets.apps", "daemonsets.apps", "deployments.apps", "jobs.batch", "cronjobs.batch")
	allowed(t, "builtin", fixture.Everywhere, "nodes")
	line := cluster(t)
	line.Arguments = []string{"-n", "platform", "--as", "builtin"}
	got := line.Must(t, `-o=jsonpath={range .workloads[?(@.template=="unknown")]}{.displayName} {.pods.ready}/{.pods.total}{"\n"}{end}`)
	if diff := cmp.Diff([]string{"cloneset.apps.kruise.io/game 1/2"}, lines(got.Out)); diff != "" {
		t.Errorf("templates that are not known (-want +got):\n%s", diff)
	}
	if gaps := line.Must(t, gapLines); !strings.Contains(gaps.Out, "cloneset.apps.kruise.io platform forbidden\n") {
		t.Errorf("no gap for the CloneSets: %s", gaps)
	}
	root := line.Must(t, "sts/prometheus-k8s", "-o=jsonpath={.workloads[0].rootOwner.kind}/{.workloads[0].rootOwner.name}")
	if root.Out != "Prometheus/k8s" {
		t.Errorf("the name of a root owner takes no right on it: %s", root)
	}
}
