package change

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
)

func TestClientRequests(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Method+" "+r.URL.String()+" "+r.Header.Get("Content-Type")+" "+string(body))
		if accept := r.Header.Get("Accept"); accept != "application/json" {
			t.Errorf("accepts %s", accept)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"kind":"PodList","apiVersion":"v1","items":[{"kind":"Pod"}]}`)
	}))
	defer server.Close()
	client, err := NewClient(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	pod := Ref{Kind: "Pod", Namespace: "shop", Name: "web-0", UID: "uid-1"}
	if _, err := client.Get(ctx, pod); err != nil {
		t.Error(err)
	}
	if _, err := client.Get(ctx, Ref{Kind: "Node", Name: "n"}); err != nil {
		t.Error(err)
	}
	if _, err := client.Patch(ctx, Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}, []byte(`[]`), PatchOptions{DryRun: true, FieldManager: "me"}); err != nil {
		t.Error(err)
	}
	if list, err := client.ListPods(ctx, "shop", "a=b"); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := client.ProbeEvents(ctx, pod.Namespace, pod.UID); err != nil {
		t.Error(err)
	}
	want := []string{
		"GET /api/v1/namespaces/shop/pods/web-0  ",
		"GET /api/v1/nodes/n  ",
		"PATCH /apis/apps/v1/namespaces/shop/deployments/web?dryRun=All&fieldManager=me application/json-patch+json []",
		"GET /api/v1/namespaces/shop/pods?labelSelector=a%3Db  ",
		"GET /api/v1/namespaces/shop/events?fieldSelector=reason%3DContainerProbeChanged%2CinvolvedObject.uid%3Duid-1  ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if _, err := client.Get(ctx, Ref{Group: "example.com", Kind: "Web", Name: "w"}); err == nil {
		t.Error("a kind from nowhere was read")
	}
}

func TestClientErrorsAreTheServersStatus(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		want   answer
	}{
		"no gate":     {422, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"details":{"name":"p","kind":"Pod","causes":[{"reason":"FieldValueForbidden","field":"spec","message":"Forbidden: pod updates may not change fields other than x"}]}}`, answerNever},
		"failed test": {422, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"message":"the server rejected our request due to an error in our request","details":{}}`, answerFailedTest},
		"conflict":    {409, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409,"message":"the object has been modified"}`, answerLater},
		"no right":    {403, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"pods \"a\" is forbidden: User \"jane\" cannot patch resource \"pods\" in API group \"\""}`, answerNever},
		"quota":       {403, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"exceeded quota"}`, answerNo},
		"proxy":       {502, `<html>bad gateway</html>`, answerUnknown},
		"logged out":  {401, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","code":401}`, answerNever},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if !json.Valid([]byte(tt.body)) {
					w.Header().Set("Content-Type", "text/html")
				}
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			}))
			defer server.Close()
			client, err := NewClient(&rest.Config{Host: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Patch(context.Background(), Ref{Kind: "Pod", Namespace: "a", Name: "p"}, []byte(`[]`), PatchOptions{})
			if err == nil || classify(err) != tt.want {
				t.Errorf("%d for %v, want %d", classify(err), err, tt.want)
			}
		})
	}
}
