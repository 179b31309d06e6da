package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// gonePod is a Pod that Events still speak of. Deleting a Pod does not delete its Events.
type gonePod struct {
	goneKey
	facts *podFacts
}

// placeGone gives the Pods that are gone to their workloads, and those of none to workloads of their own. It
// returns the groups with those added.
func (b *eventBook) placeGone(s *snapshot.Snapshot, groups []*workloadGroup) []*workloadGroup {
	unread := map[string]bool{}
	for _, gap := range s.Gaps {
		unread[gap.Namespace] = unread[gap.Namespace] || gap.What == "pods"
	}
	if !s.Running || unread[""] {
		return groups
	}
	homes := newHomes(groups)
	own := map[[2]string]*workloadGroup{}
	for _, key := range slices.SortedFunc(maps.Keys(b.strays), compareGone) {
		at := [2]string{key.namespace, key.name}
		g := homes.find(key, s.Targeted)
		if g == nil {
			g = own[at]
		}
		isNew := g == nil
		if isNew {
			g = &workloadGroup{ref: snapshot.OwnerRef{Kind: "Pod", Name: key.name, UID: key.uid}, ns: key.namespace, book: b}
		}
		facts := foldPod(key.name, "", b.strays[key], g.at.names)
		if unread[key.namespace] || isNew && s.Targeted || len(facts.names())+len(facts.mixed) == 0 {
			continue // not known to be gone; or of a workload that was not asked for; or nothing to tell
		}
		if isNew {
			own[at] = g
			groups = append(groups, g)
		}
		g.gone = append(g.gone, &gonePod{key, facts})
	}
	return groups
}

func compareGone(a, b goneKey) int {
	return cmp.Or(strings.Compare(a.namespace, b.namespace), comparePodNames(a.name, b.name), strings.Compare(string(a.uid), string(b.uid)))
}

// home is what may have made a Pod of a name.
type home struct {
	name  string
	kind  snapshot.GroupKind
	group *workloadGroup
}

// homes finds the workload of a Pod by its name alone.
type homes struct {
	sameName map[[2]string]*workloadGroup // workloads that have a Pod of that name
	makers   map[[2]string][]home         // by namespace and the beginning of their Pods' names
}

func newHomes(groups []*workloadGroup) homes {
	h := homes{map[[2]string]*workloadGroup{}, map[[2]string][]home{}}
	known := map[snapshot.OwnerRef]bool{}
	add := func(g *workloadGroup, ref snapshot.OwnerRef) {
		if !known[ref] {
			known[ref] = true
			m := home{ref.Name, snapshot.GroupKind{Group: ref.Group, Kind: ref.Kind}, g}
			prefix, _ := m.prefix()
			at := [2]string{g.ns, prefix}
			h.makers[at] = append(h.makers[at], m)
		}
	}
	for _, g := range groups {
		if g.self == nil {
			add(g, g.ref)
		}
		for _, o := range g.objects {
			add(g, snapshot.OwnerRef{Group: o.Group, Kind: o.Kind, Name: o.Name, UID: o.UID})
		}
		for _, pods := range [][]*snapshot.Pod{g.live, g.terminating, g.finished} {
			for _, p := range pods {
				h.sameName[[2]string{p.Namespace, p.Name}] = g
				if g.self == nil {
					add(g, *p.Owner)
				}
			}
		}
	}
	return h
}

// find takes the longest name that fits: of web and web-api, web-api has made web-api-7d9f8c6b5-x2x4v. Of a
// workload of which only a part was asked for, a Pod that is not there may be one that was not asked for.
func (h homes) find(key goneKey, targeted bool) *workloadGroup {
	if g := h.sameName[[2]string{key.namespace, key.name}]; g != nil {
		return g
	}
	var best home
	for i := range len(key.name) {
		if key.name[i] != '-' && i != maxGeneratedName {
			continue // no prefix ends here
		}
		for _, m := range h.makers[[2]string{key.namespace, key.name[:i]}] {
			if len(m.name) > len(best.name) && m.made(key.name) {
				best = m
			}
		}
	}
	if g := best.group; g != nil && targeted && (g.object == nil || g.object.Narrowed) {
		return nil
	}
	return best.group
}

// maxGeneratedName is what the API server keeps of a generateName (apiserver pkg/storage/names/generate.go).
const maxGeneratedName = 58

func (m home) isStatefulSet() bool {
	return m.kind == snapshot.GroupKind{Group: "apps", Kind: "StatefulSet"}
}

// prefix is what the names of its Pods begin with: cut where there is no room for more, else before a dash.
func (m home) prefix() (prefix string, cut bool) {
	if len(m.name) >= maxGeneratedName && !m.isStatefulSet() {
		return m.name[:maxGeneratedName], true
	}
	return m.name, false
}

// made says whether the Pod's name is one that this controller gives.
func (m home) made(pod string) bool {
	prefix, cut := m.prefix()
	rest, ok := strings.CutPrefix(pod, prefix)
	if ok && !cut {
		rest, ok = strings.CutPrefix(rest, "-")
	}
	if !ok {
		return false
	}
	parts := strings.Split(rest, "-")
	last := parts[len(parts)-1]
	if m.isStatefulSet() {
		return len(parts) == 1 && isNumber(last)
	}
	switch m.kind {
	case snapshot.GroupKind{Group: "apps", Kind: "Deployment"}:
		return len(parts) == 2 && isHash(parts[0]) && isRandom(last)
	case snapshot.GroupKind{Group: "batch", Kind: "CronJob"}: // NAME-MINUTES-RANDOM, or with a completion index
		return (len(parts) == 2 || len(parts) == 3 && isNumber(parts[1])) && isNumber(parts[0]) && isRandom(last)
	case snapshot.GroupKind{Group: "batch", Kind: "Job"}:
		return (len(parts) == 1 || len(parts) == 2 && isNumber(parts[0])) && isRandom(last)
	}
	if snapshot.IsBuiltinController(m.kind) {
		return len(parts) == 1 && isRandom(last)
	}
	return len(parts) == 1 && (isRandom(last) || isNumber(last)) || len(parts) == 2 && isHash(parts[0]) && isRandom(last)
}

// isRandom and isHash know generated name parts by their letters: no vowels (apimachinery pkg/util/rand).
func isRandom(s string) bool { return len(s) == 5 && isSafe(s) }

func isHash(s string) bool { return len(s) >= 6 && len(s) <= 10 && isSafe(s) }

func isSafe(s string) bool { return strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == "" }
