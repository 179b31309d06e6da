package mutable

import (
	corev1 "k8s.io/api/core/v1"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

func template(path string) corev1.PodTemplateSpec {
	return Template("web", Container("web", Readiness(HTTP(path, Number(8080))), Liveness(HTTP("/healthz", Number(8080)))))
}

// makeWeb makes a Deployment with three Pods, and returns the name of the first.
func makeWeb(ns *Namespace, changes ...Change) string {
	deploy := ns.Deployment(Meta{Name: "web", Replicas: 3, Revision: "1"}, template("/readyz"))
	current := ns.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: 3}, "5555555555", template("/readyz"))
	ns.Pods(3, current, Ready, changes...)
	return "web-5555555555-0"
}

// makeRolling makes a Deployment in mid-rollout, and returns the name of a Pod of the older revision.
func makeRolling(ns *Namespace) string {
	before, after := template("/readyz"), template("/ready/v2")
	deploy := ns.Deployment(Meta{Name: "web", Replicas: 3, Revision: "2"}, after)
	old := ns.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: 2}, "1111111111", before)
	current := ns.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "2", Replicas: 1}, "2222222222", after)
	ns.Pods(2, old, Ready)
	ns.Pods(1, current, Unready)
	return "web-1111111111-0"
}
