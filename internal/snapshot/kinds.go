package snapshot

import "strings"

// GroupKind names a kind; Group is empty for core.
type GroupKind struct{ Group, Kind string }

// builtin is a kind that is known without asking a cluster.
type builtin struct {
	GroupKind
	resource string // plural, kubectl's form without group
	display  string // the short form of display names
	short    string // what kubectl accepts besides the plural and the singular
	// controls says that it is a controller above Pods, and so can be a workload or stand in an owner chain.
	controls bool
}

// builtins is an array, since it is looked through for every owner of every Pod: nothing is allocated for it.
func builtins() [10]builtin {
	return [...]builtin{
		{GroupKind{"", "Pod"}, "pods", "pod", "po", false},
		{GroupKind{"", "Service"}, "services", "svc", "svc", false},
		{GroupKind{"", "Node"}, "nodes", "node", "no", false},
		{GroupKind{"", "ReplicationController"}, "replicationcontrollers", "rc", "rc", true},
		{GroupKind{"apps", "Deployment"}, "deployments", "deploy", "deploy", true},
		{GroupKind{"apps", "ReplicaSet"}, "replicasets", "rs", "rs", true},
		{GroupKind{"apps", "StatefulSet"}, "statefulsets", "sts", "sts", true},
		{GroupKind{"apps", "DaemonSet"}, "daemonsets", "ds", "ds", true},
		{GroupKind{"batch", "Job"}, "jobs", "job", "job", true},
		{GroupKind{"batch", "CronJob"}, "cronjobs", "cj", "cj", true},
	}
}

// BuiltinKinds are the kinds that are known without asking a cluster.
func BuiltinKinds() []GroupKind {
	var out []GroupKind
	for _, b := range builtins() {
		out = append(out, b.GroupKind)
	}
	return out
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
	return name == b.resource || name == b.short || name == strings.ToLower(b.Kind)
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
