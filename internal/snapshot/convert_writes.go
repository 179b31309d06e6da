package snapshot

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// probeWrites finds who wrote which probe, the oldest first.
func probeWrites(p *corev1.Pod) []ProbeWrite {
	var writes []ProbeWrite
	var annotated ProbeWrite
	for _, e := range p.ManagedFields {
		if e.FieldsV1 == nil || e.Subresource != "" {
			continue
		}
		var fields ownedFields
		if json.Unmarshal(e.FieldsV1.GetRawBytes(), &fields) != nil {
			continue
		}
		write := ProbeWrite{Manager: e.Manager, Operation: string(e.Operation), Time: timeOf(e.Time)}
		write.AfterCreation = write.Time.After(p.CreationTimestamp.Time)
		writes = append(writes, fields.probes(write)...)
		if _, ok := fields.Metadata.Annotations["f:"+OriginalAnnotation]; ok {
			annotated = write
		}
	}
	writes = append(writes, setWrites(p.Annotations[OriginalAnnotation], annotated)...)
	slices.SortFunc(writes, func(a, b ProbeWrite) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Container+string(a.Probe)+a.Manager, b.Container+string(b.Probe)+b.Manager))
	})
	return slices.Compact(writes)
}

// ownedFields is what matters here of a managedFields entry: containers are keyed by name.
type ownedFields struct {
	Metadata struct {
		Annotations map[string]json.RawMessage `json:"f:annotations"`
	} `json:"f:metadata"`
	Spec struct {
		Containers     map[string]map[string]json.RawMessage `json:"f:containers"`
		InitContainers map[string]map[string]json.RawMessage `json:"f:initContainers"`
	} `json:"f:spec"`
}

// probes are the probes that the entry owns fields of.
func (f *ownedFields) probes(like ProbeWrite) []ProbeWrite {
	var writes []ProbeWrite
	for _, containers := range []map[string]map[string]json.RawMessage{f.Spec.Containers, f.Spec.InitContainers} {
		for key, owned := range containers {
			for _, kind := range probe.Kinds() {
				if _, ok := owned["f:"+string(kind)+"Probe"]; ok {
					writes = append(writes, like.of(containerKey(key), kind))
				}
			}
		}
	}
	return writes
}

// setWrites are the probes that `set` changed and did not put back, as its annotation says; like is who wrote that.
func setWrites(original string, like ProbeWrite) []ProbeWrite {
	var containers map[string]map[probe.Kind]json.RawMessage
	if original == "" || json.Unmarshal([]byte(original), &containers) != nil {
		return nil
	}
	like.AfterCreation = true
	var writes []ProbeWrite
	for container, kinds := range containers {
		for _, kind := range probe.Kinds() {
			if _, ok := kinds[kind]; ok {
				writes = append(writes, like.of(container, kind))
			}
		}
	}
	return writes
}

func (w ProbeWrite) of(container string, kind probe.Kind) ProbeWrite {
	w.Container, w.Probe = container, kind
	return w
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
