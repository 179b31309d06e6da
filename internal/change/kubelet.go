package change

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// minor is the kubelet's minor version; false when it is unknown or not a kubelet's.
func (n Node) minor() (int, bool) {
	if n.Virtual {
		return 0, false
	}
	parts := strings.SplitN(strings.TrimPrefix(n.KubeletVersion, "v"), ".", 3)
	if len(parts) < 3 || parts[0] != "1" {
		return 0, false
	}
	minor, err := strconv.Atoi(parts[1])
	return minor, err == nil
}

// gateMinor is the first minor version that can have the feature gate MutableContainerProbes (KEP-6318).
const gateMinor = 38

// withoutGate tells whether the kubelet surely does not follow probe changes.
func (n Node) withoutGate() bool {
	minor, known := n.minor()
	return known && minor < gateMinor
}

// text names the node and its kubelet.
func (n Node) text() string {
	switch {
	case n.Name == "":
		return "no node has the Pod yet"
	case n.Virtual:
		return fmt.Sprintf("%s is a virtual node, which probes in its own way", n.Name)
	case n.KubeletVersion == "":
		return fmt.Sprintf("the kubelet version of %s is not known", n.Name)
	default:
		return fmt.Sprintf("%s runs kubelet %s", n.Name, n.KubeletVersion)
	}
}

// inForce says whether a kubelet acts on a change it has seen, without word from it. nil is unknown. Kubelets without
// the gate keep each probe's worker as it was born until they restart, and start workers for added probes only up to the
// first one that exists (pkg/kubelet/prober/prober_manager.go AddPod: of that container in v1.37, of any container
// before).
func inForce(p *ObjectPlan, c Change) (*bool, string) {
	minor, known := p.Node.minor()
	switch {
	case p.Node.Name == "":
		return new(true), p.Node.text() + ", and its kubelet starts with the probe as it is now"
	case !known:
		return nil, p.Node.text()
	case minor >= gateMinor:
		return nil, p.Node.text() + ", and did not say that it applied the change"
	case minor <= 30: // the hash that decides about restarts covers the whole container (kuberuntime, until v1.30)
		return nil, p.Node.text() + ", which restarts the container for it"
	case onlyGrace(c):
		return new(true), p.Node.text() + ", which reads the grace period when it kills"
	case backToFirst(p, c):
		return nil, p.Node.text() + ", which follows probe changes only when it restarts: it may never have left the probe that is back now"
	case c.Action == Added && !hadWorker(p, c, minor):
		return new(true), p.Node.text() + ", which starts added probes"
	case c.Action == Added:
		return new(false), p.Node.text() + ", which ignores this probe until it restarts"
	default:
		return new(false), p.Node.text() + ", which keeps the old probe until it restarts"
	}
}

// takesStartedAway is what a kubelet without the gate does about a startup probe added to a container that has started
// (pkg/kubelet/prober/prober_manager.go AddPod and isContainerStarted, v1.37).
func (n Node) takesStartedAway() string {
	return fmt.Sprintf("%s runs kubelet %s, which takes Started away from the container until the new startup probe passes, and stops its other probes meanwhile", n.Name, n.KubeletVersion)
}

// onlyGrace: how long a kill may take is read from the Pod as it is then (kuberuntime_container.go
// setTerminationGracePeriod, v1.37).
func onlyGrace(c Change) bool {
	all := aspects(c)
	return c.Action == Updated && len(all) == 1 && all[0] == aspectGrace
}

// backToFirst tells whether the probe is again what it was before the first change, which the kubelet may still run.
func backToFirst(p *ObjectPlan, c Change) bool {
	first, known := p.first.get(c.key())
	return known && sameProbe(first, c.after)
}

// hadWorker tells whether a worker stands before that of an added probe: of a probe that was there, or that was there
// first and may have left its worker behind.
func hadWorker(p *ObjectPlan, c Change, minor int) bool {
	has := func(container string, kind probe.Kind) bool {
		key := probeKey{container, kind}
		first, known := p.first.get(key)
		return len(p.raw[key]) > 0 || known && len(first) > 0
	}
	for _, sl := range p.slots() { // regular containers, then sidecars: the order of AddPod
		for _, kind := range probe.Kinds() {
			if sl.Name == c.Container && kind == c.Kind {
				return has(sl.Name, kind)
			}
			if has(sl.Name, kind) && (sl.Name == c.Container || minor <= 36) {
				return true
			}
		}
	}
	return false
}
