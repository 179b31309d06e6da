package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

const webDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: d-1}
spec:
  replicas: 3
  template:
    spec:
      containers:
      - name: web
        image: x
        livenessProbe: {httpGet: {path: /healthz, port: 8080, scheme: HTTP}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}
`

func work(t *testing.T, manifest string, replacements ...string) Target {
	t.Helper()
	s, err := WorkloadFromJSON(toJSON(t, replaced(t, manifest, replacements)))
	if err != nil {
		t.Fatal(err)
	}
	return Target{Subject: s, Named: true, Pods: 3}
}

func TestTemplatePatch(t *testing.T) {
	for name, replace := range map[string][]string{
		"Deployment":  nil,
		"StatefulSet": {"kind: Deployment", "kind: StatefulSet"},
		"Rollout":     {"apiVersion: apps/v1", "apiVersion: argoproj.io/v1alpha1", "kind: Deployment", "kind: Rollout"},
	} {
		t.Run(name, func(t *testing.T) {
			target := work(t, webDeployment, replace...)
			p := planned(t, Request{Edits: edits(t, "liveness", "failure=30"), Template: true}, target)
			o := p.Objects[0]
			if len(o.Changes[0].Effects) > 0 || o.Changes[0].Risky {
				t.Errorf("effects on running containers: %q", o.Changes[0].Effects)
			}
			object := toJSON(t, replaced(t, webDeployment, replace))
			out := mustPatch(t, &o, object)
			want := strings.Replace(canonical(object), `"failureThreshold":3`, `"failureThreshold":30`, 1)
			if diff := cmp.Diff(want, canonical(out)); diff != "" {
				t.Errorf("object (-want +got):\n%s", diff)
			}
			back := fromCommand(t, o.Undo[0])
			if !back.Template {
				t.Errorf("undo %q", o.Undo)
			}
			s, err := WorkloadFromJSON(out)
			if err != nil {
				t.Fatal(err)
			}
			again := planned(t, back, Target{Subject: s})
			if got := canonical(mustPatch(t, &again.Objects[0], out)); got != canonical(object) {
				t.Errorf("after the undo %s", got)
			}
		})
	}
}

func TestCronJobTemplate(t *testing.T) {
	const cron = `{apiVersion: batch/v1, kind: CronJob, metadata: {name: b, uid: c}, spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: b}]}}}}}}`
	p := planned(t, Request{Edits: edits(t, "liveness", "tcp=:1"), Template: true}, work(t, cron))
	patch, err := p.Objects[0].Patch()
	if err != nil || !strings.Contains(string(patch), `"/spec/jobTemplate/spec/template/spec/containers/0/livenessProbe"`) {
		t.Errorf("patch %s, %v", patch, err)
	}
	if _, err := jsonpatch.DecodePatch(patch); err != nil {
		t.Error(err)
	}
}

func TestTemplateRefused(t *testing.T) {
	tests := map[string]struct {
		replace []string
		err     string
	}{
		"unknown kind":    {[]string{"apiVersion: apps/v1", "apiVersion: example.com/v1", "kind: Deployment", "kind: Web"}, "where a Web.example.com keeps its Pod template is not known"},
		"workloadRef":     {[]string{"apiVersion: apps/v1", "apiVersion: argoproj.io/v1alpha1", "kind: Deployment", "kind: Rollout", "replicas: 3", "workloadRef: {kind: Deployment, name: base}"}, "that of deployment/base (spec.workloadRef)"},
		"Job":             {[]string{"apiVersion: apps/v1", "apiVersion: batch/v1", "kind: Deployment", "kind: Job"}, "cannot change once it exists"},
		"of a controller": {[]string{"kind: Deployment", "kind: ReplicaSet", "uid: d-1", "uid: d-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: up, uid: x, controller: true}]"}, "it belongs to deploy/up"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := NewPlan(Request{Edits: edits(t, "liveness", "period=5"), Template: true}, []Target{work(t, webDeployment, tt.replace...)})
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestTemplateNotes(t *testing.T) {
	const rollout = "starts a rollout, which replaces 3 Pods"
	const undo = "the undo is another rollout"
	tests := map[string]struct {
		replace []string
		want    []string
	}{
		"plain":    {nil, []string{rollout, undo}},
		"paused":   {[]string{"replicas: 3", "paused: true"}, []string{"the rollout is paused: 3 Pods stay as they are until it is resumed"}},
		"OnDelete": {[]string{"kind: Deployment", "kind: DaemonSet", "replicas: 3", "updateStrategy: {type: OnDelete}"}, []string{"the update strategy is OnDelete: each of 3 Pods stays as it is until somebody deletes it"}},
		"ordered": {[]string{"kind: Deployment", "kind: StatefulSet", "replicas: 3", "updateStrategy: {rollingUpdate: {partition: 2}}"}, []string{
			rollout + " (only those with ordinal 2 and above)",
			"the Pods are replaced one after the other, and a Pod that is not Ready now holds the rollout up: delete that Pod if it does not go on", undo,
		}},
		"parallel": {[]string{"kind: Deployment", "kind: StatefulSet", "replicas: 3", "podManagementPolicy: Parallel"}, []string{rollout, undo}},
		"Argo CD":  {[]string{"uid: d-1", "uid: d-1, managedFields: [{manager: argocd-controller}]"}, []string{rollout, undo, "Argo CD manages it and may set it back: change it in git"}},
		"Flux":     {[]string{"uid: d-1", "uid: d-1, labels: {kustomize.toolkit.fluxcd.io/name: x}"}, []string{rollout, undo, "Flux manages it and may set it back: change it in git"}},
		"Helm":     {[]string{"uid: d-1", "uid: d-1, labels: {app.kubernetes.io/managed-by: Helm}"}, []string{rollout, undo, "Helm manages it, and its next upgrade may set it back: change the chart's values"}},
		"not Helm": {[]string{"uid: d-1", "uid: d-1, labels: {app.kubernetes.io/managed-by: hands}"}, []string{rollout, undo}},
		"owned": {[]string{"kind: Deployment", "kind: StatefulSet", "replicas: 3", "podManagementPolicy: Parallel", "uid: d-1", "uid: d-1, ownerReferences: [{apiVersion: monitoring.coreos.com/v1, kind: Prometheus, name: main, uid: x, controller: true}]"}, []string{
			rollout, undo, "prometheus.monitoring.coreos.com/main controls it and may set it back: change it there",
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := planned(t, Request{Edits: edits(t, "liveness", "period=5"), Template: true}, work(t, webDeployment, tt.replace...))
			if diff := cmp.Diff(tt.want, p.Objects[0].Notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
