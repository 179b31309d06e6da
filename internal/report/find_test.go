package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Pods with thousands of containers are read with an index, and say the same with it.
func TestIndexChangesNothing(t *testing.T) {
	for _, name := range captureNames(t) {
		t.Run(name, func(t *testing.T) {
			s := captureSnapshot(t, name)
			indexed, err := Build(s, Options{Now: ago(-1), few: -1})
			if err != nil {
				t.Fatal(err)
			}
			looked, err := Build(s, Options{Now: ago(-1), few: 1000})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(looked, indexed); diff != "" {
				t.Errorf("(-without +with an index):\n%s", diff)
			}
		})
	}
}

// Of two of one name the first counts, with an index and without.
func TestFirstOfOneName(t *testing.T) {
	spec := &snapshot.PodSpec{Containers: []snapshot.Container{{Name: "a", PreStop: true}, {Name: "b"}, {Name: "a"}}}
	p := &snapshot.Pod{Containers: []snapshot.ContainerStatus{{Name: "a", Ready: true}, {Name: "a"}}}
	for _, few := range []int{-1, 1000} {
		f := newFinder(few)
		if c := f.container(spec, "a"); c == nil || !c.PreStop || f.container(spec, "c") != nil || f.container(nil, "a") != nil {
			t.Errorf("few is %d: found %v", few, c)
		}
		if s := f.status(p, "a"); s == nil || !s.Ready || f.status(p, "b") != nil {
			t.Errorf("few is %d: found %v", few, s)
		}
	}
}
