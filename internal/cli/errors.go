package cli

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// message says what kubectl would say of an error. The words are kubectl's (pkg/cmd/util/helpers.go
// StandardErrorMessage, v1.37), which users and scripts know; importing that package costs a third of the
// start-up time, and it does not look into wrapped errors.
func message(err error) string {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return statusMessage(status.Status())
	}
	var connection *url.Error
	if errors.As(err, &connection) {
		return connectionMessage(connection)
	}
	return "error: " + err.Error()
}

func statusMessage(s metav1.Status) string {
	switch {
	case s.Reason == metav1.StatusReasonUnauthorized:
		return fmt.Sprintf("error: You must be logged in to the server (%s)", s.Message)
	case s.Reason != "":
		return fmt.Sprintf("Error from server (%s): %s", s.Reason, s.Message)
	default:
		return "Error from server: " + s.Message
	}
}

func connectionMessage(err *url.Error) string {
	if strings.Contains(err.Err.Error(), "connection refused") {
		host := err.URL
		if server, parseErr := url.Parse(err.URL); parseErr == nil {
			host = server.Host
		}
		return fmt.Sprintf("The connection to the server %s was refused - did you specify the right host or port?", host)
	}
	return fmt.Sprintf("Unable to connect to the server: %v", err.Err)
}
