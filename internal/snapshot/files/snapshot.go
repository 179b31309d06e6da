package files

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// snapshot makes the Snapshot of all that was read.
func (r *reader) snapshot() *snapshot.Snapshot {
	r.nameMetadata()
	c, s := &r.collected, &snapshot.Snapshot{}
	s.Pods = values(c.pods.withoutManifests(), &s.AsOf)
	s.Objects = values(c.objects.withoutManifests(), &s.AsOf)
	s.Services = values(c.services.withoutManifests(), &s.AsOf)
	s.EndpointSlices = values(c.endpoints.all, &s.AsOf)
	s.Nodes = values(c.nodes.withoutManifests(), &s.AsOf)
	s.Events = values(c.events.all, &s.AsOf)
	s.Objects = r.withoutIdle(s)
	for _, replaced := range []replacements{c.pods.replaced, c.objects.replaced, c.services.replaced, c.nodes.replaced} {
		for _, what := range replaced.listed {
			r.note(what.String())
		}
		r.moreNotes += replaced.all - len(replaced.listed)
	}
	for _, p := range s.Pods {
		s.Running = s.Running || p.HasStatus
	}
	s.Gaps = r.gaps(s)
	return s
}

func values[T any](all []entry[T], asOf *time.Time) []T {
	out := make([]T, 0, len(all))
	for _, f := range all {
		out = append(out, f.value)
		*asOf = newest(*asOf, f.stamp)
	}
	return out
}

// nameMetadata gives metadata its kind, which only a reference to it tells. What nothing refers to is
// dropped: it owns nothing that was read.
func (r *reader) nameMetadata() {
	kinds := map[types.UID]snapshot.GroupKind{}
	for _, p := range r.collected.pods.all {
		if owner := p.value.Owner; owner != nil {
			kinds[owner.UID] = snapshot.GroupKind{Group: owner.Group, Kind: owner.Kind}
		}
	}
	for _, o := range r.collected.objects.all {
		if owner := o.value.Owner; owner != nil {
			kinds[owner.UID] = snapshot.GroupKind{Group: owner.Group, Kind: owner.Kind}
		}
	}
	for i := range r.collected.metadata {
		if owner := metav1.GetControllerOf(&r.collected.metadata[i].ObjectMeta); owner != nil {
			kinds[owner.UID] = snapshot.GroupKind{Group: groupOf(owner.APIVersion), Kind: owner.Kind}
		}
	}
	for i := range r.collected.metadata {
		m := &r.collected.metadata[i]
		kind, ok := kinds[m.UID]
		if !ok {
			r.skip(m.id.GroupKind)
			continue
		}
		m.id.GroupKind = kind
		r.addController(r.converter.Metadata(schema.GroupKind(kind), &m.ObjectMeta), m.id, m.stamp)
	}
}

// withoutIdle drops custom objects that neither own anything nor hold a template: most custom objects have
// nothing to do with Pods.
func (r *reader) withoutIdle(s *snapshot.Snapshot) []*snapshot.Object {
	owners := map[types.UID]bool{}
	for _, p := range s.Pods {
		if p.Owner != nil {
			owners[p.Owner.UID] = true
		}
	}
	for _, o := range s.Objects {
		if o.Owner != nil {
			owners[o.Owner.UID] = true
		}
	}
	var kept []*snapshot.Object
	for _, o := range s.Objects {
		kind := snapshot.GroupKind{Group: o.Group, Kind: o.Kind}
		if o.Template == nil && !owners[o.UID] && !snapshot.IsBuiltinController(kind) {
			r.skip(kind)
			continue
		}
		kept = append(kept, o)
	}
	return kept
}
