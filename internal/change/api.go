package change

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// API is what changing probes needs of an API server. Objects come as the JSON the server wrote.
type API interface {
	Get(ctx context.Context, ref Ref) ([]byte, error)
	Patch(ctx context.Context, ref Ref, patch []byte, o PatchOptions) ([]byte, error)
	ListPods(ctx context.Context, namespace, labelSelector string) ([]json.RawMessage, error)
	// ProbeEvents are the kubelets' words about changed probes; of one Pod, or without a UID of the namespace.
	ProbeEvents(ctx context.Context, namespace string, pod types.UID) ([]corev1.Event, error)
}

// PatchOptions go with a patch.
type PatchOptions struct {
	DryRun       bool
	FieldManager string
}

// probeChanged is the reason of the Event with which a kubelet says that it applied a change (KEP-6318).
const probeChanged = "ContainerProbeChanged"

// Client is the API of a real server.
type Client struct {
	rest rest.Interface
	// Resource finds where a kind is served; nil: only the kinds whose templates are known.
	Resource func(schema.GroupKind) (schema.GroupVersionResource, error)
}

// NewClient makes a client that speaks JSON, for what a config points to. No request is made.
func NewClient(config *rest.Config) (*Client, error) {
	config = rest.CopyConfig(config)
	config.ContentType, config.AcceptContentTypes = "application/json", "application/json"
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.GroupVersion = &schema.GroupVersion{}
	config.APIPath = "/"
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	return &Client{rest: client}, nil
}

// Get reads one object.
func (c *Client) Get(ctx context.Context, ref Ref) ([]byte, error) {
	path, err := c.path(ref)
	if err != nil {
		return nil, err
	}
	return raw(c.rest.Get().AbsPath(path...).Do(ctx))
}

// Patch sends a JSON Patch.
func (c *Client) Patch(ctx context.Context, ref Ref, patch []byte, o PatchOptions) ([]byte, error) {
	path, err := c.path(ref)
	if err != nil {
		return nil, err
	}
	request := c.rest.Patch(types.JSONPatchType).AbsPath(path...).Param("fieldManager", o.FieldManager).Body(patch)
	if o.DryRun {
		request = request.Param("dryRun", "All")
	}
	return raw(request.Do(ctx))
}

// ListPods reads the Pods with these labels.
func (c *Client) ListPods(ctx context.Context, namespace, labelSelector string) ([]json.RawMessage, error) {
	data, err := raw(c.rest.Get().AbsPath("/api/v1/namespaces", namespace, "pods").Param("labelSelector", labelSelector).Do(ctx))
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("decode the pods of namespace %s: %w", namespace, err)
	}
	return list.Items, nil
}

// ProbeEvents reads the Events with which kubelets say that they applied changes of probes.
func (c *Client) ProbeEvents(ctx context.Context, namespace string, pod types.UID) ([]corev1.Event, error) {
	selector := fields.OneTermEqualSelector("reason", probeChanged)
	if pod != "" {
		selector = fields.AndSelectors(selector, fields.OneTermEqualSelector("involvedObject.uid", string(pod)))
	}
	data, err := raw(c.rest.Get().AbsPath("/api/v1/namespaces", namespace, "events").Param("fieldSelector", selector.String()).Do(ctx))
	if err != nil {
		return nil, err
	}
	var list corev1.EventList
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("decode the events of namespace %s: %w", namespace, err)
	}
	return list.Items, nil
}

// raw prefers the server's Status to what the HTTP status alone says.
func raw(result rest.Result) ([]byte, error) {
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

func (c *Client) path(ref Ref) ([]string, error) {
	gk := schema.GroupKind{Group: ref.Group, Kind: ref.Kind}
	at, known := served(gk)
	if c.Resource != nil && !known {
		var err error
		if at, err = c.Resource(gk); err != nil {
			return nil, fmt.Errorf("find where %s is served: %w", gk, err)
		}
		known = true
	}
	if !known {
		return nil, fmt.Errorf("where %s is served is not known", gk)
	}
	root := []string{"/apis", at.Group, at.Version}
	if at.Group == "" {
		root = []string{"/api", at.Version}
	}
	if ref.Namespace != "" {
		root = append(root, "namespaces", ref.Namespace)
	}
	return append(root, at.Resource, ref.Name), nil
}

// served is where the kinds that Kubernetes brings are served.
func served(gk schema.GroupKind) (schema.GroupVersionResource, bool) {
	resources := map[schema.GroupKind]string{
		{Kind: "Pod"}: "pods", {Kind: "Node"}: "nodes", {Kind: "ReplicationController"}: "replicationcontrollers",
		{Group: "apps", Kind: "Deployment"}: "deployments", {Group: "apps", Kind: "ReplicaSet"}: "replicasets",
		{Group: "apps", Kind: "StatefulSet"}: "statefulsets", {Group: "apps", Kind: "DaemonSet"}: "daemonsets",
		{Group: "apps", Kind: "ControllerRevision"}: "controllerrevisions",
		{Group: "batch", Kind: "Job"}:               "jobs", {Group: "batch", Kind: "CronJob"}: "cronjobs",
	}
	resource, ok := resources[gk]
	return schema.GroupVersionResource{Group: gk.Group, Version: "v1", Resource: resource}, ok
}
