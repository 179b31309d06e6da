package snapshot

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// chainOf makes objects that own each other, nearest to the Pod first, written kind or kind.group.
func chainOf(kinds ...string) []*Object {
	var objects []*Object
	for _, kind := range kinds {
		name, group, _ := strings.Cut(kind, ".")
		objects = append(objects, &Object{Group: group, Kind: name, Namespace: "shop", Name: strings.ToLower(name), UID: types.UID(kind)})
	}
	for i := 1; i < len(objects); i++ {
		objects[i-1].Owner = refTo(objects[i])
	}
	return objects
}

func refTo(o *Object) *OwnerRef {
	return &OwnerRef{Group: o.Group, Kind: o.Kind, Name: o.Name, UID: o.UID}
}

func TestPlace(t *testing.T) {
	tests := []struct {
		name, chain    string
		workload, root string
		between        int
	}{
		{"Deployment", "ReplicaSet.apps Deployment.apps", "deploy/deployment", "", 1},
		{"Deployment of an operator", "ReplicaSet.apps Deployment.apps App.example.com", "deploy/deployment", "App", 1},
		{"StatefulSet under two custom resources", "StatefulSet.apps Kafka.strimzi.io Platform.example.com", "sts/statefulset", "Platform", 0},
		{"DaemonSet", "DaemonSet.apps", "ds/daemonset", "", 0},
		{"CronJob", "Job.batch CronJob.batch", "cj/cronjob", "", 1},
		{"Job of a workflow", "Job.batch Workflow.argoproj.io", "job/job", "Workflow", 0},
		{"ReplicaSet alone", "ReplicaSet.apps", "rs/replicaset", "", 0},
		{"ReplicationController", "ReplicationController", "rc/replicationcontroller", "", 0},
		{"Rollout", "ReplicaSet.apps Rollout.argoproj.io", "rollout.argoproj.io/rollout", "", 1},
		{"Rollout of an application", "ReplicaSet.apps Rollout.argoproj.io Application.argoproj.io", "rollout.argoproj.io/rollout", "Application", 1},
		{"CloneSet", "CloneSet.apps.kruise.io", "cloneset.apps.kruise.io/cloneset", "", 0},
		{"custom above custom", "RayCluster.ray.io RayJob.ray.io", "raycluster.ray.io/raycluster", "RayJob", 0},
		{"custom between Pod and a built-in controller", "Shard.example.com StatefulSet.apps", "sts/statefulset", "", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			objects := chainOf(strings.Fields(test.chain)...)
			got := NewGraph(objects).Place(&Pod{Namespace: "shop", Name: "p", Owner: refTo(objects[0])})
			root := ""
			if got.Root != nil {
				root = got.Root.Kind
			}
			display := DisplayName(got.Workload.Group, got.Workload.Kind, got.Workload.Name)
			if display != test.workload || root != test.root || len(got.Between) != test.between || got.Self {
				t.Errorf("workload %s, root %q, %d between", display, root, len(got.Between))
			}
		})
	}
}

func TestPlaceOfPodsThatStandForThemselves(t *testing.T) {
	graph := NewGraph(nil)
	if got := graph.Place(&Pod{Name: "bare"}); !got.Self || got.Root != nil {
		t.Errorf("a bare Pod: %+v", got)
	}
	static := graph.Place(&Pod{Name: "etcd", Owner: &OwnerRef{Kind: "Node", Name: "cp-1"}})
	if !static.Self || static.Root == nil || static.Root.Name != "cp-1" {
		t.Errorf("a static Pod: %+v", static)
	}
	if got := graph.Place(&Pod{Name: "executor", Owner: &OwnerRef{Kind: "Pod", Name: "driver"}}); !got.Self || got.Root.Name != "driver" {
		t.Errorf("a Pod that a Pod made: %+v", got)
	}
}

func TestChainEnds(t *testing.T) {
	t.Run("at an owner that was not read", func(t *testing.T) {
		objects := chainOf("ReplicaSet.apps", "Deployment.apps")
		chain := NewGraph(objects[:1]).Chain(refTo(objects[0]))
		if len(chain) != 2 || chain[0].Object == nil || chain[1].Object != nil || chain[1].Name != "deployment" {
			t.Errorf("%+v", chain)
		}
	})
	t.Run("at one of the same name that was made again", func(t *testing.T) {
		objects := chainOf("StatefulSet.apps")
		before := *refTo(objects[0])
		before.UID = "before"
		if chain := NewGraph(objects).Chain(&before); len(chain) != 1 || chain[0].Object != nil {
			t.Errorf("%+v", chain)
		}
	})
	t.Run("at a cycle", func(t *testing.T) {
		objects := chainOf("StatefulSet.apps", "App.example.com")
		objects[1].Owner = refTo(objects[0])
		if chain := NewGraph(objects).Chain(refTo(objects[0])); len(chain) != 2 {
			t.Errorf("%d links", len(chain))
		}
	})
	t.Run("after ten links", func(t *testing.T) {
		objects := chainOf("A.x", "B.x", "C.x", "D.x", "E.x", "F.x", "G.x", "H.x", "I.x", "J.x", "K.x", "L.x")
		if chain := NewGraph(objects).Chain(refTo(objects[0])); len(chain) != maxOwnerDepth {
			t.Errorf("%d links", len(chain))
		}
	})
}

func TestBuiltinKind(t *testing.T) {
	for word, want := range map[string]string{
		"deploy": "Deployment", "Deployments": "Deployment", "deployment.apps": "Deployment", "deployments.v1.apps": "Deployment",
		"po": "Pod", "pods.v1": "Pod", "svc": "Service", "rs": "ReplicaSet", "sts": "StatefulSet", "ds": "DaemonSet", "cj": "CronJob", "jobs.batch": "Job", "rc": "ReplicationController",
		"web": "", "deployments.extensions": "", "rollouts": "", "pods.metrics.k8s.io": "",
	} {
		got, ok := BuiltinKind(word)
		if got.Kind != want || ok != (want != "") {
			t.Errorf("%s: %v, %v", word, got, ok)
		}
	}
}

func TestDisplayNameIsAcceptedBack(t *testing.T) {
	for _, kind := range []GroupKind{{"apps", "Deployment"}, {"", "Pod"}, {"batch", "CronJob"}, {"argoproj.io", "Rollout"}} {
		word, name, _ := strings.Cut(DisplayName(kind.Group, kind.Kind, "web"), "/")
		objects := []*Object{{Group: kind.Group, Kind: kind.Kind, Namespace: "shop", Name: "web", UID: "u"}}
		s := &Snapshot{Objects: objects, Pods: []*Pod{{Namespace: "shop", Name: "web", UID: "p"}}}
		if _, err := s.Select(Query{Targets: []Target{{Type: word, Name: name}}}, nil); err != nil {
			t.Errorf("%s/%s: %v", word, name, err)
		}
	}
}
