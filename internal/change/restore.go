package change

import (
	"errors"
	"fmt"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// istioStatus marks a Pod that Istio's webhook has been at, which redirects its probes to the sidecar.
const istioStatus = "sidecar.istio.io/status"

// restored is what the chosen containers' probes were: what the annotation says, or, in a Pod without it, the template
// the Pod was made from. Probes that neither speaks of are left out.
func restored(c choice, first originals) (probesJSON, error) {
	out := probesJSON{}
	if len(first) > 0 {
		for _, sl := range c.slots {
			for _, kind := range probe.Kinds() {
				if raw, known := first.get(probeKey{sl.Name, kind}); known {
					out[probeKey{sl.Name, kind}] = raw
				}
			}
		}
		return out, nil
	}
	if err := canRestoreFromTemplate(c.Target); err != nil {
		return nil, err
	}
	var errs []error
	for _, sl := range c.slots {
		if c.MadeFrom.container(sl.Name) == nil {
			if c.named[sl.Name] {
				errs = append(errs, refuse(c.Ref, "container %q is not in %s, from which this pod was made: admission added it", sl.Name, c.MadeFrom.Holder))
			}
			continue
		}
		for _, kind := range probe.Kinds() {
			key := probeKey{sl.Name, kind}
			raw := c.MadeFrom.raw[key]
			if err := rewritten(c.Target, key); err != nil && !sameProbe(c.raw[key], raw) {
				errs = append(errs, err)
			}
			out[key] = raw
		}
	}
	return out, errors.Join(errs...)
}

func canRestoreFromTemplate(t Target) error {
	switch {
	case t.MadeFrom == nil && t.Workload == "":
		return refuse(t.Ref, "it has no annotation %s and no template it was made from: nothing says what its probes were", snapshot.OriginalAnnotation)
	case t.MadeFrom == nil:
		return refuse(t.Ref, "it has no annotation %s, and the template it was made from was not read", snapshot.OriginalAnnotation)
	case t.MadeFrom.Err != nil:
		return refuse(t.Ref, "it has no annotation %s, and the template it was made from could not be read: %s", snapshot.OriginalAnnotation, t.MadeFrom.Err)
	default:
		return nil
	}
}

// rewritten says that admission made something else of the template's probe, so that the template does not tell what
// this Pod's probe was. A Pod that nobody changed shows it, the Pod itself or a sibling.
func rewritten(t Target, key probeKey) error {
	why := func(text string) error {
		return refuse(t.Ref, "the %s probe of container %s cannot be restored from %s: %s", key.kind, key.container, t.MadeFrom.Holder, text)
	}
	template := t.MadeFrom.raw[key]
	if t.Meta.Generation == 1 && !sameProbe(t.raw[key], template) {
		return why("admission rewrote it, nobody has changed this pod")
	}
	for _, sibling := range t.MadeFrom.Siblings {
		if !sameProbe(sibling.raw[key], template) {
			return why(fmt.Sprintf("admission rewrote it, as %s shows", sibling.Ref))
		}
	}
	if _, injected := t.Meta.Annotations[istioStatus]; injected && len(t.MadeFrom.Siblings) == 0 {
		return why("Istio rewrites probes, and there is no other pod to tell what became of it")
	}
	return nil
}

// sameProbe compares what two probes do, defaults filled in.
func sameProbe(a, b []byte) bool {
	pa, errA := probe.Decode(a)
	pb, errB := probe.Decode(b)
	if errA != nil || errB != nil {
		return sameJSON(a, b)
	}
	return sameEffective(probe.FromAPI(pa), probe.FromAPI(pb))
}
