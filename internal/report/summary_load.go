package report

import (
	"maps"
	"math"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// checkLoad adds up the checks of running containers of live Pods.
func checkLoad(rows []row) *CheckLoad {
	total, nodes := load{}, map[string]load{}
	for _, one := range rows {
		c := one.container
		for i := range c.Pods {
			p := &c.Pods[i]
			if nodes[p.Node] == nil {
				nodes[p.Node] = load{}
			}
			for _, checked := range checkedNow(c, p) {
				total.add(checked)
				nodes[p.Node].add(checked)
			}
		}
	}
	delete(nodes, "")
	return &CheckLoad{
		ChecksPerMinute: total.sum(),
		ByHandler: HandlerLoads{
			HTTP: total.of(probe.HTTP), TCP: total.of(probe.TCP), GRPC: total.of(probe.GRPC), Exec: total.of(probe.Exec),
		},
		BusiestNode: busiest(nodes),
	}
}

// checkedNow are the probes that run for a container: none unless it runs; until it has started only the
// startup probe, and never again after that. Nothing is asked by a probe that cannot run, and no kubelet runs one with a
// number that no API server takes.
func checkedNow(c *Container, p *Pod) []*Probe {
	if p.Phase != Live || p.State != "running" || p.Variant == nil {
		return nil
	}
	probes := c.Variants[*p.Variant].Probes
	kinds := []probe.Kind{probe.Readiness, probe.Liveness}
	if probes.Startup != nil && (p.Started == nil || !*p.Started) {
		kinds = []probe.Kind{probe.Startup}
	}
	var out []*Probe
	for _, kind := range kinds {
		if one := probes.Get(kind); one != nil && one.HasFigures() {
			out = append(out, one)
		}
	}
	return out
}

// load counts probes by handler and period, so that sums do not depend on the order of adding.
type load map[loadKey]int

type loadKey struct {
	handler string
	period  int32
}

func (l load) add(p *Probe) { l[loadKey{p.Handler.Type, p.Config.PeriodSeconds}]++ }

func (l load) sum() float64 { return l.perMinute(func(string) bool { return true }) }

func (l load) of(handler probe.HandlerType) float64 {
	return l.perMinute(func(h string) bool { return h == string(handler) })
}

// perMinute has one decimal.
func (l load) perMinute(counts func(handler string) bool) float64 {
	byPeriod := map[int32]int{}
	for key, n := range l {
		if counts(key.handler) {
			byPeriod[key.period] += n
		}
	}
	checks := 0.0
	for _, period := range slices.Sorted(maps.Keys(byPeriod)) {
		checks += 60 * float64(byPeriod[period]) / float64(period)
	}
	return math.Round(checks*10) / 10
}

// busiest is the node with the most checks, of equals the first by name; nil when no node has any.
func busiest(nodes map[string]load) *NodeLoad {
	var most *NodeLoad
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		checks := nodes[name].sum()
		if checks > 0 && (most == nil || checks > most.ChecksPerMinute) {
			most = &NodeLoad{Name: name, ChecksPerMinute: checks, ExecChecksPerMinute: nodes[name].of(probe.Exec)}
		}
	}
	return most
}
