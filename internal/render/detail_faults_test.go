package render

import (
	"strings"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Without rules no view claims that they found nothing, nor that there are any.
func TestPeerFault34DetailWithoutFindings(t *testing.T) {
	if got := detail(t, checkout(4), Options{NoFindings: true}); strings.Contains(got, "killed-by-probe") {
		t.Error(got)
	}
	r := checkout(4)
	r.Workloads[0].Containers[0].Failures, r.Workloads[0].Containers[0].Kills = nil, nil
	r.Workloads[0].Containers[1].Failures = nil
	if got := flat(detail(t, r, Options{})); strings.Contains(got, "Events reach back") {
		t.Errorf("Events that were not read are explained: %s", got)
	}
}

// A finding is named where it is counted, so that nobody has to open the workload to learn which it is.
func TestPeerFault46FindingsAreNamed(t *testing.T) {
	if got := overview(t, checkout(4), Options{}); !strings.Contains(got, "  killed-by-probe\n") {
		t.Error(got)
	}
}

// What is down is red in the view of one workload too, and what is calm is not.
func TestPeerFault49DetailColours(t *testing.T) {
	got := detail(t, checkout(4), Options{Color: true})
	for _, red := range []string{"4 Pods, 2 ready", "error", "killed-by-probe", "CrashLoopBackOff, back-off 5m", "svc/checkout: 2 of 4 endpoints ready"} {
		if !strings.Contains(got, "\x1b[31m"+red+"\x1b[") {
			t.Errorf("%q is not red in\n%q", red, got)
		}
	}
	if calm := detail(t, calmOne(), Options{Color: true}); strings.Contains(calm, "\x1b[31m") || strings.Contains(calm, "\x1b[33m") {
		t.Errorf("an alarm for nothing: %q", calm)
	}
	for _, r := range []*report.Report{checkout(40), troubles(), canary()} {
		for _, o := range []Options{{}, {Width: 80}, {Wide: true, Width: 160}} {
			plain := detail(t, r, o)
			o.Color = true
			if coloured := withoutColor(detail(t, r, o)); coloured != plain {
				t.Errorf("colour changes the text:\n%s\n%s", plain, coloured)
			}
		}
	}
}

// Since when, and on how many nodes, are the first questions.
func TestPeerFault54SinceWhenAndWhere(t *testing.T) {
	if got := overview(t, shop(), Options{Wide: true}); !strings.Contains(got, "LAST") || !strings.Contains(got, "NODES") {
		t.Error(got)
	}
	r := checkout(40)
	r.Workloads[0].Rollout = &report.Rollout{State: report.RolloutStalled, Since: before("12m")}
	got := flat(detail(t, r, Options{}))
	for _, want := range []string{"since 13:50 UTC (12m)", "failing app readiness in 38 Pods: at least 266 failures, since 13:31 UTC (31m), last written 40s ago", " 17 checkout-"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}
