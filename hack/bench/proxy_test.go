package main

import "testing"

func TestIsCollection(t *testing.T) {
	for path, want := range map[string]bool{
		"/api": false, "/api/v1": false, "/apis": false, "/apis/apps/v1": false, "/version": false, "/openapi/v3": false,
		"/api/v1/pods": true, "/api/v1/pods/": true, "/api/v1/namespaces": true, "/apis/apps/v1/deployments": true,
		"/api/v1/namespaces/web": false, "/api/v1/nodes/n": false,
		"/api/v1/namespaces/web/pods": true, "/apis/apps/v1/namespaces/web/replicasets": true,
		"/api/v1/namespaces/web/pods/a": false, "/api/v1/namespaces/web/pods/a/status": false,
	} {
		if got := isCollection(path); got != want {
			t.Errorf("%s is a collection: %v, want %v", path, got, want)
		}
	}
}
