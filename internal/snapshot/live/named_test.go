package live

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

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
	templates := []string{ // for workloads behind a Service that have no Pods
		ns + "replicationcontrollers?limit=500", apps + "deployments?limit=500", apps + "statefulsets?limit=500", apps + "daemonsets?limit=500",
	}
	around := []string{"/api/v1/nodes/node-1", ns + "services?limit=5000"}
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
			requests: append([]string{
				ns + "services/web", ns + "pods?labelSelector=app=web" + limit, ns + "pods?labelSelector=app=web" + limit,
				apps + "replicasets?labelSelector=app=web" + limit,
			}, templates...),
			pods: []string{"stranger", "web-1-a"}, objects: []string{"deploy/web", "rs/web-1"},
		},
		{
			name: "a Service without Pods", targets: []snapshot.Target{named("svc", "idle")}, noNode: true,
			requests: append([]string{
				ns + "services/idle", ns + "pods?labelSelector=app=idle" + limit, ns + "pods?labelSelector=app=idle" + limit,
				apps + "replicasets?labelSelector=app=idle" + limit,
			}, templates...),
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
			requests: append([]string{
				ns + "services/web", apps + "deployments/web", ns + "pods?labelSelector=app=web" + limit,
				ns + "pods?labelSelector=app=web" + limit, apps + "replicasets?labelSelector=app=web" + limit,
			}, templates...),
			pods: []string{"stranger", "web-1-a"}, objects: []string{"deploy/web", "rs/web-1"},
		},
		{
			name: "a root owner", targets: []snapshot.Target{named("prometheuses", "k8s")},
			requests: []string{
				"/apis/monitoring.coreos.com/v1/namespaces/shop/prometheuses/k8s",
				apps + "deployments?limit=5000", apps + "statefulsets?limit=5000", apps + "daemonsets?limit=5000", apps + "replicasets?limit=5000",
				batch + "jobs?limit=5000", batch + "cronjobs?limit=5000", ns + "replicationcontrollers?limit=5000",
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
			if slices.Contains(tt.pods, "web-1-a") || slices.Contains(tt.pods, "stranger") { // behind the Service web
				requests = append(requests, "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices?labelSelector=kubernetes.io/service-name in (web)"+limit)
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
