package live

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

func TestHeaders(t *testing.T) {
	s := withRollouts(t, 1)
	mustRead(t, s, shop(), options())
	for _, r := range s.Raw() {
		if strings.HasPrefix(r.URL.Path, "/apis/argoproj.io/v1alpha1/") || len(strings.Split(r.URL.Path, "/")) < 5 {
			continue // custom kinds have no protobuf; discovery is kubectl's own client
		}
		if got := r.Header.Get("Accept"); !strings.HasPrefix(got, "application/vnd.kubernetes.protobuf") {
			t.Errorf("%s: Accept %q, want protobuf", r.URL.Path, got)
		}
		if got, want := r.Header.Get("User-Agent"), "kubectl-probes/v1.2.3 ("+runtime.GOOS+"/"+runtime.GOARCH+")"; got != want {
			t.Errorf("%s: User-Agent %q, want %q", r.URL.Path, got, want)
		}
	}
}

func TestReplicaSetsAreReadAsMetadata(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	mustRead(t, s, shop(), options())
	for _, r := range s.Raw() {
		if strings.HasSuffix(r.URL.Path, "/replicasets") && !strings.HasPrefix(r.Header.Get("Accept"), "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList") {
			t.Errorf("Accept %q", r.Header.Get("Accept"))
		}
	}
}

func TestWarningsOnce(t *testing.T) {
	s := fakeapi.New(t)
	web(s)
	s.Warn("this is old")
	opts := options()
	var out bytes.Buffer
	opts.ErrOut = &out
	mustRead(t, s, shop(), opts)
	want(t, "stderr", out.String(), "Warning: this is old\n")
}

func TestConfigureLeavesTheConfigAlone(t *testing.T) {
	in := &rest.Config{Host: "https://example.com", QPS: 5, UserAgent: "mine"}
	got := Configure(in, options())
	want(t, "QPS before", in.QPS, float32(5))
	want(t, "user agent before", in.UserAgent, "mine")
	want(t, "QPS", got.QPS, float32(50))
	want(t, "burst", got.Burst, 100)
	want(t, "content type", got.ContentType, "")
}

func TestNoRequestBeforeRead(t *testing.T) {
	s := fakeapi.New(t)
	testClients(t, s)
	want(t, "requests", len(s.Raw()), 0)
}
