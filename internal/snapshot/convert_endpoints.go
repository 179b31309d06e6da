package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// EndpointSlice converts an EndpointSlice; endpoints that are no Pods are left out.
func (c *Converter) EndpointSlice(s *discoveryv1.EndpointSlice) *EndpointSlice {
	out := &EndpointSlice{Namespace: s.Namespace, Name: s.Name, Service: s.Labels[discoveryv1.LabelServiceName]}
	for _, e := range s.Endpoints {
		if isPod(e.TargetRef) {
			ready := e.Conditions.Ready == nil || *e.Conditions.Ready // the API: unset is ready
			out.Endpoints = append(out.Endpoints, Endpoint{Pod: e.TargetRef.Name, PodUID: e.TargetRef.UID, Ready: ready})
		}
	}
	return out
}

func isPod(ref *corev1.ObjectReference) bool { return ref != nil && ref.Kind == "Pod" }
