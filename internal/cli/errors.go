package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/tools/clientcmd"
)

// message says what kubectl would say of an error. The words are kubectl's (pkg/cmd/util/helpers.go
// StandardErrorMessage, v1.37), which users and scripts know; importing that package costs a third of the
// start-up time, and it does not look into wrapped errors. Where kubectl's words name nothing, what was being done
// follows them.
func message(err error) string {
	if clientcmd.IsConfigurationInvalid(err) {
		return configurationMessage(err)
	}
	if status, ok := cause[apierrors.APIStatus](err); ok {
		return statusMessage(status.Status())
	}
	if connection, ok := cause[*url.Error](err); ok {
		doing, _, wrapped := strings.Cut(err.Error(), ": "+connection.Error())
		return connectionMessage(connection, doing, wrapped)
	}
	return "error: " + withMeantType(err.Error())
}

// configurationMessage is kubectl's, too (pkg/cmd/util/helpers.go MultilineError).
func configurationMessage(err error) string {
	text := "Error in configuration: "
	var several utilerrors.Aggregate
	if !errors.As(err, &several) {
		return text + err.Error()
	}
	parts := utilerrors.Flatten(several).Errors()
	if len(parts) == 1 {
		return text + parts[0].Error()
	}
	for _, part := range parts {
		text += "\n* " + part.Error()
	}
	return text
}

// cause looks for what went wrong below plain wrapping. An error of several causes has words of its own.
func cause[T any](err error) (T, bool) {
	for ; err != nil; err = errors.Unwrap(err) {
		if found, ok := err.(T); ok {
			return found, true
		}
	}
	var none T
	return none, false
}

func statusMessage(s metav1.Status) string {
	text := s.Message + notInMessage(s)
	switch {
	case s.Reason == metav1.StatusReasonUnauthorized:
		return fmt.Sprintf("error: You must be logged in to the server (%s)", text)
	case s.Reason == metav1.StatusReasonExpired: // the server proposes what only a program can do
		return fmt.Sprintf("Error from server (%s): %s - the list took too long, twice: is --chunk-size too small, or can -n or -l ask for less?", s.Reason, text)
	case s.Reason != "":
		return fmt.Sprintf("Error from server (%s): %s", s.Reason, text)
	default:
		return "Error from server: " + text
	}
}

// notInMessage is what the server said, where client-go made a Status of an answer that held none and left it out of
// the message (apimachinery pkg/api/errors NewGenericServerResponse, v0.37).
func notInMessage(s metav1.Status) string {
	if s.Details == nil {
		return ""
	}
	for _, c := range s.Details.Causes {
		if c.Type == metav1.CauseTypeUnexpectedServerResponse && c.Message != "unknown" && !strings.Contains(s.Message, c.Message) {
			return ": " + c.Message
		}
	}
	return ""
}

func connectionMessage(err *url.Error, doing string, wrapped bool) string {
	if strings.Contains(err.Err.Error(), "connection refused") {
		host := err.URL
		if server, parseErr := url.Parse(err.URL); parseErr == nil {
			host = server.Host
		}
		return fmt.Sprintf("The connection to the server %s was refused - did you specify the right host or port?", host)
	}
	text := fmt.Sprintf("Unable to connect to the server: %v", err.Err)
	switch {
	case neverConnected(err) || !wrapped:
		return text
	case err.Timeout():
		return text + " - is --request-timeout too short to " + doing + "?"
	default:
		return text + " - could not " + doing
	}
}

// neverConnected is true of what goes wrong whatever is asked for.
func neverConnected(err *url.Error) bool {
	var dial *net.OpError
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &dial) && dial.Op == "dial" || errors.As(err, &certificate) || errors.Is(err, http.ErrSchemeMismatch) ||
		strings.HasPrefix(err.Err.Error(), "getting credentials") // client-go plugin/pkg/client/auth/exec, v0.37
}
