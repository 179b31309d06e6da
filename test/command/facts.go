package command

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Facts are a Report without what differs by nature: when and from what it was made.
func Facts(t testing.TB, text string) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, key := range []string{"generatedAt", "asOf", "scope", "serverVersion"} {
		delete(r, key)
	}
	dropOrigins(r)
	return r
}

// asOf is the instant by which a Report judges what is recent; ages are counted back from it.
func asOf(t testing.TB, text string) time.Time {
	t.Helper()
	var r struct {
		AsOf time.Time `json:"asOf"`
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r.AsOf
}

// dropOrigins drops the file and document, which workloads and findings name, and what hints say of the server.
func dropOrigins(in any) {
	switch value := in.(type) {
	case map[string]any:
		delete(value, "source")
		if hint, ok := value["hint"].(string); ok {
			value["hint"] = ofServer().ReplaceAllString(hint, "")
		}
		for _, inner := range value {
			dropOrigins(inner)
		}
	case []any:
		for _, inner := range value {
			dropOrigins(inner)
		}
	}
}

func ofServer() *regexp.Regexp { return regexp.MustCompile(`(?m)^\(this server is [^\n]*\)\n`) }

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
	fromFile := file.Must(t, args...)
	cluster.Now = asOf(t, fromFile.Out)
	a, b := Facts(t, cluster.Must(t, args...).Out), Facts(t, fromFile.Out)
	for _, r := range []map[string]any{a, b} {
		for _, workload := range r["workloads"].([]any) {
			drop(workload.(map[string]any))
		}
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the same objects, read in two ways (-cluster +file):\n%s", diff)
	}
}
