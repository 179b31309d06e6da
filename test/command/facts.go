package command

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Facts are a Report without what differs by nature: when and from what it was made.
func Facts(t testing.TB, text string) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, key := range []string{"generatedAt", "asOf", "scope"} {
		delete(r, key)
	}
	for _, w := range r["workloads"].([]any) {
		delete(w.(map[string]any), "source")
	}
	return r
}

// Everything drops nothing.
func Everything(map[string]any) {}

// WithoutEndpoints drops what is behind Services, which a cluster is asked for only when something is named.
func WithoutEndpoints(workload map[string]any) {
	services, _ := workload["services"].([]any)
	for _, service := range services {
		delete(service.(map[string]any), "endpoints")
		delete(service.(map[string]any), "ready")
	}
}

// WithoutLatest drops what tells of the newest revision: a target below a workload does not read its others.
func WithoutLatest(workload map[string]any) {
	delete(workload, "revisionSince")
	if rollout, ok := workload["rollout"].(map[string]any); ok {
		delete(rollout, "newRevision")
	}
}

// Agree holds the Report of one way to read against that of another, but for what is dropped from each
// workload: what is not read is absent and not wrong.
func Agree(t testing.TB, cluster, file Line, drop func(map[string]any), args ...string) {
	t.Helper()
	args = append(args, "-o", "json")
	a, b := Facts(t, cluster.Must(t, args...).Out), Facts(t, file.Must(t, args...).Out)
	for _, r := range []map[string]any{a, b} {
		for _, workload := range r["workloads"].([]any) {
			drop(workload.(map[string]any))
		}
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the same objects, read in two ways (-cluster +file):\n%s", diff)
	}
}
