package change

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

// server is an API server that keeps objects and answers patches as the real one does.
type server struct {
	mu      sync.Mutex
	objects map[string][]byte // by name
	events  []corev1.Event
	patches []string // names, in the order of arrival
	gets    int
	now     *clock

	// before is called ahead of a patch and may change things; an error is the answer.
	before func(s *server, name string, try int) error
	// after is called behind a patch; an error takes the place of the answer.
	after func(s *server, name string, try int) error
	// onGet may change things ahead of a Get.
	onGet func(s *server, name string)
}

func newServer(objects ...[]byte) *server {
	s := &server{objects: map[string][]byte{}, now: &clock{at: time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)}}
	for _, o := range objects {
		var meta struct {
			Metadata metav1.ObjectMeta `json:"metadata"`
		}
		if err := json.Unmarshal(o, &meta); err != nil {
			panic(err)
		}
		s.objects[meta.Metadata.Name] = o
	}
	return s
}

func pods() schema.GroupResource { return schema.GroupResource{Resource: "pods"} }

func (s *server) Get(ctx context.Context, ref Ref) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.gets++
	if s.onGet != nil {
		s.onGet(s, ref.Name)
	}
	object, ok := s.objects[ref.Name]
	if !ok {
		return nil, apierrors.NewNotFound(pods(), ref.Name)
	}
	return object, nil
}

func (s *server) Patch(ctx context.Context, ref Ref, patch []byte, o PatchOptions) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.patches = append(s.patches, ref.Name)
	try := 0
	for _, name := range s.patches {
		if name == ref.Name {
			try++
		}
	}
	if s.before != nil {
		if err := s.before(s, ref.Name, try); err != nil {
			return nil, err
		}
	}
	object, ok := s.objects[ref.Name]
	if !ok {
		return nil, apierrors.NewNotFound(pods(), ref.Name)
	}
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, err
	}
	changed, err := decoded.Apply(object)
	if err != nil {
		return nil, anonymous()
	}
	changed = bumped(changed)
	if !o.DryRun {
		s.objects[ref.Name] = changed
	}
	if s.after != nil {
		if err := s.after(s, ref.Name, try); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

func (s *server) ListPods(context.Context, string, string) ([]json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []json.RawMessage
	for _, o := range s.objects {
		out = append(out, o)
	}
	return out, nil
}

func (s *server) ProbeEvents(context.Context, string, types.UID) ([]corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]corev1.Event{}, s.events...), nil
}

// set changes an object; the caller holds no lock of its own.
func (s *server) set(name string, change func(object map[string]any)) {
	var object map[string]any
	if err := json.Unmarshal(s.objects[name], &object); err != nil {
		panic(err)
	}
	change(object)
	s.objects[name], _ = json.Marshal(object)
}

func bumped(data []byte) []byte {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		panic(err)
	}
	meta := object["metadata"].(map[string]any)
	generation, _ := meta["generation"].(float64)
	meta["generation"] = generation + 1
	out, _ := json.Marshal(object)
	return out
}

// anonymous is what the server says when a patch does not apply: no name, no causes.
func anonymous() error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: 422, Reason: metav1.StatusReasonInvalid,
		Message: "the server rejected our request due to an error in our request", Details: &metav1.StatusDetails{},
	}}
}

// gateless is what a server without the gate says.
func gateless(name string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: 422, Reason: metav1.StatusReasonInvalid,
		Message: fmt.Sprintf("Pod %q is invalid: spec: Forbidden: pod updates may not change fields other than ...", name),
		Details: &metav1.StatusDetails{Name: name, Kind: "Pod", Causes: []metav1.StatusCause{{
			Type: "FieldValueForbidden", Field: "spec",
			Message: "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,...\n\x1b[31m diff",
		}}},
	}}
}

// clock is a clock on which nothing takes time but sleeping.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	slept time.Duration
	tick  func(now time.Time) // called after each sleep
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.at, c.slept = c.at.Add(d), c.slept+d
	now, tick := c.at, c.tick
	c.mu.Unlock()
	if tick != nil {
		tick(now)
	}
	return ctx.Err()
}

// event is about the Pod web-0 of replicas.
func event(uid, container, message string) corev1.Event {
	return corev1.Event{
		ObjectMeta: metav1.ObjectMeta{UID: types.UID(uid)}, Reason: probeChanged, Count: 1, Message: message,
		InvolvedObject: corev1.ObjectReference{UID: "uid-0", FieldPath: "spec.containers{" + container + "}"},
	}
}

// replicas are Pods like webPod, web-0 to web-(n-1).
func replicas(t *testing.T, n int) (*server, []Target) {
	t.Helper()
	var objects [][]byte
	var targets []Target
	for i := range n {
		manifest := replaced(t, webPod, []string{"web-0", fmt.Sprintf("web-%d", i), "uid-1", fmt.Sprintf("uid-%d", i)})
		data, err := yaml.YAMLToJSON([]byte(manifest))
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, data)
		target := pod(t, manifest)
		target.Node = Node{Name: "node-1", KubeletVersion: "v1.38.0"}
		targets = append(targets, target)
	}
	return newServer(objects...), targets
}

func (s *server) applier() *Applier {
	return &Applier{API: s, Clock: s.now, FieldManager: FieldManager}
}
