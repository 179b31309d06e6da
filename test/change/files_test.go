package change

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

const manifests = `# What the shop runs.
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  probe.yaml: |
    livenessProbe: {}   # not one
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # the shop
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: app
          image: "registry.example/app:v1"
          # Slow on Mondays.
          livenessProbe:
            httpGet: {path: /healthz, port: 8080}
            periodSeconds: 10 # every ten
            failureThreshold: 3
          env: [{name: A, value: "on"}]
---
# nothing here
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
`

// write puts text into a file of the test's own.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestLocal prints manifests with the change, and asks no cluster; the server takes what was printed.
func TestLocal(t *testing.T) {
	s := newScene(t, env.stock)
	file := write(t, "shop.yaml", manifests)
	p := s.through(t, nil)
	tuned := strings.Replace(manifests, "periodSeconds: 10 #", "periodSeconds: 20 #", 1)
	for _, args := range [][]string{
		{"--local"}, {"--local", "--dry-run=client", "-o", "yaml"}, {"--local", "-o", "yaml"}, {"deploy/web", "--local"},
	} {
		got := s.must(t, append(args, "-f", file, "--liveness=period=20")...)
		if diff := cmp.Diff(tuned, got.Out); diff != "" {
			t.Errorf("%v (-want +got):\n%s", args, diff)
		}
		has(t, got.Err, "  app  liveness  updated   acts within 31s -> 1m1s\n")
	}
	off := s.must(t, "--local", "-f", file, "--liveness-off", "--readiness=exec=sh -c 'a: b #c'")
	has(t, off.Out, "            exec:\n", "- \"a: b #c\"\n", "name: web # the shop\n", "    livenessProbe: {}   # not one\n", "# nothing here\n")
	if len(p.patches()) > 0 || len(p.requests) > 0 {
		t.Errorf("the cluster was asked: %v", p.requests)
	}
	for _, text := range []string{tuned, off.Out} {
		kubectl := "kubectl --kubeconfig=" + s.server.Kubeconfig + " apply --dry-run=server -n " + s.Name + " -f " + write(t, "changed.yaml", text)
		if got := shell(t, kubectl); got.Status != 0 {
			t.Errorf("%s\n%s", text, got)
		}
	}
}

// TestFilesNameObjects changes what files name, as it is in the cluster.
func TestFilesNameObjects(t *testing.T) {
	s := newScene(t, env.mutable)
	s.deployment(t, web(), 2, On(follows))
	s.alone(t, "lone", On(follows))
	in := "\n  namespace: " + s.Name
	file := write(t, "shop.yaml", strings.Replace(manifests, "name: web # the shop", "name: web"+in, 1))
	lone := write(t, "lone.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: lone\nspec: {containers: [{name: app, image: x}]}\n")

	got := status(t, 1, s.set(t, "-f", file, "-c", "app", "--liveness-off"))
	has(t, got.Err, "error: deploy/web: say what is to be changed: --pods for its running Pods")
	got = s.must(t, "-f", file, "--pods", "-c", "app", "--liveness-off")
	if diff := cmp.Diff([]string{"pod/web-5555555555-0 probes updated", "pod/web-5555555555-1 probes updated"}, lines(got.Out)); diff != "" {
		t.Error(diff)
	}
	has(t, s.must(t, "-f", file, "--pod-template", "-c", "app", "--liveness-off").Out, "deployment.apps/web probes updated\n")
	has(t, s.must(t, "-f", lone, "-c", "app", "--liveness-off").Out, "pod/lone probes updated\n")
	s.line.Stdin = "apiVersion: v1\nkind: Pod\nmetadata: {name: nope}\n"
	has(t, status(t, 1, s.set(t, "-f", "-", "--liveness-off")).Err, `pods "nope" not found`)
	two := write(t, "two.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: east}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: west}\n")
	has(t, status(t, 1, s.set(t, "-f", two, "--liveness-off")).Err, "several namespaces")
	east := write(t, "east.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: east}\n")
	has(t, status(t, 1, s.set(t, "-f", east, "--liveness-off")).Err, "error: the files name objects in namespace east, and -n says "+s.Name+"\n")
	none := write(t, "none.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n")
	has(t, status(t, 1, s.set(t, "-f", none, "--liveness-off")).Err, "the files name no Pods and no workloads")
}

// TestCompletion is what a shell proposes.
func TestCompletion(t *testing.T) {
	s := newScene(t, env.stock)
	s.deployment(t, web(), 2)
	begin := "kubectl-probes __complete set --kubeconfig=" + s.server.Kubeconfig + " -n " + s.Name + " "
	for typed, want := range map[string]string{
		"pod/web-5555555555-0 -c ''":               "app\nhelper\nmesh\n:4\n",
		"deploy/web --pods -c ''":                  "app\nhelper\nmesh\n:4\n",
		"pod/nope -c ''":                           ":4\n",
		"pod/x --liveness period=3,":               "period=3,delay=\nperiod=3,timeout=\nperiod=3,success=\nperiod=3,failure=\nperiod=3,grace=\nperiod=3,http=\nperiod=3,tcp=\nperiod=3,grpc=\nperiod=3,exec=\n:6\n",
		"pod/x --startup 'period=3,exec=echo a,b'": ":4\n",
	} {
		if got := shell(t, begin+typed); got.Out != want {
			t.Errorf("%s: %s", typed, got)
		}
	}
}
