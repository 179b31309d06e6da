package snapshot

import "maps"

// share gives a Pod what is equal in the first Pod of its owner: its strings and maps are otherwise half of what is
// kept of a cluster. Nobody may write to what a Pod holds.
func (c *Converter) share(p *Pod) {
	if p.Owner == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	first := c.siblings[p.Owner.UID]
	if first == nil {
		c.siblings[p.Owner.UID] = p
		return
	}
	p.adopt(first)
}

func (p *Pod) adopt(sibling *Pod) {
	if *p.Owner == *sibling.Owner {
		p.Owner = sibling.Owner
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
