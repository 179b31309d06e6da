package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Options say what to build.
type Options struct {
	Now   time.Time
	Scope Scope
	// Containers keeps only containers whose name matches one of these anchored globs; empty keeps all.
	Containers []string
	// Summary asks for all workloads in figures too.
	Summary bool

	few int // containers that are looked through without an index; 0 is the default, which tests have to change
}

// Build says what a Snapshot means. It fails only when Containers matches nothing.
func Build(s *snapshot.Snapshot, o Options) (*Report, error) {
	r := &Report{
		TypeMeta:    metav1.TypeMeta{APIVersion: APIVersion, Kind: Kind},
		GeneratedAt: metav1.NewTime(o.Now.UTC()),
		AsOf:        timeOrNil(s.AsOf),
		Scope:       o.Scope,

		ServerVersion: s.ServerVersion,
		Running:       s.Running,
		Gaps:          gaps(s.Gaps),
		Workloads:     []Workload{},
	}
	services := newServiceBook(s)
	for _, g := range group(s, newEventBook(s, o)) {
		r.Workloads = append(r.Workloads, g.workload(services))
	}
	slices.SortStableFunc(r.Workloads, func(a, b Workload) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.DisplayName, b.DisplayName))
	})
	r.SeveralNamespaces = slices.ContainsFunc(r.Workloads, func(w Workload) bool { return w.Namespace != r.Workloads[0].Namespace })
	if err := r.keepContainers(o.Containers); err != nil {
		return nil, err
	}
	if o.Summary {
		r.Summary = summarize(r, s.Running)
	}
	return r, nil
}

// workloadGroup is a workload with its Pods; object is nil when the workload was not read or is a Pod.
type workloadGroup struct {
	ref    snapshot.OwnerRef
	ns     string
	object *snapshot.Object
	self   *snapshot.Pod // a Pod that stands for itself
	root   *snapshot.OwnerRef

	book                        *eventBook
	live, terminating, finished []*snapshot.Pod
	gone                        []*gonePod
	at                          places
	objects                     []*snapshot.Object                 // the workload and what is between it and its Pods, as far as it was read
	made                        map[*snapshot.Pod]*snapshot.Object // the owner just below the workload that made the Pod
	revisions                   []*revision
	revisionOf                  map[*snapshot.Pod]*revision
}

// group puts every Pod under its workload, and adds the workloads that have none.
func group(s *snapshot.Snapshot, book *eventBook) []*workloadGroup {
	graph := snapshot.NewGraph(s.Objects)
	byUID := map[types.UID]*workloadGroup{}
	var groups []*workloadGroup
	at := func(ns string, place snapshot.Place) *workloadGroup {
		g := byUID[place.Workload.UID]
		if g == nil {
			g = &workloadGroup{ref: place.Workload.OwnerRef, ns: ns, object: place.Workload.Object, root: place.Root, made: map[*snapshot.Pod]*snapshot.Object{}}
			byUID[place.Workload.UID] = g
			groups = append(groups, g)
		}
		return g
	}
	for _, p := range s.Pods {
		place := graph.Place(p)
		if place.Self {
			g := &workloadGroup{ref: snapshot.OwnerRef{Kind: "Pod", Name: p.Name, UID: p.UID}, ns: p.Namespace, self: p, root: place.Root}
			g.add(p)
			groups = append(groups, g)
			continue
		}
		g := at(p.Namespace, place)
		g.add(p)
		if n := len(place.Between); n > 0 {
			g.made[p] = place.Between[n-1].Object
		}
	}
	above := map[types.UID]bool{} // a custom resource above a workload may hold a template too: it is the same one
	for _, o := range s.Objects {
		own := snapshot.OwnerRef{Group: o.Group, Kind: o.Kind, Name: o.Name, UID: o.UID}
		for _, link := range graph.Chain(&own)[len(graph.PlaceObject(o).Between)+1:] {
			above[link.UID] = true
		}
	}
	for _, o := range s.Objects {
		if place := graph.PlaceObject(o); place.Workload.UID == o.UID && listable(o) && !above[o.UID] {
			at(o.Namespace, place)
		}
	}
	for _, o := range s.Objects {
		if g := byUID[graph.PlaceObject(o).Workload.UID]; g != nil {
			g.objects = append(g.objects, o)
		}
	}
	for _, g := range groups {
		g.book = book
		g.sortPods()
		g.name()
		g.findRevisions()
	}
	return book.placeGone(s, groups)
}

// listable says whether an object without Pods is a workload of its own: not a custom resource that merely
// stands above one.
func listable(o *snapshot.Object) bool {
	return snapshot.IsBuiltinController(snapshot.GroupKind{Group: o.Group, Kind: o.Kind}) || o.Template != nil
}

func (g *workloadGroup) add(p *snapshot.Pod) {
	switch phaseOf(p) {
	case Finished:
		g.finished = append(g.finished, p)
	case Terminating:
		g.terminating = append(g.terminating, p)
	default:
		g.live = append(g.live, p)
	}
}

func phaseOf(p *snapshot.Pod) Phase {
	switch {
	case p.Phase == corev1.PodSucceeded || p.Phase == corev1.PodFailed:
		return Finished
	case !p.Deleted.IsZero():
		return Terminating
	default:
		return Live
	}
}

func (g *workloadGroup) sortPods() {
	for _, pods := range [][]*snapshot.Pod{g.live, g.terminating, g.finished} {
		slices.SortFunc(pods, func(a, b *snapshot.Pod) int { return comparePodNames(a.Name, b.Name) })
	}
}

// comparePodNames orders web-2 before web-10: a StatefulSet's ordinals are numbers.
func comparePodNames(a, b string) int {
	i, j := strings.LastIndexByte(a, '-')+1, strings.LastIndexByte(b, '-')+1
	if a[:i] == b[:j] && isNumber(a[i:]) && isNumber(b[j:]) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	return strings.Compare(a, b)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// template is the workload's current template, nil when it has none or it was not read.
func (g *workloadGroup) template() *snapshot.PodSpec {
	if g.object == nil || g.object.Template == nil {
		return nil
	}
	return g.object.Template.Spec
}

func (g *workloadGroup) templateState() TemplateState {
	switch {
	case g.self != nil || g.ref.Group == "" && g.ref.Kind == "Pod":
		return TemplateNone
	case g.template() != nil:
		return TemplateKnown
	default:
		return TemplateUnknown
	}
}

func (g *workloadGroup) workload(services *serviceBook) Workload {
	g.findPlaces()
	w := Workload{
		Kind: g.ref.Kind, Group: g.ref.Group, Namespace: g.ns, Name: g.ref.Name,
		DisplayName: snapshot.DisplayName(g.ref.Group, g.ref.Kind, g.ref.Name),
		Template:    g.templateState(),
		Pods:        PodCounts{Total: len(g.live), Terminating: len(g.terminating), Finished: len(g.finished), Gone: len(g.gone)},
		Mixed:       g.mixed(),
		Ignore:      g.ignored(),
		Rollout:     g.rollout(),
		Services:    services.of(g),
		Containers:  []Container{},

		FailedCreate: g.at.failedCreate,
	}
	w.Revision, w.RevisionSince = g.revision()
	if g.root != nil {
		w.RootOwner = &OwnerRef{Kind: g.root.Kind, Group: g.root.Group, Name: g.root.Name}
	}
	for _, p := range g.live {
		if podReady(p) {
			w.Pods.Ready++
		}
	}
	if o := g.object; o != nil {
		w.Narrowed, w.Done = o.Narrowed, o.Done
		if !o.Narrowed {
			w.Desired = o.Desired
		}
		w.Source = source(o.Source)
	}
	if g.self != nil {
		w.Source = source(g.self.Source)
	}
	if spec := g.at.example; spec != nil {
		w.InitContainers = spec.InitContainers
	}
	repeated := g.repeated()
	for _, name := range g.rowNames() {
		w.Containers = append(append(w.Containers, g.container(name)), repeated[name]...)
	}
	return w
}

// exampleSpec is the spec to name a workload's containers by when there is no better one.
func (g *workloadGroup) exampleSpec() *snapshot.PodSpec {
	if t := g.template(); t != nil {
		return t
	}
	if newest := newestOf(g.live); newest != nil {
		return newest.Spec
	}
	if len(g.at.newestEnded) > 0 {
		return g.at.newestEnded[0].Spec
	}
	return nil
}

func newestOf(pods []*snapshot.Pod) *snapshot.Pod {
	if len(pods) == 0 {
		return nil
	}
	return slices.MaxFunc(pods, func(a, b *snapshot.Pod) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.Name, b.Name))
	})
}

// containerNames lists the template's containers in its order, then what only Pods have: regular containers
// first, sidecars after them.
func (g *workloadGroup) containerNames() []string {
	var regular, sidecars []string
	specs, names := map[*snapshot.PodSpec]bool{}, map[string]bool{}
	add := func(spec *snapshot.PodSpec) {
		if spec == nil || specs[spec] {
			return
		}
		specs[spec] = true
		for _, c := range spec.Containers {
			switch {
			case names[c.Name]:
			case c.Sidecar:
				sidecars = append(sidecars, c.Name)
			default:
				regular = append(regular, c.Name)
			}
			names[c.Name] = true
		}
	}
	add(g.at.example)
	for _, p := range g.live {
		add(p.Spec)
	}
	return append(regular, sidecars...)
}

func podReady(p *snapshot.Pod) bool {
	return slices.ContainsFunc(p.Conditions, func(c snapshot.Condition) bool { return c.Type == "Ready" && c.Status == "True" })
}
