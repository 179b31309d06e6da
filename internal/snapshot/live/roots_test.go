package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

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
	want(t, "requests", requestsTo(s, "statefulsets"), []string{"/apis/apps/v1/namespaces/shop/statefulsets?limit=5000"})
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
		"/apis/apps/v1/namespaces/shop/replicasets?labelSelector=app=web&limit=500", "/apis/apps/v1/namespaces/shop/replicasets?limit=5000",
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
		"/apis/apps/v1/namespaces/shop/statefulsets?limit=500", "/apis/apps/v1/namespaces/shop/statefulsets?limit=5000",
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
