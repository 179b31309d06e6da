package snapshot

import "k8s.io/apimachinery/pkg/labels"

// Query is what the user asked to see, in the same words for a cluster and for files.
type Query struct {
	// Namespace limits to one; empty with AllNamespaces false means every namespace in the files,
	// and never happens for a cluster.
	Namespace     string
	AllNamespaces bool
	Selector      labels.Selector // Pod labels; nil or empty: all
	Targets       []Target        // empty: everything
}

// Target is one thing the user named: a type, a name, or both.
type Target struct {
	Type string // as typed: deploy, rollouts.argoproj.io, svc; empty for a bare name
	Name string // empty: all of the type
	// Word is set instead of Type or Name for a lone argument that may be either ("web", "deploy"):
	// it is a type when it names one, else a bare name.
	Word string
}

// String is the target as a user would type it.
func (t Target) String() string {
	switch {
	case t.Word != "":
		return t.Word
	case t.Type == "":
		return t.Name
	case t.Name == "":
		return t.Type
	default:
		return t.Type + "/" + t.Name
	}
}
