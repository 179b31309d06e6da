package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// container describes one container over all Pods of its workload.
func (g *workloadGroup) container(name string) Container {
	c := Container{Name: name, Variants: []Variant{}, Drift: []Drift{}, Rewritten: []Rewritten{}, Pods: []Pod{}}
	variants, variantOf := g.variants(name)
	for _, v := range variants {
		c.Variants = append(c.Variants, v.Variant)
	}
	if len(variants) > 0 {
		c.Probes, c.Sidecar = variants[0].Probes, variants[0].container.Sidecar
		c.Ports, c.Invalid = ports(variants[0].container), g.at.invalid[g.book.container(g.at.example, name)]
	}
	g.place(&c)
	g.runtime(&c, variantOf)
	endOfCheck(variants)
	g.countEvidence(&c)
	g.causes(&c)
	g.restartCauses(&c)
	c.Drift, c.Rewritten = g.drift(name)
	return c
}

// repeated are the containers of the example that have the name of one before them, which no API server takes: all that is
// known of them is what was written.
func (g *workloadGroup) repeated() map[string][]Container {
	all := map[string][]Container{}
	if g.at.example == nil {
		return all
	}
	seen := map[string]bool{}
	for i := range g.at.example.Containers {
		written := &g.at.example.Containers[i]
		if seen[written.Name] {
			all[written.Name] = append(all[written.Name], g.asWritten(written))
		}
		seen[written.Name] = true
	}
	return all
}

func (g *workloadGroup) asWritten(written *snapshot.Container) Container {
	v := newVariantGroup(g.at.example, written, g.template() != nil)
	c := Container{
		Name: written.Name, Sidecar: written.Sidecar, Ports: ports(written), Invalid: g.at.invalid[written], Total: len(g.at.live[written.Name]),
		Probes: v.Probes, Variants: []Variant{v.Variant},
		Causes: []Cause{}, RestartCauses: []RestartCause{}, Drift: []Drift{}, Rewritten: []Rewritten{}, Pods: []Pod{},
	}
	g.place(&c)
	g.countEvidence(&c)
	return c
}

// place says where the container is when it is not in both the template and a Pod.
func (g *workloadGroup) place(c *Container) {
	inPods := len(g.at.live[c.Name]) > 0
	template := g.template()
	inTemplate := g.book.container(template, c.Name) != nil
	switch {
	case template != nil && inPods && !inTemplate:
		c.OnlyIn = OnlyInPods
		c.Injected = slices.ContainsFunc(g.at.live[c.Name], func(p *snapshot.Pod) bool {
			madeFrom := g.revisionOf[p].madeFrom
			return madeFrom != nil && g.book.container(madeFrom, c.Name) == nil
		})
	case inTemplate && !inPods && len(g.live) > 0:
		c.OnlyIn = OnlyInTemplate
	case !inPods && g.book.container(g.at.example, c.Name) == nil:
		c.OnlyIn = OnlyInPast
	}
}

// variantGroup is a Variant while Pods are being counted.
type variantGroup struct {
	Variant
	container *snapshot.Container
	newest    time.Time
	index     int
	// mutable says that the kubelets of some of its Pods check, or may check, on the other schedule.
	mutable bool
}

// variants groups the live Pods that have the container by its probe configuration: largest first, then the
// template's, then the newest. Without such a Pod it is the template's, else the newest finished Pod's. Of are those of
// the Pods one by one.
func (g *workloadGroup) variants(name string) (all, of []*variantGroup) {
	bySpec, byKey := map[*snapshot.PodSpec]*variantGroup{}, map[string]*variantGroup{}
	template := g.book.container(g.template(), name)
	for _, p := range g.at.live[name] {
		v := bySpec[p.Spec]
		if v == nil {
			c := g.book.container(p.Spec, name)
			key := variantKey(c)
			if v = byKey[key]; v == nil {
				v = newVariantGroup(p.Spec, c, template != nil && sameProbes(c, template))
				byKey[key] = v
				all = append(all, v)
			}
			bySpec[p.Spec] = v
		}
		v.add(p)
		v.mutable = v.mutable || g.mayBeMutable(p)
		of = append(of, v)
	}
	if len(all) == 0 {
		return g.variantWithoutPods(name), nil
	}
	slices.SortStableFunc(all, func(a, b *variantGroup) int {
		return cmp.Or(cmp.Compare(b.Pods, a.Pods), -compareBool(a.Template, b.Template), b.newest.Compare(a.newest))
	})
	for i, v := range all {
		v.index = i
	}
	return all, of
}

func (v *variantGroup) add(p *snapshot.Pod) {
	v.Pods++
	if v.newest.IsZero() || p.Created.After(v.newest) {
		v.newest, v.Revision = p.Created, revisionOf(p)
	}
}

func (g *workloadGroup) variantWithoutPods(name string) []*variantGroup {
	spec, fromTemplate := g.template(), true
	if g.book.container(spec, name) == nil {
		fromTemplate = false
		for _, newest := range g.at.newestEnded {
			if g.book.container(newest.Spec, name) != nil {
				spec = newest.Spec
				break
			}
		}
	}
	c := g.book.container(spec, name)
	if c == nil {
		return nil
	}
	return []*variantGroup{newVariantGroup(spec, c, fromTemplate)}
}

func newVariantGroup(spec *snapshot.PodSpec, c *snapshot.Container, template bool) *variantGroup {
	v := Variant{Probes: probesOf(spec, c), Template: template, HostNetwork: spec.HostNetwork}
	return &variantGroup{Variant: v, container: c}
}

// variantKey is the same of what makes one variant.
func variantKey(c *snapshot.Container) string {
	key := strconv.FormatBool(c.Sidecar)
	for _, kind := range probe.Kinds() {
		key += "\n" + c.Probe(kind).Key(c.Ports)
	}
	return key
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
