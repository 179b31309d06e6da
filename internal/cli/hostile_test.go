package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

// What an API answers is not trusted. Pods that cannot be read end the run with 1, everything else is a gap with a line
// of its own, and no answer of any form is a list of nothing. The lines are in testdata/hostile.

// hostileShop is a Deployment with two Pods behind a Service, in namespace shop.
func hostileShop(s *fakeapi.Server) {
	d := deployment("web", 2, app(httpProbe("/")))
	r := replicaSet(d, 2, app(httpProbe("/")))
	r.Labels = map[string]string{"app": "web"}
	owners := ownedBy(r, "apps/v1", "ReplicaSet")
	s.Add(d, r, running("web-a", owners, app(httpProbe("/"))), running("web-b", owners, app(httpProbe("/"))),
		service("web", "web"), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "uid-node-1"}})
}

// hostileTable is what it prints for the shop.
const hostileTable = `WORKLOAD    CONTAINER  READY  RESTARTS  LAST  REASON  STARTUP  READINESS  LIVENESS  FINDINGS
deploy/web  app        2/2    0         -     -       -        http:31s   -         -
`

const (
	hostilePods        = "/api/v1/namespaces/shop/pods"
	hostileServices    = "/api/v1/namespaces/shop/services"
	hostileReplicaSets = "/apis/apps/v1/namespaces/shop/replicasets"
)

// against runs a command line against a fake server.
func against(t *testing.T, s *fakeapi.Server, args ...string) result {
	t.Helper()
	args = append(args, "--kubeconfig", write(t, "config", ""), "--cache-dir", t.TempDir(), "--server", s.URL, "-n", "shop")
	return terminal(t, 0, "", args...)
}

// hostileTimeouts are the forms in which net/http says the same.
func hostileTimeouts() *regexp.Regexp {
	return regexp.MustCompile(`(context deadline exceeded|net/http: request canceled)( \(Client\.Timeout exceeded while awaiting headers\))?`)
}

// hostileBlock is what a golden file holds of one run, without what differs from run to run.
func hostileBlock(name, server string, r result) string {
	text := hostileTimeouts().ReplaceAllString(r.out+r.err, "TIMEOUT")
	text = strings.ReplaceAll(text, hostileTable, "(the table)\n")
	if at, err := url.Parse(server); err == nil && at.Host != "" {
		text = strings.ReplaceAll(text, at.Host, "HOST")
	}
	text = regexp.MustCompile(`/\S+/(\w*config|ca)\b`).ReplaceAllString(text, "DIR/$1")
	text = regexp.MustCompile(`127\.0\.0\.1:\d+->`).ReplaceAllString(text, "HERE->")
	return fmt.Sprintf("--- %s: %d\n%s", name, r.status, text)
}

func gzipped(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	fakeapi.JSON("this is not compressed at all")(w, r)
}

func redirected(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.String(), http.StatusFound)
}

func untyped(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Content-Type"] = nil
	fmt.Fprint(w, "{}")
}

// Each answer takes the place of the list of Pods, of Services (a typed list), and of ReplicaSets (one of metadata).
func TestHostileAnswers(t *testing.T) {
	page, protobuf := "<html>\r\n<head><title>Bad Gateway</title></head>\r\n</html>\r\n", "application/vnd.kubernetes.protobuf"
	answers := []struct {
		name   string
		answer http.HandlerFunc
	}{
		{"401", fakeapi.Refuse(401)},
		{"403", fakeapi.Refuse(403)},
		{"404", fakeapi.Refuse(404)},
		{"410", fakeapi.Refuse(410)},
		{"500", fakeapi.Refuse(500)},
		{"504", fakeapi.Refuse(504)},
		{"429 for ever", fakeapi.Busy(429, 0)},
		{"429, come back in an hour", fakeapi.Busy(429, 3600)},
		{"503 for ever", fakeapi.Busy(503, 0)},
		{"503, come back in an hour", fakeapi.Busy(503, 3600)},
		{"a web page with 200", fakeapi.Text(200, "text/html; charset=utf-8", page)},
		{"a web page with 403", fakeapi.Text(403, "text/html", page)},
		{"a web page with 404", fakeapi.Text(404, "text/html", page)},
		{"a web page with 502", fakeapi.Text(502, "text/html", page)},
		{"a web page with 503", fakeapi.Text(503, "text/html", page)},
		{"text with 200", fakeapi.Text(200, "text/plain", "ok")},
		{"no body", fakeapi.JSON("")},
		{"null", fakeapi.JSON("null")},
		{"{}", fakeapi.JSON("{}")},
		{"[]", fakeapi.JSON("[]")},
		{"a Status of success", fakeapi.JSON(`{"kind":"Status","apiVersion":"v1","status":"Success"}`)},
		{"a Status of failure with 200", fakeapi.JSON(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no such luck","reason":"Odd","code":500}`)},
		{"a Table", fakeapi.JSON(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"columnDefinitions":[],"rows":[]}`)},
		{"a list of another kind", fakeapi.JSON(`{"kind":"IngressList","apiVersion":"networking.k8s.io/v1","metadata":{},"items":[]}`)},
		{"another version", fakeapi.JSON(`{"kind":"PodList","apiVersion":"v9","metadata":{},"items":[]}`)},
		{"cut in the middle", fakeapi.Cut("application/json", `{"kind":`)},
		{"JSON that ends early", fakeapi.JSON(`{"kind":"PodList","apiVersion":"v1","items":[`)},
		{"protobuf that is none", fakeapi.Text(200, protobuf, "garbage\x1b[2J")},
		{"protobuf that breaks", fakeapi.Text(200, protobuf, "k8s\x00\xff\xfe\x01")},
		{"gzip that is none", gzipped},
		{"no content type", untyped},
		{"redirects for ever", redirected},
	}
	goldenBlocks(t, "hostile/answers.txt", len(answers), func(t *testing.T, i int) string {
		var all strings.Builder
		for _, path := range []string{hostilePods, hostileServices, hostileReplicaSets} {
			s := fakeapi.New(t)
			hostileShop(s)
			s.Fail(fakeapi.Failure{Path: path, Answer: answers[i].answer})
			r := against(t, s)
			want := result{hostileTable, r.err, ExitOK}
			if path == hostilePods {
				want = result{"", r.err, ExitError}
			}
			if r != want || strings.Count(r.err, "\n") != 1 {
				t.Errorf("%s to %s ends with %d and %q", answers[i].name, path, r.status, r.out)
			}
			all.WriteString(hostileBlock(answers[i].name+" for "+filepath.Base(path), s.URL, r))
		}
		return all.String()
	})
}

// goldenBlocks holds a golden file of blocks, each of one run or a few.
func goldenBlocks(t *testing.T, file string, n int, block func(t *testing.T, i int) string) {
	t.Helper()
	var all strings.Builder
	for i := range n {
		all.WriteString(block(t, i))
	}
	golden.Check(t, file, all.String())
}

// hostileRun is one way for a run to go wrong.
type hostileRun struct {
	name   string
	args   []string
	fail   fakeapi.Failure
	status int
}

func runHostile(t *testing.T, file string, tests []hostileRun) {
	t.Helper()
	goldenBlocks(t, file, len(tests), func(t *testing.T, i int) string {
		tt, s := tests[i], fakeapi.New(t)
		hostileShop(s)
		s.Serve(fakeapi.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "argoproj.io", Version: "v1alpha1", Kind: "Rollout"}, Plural: "rollouts"})
		s.Add(running("canary-a", []metav1.OwnerReference{controlled("Rollout", "canary")}, app(nil)))
		s.Fail(tt.fail)
		r := against(t, s, append([]string{"--request-timeout=1s"}, tt.args...)...)
		if r.status != tt.status {
			t.Errorf("%s ends with %d: %s", tt.name, r.status, r.err)
		}
		return hostileBlock(tt.name, s.URL, r)
	})
}

func controlled(kind, name string) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{APIVersion: "argoproj.io/v1alpha1", Kind: kind, Name: name, UID: "uid-canary", Controller: &yes}
}

func TestHostilePaths(t *testing.T) {
	page := fakeapi.Text(200, "text/html", "<html>")
	webhook := fakeapi.Text(500, "application/json", `{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,
"message":"conversion webhook for argoproj.io/v1beta1, Kind=Rollout failed: Post \"https://argo.argo.svc:443/convert?timeout=30s\": no endpoints available"}`)
	name := func(kind, name string) string { return "/apis/apps/v1/namespaces/shop/" + kind + "/" + name }
	discovery := []string{"rollouts"}
	runHostile(t, "hostile/paths.txt", []hostileRun{
		{"nothing is wrong but the owner", nil, fakeapi.Failure{Path: "none"}, ExitOK},
		{"Pods hang", nil, fakeapi.Failure{Path: hostilePods, Hang: true}, ExitError},
		{"Services hang", nil, fakeapi.Failure{Path: hostileServices, Hang: true}, ExitOK},
		{"a named Deployment hangs", []string{"deploy/web"}, fakeapi.Failure{Path: name("deployments", "web"), Hang: true}, ExitError},
		{"a named Deployment is forbidden", []string{"deploy/web"}, fakeapi.Failure{Path: name("deployments", "web"), Status: 403}, ExitError},
		{"a named Deployment is {}", []string{"deploy/web"}, fakeapi.Failure{Path: name("deployments", "web"), Answer: fakeapi.JSON("{}")}, ExitError},
		{"a named Deployment is another", []string{"deploy/web"}, fakeapi.Failure{Path: name("deployments", "web"), Answer: fakeapi.JSON(`{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"other"}}`)}, ExitError},
		{"a name that is nowhere, where one kind hangs", []string{"nope"}, fakeapi.Failure{Path: name("daemonsets", "nope"), Hang: true}, ExitError},
		{"a name that is nowhere, where one kind is forbidden", []string{"nope"}, fakeapi.Failure{Path: name("daemonsets", "nope"), Status: 403}, ExitError},
		{"a name, and no answer to anything", []string{"web"}, fakeapi.Failure{Path: "/api*", Hang: true}, ExitError},
		{"the connection ends in the second page of Pods", []string{"--chunk-size=1"}, fakeapi.Failure{Path: hostilePods, Continue: true, Times: 1, Answer: fakeapi.Reset}, ExitOK},
		{"the second page of Pods is cut", []string{"--chunk-size=1"}, fakeapi.Failure{Path: hostilePods, Continue: true, Answer: fakeapi.Cut("application/json", "{")}, ExitError},
		{"the second page of Pods expires once", []string{"--chunk-size=1"}, fakeapi.Failure{Path: hostilePods, Continue: true, Times: 1, Status: 410}, ExitOK},
		{"the second page of Pods expires twice", []string{"--chunk-size=1"}, fakeapi.Failure{Path: hostilePods, Continue: true, Times: 2, Status: 410}, ExitError},
		{"Pods go on without an end", nil, fakeapi.Failure{Path: hostilePods, Answer: fakeapi.JSON(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1","continue":"x"},"items":[{"metadata":{"name":"a"}}]}`)}, ExitError},
		{"500 once", nil, fakeapi.Failure{Path: hostilePods, Times: 1, Answer: fakeapi.Busy(500, 0)}, ExitOK},
		{"429 once", []string{"--request-timeout=4s"}, fakeapi.Failure{Path: hostilePods, Times: 1, Answer: fakeapi.Busy(429, 1)}, ExitOK},
		{"429, longer than --request-timeout", nil, fakeapi.Failure{Path: hostilePods, Answer: fakeapi.Busy(429, 2)}, ExitError},
		{"503, longer than --request-timeout, for a named Deployment", []string{"deploy/web"}, fakeapi.Failure{Path: name("deployments", "web"), Answer: fakeapi.Busy(503, 1)}, ExitError},
		{"500, longer than --request-timeout, for Services", nil, fakeapi.Failure{Path: hostileServices, Answer: fakeapi.Busy(500, 1)}, ExitOK},
		{"429, longer than --request-timeout, in discovery", []string{"rollouts"}, fakeapi.Failure{Path: "/apis", Answer: fakeapi.Busy(429, 1)}, ExitError},
		{"every connection is reset", nil, fakeapi.Failure{Path: hostilePods, Answer: fakeapi.Reset}, ExitError},
		{"a conversion webhook is broken", nil, fakeapi.Failure{Path: "/apis/argoproj.io/v1alpha1/*", Contains: "canary", Answer: webhook}, ExitOK},
		{"a conversion webhook is broken, for what was named", []string{"rollout/canary"}, fakeapi.Failure{Path: "/apis/argoproj.io/v1alpha1/*", Contains: "canary", Answer: webhook}, ExitError},
		{"discovery fails for an owner", nil, fakeapi.Failure{Path: "/apis", Status: 503}, ExitOK},
		{"discovery fails for a type", discovery, fakeapi.Failure{Path: "/apis", Status: 500}, ExitError},
		{"discovery is a web page", discovery, fakeapi.Failure{Path: "/apis", Answer: page}, ExitError},
	})
}

// What discovery does not tell is not known to be absent, and takes no Pod away.
func TestHostileDiscovery(t *testing.T) {
	const group = "/apis/argoproj.io/v1alpha1"
	answers := []struct {
		name   string
		answer fakeapi.Failure
	}{
		{"403", fakeapi.Failure{Status: 403}},
		{"404", fakeapi.Failure{Status: 404}},
		{"500", fakeapi.Failure{Status: 500}},
		{"503 as a web page", fakeapi.Failure{Answer: fakeapi.Text(503, "text/html", "<html>")}},
		{"hangs", fakeapi.Failure{Hang: true}},
		{"cut", fakeapi.Failure{Answer: fakeapi.Cut("application/json", "{")}},
		{"no body", fakeapi.Failure{Answer: fakeapi.JSON("")}},
		{"{}", fakeapi.Failure{Answer: fakeapi.JSON("{}")}},
		{"a group whose server is away", fakeapi.Failure{Answer: fakeapi.Text(200, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
			`{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":"argoproj.io"},"versions":[{"version":"v1alpha1","freshness":"Stale"}]}]}`)}},
	}
	var tests []hostileRun
	for _, a := range answers {
		for path, of := range map[string]string{"/apis": "discovery", group: "discovery of a group"} {
			a.answer.Path = path
			if a.name == "a group whose server is away" && path == group {
				continue // it is for all groups
			}
			tests = append(tests, hostileRun{of + ": " + a.name + ", for an owner", nil, a.answer, ExitOK})
			if a.answer.Hang && path == group {
				continue // a second for each of four tries
			}
			tests = append(tests, hostileRun{of + ": " + a.name + ", for what was named", []string{"rollout/canary"}, a.answer, ExitError})
		}
	}
	slices.SortFunc(tests, func(a, b hostileRun) int { return strings.Compare(a.name, b.name) })
	tests = append(tests,
		hostileRun{"discovery of a group: 500, for a word", []string{"rollouts"}, fakeapi.Failure{Path: group, Status: 500}, ExitError},
		hostileRun{"discovery of a group: 500, for a word with another group", []string{"canaries.flagger.app"}, fakeapi.Failure{Path: group, Status: 500}, ExitError},
		hostileRun{"discovery of a group of Kubernetes: 500, for a word", []string{"nope"}, fakeapi.Failure{Path: "/apis/batch/v1", Status: 500}, ExitError},
	)
	runHostile(t, "hostile/discovery.txt", tests)
}

func TestHostileVersion(t *testing.T) {
	page := fakeapi.Text(200, "text/html", "<html>")
	runHostile(t, "hostile/version.txt", []hostileRun{
		{"/version fails", nil, fakeapi.Failure{Path: "/version", Status: 500}, ExitOK},
		{"version: fails", []string{"version"}, fakeapi.Failure{Path: "/version", Status: 500}, ExitError},
		{"version: hangs", []string{"version"}, fakeapi.Failure{Path: "/version", Hang: true}, ExitError},
		{"version: is a web page", []string{"version"}, fakeapi.Failure{Path: "/version", Answer: page}, ExitError},
		{"version: {}", []string{"version"}, fakeapi.Failure{Path: "/version", Answer: fakeapi.JSON("{}")}, ExitError},
		{"version: no JSON", []string{"version"}, fakeapi.Failure{Path: "/version", Answer: fakeapi.JSON("hello")}, ExitError},
		{"version: 429, longer than --request-timeout", []string{"version"}, fakeapi.Failure{Path: "/version", Answer: fakeapi.Busy(429, 1)}, ExitError},
	})
}

// A body that comes a byte at a time is no progress.
func TestHostileDrip(t *testing.T) {
	for path, status := range map[string]int{hostilePods: ExitError, hostileServices: ExitOK} {
		s := fakeapi.New(t)
		hostileShop(s)
		s.Fail(fakeapi.Failure{Path: path, Answer: s.Drip})
		r := against(t, s, "--request-timeout=1s")
		words := "read pods in namespace shop: unexpected error when reading response body. Please retry. Original error: "
		if status == ExitOK {
			words = "timeout in shop: services\n"
		}
		if r.status != status || !strings.Contains(r.err, words) {
			t.Errorf("%s ends with %d: %s", path, r.status, r.err)
		}
	}
}

// connection is a kubeconfig for a server and what it knows of a user.
func connection(t *testing.T, server string, ca []byte, user string) string {
	t.Helper()
	return write(t, "kubeconfig", fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: a
contexts: [{name: a, context: {cluster: b, user: c, namespace: shop}}]
clusters: [{name: b, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: c, user: %s}]
`, server, base64.StdEncoding.EncodeToString(ca), user))
}

func plugin(command string) string {
	return fmt.Sprintf("{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, installHint: 'it is in the wiki', command: sh, args: ['-c', %q]}}", command)
}

func TestHostileConnections(t *testing.T) {
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	const nobody = "{token: secret}"
	hangs := func(what string) func(s *fakeapi.Server) string { // one for each run: client-go keeps plugins by their arguments
		return func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, plugin(": "+what+"; exec sleep 5")) }
	}
	tests := []struct {
		name       string
		notAfter   time.Time // of the server's certificate; zero: plain HTTP
		kubeconfig func(s *fakeapi.Server) string
		args       []string
		status     int
	}{
		{"TLS", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, nobody) }, nil, ExitOK},
		{"an unknown CA", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, nil, nobody) }, nil, ExitError},
		{"an expired certificate", past, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, nobody) }, nil, ExitError},
		{"HTTP to a port of TLS", soon, func(s *fakeapi.Server) string {
			return connection(t, strings.Replace(s.URL, "https", "http", 1), nil, nobody)
		}, nil, ExitError},
		{"TLS to a port of HTTP", time.Time{}, func(s *fakeapi.Server) string {
			return connection(t, strings.Replace(s.URL, "http", "https", 1), nil, nobody)
		}, nil, ExitError},
		{"a server that is no URL", time.Time{}, func(*fakeapi.Server) string { return connection(t, "https://127.0.0.1:port", nil, nobody) }, nil, ExitError},
		{"a CA that is none", time.Time{}, func(*fakeapi.Server) string { return connection(t, "https://127.0.0.1:1", []byte("hello"), nobody) }, nil, ExitError},
		{"an unknown context", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, nobody) }, []string{"--context=nope"}, ExitError},
		{"an unknown user", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, nobody) }, []string{"--user=nope"}, ExitError},
		{"no kubeconfig there", time.Time{}, func(*fakeapi.Server) string { return filepath.Join(t.TempDir(), "kubeconfig") }, nil, ExitError},
		{"a kubeconfig that is none", time.Time{}, func(*fakeapi.Server) string { return write(t, "kubeconfig", "\x00{{{") }, nil, ExitError},
		{"a kubeconfig of another form", time.Time{}, func(*fakeapi.Server) string { return write(t, "kubeconfig", "clusters: 3") }, nil, ExitError},
		{"no token file there", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, "{tokenFile: /nowhere/tokenconfig}") }, nil, ExitError},
		{"a client certificate that is none", soon, func(s *fakeapi.Server) string {
			return connection(t, s.URL, s.CA, "{client-certificate-data: aGVsbG8K, client-key-data: aGVsbG8K}")
		}, nil, ExitError},
		{"a plugin that is not there", soon, func(s *fakeapi.Server) string {
			return connection(t, s.URL, s.CA, strings.Replace(plugin(t.TempDir()), "sh,", "no-such-plugin,", 1)) // client-go keeps plugins by their arguments, and hints once
		}, nil, ExitError},
		{"a plugin that fails", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, plugin("exit 3")) }, nil, ExitError},
		{"a plugin that prints nothing", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, plugin("true")) }, nil, ExitError},
		{"a plugin that prints rubbish", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, plugin("echo hello")) }, nil, ExitError},
		{"a plugin that hangs", soon, hangs("for a list"), []string{"--request-timeout=1s"}, ExitError},
		{"a plugin that hangs, before discovery", soon, hangs("for discovery"), []string{"--request-timeout=1s", "rollouts/canary"}, ExitError},
		{"a plugin that hangs, before version", soon, hangs("for version"), []string{"--request-timeout=1s", "version"}, ExitError},
		{"a plugin that fails, before discovery", soon, func(s *fakeapi.Server) string { return connection(t, s.URL, s.CA, plugin("exit 4")) }, []string{"rollouts/canary"}, ExitError},
	}
	goldenBlocks(t, "hostile/connections.txt", len(tests), func(t *testing.T, i int) string {
		tt, s := tests[i], fakeapi.New(t)
		if !tt.notAfter.IsZero() {
			s = fakeapi.NewTLS(t, tt.notAfter)
		}
		hostileShop(s)
		begun := time.Now()
		r := terminal(t, 0, "", append(tt.args, "--kubeconfig", tt.kubeconfig(s), "--cache-dir", t.TempDir())...)
		if took := time.Since(begun); r.status != tt.status || took > 4*time.Second {
			t.Errorf("%s ends with %d after %s: %s", tt.name, r.status, took, r.err)
		}
		r.err = regexp.MustCompile(`current time \S+ is after \S+`).ReplaceAllString(r.err, "current time NOW is after THEN")
		return hostileBlock(tt.name, s.URL, r)
	})
}

// Whatever answers a change, it is told as made only when the object proves it.
func TestHostileSet(t *testing.T) {
	const pod, deploy = hostilePods + "/web-a", "/apis/apps/v1/namespaces/shop/deployments/web"
	page := fakeapi.Text(200, "text/html", "<html>")
	onPod := []string{"pod/web-a"}
	tests := []struct {
		name    string
		args    []string
		fail    fakeapi.Failure
		patches int
		status  int
	}{
		{"nothing is wrong", onPod, fakeapi.Failure{Path: "none"}, 1, ExitOK},
		{"read: 403", onPod, fakeapi.Failure{Method: "GET", Path: pod, Status: 403}, 0, ExitError},
		{"read: 500", onPod, fakeapi.Failure{Method: "GET", Path: pod, Status: 500}, 0, ExitError},
		{"read: hangs", onPod, fakeapi.Failure{Method: "GET", Path: pod, Hang: true}, 0, ExitError},
		{"read: a web page", onPod, fakeapi.Failure{Method: "GET", Path: pod, Answer: page}, 0, ExitError},
		{"read: {}", onPod, fakeapi.Failure{Method: "GET", Path: pod, Answer: fakeapi.JSON("{}")}, 0, ExitError},
		{"list: {}", []string{"pods", "--all"}, fakeapi.Failure{Method: "GET", Path: hostilePods, Answer: fakeapi.JSON("{}")}, 0, ExitError},
		{"list: null, of a workload", []string{"deploy/web", "--pods"}, fakeapi.Failure{Method: "GET", Path: hostilePods, Answer: fakeapi.JSON("null")}, 0, ExitError},
		{"patch: 401", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Status: 401}, 1, ExitError},
		{"patch: 403", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Status: 403}, 1, ExitError},
		{"patch: 404", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Status: 404}, 1, ExitError},
		{"patch: 409 once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Status: 409}, 2, ExitOK},
		{"patch: 429, come back in an hour", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Answer: fakeapi.Busy(429, 3600)}, 4, ExitError},
		{"patch: 429 once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.Busy(429, 1)}, 2, ExitOK},
		{"patch: 500 for ever", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Status: 500}, 4, ExitError},
		{"patch: 502 as a web page, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.Text(502, "text/html", "<html>")}, 2, ExitOK},
		{"patch: a web page, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: page}, 2, ExitOK},
		{"patch: hangs, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Hang: true}, 2, ExitOK},
		{"patch: reset, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.Reset}, 2, ExitOK},
		{"patch: cut, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.Cut("application/json", "{")}, 2, ExitOK},
		{"patch: no body, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.JSON("")}, 2, ExitOK},
		{"patch: null, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.JSON("null")}, 2, ExitOK},
		{"patch: {} for ever", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Answer: fakeapi.JSON("{}")}, 4, ExitError},
		{"patch: a Status of success, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.JSON(`{"kind":"Status","apiVersion":"v1","status":"Success"}`)}, 2, ExitOK},
		{"patch: another Pod, once", onPod, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.JSON(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-a","uid":"another"},"spec":{"containers":[]}}`)}, 2, ExitOK},
		{"patch of a template: {}, once", []string{"deploy/web", "--pod-template"}, fakeapi.Failure{Method: "PATCH", Path: deploy, Times: 1, Answer: fakeapi.JSON("{}")}, 2, ExitOK},
		{"dry run: {}, once", []string{"pod/web-a", "--dry-run=server"}, fakeapi.Failure{Method: "PATCH", Path: pod, Times: 1, Answer: fakeapi.JSON("{}")}, 2, ExitOK},
	}
	goldenBlocks(t, "hostile/set.txt", len(tests), func(t *testing.T, i int) string {
		tt, s := tests[i], fakeapi.New(t)
		hostileShop(s)
		s.Fail(tt.fail)
		r := against(t, s, append([]string{"set", "--readiness=period=5", "--wait=false", "--request-timeout=1s"}, tt.args...)...)
		patches := 0
		for _, request := range s.Raw() {
			if request.Method == http.MethodPatch {
				patches++
			}
		}
		if r.status != tt.status || patches != tt.patches || tt.status != ExitOK && r.out != "" {
			t.Errorf("%s ends with %d after %d patches: %s", tt.name, r.status, patches, r.err)
		}
		return hostileBlock(tt.name, s.URL, r)
	})
}

func TestHostileSetThatWasMade(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{"{}": fakeapi.JSON("{}"), "502": fakeapi.Text(502, "text/html", "<html>"), "reset": fakeapi.Reset} {
		t.Run(name, func(t *testing.T) {
			s := fakeapi.New(t)
			hostileShop(s)
			s.Fail(fakeapi.Failure{Method: "PATCH", Path: hostilePods + "/web-a", Answer: s.Lose(answer)})
			r := against(t, s, "set", "pod/web-a", "--readiness=period=5", "--wait=false")
			if r.status != ExitOK || r.out != "pod/web-a probes updated\n" || !strings.Contains(r.err, "but read back the change is there") {
				t.Errorf("ends with %d: %s%s", r.status, r.out, r.err)
			}
		})
	}
}

func TestHostileRefused(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := listener.Addr().String()
	_ = listener.Close() // nobody else gets it at once
	r := terminal(t, 0, "", "--kubeconfig", connection(t, "https://"+at, nil, "{}"), "--cache-dir", t.TempDir())
	want := result{"", "The connection to the server " + at + " was refused - did you specify the right host or port?\n", ExitError}
	if r != want {
		t.Errorf("got %+v, want %+v", r, want)
	}
}

// Over HTTP/2 a stream ends by itself, and a server that goes away says so with GOAWAY.
func TestHostileHTTP2(t *testing.T) {
	abort := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind":`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	goAway := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close") // becomes GOAWAY
		fakeapi.Busy(503, 0)(w, r)
	}
	for _, tt := range []struct {
		name string
		fail fakeapi.Failure
		want result
	}{
		{"a stream ends in the middle of Pods", fakeapi.Failure{Path: hostilePods, Continue: true, Answer: abort}, result{"", "error: read pods in namespace shop: stream error when reading response body, may be caused by closed connection. " +
			"Please retry. Original error: stream error: stream ID N; INTERNAL_ERROR; received from peer\n", ExitError}},
		{"a stream ends in the middle of Services", fakeapi.Failure{Path: hostileServices, Continue: true, Answer: abort}, result{hostileTable, "error in shop: services: stream error when reading response body, may be caused by closed connection. " +
			"Please retry. Original error: stream error: stream ID N; INTERNAL_ERROR; received…\n", ExitOK}},
		{
			"a stream ends before it began",
			fakeapi.Failure{Path: hostilePods, Continue: true, Answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
			result{"", "Unable to connect to the server: stream error: stream ID N; INTERNAL_ERROR; received from peer - could not read pods in namespace shop\n", ExitError},
		},
		{"the server goes away once", fakeapi.Failure{Path: hostilePods, Continue: true, Times: 1, Answer: goAway}, result{hostileTable, "", ExitOK}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.NewTLS(t, time.Now().Add(time.Hour))
			hostileShop(s)
			s.Add(service("other", "other"))
			s.Fail(tt.fail)
			r := terminal(t, 0, "", "--chunk-size=1", "--kubeconfig", connection(t, s.URL, s.CA, "{}"), "--cache-dir", t.TempDir())
			r.err = regexp.MustCompile(`stream ID \d+`).ReplaceAllString(r.err, "stream ID N")
			r.err = regexp.MustCompile(`INTERNAL_ERROR; rec[eivd]*…`).ReplaceAllString(r.err, "INTERNAL_ERROR; received…") // cut by columns
			if r != tt.want {
				t.Errorf("got %+v\nwant %+v", r, tt.want)
			}
		})
	}
}

// Whatever a run waits for, an interrupt ends it.
func TestHostileWaitsEndWithAnInterrupt(t *testing.T) {
	for name, fail := range map[string]fakeapi.Failure{
		"no answer":          {Path: hostilePods, Hang: true},
		"429, wait a moment": {Path: hostilePods, Answer: fakeapi.Busy(429, 5)},
		"discovery":          {Path: "/apis", Hang: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := fakeapi.New(t)
			hostileShop(s)
			s.Fail(fail)
			args := "pods"
			if name == "discovery" {
				args = "rollouts"
			}
			interrupted(t, args, "--kubeconfig", connection(t, s.URL, nil, "{}"), "--cache-dir", t.TempDir())
		})
	}
	t.Run("a plugin", func(t *testing.T) {
		s := fakeapi.NewTLS(t, time.Now().Add(time.Hour))
		interrupted(t, "--kubeconfig", connection(t, s.URL, s.CA, plugin("exec sleep 4")), "--cache-dir", t.TempDir())
	})
}

// interrupted runs a command line that is interrupted after a moment.
func interrupted(t *testing.T, args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	var out, errOut bytes.Buffer
	streams := Streams{IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}, Now: noon, Getenv: func(string) string { return "" }}
	begun := time.Now()
	status := Main(ctx, args, streams)
	if took := time.Since(begun); status != ExitInterrupted || took > 2*time.Second || out.Len() > 0 {
		t.Errorf("ended with %d after %s: %s%s", status, took, &out, &errOut)
	}
}
