package demo

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kubectl answers what demo.sh asks, of a cluster that is well.
const kubectl = `case "$*" in
"config current-context") echo prod ;;
"config get-contexts --output=name") printf 'prod\nkind-probes-demo\nprobes-demo\n' ;;
*"get deployments,statefulsets"*) printf 'deployment.apps/web\nstatefulset.apps/db\n' ;;
*"get pods"*) printf 'web-1\nweb-2\n' ;;
esac`

// applied are the calls that bring the shop and wait for it.
func applied(context string) []string {
	on := "kubectl --context " + context + " "
	return []string{
		on + "apply --server-side --force-conflicts --kustomize manifests",
		on + "get deployments,statefulsets --namespace shop --selector app,app!=cache --output name",
		on + "rollout status --namespace shop deployment.apps/web --timeout=5m",
		on + "rollout status --namespace shop statefulset.apps/db --timeout=5m",
	}
}

func TestUp(t *testing.T) {
	createPlain := "kind create cluster --name probes-demo --config kind.yaml"
	createMutable := "kind create cluster --name probes-demo --config kind-mutable-probes.yaml"
	createMinikube := "minikube start --profile probes-demo --keep-context --container-runtime=containerd"
	for _, tt := range []struct {
		name string
		args []string
		want string // the call that makes the cluster
	}{
		{"kind by default", nil, createPlain + " --wait 2m"},
		{"a version", []string{"K8S_VERSION=v1.37.2"}, createPlain + " --wait 2m --image kindest/node:v1.37.2"},
		{"a version without v", []string{"K8S_VERSION=1.37.2"}, createPlain + " --wait 2m --image kindest/node:v1.37.2"},
		{"a version with the gate", []string{"K8S_VERSION=v1.38.0"}, createMutable + " --wait 2m --image kindest/node:v1.38.0"},
		{"a pre-release", []string{"K8S_VERSION=v1.38.0-alpha.2"}, createMutable + " --wait 2m --image kindest/node:v1.38.0-alpha.2"},
		{
			"an image with the gate",
			[]string{"K8S_IMAGE=localhost:5000/node:v1.40.1"},
			createMutable + " --wait 2m --image localhost:5000/node:v1.40.1",
		},
		{"an image by digest too", []string{"K8S_IMAGE=kindest/node:v1.36.0@sha256:0a"}, createPlain + " --wait 2m --image kindest/node:v1.36.0@sha256:0a"},
		{"an image whose tag tells nothing", []string{"K8S_IMAGE=kindest/node:latest"}, createPlain + " --wait 2m --image kindest/node:latest"},
		{
			"the same, known to have it",
			[]string{"K8S_IMAGE=kindest/node:latest", "MUTABLE_PROBES=true"},
			createMutable + " --wait 2m --image kindest/node:latest",
		},
		{"not wanted", []string{"K8S_VERSION=v1.38.0", "MUTABLE_PROBES=false"}, createPlain + " --wait 2m --image kindest/node:v1.38.0"},
		{"minikube", []string{"TOOL=minikube"}, createMinikube},
		{"minikube, a version", []string{"TOOL=minikube", "K8S_VERSION=v1.37.2"}, createMinikube + " --kubernetes-version=v1.37.2"},
		{
			"minikube with the gate",
			[]string{"TOOL=minikube", "K8S_VERSION=1.38.0"},
			createMinikube + " --kubernetes-version=1.38.0 --feature-gates=MutableContainerProbes=true",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			d.install(t, "kubectl", kubectl)
			d.install(t, "kind", "")
			d.install(t, "minikube", "")
			if out, ok := d.make(t, append([]string{"up"}, tt.args...)...); !ok {
				t.Fatal(out)
			}
			want := append([]string{tt.want, "kubectl config get-contexts --output=name"}, applied("probes-demo")...)
			if strings.HasPrefix(tt.want, "kind") {
				want = append([]string{
					"kubectl config current-context", "kind get clusters", tt.want,
					"kubectl config set current-context prod", "kubectl config get-contexts --output=name",
				}, applied(demoContext)...)
			}
			if diff := cmp.Diff(want, d.calls(t)); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUpAgainKeepsTheCluster(t *testing.T) {
	d := newDesk(t)
	d.install(t, "kubectl", kubectl)
	d.install(t, "kind", `[ "$*" != "get clusters" ] || printf 'other\nprobes-demo\n'`)
	out, ok := d.make(t, "up", "K8S_VERSION=v1.38.0")
	if !ok || !strings.Contains(out, "stays as it was made") {
		t.Fatal(out)
	}
	want := append([]string{
		"kubectl config current-context", "kind get clusters", "kind export kubeconfig --name probes-demo",
		"kubectl config set current-context prod", "kubectl config get-contexts --output=name",
	}, applied(demoContext)...)
	if diff := cmp.Diff(want, d.calls(t)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestDown(t *testing.T) {
	for tool, want := range map[string]string{"kind": "kind delete cluster --name probes-demo", "minikube": "minikube delete --profile probes-demo"} {
		d := newDesk(t)
		d.install(t, tool, "")
		if out, ok := d.make(t, "down", "TOOL="+tool); !ok {
			t.Fatal(out)
		}
		if diff := cmp.Diff([]string{want}, d.calls(t)); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	}
}

// TestOnlyTheDemosContext says it of every target and tool, whatever the current context is.
func TestOnlyTheDemosContext(t *testing.T) {
	for tool, context := range map[string]string{"kind": demoContext, "minikube": "probes-demo"} {
		for _, target := range []string{"up", "chaos", "heal"} {
			d := newDesk(t)
			d.install(t, "kubectl", kubectl)
			d.install(t, tool, "")
			if out, ok := d.make(t, target, "TOOL="+tool, "CONTEXT=prod", "context=prod", "cluster=prod"); !ok {
				t.Fatal(out)
			}
			changes := 0
			for _, call := range d.calls(t) {
				words := strings.Fields(call)
				if words[0] != "kubectl" || words[1] == "config" {
					continue
				}
				changes++
				if words[1] != "--context" || words[2] != context {
					t.Errorf("%s TOOL=%s goes elsewhere: %s", target, tool, call)
				}
			}
			if changes == 0 {
				t.Errorf("%s TOOL=%s does nothing", target, tool)
			}
		}
	}
}

// TestRefused is before anything has been done to any cluster.
func TestRefused(t *testing.T) {
	noContext := strings.Replace(kubectl, `prod\nkind-probes-demo\nprobes-demo`, `prod\nkind-probes-demo-2`, 1)
	for _, tt := range []struct {
		name      string
		installed map[string]string
		args      []string
		want      string
	}{
		{"an unknown tool", map[string]string{"kubectl": kubectl}, []string{"up", "TOOL=k3d"}, "TOOL=k3d: kind or minikube"},
		{"no kind", map[string]string{"kubectl": kubectl}, []string{"up"}, "kind is not on the PATH: install it (https://kind"},
		{"no minikube", map[string]string{"kubectl": kubectl}, []string{"down", "TOOL=minikube"}, "minikube is not on the PATH"},
		{"no kubectl for up", map[string]string{"kind": ""}, []string{"up"}, "kubectl is not on the PATH"},
		{"no kubectl for chaos", map[string]string{"kind": ""}, []string{"chaos"}, "kubectl is not on the PATH"},
		{
			"chaos before up",
			map[string]string{"kubectl": noContext},
			[]string{"chaos"},
			"there is no context kind-probes-demo in the kubeconfig: `make up TOOL=kind` makes it",
		},
		{
			"heal of the other tool",
			map[string]string{"kubectl": noContext},
			[]string{"heal", "TOOL=minikube"},
			"there is no context probes-demo in the kubeconfig: `make up TOOL=minikube` makes it",
		},
		{
			"the gate on a version without it",
			map[string]string{"kubectl": kubectl, "kind": ""},
			[]string{"up", "K8S_VERSION=v1.37.2", "MUTABLE_PROBES=true"},
			"kindest/node:v1.37.2 does not know that feature gate and would not start; take v1.38 or later",
		},
		{
			"the gate on nobody knows what",
			map[string]string{"kubectl": kubectl, "kind": ""},
			[]string{"up", "MUTABLE_PROBES=true"},
			"say with K8S_VERSION which Kubernetes",
		},
		{
			"the gate in other words",
			map[string]string{"kubectl": kubectl, "minikube": ""},
			[]string{"up", "TOOL=minikube", "MUTABLE_PROBES=yes"},
			"MUTABLE_PROBES=yes: true, false, or nothing to go by the version",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			for name, script := range tt.installed {
				d.install(t, name, script)
			}
			out, ok := d.make(t, tt.args...)
			if ok || !strings.Contains(out, "error: ") || !strings.Contains(out, tt.want) {
				t.Errorf("want %q, got ok=%v:\n%s", tt.want, ok, out)
			}
			reads := []string{"kubectl config current-context", "kubectl config get-contexts --output=name", "kind get clusters"}
			for _, call := range d.calls(t) {
				if !slices.Contains(reads, call) {
					t.Errorf("did this before: %s", call)
				}
			}
		})
	}
}

// TestFailureOfAStepEndsIt holds for each step of heal, which has the most.
func TestFailureOfAStepEndsIt(t *testing.T) {
	d := newDesk(t)
	d.install(t, "kubectl", kubectl)
	if out, ok := d.make(t, "heal"); !ok {
		t.Fatal(out)
	}
	all := d.calls(t)
	for i, call := range all {
		d := newDesk(t)
		d.install(t, "kubectl", `[ "kubectl $*" != '`+call+`' ] || exit 1`+"\n"+kubectl)
		if out, ok := d.make(t, "heal"); ok {
			t.Errorf("%q fails, and heal says that all is well:\n%s", call, out)
		}
		if diff := cmp.Diff(all[:i+1], d.calls(t)); diff != "" {
			t.Errorf("%q fails, and it goes on (-want +got):\n%s", call, diff)
		}
	}
}
