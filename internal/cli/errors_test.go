package cli

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

// TestErrorsReadAsKubectls holds our words against kubectl's own, which the program itself does not link.
func TestErrorsReadAsKubectls(t *testing.T) {
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	for name, err := range map[string]error{
		"not found":      apierrors.NewNotFound(deployments, "web"),
		"forbidden":      apierrors.NewForbidden(deployments, "web", errors.New("no")),
		"unauthorized":   apierrors.NewUnauthorized("who are you"),
		"no reason":      &apierrors.StatusError{ErrStatus: metav1.Status{Message: "odd"}},
		"refused":        &url.Error{Op: "Get", URL: "https://127.0.0.1:6443/api", Err: errors.New("dial tcp 127.0.0.1:6443: connect: connection refused")},
		"no such host":   &url.Error{Op: "Get", URL: "https://nowhere:6443/api", Err: errors.New("dial tcp: lookup nowhere: no such host")},
		"too many calls": apierrors.NewTooManyRequests("slow down", 1),
	} {
		t.Run(name, func(t *testing.T) {
			want, known := cmdutil.StandardErrorMessage(err)
			if !known {
				t.Fatalf("kubectl has no words for %v", err)
			}
			if got := message(fmt.Errorf("read pods: %w", err)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestEachErrorIsPrintedOnceAndEscaped(t *testing.T) {
	var out bytes.Buffer
	printError(&out, errors.Join(errors.New("one\x1b[2J"), errors.Join(errors.New("two"), errors.New("three\nand more"))))
	if want := "error: one\\x1b[2J\nerror: two\nerror: three\nand more\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
