package live

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func reasonOf(err error) snapshot.GapReason {
	switch {
	case apierrors.IsForbidden(err):
		return snapshot.Forbidden
	case apierrors.IsNotFound(err), meta.IsNoMatchError(err):
		return snapshot.Absent
	case isExpired(err):
		return snapshot.Expired
	case isTimeout(err):
		return snapshot.Timeout
	default:
		return snapshot.Failed
	}
}

// isTimeout covers the client's --request-timeout, the server's own deadline and a gateway's.
func isTimeout(err error) bool {
	if apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Code == http.StatusGatewayTimeout {
		return true
	}
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// gap notes what could not be read; an empty name is all of the resource.
func (r *reader) gap(what, namespace, name string, err error) {
	r.addGap(snapshot.Gap{What: what, Namespace: namespace, Name: name, Reason: reasonOf(err), Message: words(err)})
}

// words are those of an error without the URL that was asked for: the gap says what that was.
func words(err error) string {
	var status apierrors.APIStatus
	var connection *url.Error
	switch {
	case errors.As(err, &status):
		return status.Status().Message
	case errors.As(err, &connection):
		return connection.Err.Error()
	default:
		return err.Error()
	}
}

func (s *store) addGap(g snapshot.Gap) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gaps = append(s.gaps, g)
}

// unreadable says whether a gap covers all of a resource in a namespace, so that asking again is in vain
// and an object that is missing from it proves nothing.
func (s *store) unreadable(what, namespace string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.gaps, func(g snapshot.Gap) bool {
		return g.What == what && g.Name == "" && (g.Namespace == "" || g.Namespace == namespace)
	})
}

// distinct sorts gaps and drops each that a wider one covers.
func distinct(gaps []snapshot.Gap) []snapshot.Gap {
	gaps = slices.Clone(gaps)
	slices.SortStableFunc(gaps, func(a, b snapshot.Gap) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	type place struct{ what, namespace, name string }
	seen := map[place]bool{}
	var kept []snapshot.Gap
	for _, g := range gaps {
		all, namespace, one := place{g.What, "", ""}, place{g.What, g.Namespace, ""}, place{g.What, g.Namespace, g.Name}
		if !seen[all] && !seen[namespace] && !seen[one] {
			kept = append(kept, g)
		}
		seen[one] = true
	}
	return kept
}
