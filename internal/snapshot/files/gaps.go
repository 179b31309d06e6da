package files

import (
	"maps"
	"slices"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// gaps are what the facts need and the files do not hold, by namespace: Services of manifests too, which may be
// elsewhere; Events and Nodes of running Pods. Missing owners are found by snapshot.Select, which knows which of them
// matter.
func (r *reader) gaps(s *snapshot.Snapshot) []snapshot.Gap {
	places := placesOf(s)
	var gaps []snapshot.Gap
	if s.Running {
		gaps = append(gaps, r.missing("events", "Events", places)...)
	}
	gaps = append(gaps, r.missing("services", "Services", places)...)
	if s.Running && len(s.Nodes) == 0 && !r.collected.nodesListed {
		gaps = append(gaps, snapshot.Gap{What: "nodes", Reason: snapshot.Absent, Message: "no Nodes in the files"})
	}
	return gaps
}

// placesOf are the namespaces of Pods and workloads, each with the folders that it was read from.
func placesOf(s *snapshot.Snapshot) map[string]map[string]bool {
	places := map[string]map[string]bool{}
	add := func(namespace, file string) {
		if places[namespace] == nil {
			places[namespace] = map[string]bool{}
		}
		places[namespace][folderOfFile(file)] = true
	}
	for _, p := range s.Pods {
		add(p.Namespace, p.Source.File)
	}
	for _, o := range s.Objects {
		if o.Namespace != "" {
			add(o.Namespace, o.Source.File)
		}
	}
	return places
}

// missing is one gap where nothing at all is known of the resource, else one for each namespace.
func (r *reader) missing(resource, words string, places map[string]map[string]bool) []snapshot.Gap {
	covered := r.collected.covered[resource]
	missing := covered.missing(places)
	if len(missing) > 0 && len(missing) == len(places) && len(covered.namespaces) == 0 {
		return []snapshot.Gap{{What: resource, Reason: snapshot.Absent, Message: "no " + words + " in the files"}}
	}
	var gaps []snapshot.Gap
	for _, namespace := range slices.Sorted(maps.Keys(missing)) {
		gaps = append(gaps, snapshot.Gap{
			What: resource, Namespace: namespace, Reason: snapshot.Absent, Message: "no " + words + " of this namespace in the files",
		})
	}
	return gaps
}
