package live

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// What is printed of such answers is tested in the package cli.

// paged is a page of a list in JSON; names of none is a page without items.
func paged(kind, version, token string, names ...string) http.HandlerFunc {
	var items []string
	for _, name := range names {
		items = append(items, fmt.Sprintf(`{"metadata":{"namespace":"shop","name":%q,"uid":"uid-%[1]s"}}`, name))
	}
	return fakeapi.JSON(fmt.Sprintf(`{"kind":%q,"apiVersion":"v1","metadata":{"resourceVersion":%q,"continue":%q,"remainingItemCount":7},"items":[%s]}`,
		kind, version, token, strings.Join(items, ",")))
}

func TestListsWithoutAnEnd(t *testing.T) {
	pages := map[string]func(kind string, n int) http.HandlerFunc{
		"one token": func(kind string, n int) http.HandlerFunc { return paged(kind, "1", "x", fmt.Sprint("a", n)) },
		"two tokens": func(kind string, n int) http.HandlerFunc {
			return paged(kind, "1", fmt.Sprint(n%2), fmt.Sprint("a", n))
		},
		"one object": func(kind string, n int) http.HandlerFunc { return paged(kind, "1", fmt.Sprint(n), "a") },
		"two objects": func(kind string, n int) http.HandlerFunc {
			return paged(kind, "1", fmt.Sprint(n), fmt.Sprint("a", n%2), "b")
		},
		"no object": func(kind string, n int) http.HandlerFunc { return paged(kind, "1", fmt.Sprint(n)) },
		"another version each": func(kind string, n int) http.HandlerFunc {
			return paged(kind, fmt.Sprint(n), fmt.Sprint(n), fmt.Sprint("a", n))
		},
		"expired, again and again": func(kind string, n int) http.HandlerFunc {
			if n%2 == 0 {
				return fakeapi.Refuse(http.StatusGone)
			}
			return paged(kind, "1", fmt.Sprint(n), fmt.Sprint("a", n))
		},
	}
	for name, page := range pages {
		for _, kind := range []string{"Pod", "Service"} {
			t.Run(name+" of "+kind, func(t *testing.T) {
				s, n := fakeapi.New(t), 0
				path := "/api/v1/namespaces/shop/" + strings.ToLower(kind) + "s"
				s.Fail(fakeapi.Failure{Path: path, Answer: func(w http.ResponseWriter, r *http.Request) {
					n++
					page(kind+"List", n)(w, r)
				}})
				got, err := read(t, s, shop(), options())
				if n > emptyPages+1 {
					t.Errorf("%d requests", n)
				}
				if kind == "Pod" {
					if err == nil {
						t.Errorf("no error, and %v", podNames(got))
					}
					return
				}
				reason := snapshot.Failed
				if strings.HasPrefix(name, "expired") {
					reason = snapshot.Expired
				}
				want(t, "gaps", gapList(got), []snapshot.Gap{{What: "services", Namespace: "shop", Reason: reason}})
				want(t, "services", len(got.Services), 0)
			})
		}
	}
}

// The pages that were read before a list starts again are of another instant.
func TestListsThatChangeWhileRead(t *testing.T) {
	second := map[string]http.HandlerFunc{
		"the token expires":   fakeapi.Refuse(http.StatusGone),
		"another version":     paged("PodList", "2", "", "p1", "p2"),
		"another, goes on":    paged("PodList", "2", "x", "p1", "p2"),
		"an empty page of it": paged("PodList", "2", ""),
	}
	for name, answer := range second {
		t.Run(name, func(t *testing.T) {
			s := fakeapi.New(t)
			gone, kept := pod("p0", "web"), pod("p2", "web")
			s.Add(gone, pod("p1", "web"), kept, pod("p3", "web"))
			s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/pods", Continue: true, Times: 1, Answer: func(w http.ResponseWriter, r *http.Request) {
				s.Remove(gone)
				s.Add(pod("p4", "web"))
				answer(w, r)
			}})
			opts := options()
			opts.ChunkSize = 2
			got := mustRead(t, s, shop(), opts)
			want(t, "pods", podNames(got), []string{"shop/p1", "shop/p2", "shop/p3", "shop/p4"})
			want(t, "gaps", gapList(got), nil)
		})
	}
}

// A server that repeats an object within its pages does not make it two.
func TestNoPodTwice(t *testing.T) {
	s := fakeapi.New(t)
	first := true
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/pods", Answer: func(w http.ResponseWriter, r *http.Request) {
		answer := paged("PodList", "1", "", "b", "c")
		if first {
			answer = paged("PodList", "1", "x", "a", "b")
		}
		first = false
		answer(w, r)
	}})
	want(t, "pods", podNames(mustRead(t, s, shop(), options())), []string{"shop/a", "shop/b", "shop/c"})
}

func TestObjectsThatCannotBeToldApart(t *testing.T) {
	items := func(kind, group string, metadata ...string) http.HandlerFunc {
		var all []string
		for _, m := range metadata {
			all = append(all, `{"metadata":{"namespace":"shop",`+m+`}}`)
		}
		return fakeapi.JSON(fmt.Sprintf(`{"kind":"%sList","apiVersion":"%sv1","metadata":{"resourceVersion":"1"},"items":[%s]}`, kind, group, strings.Join(all, ",")))
	}
	s := fakeapi.New(t)
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/pods", Answer: items("Pod", "",
		`"name":"none-a"`, `"name":"none-b"`, `"name":"same-a","uid":"1"`, `"name":"same-b","uid":"1"`, `"uid":"2"`)})
	s.Fail(fakeapi.Failure{Path: "/apis/apps/v1/namespaces/shop/deployments", Answer: items("Deployment", "apps/",
		`"name":"none-a"`, `"name":"none-b"`, `"name":"same-a","uid":"3"`, `"name":"same-b","uid":"3"`)})
	got := mustRead(t, s, shop(), options())
	want(t, "pods", podNames(got), []string{"shop/", "shop/none-a", "shop/none-b", "shop/same-a", "shop/same-b"})
	want(t, "objects", objectRefs(got), []string{"deploy/none-a", "deploy/none-b", "deploy/same-a"})
	want(t, "gaps", got.Gaps, []snapshot.Gap{{
		What: "deployments.apps", Namespace: "shop", Name: "same-b", Reason: snapshot.Failed, Message: "metadata.uid 3 is also that of deploy/same-a",
	}})
}

// A Pod of a StatefulSet that is replaced between two lists is there once: the newer.
func TestPodReplacedBetweenLists(t *testing.T) {
	older := &snapshot.Pod{Namespace: "shop", Name: "db-0", UID: "1", Created: time.Unix(1, 0)}
	newer := &snapshot.Pod{Namespace: "shop", Name: "db-0", UID: "2", Created: time.Unix(2, 0)}
	for name, order := range map[string][]*snapshot.Pod{"newer last": {older, newer}, "older last": {newer, older}} {
		t.Run(name, func(t *testing.T) {
			s := newStore()
			for _, p := range order {
				s.add(&snapshot.Snapshot{Pods: []*snapshot.Pod{p}})
			}
			pods := s.allPods()
			want(t, "number", len(pods), 1)
			want(t, "uid", pods[0].UID, types.UID("2"))
		})
	}
}

// Whatever a namespace answers after the cluster-wide list was refused, the others do not suffer: it may be gone by then,
// or its rights.
func TestEveryKindInEachNamespace(t *testing.T) {
	statuses := map[int]snapshot.GapReason{
		http.StatusForbidden: snapshot.Forbidden, http.StatusNotFound: snapshot.Absent, http.StatusGone: snapshot.Expired,
		http.StatusGatewayTimeout: snapshot.Timeout, http.StatusInternalServerError: snapshot.Failed,
		http.StatusTooManyRequests: snapshot.Failed, http.StatusUnauthorized: snapshot.Failed,
	}
	kinds := map[string]string{
		"deployments.apps": "/apis/apps/v1", "statefulsets.apps": "/apis/apps/v1", "daemonsets.apps": "/apis/apps/v1", "replicasets.apps": "/apis/apps/v1",
		"jobs.batch": "/apis/batch/v1", "cronjobs.batch": "/apis/batch/v1", "replicationcontrollers": "/api/v1", "services": "/api/v1", "events": "/api/v1",
	}
	for what, prefix := range kinds {
		for status, reason := range statuses {
			t.Run(fmt.Sprintf("%s %d", what, status), func(t *testing.T) {
				plural, _, _ := strings.Cut(what, ".")
				s := fakeapi.New(t)
				for _, ns := range []string{"bank", "shop"} {
					p := pod("web-a", "web")
					p.Namespace, p.UID = ns, types.UID(ns)
					s.Add(p)
				}
				s.Add(node("node-1"))
				s.Fail(fakeapi.Failure{Path: prefix + "/" + plural, Status: http.StatusForbidden})
				s.Fail(fakeapi.Failure{Path: prefix + "/namespaces/bank/" + plural, Status: status})
				opts := options()
				opts.Events = true
				got := mustRead(t, s, everywhere(), opts)
				want(t, "gaps", gapList(got), []snapshot.Gap{{What: what, Namespace: "bank", Reason: reason}})
				want(t, "pods", podNames(got), []string{"bank/web-a", "shop/web-a"})
			})
		}
	}
}

// A broken conversion webhook fails the whole list of its kind, and each object of it.
func TestBrokenConversionWebhook(t *testing.T) {
	words := `conversion webhook for argoproj.io/v1alpha1, Kind=Rollout failed: Post "https://argo.argo.svc:443/convert?timeout=30s": no endpoints available`
	broken := fakeapi.Text(http.StatusInternalServerError, "application/json", fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,"message":%q}`, words))
	for _, owners := range []int{1, getAtMost + 1} {
		t.Run(fmt.Sprint(owners), func(t *testing.T) {
			s := fakeapi.New(t)
			s.Serve(rollouts())
			var gaps []snapshot.Gap
			for i := range owners {
				name := fmt.Sprint("canary-", i)
				s.Add(pod(name, "canary", ownedBy("argoproj.io/v1alpha1", "Rollout", name)))
				gaps = append(gaps, snapshot.Gap{What: "rollouts.argoproj.io", Namespace: "shop", Name: name, Reason: snapshot.Failed, Message: words})
			}
			if owners > getAtMost {
				gaps = []snapshot.Gap{{What: "rollouts.argoproj.io", Namespace: "shop", Reason: snapshot.Failed, Message: words}}
			}
			s.Fail(fakeapi.Failure{Path: "/apis/argoproj.io/v1alpha1/namespaces*", Answer: broken})
			got := mustRead(t, s, shop(), options())
			var read []snapshot.Gap
			for _, g := range got.Gaps {
				if g.Reason != snapshot.Absent {
					g.What = "rollouts.argoproj.io"
					read = append(read, g)
				}
			}
			want(t, "gaps", read, gaps)
			want(t, "pods", len(got.Pods), owners)
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name            string
		status, seconds int
		timeout         time.Duration
		requests        int
	}{
		{"at once", http.StatusTooManyRequests, 0, 0, 11}, // client-go's number
		{"at once, unavailable", http.StatusServiceUnavailable, 0, 0, 11},
		{"longer than is sane", http.StatusTooManyRequests, 6, 0, 1},
		{"longer than is sane, unavailable", http.StatusServiceUnavailable, 3600, 0, 1},
		{"longer than --request-timeout", http.StatusTooManyRequests, 2, time.Second, 1},
		{"of what is not to be tried again", http.StatusNotFound, 3600, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeapi.New(t)
			s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/services", Answer: fakeapi.Busy(tt.status, tt.seconds)})
			flags := getter(t, s)
			if tt.timeout > 0 {
				timeout := tt.timeout.String()
				flags.Timeout = &timeout
			}
			clients, err := NewClients(flags, options())
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			if _, err := clients.core.Services("shop").List(t.Context(), metav1.ListOptions{}); err == nil {
				t.Error("no error")
			}
			want(t, "requests", len(s.Raw()), tt.requests)
			if took := time.Since(begun); took > 2*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestAProtobufListThatIsBroken(t *testing.T) {
	s := fakeapi.New(t)
	broken := "k8s\x00\x0a\x0d\x0a\x02v1\x12\x07PodList\x12\x03\x12\xff\x01"
	s.Fail(fakeapi.Failure{Path: "/api/v1/namespaces/shop/pods", Answer: fakeapi.Text(http.StatusOK, "application/vnd.kubernetes.protobuf", broken)})
	clients, err := NewClients(getter(t, s), options())
	if err != nil {
		t.Fatal(err)
	}
	_, err = Read(t.Context(), clients, shop(), options())
	if text := "read pods in namespace shop: the server's answer is not what the API defines: unexpected EOF"; err == nil || err.Error() != text {
		t.Errorf("%v, want %s", err, text)
	}
}
