//go:build unix

package terminal

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// pods is more than a page of them.
const pods = 1200

func crowd(s *fakeapi.Server) {
	for i := range pods {
		s.Add(pod(fmt.Sprintf("web-%04d", i)))
	}
}

func pod(name string) *corev1.Pod {
	started := true
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name), Generation: 1},
		Spec: corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{{
			Name:          "app",
			LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromInt32(80)}}, PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3},
		}}},
		Status: corev1.PodStatus{
			Phase:             corev1.PodRunning,
			Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "app", Ready: true, Started: &started, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}},
		},
	}
}

// slowly is the address of a way to the server on which requests of some paths take longer.
func slowly(t *testing.T, s *fakeapi.Server, delay time.Duration, ends ...string) string {
	t.Helper()
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(r.URL.Path, end) }) {
			time.Sleep(delay)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// kubeconfig is for a server.
func kubeconfig(t *testing.T, address string) string {
	t.Helper()
	return config(t, fmt.Sprintf("{server: %q}", address), "{}")
}

// withPlugin is for a server with TLS, without which there are no credentials, whose credentials come from a script.
func withPlugin(t *testing.T, s *fakeapi.Server, body string) string {
	t.Helper()
	return config(t, fmt.Sprintf("{server: %q, certificate-authority-data: %s}", s.URL, base64.StdEncoding.EncodeToString(s.CA)),
		"{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable, command: "+script(t, body)+"}}")
}

func config(t *testing.T, cluster, user string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	content := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: %s}]
users: [{name: u, user: %s}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`, cluster, user)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
