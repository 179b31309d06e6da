package change

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

func gathered(t *testing.T, s *server, r Request) Target {
	t.Helper()
	targets, err := Gather(context.Background(), s, []Asked{{Namespace: "shop", Name: "web-0", Named: true}}, r)
	if err != nil {
		t.Fatal(err)
	}
	return targets[0]
}

func TestGather(t *testing.T) {
	const node = `{apiVersion: v1, kind: Node, metadata: {name: node-1, labels: {type: virtual-kubelet}}, status: {nodeInfo: {kubeletVersion: v1.37.2}}}`
	replicaSet := replaced(t, webDeployment, []string{"kind: Deployment", "kind: ReplicaSet", "name: web,", "name: web-58b7,", "uid: d-1", "uid: rs-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d-1, controller: true}]"})
	changed := replaced(t, webPod, []string{"generation: 1", "generation: 2", "namespace: shop", "namespace: shop\n  labels: {pod-template-hash: h}"})
	sibling := replaced(t, changed, []string{"generation: 2", "generation: 1", "name: web-0", "name: web-1", "uid-1", "uid-2"})
	s := newServer(toJSON(t, changed), toJSON(t, sibling), toJSON(t, node), toJSON(t, replicaSet), toJSON(t, webDeployment))
	got := gathered(t, s, Request{Restore: true})
	if got.Workload != "deploy/web" || got.Current == nil || got.Current.Holder != "deploy/web" || got.Node != (Node{"node-1", "v1.37.2", true}) {
		t.Errorf("target %+v", got)
	}
	if got.MadeFrom == nil || got.MadeFrom.Err != nil || got.MadeFrom.Holder != "rs/web-58b7" || len(got.MadeFrom.Siblings) != 1 {
		t.Errorf("made from %+v", got.MadeFrom)
	}
	if s.gets != 4 {
		t.Errorf("%d objects were read", s.gets)
	}
	if got := gathered(t, s, Request{}); got.MadeFrom != nil {
		t.Error("the template was looked for although nobody asks")
	}
	s.set("web-58b7", func(o map[string]any) { o["metadata"].(map[string]any)["uid"] = "another" })
	if got := gathered(t, s, Request{Restore: true}); got.MadeFrom.Err == nil {
		t.Error("another ReplicaSet of that name was taken")
	}
}

func TestGatherRevision(t *testing.T) {
	for kind, label := range map[string]string{"StatefulSet": "db-5f7", "DaemonSet": "5f7"} {
		t.Run(kind, func(t *testing.T) {
			owner := "{apiVersion: apps/v1, kind: " + kind + ", name: db, uid: w-1, controller: true}"
			changed := replaced(t, webPod, []string{
				"{apiVersion: apps/v1, kind: ReplicaSet, name: web-58b7, uid: rs-1, controller: true}", owner,
				"namespace: shop", "namespace: shop\n  labels: {controller-revision-hash: " + label + "}",
			})
			revision := `{apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: db-5f7, ownerReferences: [` + owner + `]},
data: {spec: {template: {$patch: replace, spec: {containers: [{name: web, livenessProbe: {tcpSocket: {port: 1}}}]}}}}}`
			got := gathered(t, newServer(toJSON(t, changed), toJSON(t, revision)), Request{Restore: true})
			if got.MadeFrom.Err != nil || string(got.MadeFrom.raw[probeKey{"web", "liveness"}]) != `{"tcpSocket":{"port":1}}` {
				t.Errorf("made from %+v", got.MadeFrom)
			}
			if got.Workload != Ref.String(Ref{Group: "apps", Kind: kind, Name: "db"}) || got.Current != nil {
				t.Errorf("target %+v", got)
			}
			other := gathered(t, newServer(toJSON(t, changed), toJSON(t, strings.Replace(revision, "w-1", "w-2", 1))), Request{Restore: true})
			if other.MadeFrom.Err == nil {
				t.Error("the revision of another was taken")
			}
		})
	}
}

func TestGatherWithoutAnything(t *testing.T) {
	s := newServer(toJSON(t, webPod))
	got := gathered(t, s, Request{Restore: true})
	if got.Workload != "rs/web-58b7" || got.Node != (Node{Name: "node-1"}) || got.MadeFrom.Err == nil || got.UID != types.UID("uid-1") {
		t.Errorf("target %+v", got)
	}
	_, err := Gather(context.Background(), s, []Asked{{Namespace: "shop", Name: "web-0"}, {Namespace: "shop", Name: "nope"}, {Namespace: "shop", Name: "no"}}, Request{})
	if err == nil || !strings.Contains(err.Error(), `pod/nope in namespace shop: pods "nope" not found`) || !strings.Contains(err.Error(), "pod/no in") {
		t.Errorf("error %v", err)
	}
}

func TestGatherWorkloads(t *testing.T) {
	s := newServer(toJSON(t, webDeployment))
	ref := Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}
	targets, err := GatherWorkloads(context.Background(), s, []AskedWorkload{{ref, 3}})
	if err != nil || len(targets) != 1 || targets[0].UID != "d-1" || targets[0].Pods != 3 || targets[0].Pod != nil {
		t.Errorf("%+v, %v", targets, err)
	}
	ref.Name = "api"
	if _, err := GatherWorkloads(context.Background(), s, []AskedWorkload{{ref, 3}}); err == nil || !strings.Contains(err.Error(), "deploy/api in namespace shop") {
		t.Errorf("error %v", err)
	}
}
