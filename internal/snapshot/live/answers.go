package live

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot/live/thin"
)

// emptyPages is how many pages without an object may follow each other. An API may filter all of a page away
// (metav1.ListOptions.Limit), but one that does nothing else has no end.
const emptyPages = 100

// errChanged: the pages of a list are of one resourceVersion, which the continue token holds.
var errChanged = errors.New("the list changed between its pages: metadata.resourceVersion is another")

// listing is what was seen of one list, to notice an answer that is none and pages that have no end.
type listing struct {
	tokens, firsts map[string]bool
	version        string
	empty          int
}

func newListing() *listing { return &listing{tokens: map[string]bool{}, firsts: map[string]bool{}} }

// page checks the next page. client-go takes any JSON without a kind, and any object of another kind, as a list of
// nothing; an API server's list always has a resourceVersion.
func (l *listing) page(page metav1.ListInterface) error {
	version, token, first := page.GetResourceVersion(), page.GetContinue(), firstOf(page)
	switch {
	case first == "" && version == "":
		return errors.New("no items and no metadata.resourceVersion")
	case l.version != "" && version != l.version:
		return errChanged
	case token != "" && l.tokens[token], first != "" && l.firsts[first]:
		return errors.New("the list has no end: its pages repeat themselves")
	}
	l.version, l.tokens[token], l.firsts[first] = version, true, true
	if l.empty++; first != "" {
		l.empty = 0
	}
	if l.empty > emptyPages {
		return fmt.Errorf("the list has no end: %d pages without an object", l.empty)
	}
	return nil
}

var errStop = errors.New("the first is enough")

// firstOf identifies the first object of a page.
func firstOf(page any) (first string) {
	list, ok := page.(runtime.Object)
	if !ok {
		return ""
	}
	_ = meta.EachListItem(list, func(o runtime.Object) error {
		if m, err := meta.Accessor(o); err == nil {
			first = m.GetNamespace() + "/" + m.GetName()
		}
		return errStop
	})
	return first
}

// is checks that an answer is the object that was asked for: client-go takes any JSON without a kind, and any object
// of another kind, as an object without values.
func is(name string, o metav1.Object, err error) error {
	if err != nil {
		return understood(err)
	}
	if o.GetName() != name {
		return notOfTheAPI(fmt.Errorf("asked for %q, metadata.name is %q", name, o.GetName()))
	}
	return nil
}

// identified gives an object a UID that has none, so that several are not taken for one.
func identified[P metav1.Object](kind snapshot.GroupKind, o P) P {
	if o.GetUID() == "" {
		o.SetUID(types.UID(fmt.Sprintf("%s %s/%s", snapshot.ResourceName(kind), o.GetNamespace(), o.GetName())))
	}
	return o
}

// understood tells answers that could not be decoded from those that did not come, or that are a refusal.
func understood(err error) error {
	var status apierrors.APIStatus
	var connection *url.Error
	var list thin.NotAListError
	switch {
	case errors.As(err, &list):
		return fmt.Errorf("the server's answer is not what the API defines: %w", list)
	case errors.As(err, &status), errors.As(err, &connection), meta.IsNoMatchError(err),
		errors.Is(err, context.Canceled), isTimeout(err),
		strings.Contains(err.Error(), "when reading response body"): // client-go rest/request.go transformResponse, v0.37
		return err
	default:
		return notOfTheAPI(err)
	}
}

// notOfTheAPI is an answer that an API server does not give.
func notOfTheAPI(err error) error {
	return fmt.Errorf("the server's answer is not what the API defines (-v=8 shows it): %w", err)
}
