package files

import (
	"errors"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// item is one object, not yet decoded.
type item struct {
	kind snapshot.GroupKind
	raw  []byte
	at   place
}

// reading decodes one object and keeps what the Snapshot needs of it.
type reading func(*reader, item) error

type readings map[snapshot.GroupKind]reading

// newReadings are the kinds that are of use here. The version makes no difference: what has been moved
// between versions is nothing that is read.
func newReadings() readings {
	deployment := controller((*snapshot.Converter).Deployment)
	replicaSet := controller((*snapshot.Converter).ReplicaSet)
	daemonSet := controller((*snapshot.Converter).DaemonSet)
	return readings{
		{Group: "", Kind: "Pod"}:                   readPod,
		{Group: "", Kind: "ReplicationController"}: controller((*snapshot.Converter).ReplicationController),
		{Group: "apps", Kind: "Deployment"}:        deployment,
		{Group: "apps", Kind: "ReplicaSet"}:        replicaSet,
		{Group: "apps", Kind: "DaemonSet"}:         daemonSet,
		{Group: "apps", Kind: "StatefulSet"}:       controller((*snapshot.Converter).StatefulSet),
		{Group: "batch", Kind: "Job"}:              controller((*snapshot.Converter).Job),
		{Group: "batch", Kind: "CronJob"}:          controller((*snapshot.Converter).CronJob),

		{Group: "", Kind: "Service"}:                       readService,
		{Group: "", Kind: "Node"}:                          readNode,
		{Group: "discovery.k8s.io", Kind: "EndpointSlice"}: readEndpointSlice,
		{Group: "", Kind: "Event"}:                         readEvent,
		{Group: "events.k8s.io", Kind: "Event"}:            readEventV1,

		{Group: metav1.GroupName, Kind: "PartialObjectMetadata"}: readMetadata,
	}
}

// object hands an object to the reading of its kind. Kubernetes' own kinds that are of no use are skipped.
func (r *reader) object(raw []byte, is metav1.TypeMeta, at place) {
	if is.Kind == "" || is.APIVersion == "" {
		r.untyped(is, at)
		return
	}
	kind := kindOf(is)
	*at.objects++
	read, ok := r.readings[kind]
	switch {
	case !ok && isBuiltinGroup(kind.Group):
		read = skip
	case !ok:
		read = readCustom
	}
	err := checkMaps(raw)
	if err == nil {
		err = read(r, item{kind, raw, at})
	}
	if err != nil {
		r.fail(at, err)
		return
	}
	r.info.Objects++
}

func kindOf(is metav1.TypeMeta) snapshot.GroupKind {
	group := schema.FromAPIVersionAndKind(is.APIVersion, is.Kind).Group
	if group == "extensions" { // where Deployments, ReplicaSets and DaemonSets were before v1.16
		group = "apps"
	}
	return snapshot.GroupKind{Group: group, Kind: is.Kind}
}

func skip(r *reader, it item) error {
	r.skip(it.kind)
	return nil
}

func (r *reader) skip(kind snapshot.GroupKind) {
	r.info.Skipped[strings.TrimSuffix(kind.Kind+"."+kind.Group, ".")]++
}

// isBuiltinGroup says whether Kubernetes itself serves the group, or its own tools use it.
func isBuiltinGroup(group string) bool {
	switch group {
	case "", "apps", "autoscaling", "batch", "extensions", "policy",
		"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io",
		"authentication.k8s.io", "authorization.k8s.io", "rbac.authorization.k8s.io",
		"certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
		"flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io",
		"resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
		"meta.k8s.io", "metrics.k8s.io", "custom.metrics.k8s.io", "external.metrics.k8s.io",
		"kustomize.config.k8s.io", "config.kubernetes.io", "kubelet.config.k8s.io", "kubeadm.k8s.io",
		"kubeproxy.config.k8s.io", "kubescheduler.config.k8s.io", "audit.k8s.io", "apiserver.config.k8s.io",
		"apiserver.k8s.io", "client.authentication.k8s.io", "cli.config.k8s.io", "kind.x-k8s.io":
		return true
	}
	return false
}

// pointer is a pointer to an API object.
type pointer[T any] interface {
	*T
	metav1.Object
}

func controller[T any, P pointer[T]](convert func(*snapshot.Converter, P) *snapshot.Object) reading {
	return func(r *reader, it item) error {
		typed, id, unknown, err := decodeStrict[T, P](r, it)
		if err != nil {
			return err
		}
		converted := convert(r.converter, typed)
		if t := converted.Template; t != nil {
			spec := podSpecOf(typed)
			t.Spec = r.converter.WithProblems(t.Spec, append(unknown.problems(spec), namesIn(spec).repeated()...))
		}
		r.addController(converted, id, newestWrite(typed))
		return nil
	}
}

func readPod(r *reader, it item) error {
	pod, id, unknown, err := decodeStrict[corev1.Pod](r, it)
	if err != nil {
		return err
	}
	converted := r.converter.Pod(pod)
	converted.Spec = r.converter.WithProblems(converted.Spec, append(unknown.problems(&pod.Spec), namesIn(&pod.Spec).repeated()...))
	converted.Source = it.at.Source
	r.collected.pods.put(id, converted, newest(newestWrite(pod), newestOfPod(pod)))
	return nil
}

func readService(r *reader, it item) error {
	service, id, err := decode[corev1.Service](r, it)
	if err != nil {
		return err
	}
	converted := r.converter.Service(service)
	converted.Source = it.at.Source
	r.collected.services.put(id, converted, newestWrite(service))
	return nil
}

func readEndpointSlice(r *reader, it item) error {
	slice, id, err := decode[discoveryv1.EndpointSlice](r, it)
	if err != nil {
		return err
	}
	r.collected.endpoints.put(id, r.converter.EndpointSlice(slice), newestWrite(slice))
	return nil
}

func readNode(r *reader, it item) error {
	node, id, err := decode[corev1.Node](r, it)
	if err != nil {
		return err
	}
	converted := r.converter.Node(node)
	r.collected.nodes.put(id, converted, newest(newestWrite(node), newestCondition(converted.Conditions)))
	return nil
}

func readEvent(r *reader, it item) error {
	event, id, err := decode[corev1.Event](r, it)
	if err != nil {
		return err
	}
	r.addEvent(r.converter.Event(event), id, newestWrite(event))
	return nil
}

func readEventV1(r *reader, it item) error {
	event, id, err := decode[eventsv1.Event](r, it)
	if err != nil {
		return err
	}
	r.addEvent(r.converter.EventV1(event), id, newestWrite(event))
	return nil
}

// readCustom keeps an object of a kind that Kubernetes does not bring; whether it matters to a Pod is known
// when all has been read.
func readCustom(r *reader, it item) error {
	custom, id, err := decode[unstructured.Unstructured](r, it)
	if err != nil {
		return err
	}
	converted := r.converter.Custom(custom)
	if t := converted.Template; t != nil {
		t.Spec = r.converter.WithProblems(t.Spec, namesInCustom(custom).repeated())
	}
	r.addController(converted, id, newestWrite(custom))
	return nil
}

// readMetadata keeps metadata that does not say what kind it is of: the owner references to it do.
func readMetadata(r *reader, it item) error {
	metadata, id, err := decode[metav1.PartialObjectMetadata](r, it)
	if err != nil {
		return err
	}
	r.collected.metadata = append(r.collected.metadata, foundMetadata{metadata.ObjectMeta, id, newestWrite(metadata)})
	return nil
}

func groupOf(apiVersion string) string { return schema.FromAPIVersionAndKind(apiVersion, "").Group }

// untyped is an object that does not say what it is.
func (r *reader) untyped(is metav1.TypeMeta, at place) {
	if at.lenient && at.item == "" && is.Kind == "" && is.APIVersion == "" {
		r.note(at.String() + " is left out: it is not a Kubernetes object")
		return
	}
	missing := "apiVersion"
	if is.Kind == "" {
		missing = "kind"
	}
	r.fail(at, errors.New(missing+" is missing"))
}
