package snapshot

import (
	"encoding/json"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// mirrorUID is the UID under which the kubelet reports a static Pod: that of the manifest, which the
// mirror Pod carries as an annotation (pkg/kubelet/types/constants.go, v1.37).
func mirrorUID(p *corev1.Pod) types.UID {
	return types.UID(p.Annotations["kubernetes.io/config.mirror"])
}

func podConditions(in []corev1.PodCondition) []Condition {
	out := make([]Condition, 0, len(in))
	for _, c := range in {
		out = append(out, Condition{string(c.Type), string(c.Status), c.Reason, c.Message, c.LastTransitionTime.Time})
	}
	return out
}

func appendStatuses(out []ContainerStatus, in []corev1.ContainerStatus, init bool) []ContainerStatus {
	for i := range in {
		s := &in[i]
		status := ContainerStatus{
			Name: s.Name, Init: init, Ready: s.Ready, Started: s.Started, RestartCount: max(s.RestartCount, 0),
			Terminated: termination(s.State.Terminated), Last: termination(s.LastTerminationState.Terminated),
		}
		if s.State.Running != nil {
			status.Running = s.State.Running.StartedAt.Time
		}
		if s.State.Waiting != nil {
			status.Waiting, status.WaitingText = s.State.Waiting.Reason, s.State.Waiting.Message
		}
		out = append(out, status)
	}
	return out
}

func termination(t *corev1.ContainerStateTerminated) *Termination {
	if t == nil {
		return nil
	}
	out := &Termination{Reason: t.Reason, ExitCode: t.ExitCode, Signal: t.Signal, Started: t.StartedAt.Time, Finished: t.FinishedAt.Time}
	if t.Reason == "StartError" || t.Reason == "ContainerCannotRun" {
		out.Message = t.Message
	}
	return out
}

// probeWrites finds who wrote which probe: managedFields says so per container, by name.
func probeWrites(entries []metav1.ManagedFieldsEntry) []ProbeWrite {
	var writes []ProbeWrite
	for _, e := range entries {
		if e.FieldsV1 == nil || e.Subresource != "" {
			continue
		}
		var fields struct {
			Spec struct {
				Containers     map[string]map[string]json.RawMessage `json:"f:containers"`
				InitContainers map[string]map[string]json.RawMessage `json:"f:initContainers"`
			} `json:"f:spec"`
		}
		if json.Unmarshal(e.FieldsV1.GetRawBytes(), &fields) != nil {
			continue
		}
		for _, containers := range []map[string]map[string]json.RawMessage{fields.Spec.Containers, fields.Spec.InitContainers} {
			for key, owned := range containers {
				for _, kind := range probe.Kinds() {
					if _, ok := owned["f:"+string(kind)+"Probe"]; ok {
						writes = append(writes, ProbeWrite{containerKey(key), kind, e.Manager, string(e.Operation), timeOf(e.Time)})
					}
				}
			}
		}
	}
	sort.Slice(writes, func(i, j int) bool {
		a, b := writes[i], writes[j]
		if !a.Time.Equal(b.Time) {
			return a.Time.Before(b.Time)
		}
		return a.Container+string(a.Probe)+a.Manager < b.Container+string(b.Probe)+b.Manager
	})
	return writes
}

// containerKey is the container's name in a fields key such as k:{"name":"web"}.
func containerKey(key string) string {
	var id struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(strings.TrimPrefix(key, "k:")), &id) != nil {
		return ""
	}
	return id.Name
}
