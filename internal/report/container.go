package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// container describes one container over all Pods of its workload.
func (g *workloadGroup) container(name string) Container {
	c := Container{Name: name, Variants: []Variant{}, Drift: []Drift{}, Rewritten: []Rewritten{}, Pods: []Pod{}}
	variants := g.variants(name)
	for _, v := range variants {
		c.Variants = append(c.Variants, v.Variant)
	}
	if len(variants) > 0 {
		c.Probes, c.Sidecar = variants[0].Probes, variants[0].container.Sidecar
		c.Ports, c.Invalid = ports(variants[0].container), g.invalid(name)
	}
	g.place(&c)
	g.runtime(&c, variants)
	g.endOfCheck(variants)
	g.countEvidence(&c)
	g.causes(&c)
	g.restartCauses(&c)
	c.Drift, c.Rewritten = g.drift(name)
	return c
}

// place says where the container is when it is not in both the template and a Pod.
func (g *workloadGroup) place(c *Container) {
	inPods := slices.ContainsFunc(g.live, func(p *snapshot.Pod) bool { return p.Spec.Container(c.Name) != nil })
	template := g.template()
	inTemplate := template.Container(c.Name) != nil
	switch {
	case template != nil && inPods && !inTemplate:
		c.OnlyIn = OnlyInPods
		c.Injected = slices.ContainsFunc(g.live, func(p *snapshot.Pod) bool {
			madeFrom := g.revisionOf[p].madeFrom
			return p.Spec.Container(c.Name) != nil && madeFrom != nil && madeFrom.Container(c.Name) == nil
		})
	case inTemplate && !inPods && len(g.live) > 0:
		c.OnlyIn = OnlyInTemplate
	case !inPods && g.exampleSpec().Container(c.Name) == nil:
		c.OnlyIn = OnlyInPast
	}
}

// variantGroup is a Variant while Pods are being counted.
type variantGroup struct {
	Variant
	container *snapshot.Container
	newest    time.Time
	pods      map[*snapshot.Pod]bool
}

// variants groups the live Pods that have the container by its probe configuration: largest first, then the
// template's, then the newest. Without such a Pod it is the template's, else the newest finished Pod's.
func (g *workloadGroup) variants(name string) []*variantGroup {
	var all []*variantGroup
	bySpec := map[*snapshot.PodSpec]*variantGroup{}
	template := g.template().Container(name)
	for _, p := range g.live {
		c := p.Spec.Container(name)
		if c == nil {
			continue
		}
		v := bySpec[p.Spec]
		if v == nil {
			v = findVariant(all, c)
		}
		if v == nil {
			v = newVariantGroup(p.Spec, c, template != nil && sameProbes(c, template))
			all = append(all, v)
		}
		bySpec[p.Spec] = v
		v.add(p)
	}
	if len(all) == 0 {
		return g.variantWithoutPods(name)
	}
	slices.SortStableFunc(all, func(a, b *variantGroup) int {
		return cmp.Or(cmp.Compare(b.Pods, a.Pods), -compareBool(a.Template, b.Template), b.newest.Compare(a.newest))
	})
	return all
}

func (v *variantGroup) add(p *snapshot.Pod) {
	v.Pods++
	v.pods[p] = true
	if v.newest.IsZero() || p.Created.After(v.newest) {
		v.newest, v.Revision = p.Created, revisionOf(p)
	}
}

func (g *workloadGroup) variantWithoutPods(name string) []*variantGroup {
	spec, fromTemplate := g.template(), true
	if spec.Container(name) == nil {
		fromTemplate = false
		for _, pods := range [][]*snapshot.Pod{g.finished, g.terminating} {
			if newest := newestOf(pods); newest != nil && newest.Spec.Container(name) != nil {
				spec = newest.Spec
				break
			}
		}
	}
	c := spec.Container(name)
	if c == nil {
		return nil
	}
	return []*variantGroup{newVariantGroup(spec, c, fromTemplate)}
}

func newVariantGroup(spec *snapshot.PodSpec, c *snapshot.Container, template bool) *variantGroup {
	v := Variant{Probes: probesOf(spec, c), Template: template, HostNetwork: spec.HostNetwork}
	return &variantGroup{Variant: v, container: c, pods: map[*snapshot.Pod]bool{}}
}

func findVariant(all []*variantGroup, c *snapshot.Container) *variantGroup {
	for _, v := range all {
		if v.container.Sidecar == c.Sidecar && sameProbes(v.container, c) {
			return v
		}
	}
	return nil
}

func sameProbes(a, b *snapshot.Container) bool {
	for _, kind := range probe.Kinds() {
		if !probe.Equal(a.Probe(kind), b.Probe(kind), a.Ports, b.Ports) {
			return false
		}
	}
	return true
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// keepContainers drops the containers that no glob matches, and the workloads that have none left.
func (r *Report) keepContainers(globs []string) error {
	if len(globs) == 0 {
		return nil
	}
	used := map[string]bool{}
	matches := func(c Container) bool {
		hit := false
		for _, glob := range globs {
			if ok, err := path.Match(glob, c.Name); err == nil && ok {
				hit, used[glob] = true, true
			}
		}
		return hit
	}
	kept := []Workload{}
	for _, w := range r.Workloads {
		var shown []Container
		for _, c := range w.Containers {
			if matches(c) {
				shown = append(shown, c)
			} else {
				w.Hidden = append(w.Hidden, c)
			}
		}
		w.Containers = shown
		if len(w.Containers) > 0 {
			kept = append(kept, w)
		}
	}
	r.Workloads = kept
	for _, glob := range globs {
		if !used[glob] {
			hint := ""
			if !strings.Contains(glob, "*") {
				hint = fmt.Sprintf(" (globs are anchored: %q would match more)", "*"+glob+"*")
			}
			return fmt.Errorf("no container matches -c %q%s", glob, hint)
		}
	}
	return nil
}
