package snapshot

import (
	"maps"
	"reflect"
)

// share gives a Pod what is equal in the first Pod of its owner: its strings and maps are otherwise half of what is
// kept of a cluster, and comparing its spec is much cheaper than interning it. Nobody may write to what a Pod holds.
func (c *Converter) share(p *Pod) {
	first := c.firstOf(p.Owner)
	if first != nil {
		p.adopt(first)
	}
	if first == nil || p.Spec != first.Spec {
		p.Spec = c.intern(p.Spec)
	}
	if first == nil && p.Owner != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.siblings[p.Owner.UID] = p
	}
}

func (c *Converter) firstOf(owner *OwnerRef) *Pod {
	if owner == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.siblings[owner.UID]
}

func (p *Pod) adopt(sibling *Pod) {
	if *p.Owner == *sibling.Owner {
		p.Owner = sibling.Owner
	}
	if reflect.DeepEqual(p.Spec, sibling.Spec) {
		p.Spec = sibling.Spec
	}
	if maps.Equal(p.Labels, sibling.Labels) {
		p.Labels = sibling.Labels
	}
	if maps.Equal(p.Annotations, sibling.Annotations) {
		p.Annotations = sibling.Annotations
	}
	adopt(&p.Namespace, sibling.Namespace)
	adopt(&p.Phase, sibling.Phase)
	for i := range min(len(p.Conditions), len(sibling.Conditions)) {
		ours, theirs := &p.Conditions[i], &sibling.Conditions[i]
		adopt(&ours.Type, theirs.Type)
		adopt(&ours.Status, theirs.Status)
		adopt(&ours.Reason, theirs.Reason)
		adopt(&ours.Message, theirs.Message)
	}
	for i := range min(len(p.Containers), len(sibling.Containers)) {
		adopt(&p.Containers[i].Name, sibling.Containers[i].Name)
	}
}

// adopt lets a string have the memory of one that is equal.

func adopt[S ~string](s *S, from S) {
	if *s == from {
		*s = from
	}
}
