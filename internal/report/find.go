package report

import (
	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// few is how many things are looked through for one of them. Of more an index is made: each of them is asked for, and a
// Pod may have thousands of containers.
const few = 16

// finder finds by name what Pods and their specs hold, and keeps what concerns all containers of a Pod, which each of
// them asks for.
type finder struct {
	few        int
	containers map[*snapshot.PodSpec]map[string]*snapshot.Container
	statuses   map[*snapshot.Pod]statuses
	writes     map[*snapshot.Pod]map[probeName]*snapshot.ProbeWrite
	starts     map[*snapshot.Pod]podStarts
	normals    map[*snapshot.Pod]int64
	waitsFor   map[*snapshot.Pod]string
}

func newFinder(few int) finder {
	return finder{
		few:        few,
		containers: map[*snapshot.PodSpec]map[string]*snapshot.Container{},
		statuses:   map[*snapshot.Pod]statuses{},
		writes:     map[*snapshot.Pod]map[probeName]*snapshot.ProbeWrite{},
		starts:     map[*snapshot.Pod]podStarts{},
		normals:    map[*snapshot.Pod]int64{},
		waitsFor:   map[*snapshot.Pod]string{},
	}
}

// probeName names one probe of a Pod.
type probeName struct {
	container string
	kind      probe.Kind
}

// container returns the container of that name, nil when the spec has none, or is none.
func (f finder) container(spec *snapshot.PodSpec, name string) *snapshot.Container {
	if spec == nil || len(spec.Containers) <= f.few {
		return spec.Container(name)
	}
	return remember(f.containers, spec, true, func() map[string]*snapshot.Container {
		return indexed(spec.Containers, func(c *snapshot.Container) string { return c.Name })
	})[name]
}

// status is what a Pod reports of a container, nil when nothing.
func (f finder) status(p *snapshot.Pod, name string) *snapshot.ContainerStatus {
	return remember(f.statuses, p, f.hasMany(p), func() statuses { return statusesOf(p, f.few) }).of(name)
}

// statuses are a Pod's.
type statuses struct {
	pod    *snapshot.Pod
	byName map[string]*snapshot.ContainerStatus // of many
}

func statusesOf(p *snapshot.Pod, few int) statuses {
	s := statuses{pod: p}
	if len(p.Containers) > few {
		s.byName = indexed(p.Containers, func(s *snapshot.ContainerStatus) string { return s.Name })
	}
	return s
}

func (s statuses) of(name string) *snapshot.ContainerStatus {
	if s.byName != nil {
		return s.byName[name]
	}
	return statusOf(s.pod, name)
}

func statusOf(p *snapshot.Pod, name string) *snapshot.ContainerStatus {
	for i := range p.Containers {
		if p.Containers[i].Name == name {
			return &p.Containers[i]
		}
	}
	return nil
}

// indexed is all of them by name; of one name, the first.
func indexed[T any](all []T, name func(*T) string) map[string]*T {
	byName := make(map[string]*T, len(all))
	for i := range all {
		if one := &all[i]; byName[name(one)] == nil {
			byName[name(one)] = one
		}
	}
	return byName
}

// remember keeps what was worked out, where that is worth while.
func remember[K comparable, V any](kept map[K]V, key K, worth bool, workOut func() V) V {
	if !worth {
		return workOut()
	}
	v, known := kept[key]
	if !known {
		v = workOut()
		kept[key] = v
	}
	return v
}

// hasMany says that there are so many containers that none is to work out anew what concerns them all.
func (f finder) hasMany(p *snapshot.Pod) bool { return len(p.Containers) > f.few }
