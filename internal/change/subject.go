// Package change changes the probes of running Pods, and of the templates that Pods are made from: a Request becomes a
// Plan, which is pure; a Plan becomes patches; what the server and the kubelet make of them becomes a Result.
package change

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Ref names an object.
type Ref struct {
	Group, Kind, Namespace, Name string
	UID                          types.UID
	File                         string // in which it stands, where nothing is sent
}

// String is how the object is shown and accepted as an argument: pod/web-0, deploy/web.
func (r Ref) String() string { return snapshot.DisplayName(r.Group, r.Kind, r.Name) }

// bare is how other objects name it in files, where UIDs may be missing.
func (r Ref) bare() Ref {
	r.UID, r.File = "", ""
	return r
}

// Subject is what holds the containers whose probes change: a Pod, or a workload with its template.
type Subject struct {
	Ref
	Meta metav1.ObjectMeta
	Spec *corev1.PodSpec
	Pod  *corev1.Pod // nil for a workload

	workload *workload // nil for a Pod
	prefix   string    // JSON pointer to Spec
	raw      probesJSON
}

// probesJSON are probes as the server wrote them. A typed client would drop what it does not know, and a test in a
// JSON Patch would then fail.
type probesJSON map[probeKey]json.RawMessage

type probeKey struct {
	container string
	kind      probe.Kind
}

// PodFromJSON reads a Pod as the server sent it.
func PodFromJSON(data []byte) (*Subject, error) {
	pod := &corev1.Pod{}
	if err := json.Unmarshal(data, pod); err != nil {
		return nil, fmt.Errorf("decode a pod: %w", err)
	}
	var object struct {
		Spec json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("decode pod/%s: %w", pod.Name, err)
	}
	raw, err := readProbes(object.Spec)
	if err != nil {
		return nil, fmt.Errorf("decode pod/%s: %w", pod.Name, err)
	}
	return &Subject{
		Ref:  Ref{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Meta: pod.ObjectMeta, Spec: &pod.Spec, Pod: pod, prefix: "/spec", raw: raw,
	}, nil
}

// readProbes takes the probes out of a Pod's spec in JSON.
func readProbes(spec json.RawMessage) (probesJSON, error) {
	var lists struct {
		Containers     []map[string]json.RawMessage `json:"containers"`
		InitContainers []map[string]json.RawMessage `json:"initContainers"`
	}
	if err := json.Unmarshal(spec, &lists); err != nil {
		return nil, err
	}
	raw := probesJSON{}
	for _, list := range [][]map[string]json.RawMessage{lists.Containers, lists.InitContainers} {
		for _, c := range list {
			var name string
			if err := json.Unmarshal(c["name"], &name); err != nil {
				return nil, fmt.Errorf("a container without a name: %w", err)
			}
			for _, kind := range probe.Kinds() {
				if value := c[string(kind)+"Probe"]; len(value) > 0 && string(value) != "null" {
					raw[probeKey{name, kind}] = value
				}
			}
		}
	}
	return raw, nil
}

// slot is one container that can have lasting probes, and where it stands.
type slot struct {
	*corev1.Container
	sidecar bool
	list    string // containers or initContainers
	index   int
}

// slots are regular containers, then sidecars (init containers with restartPolicy Always), each in the spec's order.
func (s *Subject) slots() []slot {
	var out []slot
	for i := range s.Spec.Containers {
		out = append(out, slot{&s.Spec.Containers[i], false, "containers", i})
	}
	for i := range s.Spec.InitContainers {
		if isSidecar(&s.Spec.InitContainers[i]) {
			out = append(out, slot{&s.Spec.InitContainers[i], true, "initContainers", i})
		}
	}
	return out
}

func (s *Subject) slot(name string) (slot, bool) {
	for _, sl := range s.slots() {
		if sl.Name == name {
			return sl, true
		}
	}
	return slot{}, false
}

func isSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// without are the names of the containers that cannot have lasting probes, and why.
func (s *Subject) without() map[string]string {
	out := map[string]string{}
	for i := range s.Spec.InitContainers {
		if c := &s.Spec.InitContainers[i]; !isSidecar(c) {
			out[c.Name] = "an init container without restartPolicy Always, which ends before probes would run"
		}
	}
	for i := range s.Spec.EphemeralContainers {
		out[s.Spec.EphemeralContainers[i].Name] = "an ephemeral container, which can have no probes"
	}
	return out
}

// pointer is the JSON pointer of a container, or of what is in it.
func (s *Subject) pointer(sl slot, rest ...string) string {
	return strings.Join(append([]string{s.prefix, sl.list, strconv.Itoa(sl.index)}, rest...), "/")
}

func fieldOf(kind probe.Kind) string { return string(kind) + "Probe" }
