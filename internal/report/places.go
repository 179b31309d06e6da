package report

import (
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// places say where the containers of a workload are to be found: its Pods are gone through once, and not for each of its
// containers.
type places struct {
	example     *snapshot.PodSpec // to name containers by when there is no better one
	names       []string          // of containers, without those of the past
	newestEnded []*snapshot.Pod   // the newest finished Pod, then the newest terminating one

	live   map[string][]*snapshot.Pod // those that have the container
	others map[string][]*snapshot.Pod // terminating ones, then finished ones, that have it or of which Events name it
	gone   map[string][]*gonePod      // of which Events name it

	invalid      map[*snapshot.Container][]Invalid
	failedCreate *FailedCreate
}

// name finds what the workload's containers are called.
func (g *workloadGroup) name() {
	for _, pods := range [][]*snapshot.Pod{g.finished, g.terminating} {
		if newest := newestOf(pods); newest != nil {
			g.at.newestEnded = append(g.at.newestEnded, newest)
		}
	}
	g.at.example = g.exampleSpec()
	g.at.names = g.containerNames()
}

// findPlaces comes after name, and after the Pods that are gone are known.
func (g *workloadGroup) findPlaces() {
	g.at.live, g.at.others, g.at.gone = map[string][]*snapshot.Pod{}, map[string][]*snapshot.Pod{}, map[string][]*gonePod{}
	if spec := g.onlySpec(); spec != nil {
		for i := range spec.Containers {
			g.at.live[spec.Containers[i].Name] = g.live
		}
	} else {
		for _, p := range g.live {
			addPod(g.at.live, p, nil)
		}
	}
	for _, p := range slices.Concat(g.terminating, g.finished) {
		addPod(g.at.others, p, g.book.facts[p].names())
	}
	for _, p := range g.gone {
		for _, name := range p.facts.names() {
			g.at.gone[name] = append(g.at.gone[name], p)
		}
	}
	g.at.invalid = g.invalid()
	g.at.failedCreate = g.failedCreate()
}

// onlySpec is that of all live Pods, nil where they have several.
func (g *workloadGroup) onlySpec() *snapshot.PodSpec {
	if len(g.live) == 0 {
		return nil
	}
	spec := g.live[0].Spec
	if slices.ContainsFunc(g.live, func(p *snapshot.Pod) bool { return p.Spec != spec }) {
		return nil
	}
	return spec
}

// addPod adds a Pod to each of its containers, once.
func addPod(to map[string][]*snapshot.Pod, p *snapshot.Pod, others []string) {
	add := func(name string) {
		if pods := to[name]; len(pods) == 0 || pods[len(pods)-1] != p {
			to[name] = append(pods, p)
		}
	}
	for i := range p.Spec.Containers {
		add(p.Spec.Containers[i].Name)
	}
	for _, name := range others {
		add(name)
	}
}
