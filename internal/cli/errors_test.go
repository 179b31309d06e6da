package cli

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
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
		"no such host":   &url.Error{Op: "Get", URL: "https://nowhere:6443/api", Err: &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "nowhere"}}},
		"unknown CA":     &url.Error{Op: "Get", URL: "https://here:6443/api", Err: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}},
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

func TestConfigurationErrorsReadAsKubectls(t *testing.T) {
	for name, config := range map[string]*clientcmdapi.Config{
		"an unknown context": {CurrentContext: "nope"},
		"several": {
			CurrentContext: "a", Contexts: map[string]*clientcmdapi.Context{"a": {Cluster: "b", AuthInfo: "c"}},
			Clusters: map[string]*clientcmdapi.Cluster{"b": {CertificateAuthority: "/nowhere/ca", CertificateAuthorityData: []byte("ca")}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := clientcmd.NewDefaultClientConfig(*config, nil).ClientConfig()
			want := strings.TrimRight(cmdutil.MultilineError("Error in configuration: ", err), "\n")
			want = strings.Replace(want, ": \n", ":\n", 1)
			if got := strings.Replace(message(err), ": \n", ":\n", 1); !clientcmd.IsConfigurationInvalid(err) || got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// Where kubectl's words name nothing, ours go on.
func TestErrorsNameWhatWasDone(t *testing.T) {
	reset := &url.Error{Op: "Get", URL: "https://here:6443/api", Err: errors.New("connection reset by peer")}
	late := &url.Error{Op: "Get", URL: "https://here:6443/api", Err: context.DeadlineExceeded}
	pods := schema.GroupResource{Resource: "pods"}
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"reset":          {fmt.Errorf("read pods in namespace shop: %w", reset), "Unable to connect to the server: connection reset by peer - could not read pods in namespace shop"},
		"not wrapped":    {reset, "Unable to connect to the server: connection reset by peer"},
		"timeout":        {fmt.Errorf("read deploy/web: %w", late), "Unable to connect to the server: context deadline exceeded - is --request-timeout too short to read deploy/web?"},
		"several causes": {fmt.Errorf("%w; could not %w", errors.New(`"web" not found`), reset), `error: "web" not found; could not Get "https://here:6443/api": connection reset by peer`},
		"a proxy's words": {
			apierrors.NewGenericServerResponse(http.StatusBadRequest, "get", pods, "", "Client sent an HTTP request to an HTTPS server.", 0, true),
			"Error from server (BadRequest): the server rejected our request for an unknown reason (get pods): Client sent an HTTP request to an HTTPS server.",
		},
		"a proxy's silence": {
			apierrors.NewGenericServerResponse(http.StatusBadRequest, "get", pods, "", "unknown", 0, true),
			"Error from server (BadRequest): the server rejected our request for an unknown reason (get pods)",
		},
		"a proxy's words that are there": {
			apierrors.NewGenericServerResponse(http.StatusBadGateway, "get", pods, "", "bad gateway", 0, true),
			`Error from server (InternalError): an error on the server ("bad gateway") has prevented the request from succeeding (get pods)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := message(tt.err); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
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
