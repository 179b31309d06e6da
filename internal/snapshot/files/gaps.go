package files

import (
	"fmt"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// maxNamed is how many missing owners a gap names.
const maxNamed = 3

// gaps are what facts of running Pods need and the files do not hold.
func (r *reader) gaps(s *snapshot.Snapshot) []snapshot.Gap {
	var gaps []snapshot.Gap
	for _, need := range []struct {
		resource, words string
		read            int
	}{
		{"events", "no Events in the files", len(s.Events)},
		{"services", "no Services in the files", len(s.Services)},
		{"nodes", "no Nodes in the files", len(s.Nodes)},
	} {
		if need.read == 0 && !r.collected.lists[need.resource] {
			gaps = append(gaps, snapshot.Gap{What: need.resource, Reason: snapshot.Absent, Message: need.words})
		}
	}
	return append(gaps, missingOwners(s)...)
}

// ownersOf is the gap of owners of a kind in a namespace.
type ownersOf struct {
	snapshot.GroupKind
	namespace string
}

func missingOwners(s *snapshot.Snapshot) []snapshot.Gap {
	read := map[types.UID]bool{}
	for _, o := range s.Objects {
		read[o.UID] = true
	}
	missing := map[ownersOf]map[string]bool{}
	miss := func(namespace string, owner *snapshot.OwnerRef) {
		at := ownersOf{snapshot.GroupKind{Group: owner.Group, Kind: owner.Kind}, namespace}
		if missing[at] == nil {
			missing[at] = map[string]bool{}
		}
		missing[at][owner.Name] = true
	}
	for _, p := range s.Pods {
		if p.Owner != nil && !read[p.Owner.UID] && (p.Owner.Group != "" || p.Owner.Kind != "Node") {
			miss(p.Namespace, p.Owner)
		}
	}
	for _, o := range s.Objects {
		if o.Owner != nil && !read[o.Owner.UID] && isNeeded(o.Owner, o) {
			miss(o.Namespace, o.Owner)
		}
	}
	return ownerGaps(missing)
}

// isNeeded says whether an owner can be the workload of what it owns: a built-in controller, or a custom one
// directly above ReplicaSets. Custom owners further up only lend a name.
func isNeeded(owner *snapshot.OwnerRef, of *snapshot.Object) bool {
	return snapshot.IsBuiltinController(snapshot.GroupKind{Group: owner.Group, Kind: owner.Kind}) ||
		of.Group == "apps" && of.Kind == "ReplicaSet"
}

func ownerGaps(missing map[ownersOf]map[string]bool) []snapshot.Gap {
	var gaps []snapshot.Gap
	for at, names := range missing {
		gaps = append(gaps, snapshot.Gap{
			What: snapshot.ResourceName(at.GroupKind), Namespace: at.namespace,
			Reason: snapshot.Absent, Message: "not in the files: " + brief(names),
		})
	}
	sort.Slice(gaps, func(i, j int) bool {
		a, b := gaps[i], gaps[j]
		return a.What < b.What || a.What == b.What && a.Namespace < b.Namespace
	})
	return gaps
}

func brief(names map[string]bool) string {
	var all []string
	for name := range names {
		all = append(all, name)
	}
	sort.Strings(all)
	if len(all) > maxNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:maxNamed], ", "), len(all)-maxNamed)
	}
	return strings.Join(all, ", ")
}
