package change

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// answer is what a server's error means for a patch.
type answer int

const (
	answerNo         answer = iota // for this object: invalid, gone, denied by a policy
	answerNever                    // for this user or server: the next object would get the same
	answerFailedTest               // a test of the patch failed, and the server does not say which
	answerLater                    // surely not done, and may be asked again
	answerUnknown                  // it may or may not have been done
)

// immutable is how every API server without the gate begins its refusal, whatever else it lists
// (pkg/apis/core/validation/validation.go ValidatePodUpdate, v1.28 to v1.38).
const immutable = "pod updates may not change fields other than"

// classify finds out what an error of a patch means.
func classify(err error) answer {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		if dialing(err) {
			return answerLater
		}
		return answerUnknown
	}
	s := status.Status()
	switch {
	case withoutGate(err):
		return answerNever
	case s.Reason == metav1.StatusReasonInvalid && (s.Details == nil || len(s.Details.Causes) == 0 && s.Details.Name == ""):
		return answerFailedTest
	case s.Code == http.StatusUnauthorized:
		return answerNever
	case s.Code == http.StatusForbidden && noRight(s):
		return answerNever
	case s.Code == http.StatusTooManyRequests:
		return answerLater
	case s.Code == http.StatusConflict:
		return answerLater // somebody wrote between the server's own reading and writing
	case s.Code >= http.StatusInternalServerError && !fromWebhook(s):
		return answerUnknown
	default:
		return answerNo
	}
}

// dialing tells whether an error came before anything was sent.
func dialing(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// withoutGate tells whether the server does not let the probes of a running Pod change at all.
func withoutGate(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Field == "spec" && strings.Contains(cause.Message, immutable) {
			return true
		}
	}
	return false
}

// noRight tells a refusal of the authorizer from one of an admission plugin, policy or webhook: only the former says
// what cannot be done to the resource (apiserver pkg/endpoints/handlers/responsewriters/errors.go forbiddenMessage).
func noRight(s metav1.Status) bool { return strings.Contains(s.Message, " cannot patch resource ") }

// fromWebhook: a webhook that cannot be reached is a 500, but the request ended there
// (apiserver pkg/admission/plugin/webhook/errors, v1.37).
func fromWebhook(s metav1.Status) bool {
	return strings.Contains(s.Message, "failed calling webhook") || strings.Contains(s.Message, "denied the request")
}

// explain says in the user's terms why a patch was not made. The server's own words stay in it.
func explain(err error, p *ObjectPlan) string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return err.Error()
	}
	s := status.Status()
	switch {
	case withoutGate(err) && otherCauses(s) == nil:
		return "this API server does not accept probe changes on running Pods (feature gate MutableContainerProbes, alpha in v1.38); nothing was changed"
	case s.Reason == metav1.StatusReasonInvalid && otherCauses(s) != nil:
		return "the API server finds it invalid: " + strings.Join(otherCauses(s), "; ")
	case s.Code == http.StatusForbidden && noRight(s):
		return fmt.Sprintf("the right is missing to patch %s in namespace %s: %s", p.resource(), p.Namespace, s.Message)
	case apierrors.IsNotFound(err):
		return "it is gone: deleted since it was read"
	default:
		return s.Message
	}
}

// otherCauses are the fields that are invalid, beside the cause of the gate, which goes with every invalid value. A
// policy that denies gives a cause without a field.
func otherCauses(s metav1.Status) []string {
	if s.Details == nil {
		return nil
	}
	var out []string
	for _, cause := range s.Details.Causes {
		if cause.Field == "" || strings.Contains(cause.Message, immutable) {
			continue
		}
		out = append(out, cause.Field+": "+cause.Message)
	}
	return out
}

func (r Ref) resource() string {
	text := strings.ToLower(r.Kind) + "s"
	if r.Group != "" {
		text += "." + r.Group
	}
	return text
}
