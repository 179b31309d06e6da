package snapshot

import "strings"

// GroupKind names a kind; Group is empty for core.
type GroupKind struct{ Group, Kind string }

// builtin is a kind that is known without asking a cluster.
type builtin struct {
	GroupKind
	resource string   // plural, kubectl's form without group
	display  string   // the short form of display names, empty when displayed as kind.group
	words    []string // what kubectl accepts besides the plural
	// controls says that it is a controller above Pods, and so can be a workload or stand in an owner chain.
	controls bool
}

func builtins() []builtin {
	return []builtin{
		{GroupKind{"", "Pod"}, "pods", "pod", []string{"pod", "po"}, false},
		{GroupKind{"", "Service"}, "services", "svc", []string{"service", "svc"}, false},
		{GroupKind{"", "Node"}, "nodes", "node", []string{"node", "no"}, false},
		{GroupKind{"", "ReplicationController"}, "replicationcontrollers", "rc", []string{"replicationcontroller", "rc"}, true},
		{GroupKind{"apps", "Deployment"}, "deployments", "deploy", []string{"deployment", "deploy"}, true},
		{GroupKind{"apps", "ReplicaSet"}, "replicasets", "rs", []string{"replicaset", "rs"}, true},
		{GroupKind{"apps", "StatefulSet"}, "statefulsets", "sts", []string{"statefulset", "sts"}, true},
		{GroupKind{"apps", "DaemonSet"}, "daemonsets", "ds", []string{"daemonset", "ds"}, true},
		{GroupKind{"batch", "Job"}, "jobs", "job", []string{"job"}, true},
		{GroupKind{"batch", "CronJob"}, "cronjobs", "cj", []string{"cronjob", "cj"}, true},
	}
}

func builtinOf(gk GroupKind) (builtin, bool) {
	for _, b := range builtins() {
		if b.GroupKind == gk {
			return b, true
		}
	}
	return builtin{}, false
}

// IsBuiltinController says whether Kubernetes itself brings the controller (Deployment, Job, ...).
func IsBuiltinController(gk GroupKind) bool {
	b, ok := builtinOf(gk)
	return ok && b.controls
}

// BuiltinKind resolves what kubectl accepts as a type (deploy, deployments, deployment.apps,
// deployments.v1.apps) for the kinds that need no discovery.
func BuiltinKind(word string) (GroupKind, bool) {
	name, rest, _ := strings.Cut(strings.ToLower(word), ".")
	for _, b := range builtins() {
		if !b.accepts(name) {
			continue
		}
		if rest == "" || rest == b.Group || (b.Group != "" && strings.HasSuffix(rest, "."+b.Group)) {
			return b.GroupKind, true
		}
		if b.Group == "" && rest == "v1" {
			return b.GroupKind, true
		}
	}
	return GroupKind{}, false
}

func (b builtin) accepts(name string) bool {
	if name == b.resource {
		return true
	}
	for _, w := range b.words {
		if name == w {
			return true
		}
	}
	return false
}

// DisplayName is how a workload is shown and accepted back as an argument: deploy/web, and for kinds
// that Kubernetes does not bring kind.group/name in lower case (rollout.argoproj.io/web).
func DisplayName(group, kind, name string) string {
	if b, ok := builtinOf(GroupKind{group, kind}); ok {
		return b.display + "/" + name
	}
	if group == "" {
		return strings.ToLower(kind) + "/" + name
	}
	return strings.ToLower(kind) + "." + group + "/" + name
}

// ResourceName is kubectl's name of a resource, used for gaps: deployments.apps. Kinds that Kubernetes
// does not bring are named by their kind, since only discovery knows their plural.
func ResourceName(gk GroupKind) string {
	name := strings.ToLower(gk.Kind)
	if b, ok := builtinOf(gk); ok {
		name = b.resource
	}
	if gk.Group == "" {
		return name
	}
	return name + "." + gk.Group
}
