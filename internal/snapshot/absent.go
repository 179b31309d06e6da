package snapshot

import (
	"fmt"
	"sort"
	"strings"
)

// absentOwners are Gaps for the owners between Pods and their workloads, workloads included, that were not
// read although their kind was: not in the files, deleted, or re-created under another UID.
func absentOwners(s *Snapshot) []Gap {
	graph := NewGraph(s.Objects)
	names := map[Gap]map[string]bool{}
	for _, p := range s.Pods {
		place := graph.Place(p)
		if place.Self {
			continue
		}
		for _, link := range append(place.Between, place.Workload) {
			if link.Object != nil {
				continue
			}
			gap := Gap{What: ResourceName(GroupKind{link.Group, link.Kind}), Namespace: p.Namespace, Reason: Absent}
			if s.hasGap(gap.What, p.Namespace, link.Name) {
				continue
			}
			if names[gap] == nil {
				names[gap] = map[string]bool{}
			}
			names[gap][link.Name] = true
		}
	}
	var gaps []Gap
	for gap, missing := range names {
		gap.Message = fmt.Sprintf("%s: named as an owner of Pods and not found", enumerate(missing))
		gaps = append(gaps, gap)
	}
	sort.Slice(gaps, func(i, j int) bool { return gaps[i].What+gaps[i].Namespace < gaps[j].What+gaps[j].Namespace })
	return gaps
}

// hasGap says whether reading that object has failed already, alone or with all of its resource.
func (s *Snapshot) hasGap(what, namespace, name string) bool {
	for _, g := range s.Gaps {
		if g.What == what && (g.Namespace == "" || g.Namespace == namespace) && (g.Name == "" || g.Name == name) {
			return true
		}
	}
	return false
}

// enumerate names at most three.
func enumerate(names map[string]bool) string {
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	if more := len(sorted) - 3; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(sorted[:3], ", "), more)
	}
	return strings.Join(sorted, ", ")
}
