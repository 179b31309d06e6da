package fleet

import (
	"testing"
	"time"
)

func TestShape(t *testing.T) {
	shape := Shape{Pods: 1005, Namespaces: 7, Prefix: "team", Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	nodes, workloads, events := shape.All()
	pods, troubled, unready, probes, bytes := 0, 0, 0, 0, 0
	for _, w := range workloads {
		for _, p := range w.Pods {
			pods++
			if Troubled(p) {
				troubled++
			}
			if !p.Status.ContainerStatuses[0].Ready {
				unready++
			}
			for _, c := range p.Spec.Containers {
				if c.StartupProbe != nil && c.ReadinessProbe != nil && c.LivenessProbe != nil {
					probes += 3
				}
			}
			if err := Managed(p); err != nil {
				t.Fatal(err)
			}
			bytes += p.Size()
		}
	}
	if len(nodes) != 11 || len(workloads) != 101 || pods != 1005 || probes != 6*pods {
		t.Errorf("%d nodes, %d workloads, %d Pods and %d probes", len(nodes), len(workloads), pods, probes)
	}
	if troubled != 105 || unready != 63 || len(events) != 3*troubled {
		t.Errorf("%d Pods in trouble, %d not ready, and %d Events", troubled, unready, len(events))
	}
	if each := bytes / pods; each < 6_000 || each > 10_000 {
		t.Errorf("a Pod has %d bytes, want 6 to 10 KB", each)
	}
	light := shape.Workload(0).Pods[0].Size()
	shape.Ballast = 10_000
	if ballast := shape.Workload(0).Pods[0].Size() - light; ballast < 9_900 || ballast > 10_100 {
		t.Errorf("the ballast of a Pod has %d bytes, want about 10 000", ballast)
	}
}
