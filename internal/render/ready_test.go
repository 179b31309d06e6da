package render

import (
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

func TestReadyAndRestarts(t *testing.T) {
	job := func(kind string, done bool) report.Workload {
		return report.Workload{Kind: kind, Group: "batch", Done: done, Pods: live(1, 1), Containers: []report.Container{{Total: 1, Ready: 1}}}
	}
	pod := func(state string) report.Workload {
		return report.Workload{Kind: "Pod", Pods: live(0, 1), Containers: []report.Container{{Total: 1, Pods: []report.Pod{{Phase: report.Live, State: state}}}}}
	}
	custom := func(pods report.PodCounts) report.Workload {
		return report.Workload{Kind: "Rollout", Group: "argoproj.io", Pods: pods, Containers: []report.Container{{Ready: pods.Ready, Total: pods.Total}}}
	}
	narrowed := deploy("", "x", 10, live(0, 1), container("c", 0, 1, report.Probes{}))
	narrowed.Narrowed = true
	restarted := container("c", 1, 1, report.Probes{})
	restarted.Restarts = 40
	notYet := container("new", 0, 0, report.Probes{})
	notYet.OnlyIn = report.OnlyInTemplate
	dump := ofFiles(deploy("", "x", 3, live(0, 0), container("c", 0, 0, report.Probes{})), pod("waiting"))
	dump.Running = true
	copied := ofFiles(deploy("", "x", 3, live(0, 0), container("c", 0, 0, report.Probes{})))
	copied.AsOf = onCluster().AsOf
	waiting, pending, unread := ofFiles(pod("waiting")), ofFiles(pod("")), onCluster(deploy("shop", "x", 3, live(0, 0), container("c", 0, 0, report.Probes{})))
	waiting.Running, pending.Running = true, true
	unread.Gaps = []report.Gap{{What: "pods", Namespace: "shop", Reason: "forbidden"}}

	for _, tt := range []struct {
		name            string
		in              *report.Report
		ready, restarts cell
	}{
		{"all", onCluster(deploy("", "x", 3, live(3, 3), container("c", 3, 3, report.Probes{}))), cell{text: "3/3"}, cell{text: "0"}},
		{"some", onCluster(deploy("", "x", 3, live(2, 3), container("c", 2, 3, report.Probes{}))), cell{text: "2/3", tint: red}, cell{text: "0"}},
		{"fewer Pods than wanted", onCluster(deploy("", "x", 10, live(3, 3), container("c", 3, 3, report.Probes{}))), cell{text: "3/10", tint: red}, cell{text: "0"}},
		{"surge", onCluster(deploy("", "x", 3, live(4, 4), container("c", 4, 4, report.Probes{}))), cell{text: "4/4"}, cell{text: "0"}},
		{"no Pod created", onCluster(deploy("", "x", 3, live(0, 0), container("c", 0, 0, report.Probes{}))), cell{text: "0/3", tint: red}, cell{text: "0"}},
		{"scaled to zero", onCluster(deploy("", "x", 0, live(0, 0), container("c", 0, 0, report.Probes{}))), cell{text: "0/0"}, cell{text: "0"}},
		{"restarts", onCluster(deploy("", "x", 1, live(1, 1), restarted)), cell{text: "1/1"}, cell{text: "40", tint: yellow}},
		{"only in some Pods", onCluster(deploy("", "x", 3, live(3, 3), container("c", 1, 1, report.Probes{}))), cell{text: "1/1"}, cell{text: "0"}},
		{"in no Pod yet", onCluster(deploy("", "x", 3, live(3, 3), notYet)), cell{text: "-", tint: grey}, cell{text: "-", tint: grey}},
		{"narrowed", onCluster(narrowed), cell{text: "0/1", tint: red}, cell{text: "0"}},
		{"cron job", onCluster(job("CronJob", false)), cell{text: "-", tint: grey}, cell{text: "0"}},
		{"job", onCluster(job("Job", false)), cell{text: "-", tint: grey}, cell{text: "0"}},
		{"job done", onCluster(job("Job", true)), cell{text: "done"}, cell{text: "0"}},
		{"custom, running", onCluster(custom(live(1, 2))), cell{text: "1/2", tint: red}, cell{text: "0"}},
		{"custom, nobody knows how many", onCluster(custom(report.PodCounts{Finished: 1})), cell{text: "-", tint: grey}, cell{text: "0"}},
		{"manifest", ofFiles(deploy("", "x", 3, live(0, 0), container("c", 0, 0, report.Probes{}))), cell{text: "-", tint: grey}, cell{text: "-", tint: grey}},
		{"manifest of none", ofFiles(deploy("", "x", 0, live(0, 0), container("c", 0, 0, report.Probes{}))), cell{text: "0/0"}, cell{text: "-", tint: grey}},
		{"manifest with timestamps", copied, cell{text: "-", tint: grey}, cell{text: "-", tint: grey}},
		{"manifest of a Pod", ofFiles(pod("")), cell{text: "-", tint: grey}, cell{text: "-", tint: grey}},
		{"dump of a waiting Pod", waiting, cell{text: "0/1", tint: red}, cell{text: "0"}},
		{"dump of a pending Pod", pending, cell{text: "0/1", tint: red}, cell{text: "0"}},
		{"Pods that could not be read", unread, cell{text: "?"}, cell{text: "?"}},
		{"dump without its Pods", dump, cell{text: "0/3", tint: red}, cell{text: "0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rowsOf(tt.in)[0]
			if got := readyCell(r); got != tt.ready {
				t.Errorf("READY: got %+v, want %+v", got, tt.ready)
			}
			if got := restartsCell(r); got != tt.restarts {
				t.Errorf("RESTARTS: got %+v, want %+v", got, tt.restarts)
			}
		})
	}
}
