package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// everything is a namespace with one of each thing that can be named.
func everything(t *testing.T) *fakeapi.Server {
	s := fakeapi.New(t)
	web(s)
	s.Serve(rollouts())
	s.Serve(prometheuses())
	s.Add(
		statefulSet("db", "db"), pod("db-0", "db", ownedBy("apps/v1", "StatefulSet", "db")), pod("db-thief", "db", ownedBy("apps/v1", "StatefulSet", "gone")),
		&batchv1.CronJob{ObjectMeta: object("nightly")},
		job("nightly-1", ownedBy("batch/v1", "CronJob", "nightly")), jobPod("nightly-1-a", "nightly-1"),
		job("nightly-2", ownedBy("batch/v1", "CronJob", "nightly")), jobPod("nightly-2-a", "nightly-2"),
		job("once"), jobPod("once-a", "once"),
		job("hourly-1", ownedBy("batch/v1", "CronJob", "hourly")), jobPod("hourly-1-a", "hourly-1"),
		custom("argoproj.io/v1alpha1", "Rollout", "canary", "canary"),
		custom("argoproj.io/v1alpha1", "Rollout", "idle", "quiet"), replicaSet("canary-1", "canary", ownedBy("argoproj.io/v1alpha1", "Rollout", "canary")),
		pod("canary-1-a", "canary", ownedBy("apps/v1", "ReplicaSet", "canary-1")),
		custom("monitoring.coreos.com/v1", "Prometheus", "k8s", ""),
		statefulSet("prometheus", "prometheus", ownedBy("monitoring.coreos.com/v1", "Prometheus", "k8s")),
		pod("prometheus-0", "prometheus", ownedBy("apps/v1", "StatefulSet", "prometheus")),
		&appsv1.DaemonSet{ObjectMeta: object("agent"), Spec: appsv1.DaemonSetSpec{Selector: selector("agent"), Template: template("agent")}},
		pod("agent-a", "agent", ownedBy("apps/v1", "DaemonSet", "agent")),
		&corev1.ReplicationController{ObjectMeta: object("old"), Spec: corev1.ReplicationControllerSpec{Selector: map[string]string{"app": "old"}}},
		pod("old-a", "old", ownedBy("v1", "ReplicationController", "old")),
		staticPod(), service("idle", "idle"), deployment("idle", "idle"), &corev1.Service{ObjectMeta: object("external")},
	)
	return s
}

func TestNamedTargets(t *testing.T) {
	const ns, apps, batch = "/api/v1/namespaces/shop/", "/apis/apps/v1/namespaces/shop/", "/apis/batch/v1/namespaces/shop/"
	const limit = "&limit=500"
	around := []string{"/api/v1/nodes/node-1", ns + "services?limit=500"}
	tests := []struct {
		name     string
		targets  []snapshot.Target
		requests []string // besides those around the Pods
		noNode   bool
		pods     []string
		objects  []string
	}{
		{
			name: "a Pod", targets: []snapshot.Target{named("pod", "web-1-a")},
			requests: []string{ns + "pods/web-1-a", apps + "replicasets/web-1", apps + "deployments/web"},
			pods:     []string{"web-1-a"}, objects: []string{"deploy/web", "rs/web-1"},
		},
		{
			name: "a Deployment", targets: []snapshot.Target{named("deployments.apps", "web")},
			requests: []string{apps + "deployments/web", apps + "replicasets?labelSelector=app=web" + limit, ns + "pods?labelSelector=app=web" + limit},
			pods:     []string{"web-1-a"}, objects: []string{"deploy/web", "rs/web-1"},
		},
		{
			name: "a ReplicaSet", targets: []snapshot.Target{named("rs", "web-1")},
			requests: []string{apps + "replicasets/web-1", ns + "pods?labelSelector=app=web" + limit, apps + "deployments/web"},
			pods:     []string{"web-1-a"}, objects: []string{"deploy/web", "rs/web-1"},
		},
		{
			name: "a StatefulSet", targets: []snapshot.Target{named("sts", "db")},
			requests: []string{apps + "statefulsets/db", ns + "pods?labelSelector=app=db" + limit},
			pods:     []string{"db-0"}, objects: []string{"sts/db"},
		},
		{
			name: "a DaemonSet", targets: []snapshot.Target{named("ds", "agent")},
			requests: []string{apps + "daemonsets/agent", ns + "pods?labelSelector=app=agent" + limit},
			pods:     []string{"agent-a"}, objects: []string{"ds/agent"},
		},
		{
			name: "a ReplicationController", targets: []snapshot.Target{named("rc", "old")},
			requests: []string{ns + "replicationcontrollers/old", ns + "pods?labelSelector=app=old" + limit},
			pods:     []string{"old-a"}, objects: []string{"rc/old"},
		},
		{
			name: "a Job", targets: []snapshot.Target{named("job", "nightly-1")},
			requests: []string{
				batch + "jobs/nightly-1", batch + "cronjobs/nightly",
				ns + "pods?labelSelector=batch.kubernetes.io/controller-uid=nightly-1-uid" + limit,
			},
			pods: []string{"nightly-1-a"}, objects: []string{"cj/nightly", "job/nightly-1"},
		},
		{
			name: "a CronJob", targets: []snapshot.Target{named("cj", "nightly")},
			requests: []string{
				batch + "cronjobs/nightly", batch + "jobs?limit=500",
				ns + "pods?labelSelector=batch.kubernetes.io/controller-uid in (nightly-1-uid,nightly-2-uid)" + limit,
			},
			pods: []string{"nightly-1-a", "nightly-2-a"}, objects: []string{"cj/nightly", "job/nightly-1", "job/nightly-2"},
		},
		{
			name: "a Service", targets: []snapshot.Target{named("svc", "web")},
			requests: []string{
				ns + "services/web", ns + "pods?labelSelector=app=web" + limit, ns + "pods?labelSelector=app=web" + limit,
				apps + "replicasets/web-1", apps + "deployments/web", apps + "replicasets?labelSelector=app=web" + limit,
			},
			pods: []string{"stranger", "web-1-a"}, objects: []string{"deploy/web", "rs/web-1"},
		},
		{
			name: "a Service without Pods", targets: []snapshot.Target{named("svc", "idle")}, noNode: true,
			requests: []string{
				ns + "services/idle", ns + "pods?labelSelector=app=idle" + limit, ns + "replicationcontrollers?limit=500",
				apps + "deployments?limit=500", apps + "statefulsets?limit=500", apps + "daemonsets?limit=500",
			},
			objects: []string{"deploy/idle"},
		},
		{
			name: "a Service without selector", targets: []snapshot.Target{named("svc", "external")}, noNode: true,
			requests: []string{ns + "services/external"},
		},
		{
			name: "a custom workload", targets: []snapshot.Target{named("rollout.argoproj.io", "canary")},
			requests: []string{
				"/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/canary",
				ns + "pods?labelSelector=app=canary" + limit, apps + "replicasets?labelSelector=app=canary" + limit,
			},
			pods: []string{"canary-1-a"}, objects: []string{"rollout.argoproj.io/canary", "rs/canary-1"},
		},
		{
			name: "a custom workload without Pods", targets: []snapshot.Target{named("ro", "idle")}, noNode: true,
			requests: []string{"/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/idle", ns + "pods?labelSelector=app=quiet" + limit},
			objects:  []string{"rollout.argoproj.io/idle"},
		},
		{
			name: "a Service and its workload", targets: []snapshot.Target{named("svc", "web"), named("deploy", "web")},
			requests: []string{ns + "services/web", apps + "deployments/web", ns + "pods?labelSelector=app=web" + limit,
				ns + "pods?labelSelector=app=web" + limit, apps + "replicasets?labelSelector=app=web" + limit},
			pods: []string{"stranger", "web-1-a"}, objects: []string{"deploy/web", "rs/web-1"},
		},
		{
			name: "a root owner", targets: []snapshot.Target{named("prometheuses", "k8s")},
			requests: []string{
				"/apis/monitoring.coreos.com/v1/namespaces/shop/prometheuses/k8s",
				apps + "deployments?limit=500", apps + "statefulsets?limit=500", apps + "daemonsets?limit=500", apps + "replicasets?limit=500",
				batch + "jobs?limit=500", batch + "cronjobs?limit=500", ns + "replicationcontrollers?limit=500",
				"/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/canary", // may be under it
				apps + "statefulsets/prometheus", ns + "pods?labelSelector=app=prometheus" + limit,
			},
			pods: []string{"prometheus-0"}, objects: []string{"prometheus.monitoring.coreos.com/k8s", "sts/prometheus"},
		},
		{
			name: "a node", targets: []snapshot.Target{named("node", "node-1")},
			requests: []string{"/api/v1/nodes/node-1", ns + "pods?fieldSelector=spec.nodeName=node-1" + limit},
			pods:     []string{"etcd-node-1"},
		},
		{
			name: "several", targets: []snapshot.Target{named("sts", "db"), named("pod", "web-1-a"), named("pods", "web-1-a")},
			requests: []string{
				apps + "statefulsets/db", ns + "pods?labelSelector=app=db" + limit,
				ns + "pods/web-1-a", ns + "pods/web-1-a", apps + "replicasets/web-1", apps + "deployments/web",
			},
			pods: []string{"db-0", "web-1-a"}, objects: []string{"deploy/web", "rs/web-1", "sts/db"},
		},
		{
			name: "a bare name", targets: []snapshot.Target{{Name: "db"}},
			requests: []string{
				apps + "statefulsets/db", apps + "deployments/db", apps + "daemonsets/db", batch + "jobs/db", batch + "cronjobs/db", ns + "pods/db",
				ns + "pods?labelSelector=app=db" + limit,
			},
			pods: []string{"db-0"}, objects: []string{"sts/db"},
		},
		{
			name: "a word that is no type", targets: []snapshot.Target{word("stranger")},
			requests: []string{
				apps + "statefulsets/stranger", apps + "deployments/stranger", apps + "daemonsets/stranger",
				batch + "jobs/stranger", batch + "cronjobs/stranger", ns + "pods/stranger",
			},
			pods: []string{"stranger"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := everything(t)
			got := mustRead(t, s, shop(tt.targets...), options())
			requests := append(slices.Clone(around), tt.requests...)
			if tt.noNode {
				requests = requests[1:]
			}
			slices.Sort(requests)
			want(t, "requests", s.Requests(), requests)
			var pods []string
			for _, p := range tt.pods {
				pods = append(pods, "shop/"+p)
			}
			want(t, "pods", podNames(got), pods)
			want(t, "objects", objectRefs(got), tt.objects)
			want(t, "gaps", got.Gaps, nil)
		})
	}
}

func TestNoDiscoveryForBuiltinTypes(t *testing.T) {
	s := everything(t)
	mustRead(t, s, shop(named("deploy", "web"), named("svc", "web")), options())
	want(t, "discovery", s.Discoveries(), 0)
}

func TestRootOwnerOfPodsAlone(t *testing.T) {
	s := fakeapi.New(t)
	s.Serve(prometheuses())
	s.Serve(rollouts())
	s.Add(custom("monitoring.coreos.com/v1", "Prometheus", "k8s", ""), pod("direct", "x", ownedBy("monitoring.coreos.com/v1", "Prometheus", "k8s")),
		custom("argoproj.io/v1alpha1", "Rollout", "middle", "", ownedBy("monitoring.coreos.com/v1", "Prometheus", "k8s")),
		pod("indirect", "y", ownedBy("argoproj.io/v1alpha1", "Rollout", "middle")), pod("stranger", "z"),
		pod("orphan", "x", ownedBy("apps/v1", "StatefulSet", "gone")), pod("odd", "x", ownedBy("example.com/v1", "Gizmo", "g")), node("node-1"))
	got := mustRead(t, s, shop(named("prometheus", "k8s")), options())
	want(t, "pods", podNames(got), []string{"shop/direct", "shop/indirect"})
	want(t, "objects", objectRefs(got), []string{"prometheus.monitoring.coreos.com/k8s", "rollout.argoproj.io/middle"})
	want(t, "gaps", got.Gaps, nil)
	want(t, "requests", requestsTo(s, "statefulsets"), []string{"/apis/apps/v1/namespaces/shop/statefulsets?limit=500"})
	var accepts []string
	for _, r := range s.Raw() {
		if r.URL.Path == rolloutPath+"/middle" {
			accepts = append(accepts, r.Header.Get("Accept"))
		}
	}
	if len(accepts) != 2 || !strings.Contains(accepts[0], "PartialObjectMetadata") || strings.Contains(accepts[1], "PartialObjectMetadata") {
		t.Errorf("want the search to read metadata, and then what was found whole; got %q", accepts)
	}
}

func TestRootOwnerOfADeployment(t *testing.T) {
	s := fakeapi.New(t)
	s.Serve(prometheuses())
	web(s)
	s.Add(custom("monitoring.coreos.com/v1", "Prometheus", "k8s", ""), deployment("web", "web", ownedBy("monitoring.coreos.com/v1", "Prometheus", "k8s")))
	got := mustRead(t, s, shop(named("prometheus", "k8s")), options())
	want(t, "pods", podNames(got), []string{"shop/web-1-a"})
	want(t, "requests", requestsTo(s, "replicasets"), []string{
		"/apis/apps/v1/namespaces/shop/replicasets?labelSelector=app=web&limit=500", "/apis/apps/v1/namespaces/shop/replicasets?limit=500",
	})
}

func TestCustomSelectorForOthersPods(t *testing.T) { // a ServiceMonitor selects what it does not own
	s := fakeapi.New(t)
	s.Serve(prometheuses())
	p := custom("monitoring.coreos.com/v1", "Prometheus", "k8s", "web")
	delete(p.Object["spec"].(map[string]any), "template")
	s.Add(p, pod("stranger", "web"), statefulSet("prometheus", "prometheus", ownedBy("monitoring.coreos.com/v1", "Prometheus", "k8s")),
		pod("prometheus-0", "prometheus", ownedBy("apps/v1", "StatefulSet", "prometheus")))
	got := mustRead(t, s, shop(named("prometheus", "k8s")), options())
	want(t, "pods", podNames(got), []string{"shop/prometheus-0"})
}

func TestNodesOfManyPods(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(statefulSet("db", "db"), node("idle"))
	for i := range nodesByName + 1 {
		p := pod(fmt.Sprintf("db-%d", i), "db", ownedBy("apps/v1", "StatefulSet", "db"))
		p.Spec.NodeName = fmt.Sprintf("node-%d", i)
		s.Add(p, node(p.Spec.NodeName))
	}
	got := mustRead(t, s, shop(named("sts", "db")), options())
	want(t, "requests", requestsTo(s, "nodes"), []string{"/api/v1/nodes?limit=500"})
	want(t, "nodes", len(got.Nodes), nodesByName+1)
}

func TestNodesForbidden(t *testing.T) {
	s := fakeapi.New(t)
	s.Add(statefulSet("db", "db"))
	for i := range 3 {
		p := pod(fmt.Sprintf("db-%d", i), "db", ownedBy("apps/v1", "StatefulSet", "db"))
		p.Spec.NodeName = fmt.Sprintf("node-%d", i)
		s.Add(p)
	}
	s.Fail(fakeapi.Failure{Path: "/api/v1/nodes*", Status: 403})
	got := mustRead(t, s, shop(named("sts", "db")), options())
	want(t, "gaps", gapList(got), []snapshot.Gap{{What: "nodes", Reason: snapshot.Forbidden}})
}

func TestNamedEvents(t *testing.T) {
	const events = "/api/v1/namespaces/shop/events?fieldSelector="
	var byReason []string
	for _, reason := range []string{"BackOff", "ContainerProbeChanged", "FailedMount", "FailedScheduling", "Killing", "ProbeWarning", "Unhealthy"} {
		byReason = append(byReason, events+"involvedObject.kind=Pod,reason="+reason+"&limit=500")
	}
	byReason = append(byReason, events+"reason=FailedCreate&limit=500")
	tests := []struct {
		name    string
		targets []snapshot.Target
		want    []string
	}{
		{"a Pod", []snapshot.Target{named("pod", "web-1-a")}, []string{events + "involvedObject.uid=web-1-a-uid&limit=500"}},
		{"a static Pod", []snapshot.Target{named("pod", "etcd-node-1")}, []string{events + "involvedObject.uid=mirror-uid&limit=500"}},
		{"a Pod twice", []snapshot.Target{named("pod", "far"), named("po", "far")}, []string{events + "involvedObject.uid=far-uid&limit=500"}},
		{"two Pods", []snapshot.Target{named("pod", "web-1-a"), named("pod", "far")}, []string{
			events + "involvedObject.uid=far-uid&limit=500", events + "involvedObject.uid=web-1-a-uid&limit=500",
		}},
		{"four Pods", []snapshot.Target{named("pod", "web-1-a"), named("pod", "far"), named("pod", "stranger"), named("pod", "db-0")}, byReason},
		{"a workload", []snapshot.Target{named("deploy", "web")}, byReason},
		{"a Pod and a workload", []snapshot.Target{named("pod", "far"), named("deploy", "web")}, byReason},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := everything(t)
			opts := options()
			opts.Events = true
			got := mustRead(t, s, shop(tt.targets...), opts)
			want(t, "requests", requestsTo(s, "events"), tt.want)
			if tt.name == "a Pod" {
				want(t, "events", len(got.Events), 2)
			}
		})
	}
}

func TestRootOwnerOfManyWorkloads(t *testing.T) {
	s := fakeapi.New(t)
	s.Serve(prometheuses())
	s.Add(custom("monitoring.coreos.com/v1", "Prometheus", "k8s", ""), statefulSet("stranger", "stranger"))
	var pods []string
	for i := range getAtMost + 1 {
		name := fmt.Sprintf("s%d", i)
		s.Add(statefulSet(name, name, ownedBy("monitoring.coreos.com/v1", "Prometheus", "k8s")), pod(name+"-0", name, ownedBy("apps/v1", "StatefulSet", name)))
		pods = append(pods, "shop/"+name+"-0")
	}
	got := mustRead(t, s, shop(named("prometheus", "k8s")), options())
	want(t, "pods", podNames(got), pods)
	want(t, "requests", requestsTo(s, "statefulsets"), []string{
		"/apis/apps/v1/namespaces/shop/statefulsets?limit=500", "/apis/apps/v1/namespaces/shop/statefulsets?limit=500",
	})
}

func TestWhatMayBeUnderARootIsAGap(t *testing.T) {
	s := everything(t)
	s.Fail(fakeapi.Failure{Path: rolloutPath + "*", Status: 403})
	s.Fail(fakeapi.Failure{Path: "/apis/batch/v1/namespaces/shop/jobs", Status: 403})
	got := mustRead(t, s, shop(named("prometheus", "k8s")), options())
	want(t, "gaps", gapList(got), []snapshot.Gap{
		{What: "jobs.batch", Namespace: "shop", Reason: snapshot.Forbidden},
		{What: "rollout.argoproj.io", Namespace: "shop", Name: "canary", Reason: snapshot.Forbidden},
	})
	want(t, "pods", podNames(got), []string{"shop/prometheus-0"})
}

func TestJobSelectors(t *testing.T) {
	by := func(name, key, value string) *snapshot.Object {
		return &snapshot.Object{Name: name, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}}
	}
	manual := by("manual", "app", "x")
	manual.Selector.MatchLabels["tier"] = "y"
	many := make([]*snapshot.Object, jobsAtOnce+1)
	for i := range many {
		many[i] = by("", "batch.kubernetes.io/controller-uid", fmt.Sprint(i))
	}
	tests := []struct {
		name string
		in   []*snapshot.Object
		want []string
	}{
		{"none", nil, nil},
		{"without selector", []*snapshot.Object{{Name: "x"}}, nil},
		{"of one key", []*snapshot.Object{by("a", "controller-uid", "2"), by("b", "controller-uid", "1")}, []string{"controller-uid in (1,2)"}},
		{
			"of two keys",
			[]*snapshot.Object{by("a", "controller-uid", "1"), by("b", "batch.kubernetes.io/controller-uid", "2")},
			[]string{"batch.kubernetes.io/controller-uid in (2)", "controller-uid in (1)"},
		},
		{"manual", []*snapshot.Object{manual}, []string{"app=x,tier=y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want(t, "selectors", texts(jobSelectors(tt.in)), tt.want)
		})
	}
	want(t, "lists for many", len(jobSelectors(many)), 2)
}

func texts(selectors []labels.Selector) []string {
	var out []string
	for _, s := range selectors {
		out = append(out, s.String())
	}
	slices.Sort(out)
	return out
}
