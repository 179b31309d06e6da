package change

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Refusal says why an object is not changed. Nothing was sent for it.
type Refusal struct {
	Ref
	Reason string
	// Also are others of the same file and namespace with the same reason.
	Also []Ref
}

// Error names the object, the file that it stands in, and the reason.
func (r *Refusal) Error() string {
	names := []string{r.String()}
	for _, other := range r.Also {
		names = append(names, other.String())
	}
	who := someOf(names)
	if r.File != "" {
		who = r.File + ": " + who
	}
	if r.Namespace != "" {
		who += " in namespace " + r.Namespace
	}
	return who + ": " + r.Reason
}

func refuse(ref Ref, format string, args ...any) *Refusal {
	return &Refusal{Ref: ref, Reason: fmt.Sprintf(format, args...)}
}

// folded tells a reason once for all objects that have it: the Pods of a workload mostly share theirs.
func folded(err error) error {
	var out []error
	for _, e := range flatten(err) {
		refusal, ok := e.(*Refusal) //nolint:errorlint // a wrapped one says more than its reason
		at := slices.IndexFunc(out, func(o error) bool {
			other, is := o.(*Refusal) //nolint:errorlint // as above
			return ok && is && other.Reason == refusal.Reason && other.Namespace == refusal.Namespace && other.File == refusal.File
		})
		if at < 0 {
			if ok {
				copied := *refusal
				e = &copied
			}
			out = append(out, e)
			continue
		}
		first := out[at].(*Refusal) //nolint:errorlint // as above
		first.Also = append(first.Also, refusal.Ref)
	}
	return errors.Join(out...)
}

func flatten(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return nil
	case !ok:
		return []error{err}
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, flatten(e)...)
	}
	return out
}

// refusePod says why no probe of this Pod can change; skip says that it may be passed over when it was not named.
func refusePod(pod *corev1.Pod) (reason string, skip bool) {
	switch {
	case isStatic(pod):
		return mirrored(pod), false
	case pod.DeletionTimestamp != nil:
		return "it is terminating", true
	case pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed:
		return fmt.Sprintf("it has finished (%s)", pod.Status.Phase), true
	default:
		return "", false
	}
}

func mirrored(pod *corev1.Pod) string {
	return fmt.Sprintf("it is a static pod that the API server only mirrors: change its manifest on node %s", orUnknown(pod.Spec.NodeName))
}

// isStatic: the kubelet marks the mirrors it makes, and its node owns them (pkg/kubelet/pod/mirror_client.go, v1.37).
func isStatic(pod *corev1.Pod) bool {
	if _, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]; mirror {
		return true
	}
	for _, owner := range pod.OwnerReferences {
		if owner.Kind == "Node" && owner.Controller != nil && *owner.Controller {
			return true
		}
	}
	return false
}

func orUnknown(name string) string {
	if name == "" {
		return "(unknown)"
	}
	return name
}

// alive keeps the targets that can be changed. What cannot is refused when it was named, and else skipped if it will be
// gone soon anyway; nothing left is an error.
func alive(targets []Target) (kept []Target, skipped []Skipped, err error) {
	var errs, elsewhere []error // the latter: to be changed in another object
	for _, t := range targets {
		reason, skip := refuseTarget(t)
		switch {
		case reason == "":
			kept = append(kept, t)
		case t.Elsewhere != "" || borrows(t, targets):
			skipped = append(skipped, Skipped{t.Ref, reason})
			elsewhere = append(elsewhere, refuse(t.Ref, "%s", reason))
		case skip && !t.Named:
			skipped = append(skipped, Skipped{t.Ref, reason})
		default:
			errs = append(errs, refuse(t.Ref, "%s", reason))
		}
	}
	if len(kept) == 0 {
		errs = append(errs, elsewhere...)
	}
	if len(errs) == 0 && len(kept) == 0 {
		errs = append(errs, nothingLeft(skipped))
	}
	return kept, skipped, errors.Join(errs...)
}

// borrows tells whether a workload has its template from another, which is a target too, or just happens to be in a file.
func borrows(t Target, targets []Target) bool {
	if t.workload == nil || t.workload.workloadRef == "" {
		return false
	}
	return t.Manifest || slices.ContainsFunc(targets, func(other Target) bool {
		return t.workload.workloadRef == strings.ToLower(other.Kind)+"/"+other.Name && other.Namespace == t.Namespace
	})
}

func refuseTarget(t Target) (reason string, skip bool) {
	switch {
	case t.Elsewhere != "":
		return t.Elsewhere, false
	case t.Pod == nil && t.Manifest:
		return t.workload.unknown(), false
	case t.Manifest:
		return "", false
	case t.Pod == nil:
		return t.workload.refuse(t.Meta), false
	}
	return refusePod(t.Pod)
}

func nothingLeft(skipped []Skipped) error {
	if len(skipped) == 0 {
		return errors.New("there is no pod to change")
	}
	first := skipped[0]
	if len(skipped) == 1 {
		return fmt.Errorf("no running pod is left to change: %s: %s", first.Ref, first.Reason)
	}
	return fmt.Errorf("no running pod is left to change: all %d are terminating or have finished, for instance %s", len(skipped), first.Ref)
}
