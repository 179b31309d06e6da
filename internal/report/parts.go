package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func gaps(in []snapshot.Gap) []Gap {
	out := []Gap{}
	for _, g := range in {
		out = append(out, Gap{What: g.What, Namespace: g.Namespace, Name: g.Name, Reason: string(g.Reason), Message: g.Message})
	}
	slices.SortFunc(out, func(a, b Gap) int {
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.What, b.What), strings.Compare(a.Name, b.Name), strings.Compare(a.Reason+a.Message, b.Reason+b.Message))
	})
	return slices.Compact(out)
}

func source(s snapshot.Source) *Source {
	if s.File == "" {
		return nil
	}
	return &Source{File: s.File, Document: s.Document}
}

func timeOrNil(t time.Time) *metav1.Time {
	if t.IsZero() {
		return nil
	}
	out := metav1.NewTime(t.UTC())
	return &out
}
