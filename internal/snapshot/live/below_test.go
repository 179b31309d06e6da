package live

import (
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestJobSelectors(t *testing.T) {
	by := func(name, key, value string) *snapshot.Object {
		return &snapshot.Object{Name: name, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}}
	}
	manual := by("manual", "app", "x")
	manual.Selector.MatchLabels["tier"] = "y"
	many := make([]*snapshot.Object, jobsAtOnce+1)
	for i := range many {
		many[i] = by("", "batch.kubernetes.io/controller-uid", fmt.Sprint(i))
	}
	tests := []struct {
		name string
		in   []*snapshot.Object
		want []string
	}{
		{"none", nil, nil},
		{"without selector", []*snapshot.Object{{Name: "x"}}, nil},
		{"of one key", []*snapshot.Object{by("a", "controller-uid", "2"), by("b", "controller-uid", "1")}, []string{"controller-uid in (1,2)"}},
		{
			"of two keys",
			[]*snapshot.Object{by("a", "controller-uid", "1"), by("b", "batch.kubernetes.io/controller-uid", "2")},
			[]string{"batch.kubernetes.io/controller-uid in (2)", "controller-uid in (1)"},
		},
		{"manual", []*snapshot.Object{manual}, []string{"app=x,tier=y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want(t, "selectors", texts(jobSelectors(tt.in)), tt.want)
		})
	}
	want(t, "lists for many", len(jobSelectors(many)), 2)
}

func texts(selectors []labels.Selector) []string {
	var out []string
	for _, s := range selectors {
		out = append(out, s.String())
	}
	slices.Sort(out)
	return out
}
