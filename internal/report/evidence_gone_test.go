package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestNamesThatControllersGive(t *testing.T) {
	long := strings.Repeat("a", 60)
	for _, tc := range []struct {
		group, kind, name string
		made, notMade     []string
	}{
		{"apps", "ReplicaSet", "web-7d9f8c6b5", []string{"web-7d9f8c6b5-x2x4v"}, []string{"web-7d9f8c6b5", "web-7d9f8c6b5-", "web-7d9f8c6b5-x2x4v-1", "web-7d9f8c6b5-aaaaa"}},
		{"apps", "ReplicaSet", long, []string{long[:58] + "x2x4v"}, []string{long + "-x2x4v"}},
		{"apps", "Deployment", "web", []string{"web-7d9f8c6b5-x2x4v"}, []string{"web-x2x4v", "web-0", "web-api-7d9f8c6b5-x2x4v", "website-7d9f8c6b5-x2x4v", "web-db-x2x4v"}},
		{"apps", "StatefulSet", "db", []string{"db-0", "db-10"}, []string{"db", "db-x", "db-0-1", "db-x2x4v"}},
		{"apps", "StatefulSet", long, []string{long + "-0"}, []string{long[:58] + "x2x4v"}},
		{"apps", "DaemonSet", "agent", []string{"agent-x2x4v"}, []string{"agent-7d9f8c6b5-x2x4v", "agent-0"}},
		{"batch", "Job", "import", []string{"import-x2x4v", "import-3-x2x4v"}, []string{"import-29932663-abcde", "import-other-x2x4v"}},
		{"batch", "CronJob", "report", []string{"report-29932663-x2x4v", "report-29932663-0-x2x4v"}, []string{"report-x2x4v", "report-other-x2x4v"}},
		{"argoproj.io", "Rollout", "web", []string{"web-7d9f8c6b5-x2x4v"}, []string{"web-api-7d9f8c6b5-x2x4v"}},
		{"core.strimzi.io", "StrimziPodSet", "kafka", []string{"kafka-0", "kafka-x2x4v"}, []string{"kafka-zookeeper-0"}},
	} {
		h := home{name: tc.name, kind: snapshot.GroupKind{Group: tc.group, Kind: tc.kind}}
		homes := newHomes([]*workloadGroup{{ns: "shop", ref: snapshot.OwnerRef{Group: tc.group, Kind: tc.kind, Name: tc.name}}})
		for _, pod := range slices.Concat(tc.made, tc.notMade) {
			if got, want := h.made(pod), slices.Contains(tc.made, pod); got != want {
				t.Errorf("%s %s has made %s: %v, want %v", tc.kind, tc.name, pod, got, want)
			}
			if got, want := homes.find(goneKey{"shop", pod, ""}, false) != nil, slices.Contains(tc.made, pod); got != want {
				t.Errorf("%s %s is the home of %s: %v, want %v", tc.kind, tc.name, pod, got, want)
			}
		}
	}
}

// goneEvent is about a Pod that is not in the Snapshot.
func goneEvent(pod string, count int32) *snapshot.Event {
	return event(&snapshot.Pod{Namespace: "shop", Name: pod, UID: types.UID("gone-" + pod)}, "Unhealthy", "Readiness probe failed: "+pod, count, 10*time.Minute, 5*time.Minute)
}

// goneIn lists the Pods that are gone by workload.
func goneIn(r *Report) map[string][]string {
	found := map[string][]string{}
	for _, w := range r.Workloads {
		for _, c := range w.Containers {
			for _, p := range c.Pods {
				if p.Phase == Gone {
					found[w.DisplayName] = append(found[w.DisplayName], p.Name)
				}
			}
		}
	}
	return found
}

func TestGonePodsFindTheirWorkloads(t *testing.T) {
	web, api := runningPod("web-7d9f8c6b5-bbbbb"), runningPod("web-api-7d9f8c6b5-bbbbb")
	bare, db := runningPod("bare"), runningPod("db-0")
	db.Owner = &snapshot.OwnerRef{Group: "apps", Kind: "StatefulSet", Name: "db", UID: "sts-db"} // not read
	s := readSnapshot(pods(web, api, bare, db),
		goneEvent("web-7d9f8c6b5-x2x4v", 1),     // of a ReplicaSet that is known
		goneEvent("web-5c9d8b7f6-x2x4v", 1),     // of one that is gone too
		goneEvent("web-api-7d9f8c6b5-x2x4v", 1), // not deploy/web's
		goneEvent("web-api-5c9d8b7f6-x2x4v", 1),
		goneEvent("db-0", 1),   // another UID of the same name
		goneEvent("db-7", 1),   // by the owner that the Pods name
		goneEvent("bare", 1),   // the bare Pod was made anew
		goneEvent("debug", 1),  // nobody's
		goneEvent("web-ui", 1), // nobody's
	)
	s.Objects = slices.Concat(deployment("web", 1, web), deployment("web-api", 1, api))
	r := build(t, s)
	want := map[string][]string{
		"deploy/web":     {"web-5c9d8b7f6-x2x4v", "web-7d9f8c6b5-x2x4v"},
		"deploy/web-api": {"web-api-5c9d8b7f6-x2x4v", "web-api-7d9f8c6b5-x2x4v"},
		"sts/db":         {"db-0", "db-7"},
		"pod/bare":       {"bare"},
		"pod/debug":      {"debug"},
		"pod/web-ui":     {"web-ui"},
	}
	if diff := cmp.Diff(want, goneIn(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	debug := workloadNamed(t, r, "pod/debug")
	if debug.Pods != (PodCounts{Gone: 1}) || debug.Template != TemplateNone || containerNamed(t, debug, "app").OnlyIn != OnlyInPast {
		t.Errorf("a workload of its own: %+v", debug)
	}
}

func TestGonePodsOfOtherWorkloadsAreLeftOut(t *testing.T) {
	web := runningPod("web-7d9f8c6b5-bbbbb")
	s := readSnapshot(pods(web), goneEvent("web-7d9f8c6b5-x2x4v", 1), goneEvent("debug", 1), goneEvent(web.Name, 1))
	s.Objects, s.Targeted = deployment("web", 1, web), true
	if diff := cmp.Diff(map[string][]string{"deploy/web": {"web-7d9f8c6b5-bbbbb", "web-7d9f8c6b5-x2x4v"}}, goneIn(build(t, s))); diff != "" {
		t.Errorf("a workload was named (-want +got):\n%s", diff)
	}
	s.Objects[0].Narrowed = true // one Pod was named: the other may well be alive
	if diff := cmp.Diff(map[string][]string{"deploy/web": {"web-7d9f8c6b5-bbbbb"}}, goneIn(build(t, s))); diff != "" {
		t.Errorf("a Pod was named (-want +got):\n%s", diff)
	}
}

func TestPodsAreNotGoneWhenPodsAreUnread(t *testing.T) {
	s := readSnapshot(nil, goneEvent("debug", 1))
	s.Gaps = []snapshot.Gap{{What: "pods", Namespace: "shop", Reason: snapshot.Forbidden}}
	if got := goneIn(build(t, s)); len(got) > 0 {
		t.Errorf("gone: %v", got)
	}
}

func TestGonePodsWithoutProbeEventsAreNotTold(t *testing.T) {
	e := goneEvent("debug", 1)
	e.Reason, e.Message = "Killing", "Stopping container app"
	if r := build(t, readSnapshot(nil, e)); len(r.Workloads) > 0 {
		t.Errorf("%+v", r.Workloads)
	}
}

func TestRowForAContainerThatOnlyGonePodsHad(t *testing.T) {
	web := runningPod("web-7d9f8c6b5-bbbbb")
	s := readSnapshot(pods(web), atPath("spec.containers{old}", goneEvent("web-5c9d8b7f6-x2x4v", 4)))
	s.Objects = deployment("web", 1, web)
	c := containerNamed(t, workloadNamed(t, build(t, s), "deploy/web"), "old")
	if c.OnlyIn != OnlyInPast || *c.Failures != 4 || c.Total != 0 {
		t.Errorf("%+v", c)
	}
}
