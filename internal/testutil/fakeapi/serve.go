package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Clone(r.Context()))
	s.mu.Unlock()
	if s.warning != "" {
		w.Header().Set("Warning", fmt.Sprintf("299 - %q", s.warning))
	}
	if f := s.failure(r); f != nil {
		s.fail(w, r, f)
		return
	}
	s.serve(w, r)
}

// serve answers as an API server does.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if isDiscovery(r.URL.Path) {
		s.discover(w, r)
		return
	}
	if r.URL.Path == "/version" {
		writeJSON(w, http.StatusOK, map[string]string{"major": "1", "minor": "34", "gitVersion": Version})
		return
	}
	kind, namespace, name, ok := s.route(r.URL.Path)
	switch {
	case ok && r.Method == http.MethodPatch:
		s.patch(w, r, kind, namespace, name)
	case !ok || r.Method != http.MethodGet:
		s.t.Errorf("fakeapi: unexpected request: %s %s", r.Method, r.URL)
		status(w, http.StatusNotFound, metav1.StatusReasonNotFound, "the server could not find the requested resource")
	case name != "":
		s.get(w, r, kind, namespace, name)
	default:
		s.list(w, r, kind, namespace)
	}
	s.Add(s.later[r.URL.Path]...)
}

// route finds what a path is about.
func (s *Server) route(path string) (kind Kind, namespace, name string, ok bool) {
	for _, k := range s.kinds {
		rest, found := strings.CutPrefix(path, k.prefix()+"/")
		if !found {
			continue
		}
		parts := strings.Split(rest, "/")
		if len(parts) > 2 && parts[0] == "namespaces" {
			namespace, parts = parts[1], parts[2:]
		}
		if parts[0] != k.Plural || len(parts) > 2 || k.ClusterScoped && namespace != "" {
			namespace = ""
			continue
		}
		if len(parts) == 2 {
			name = parts[1]
		}
		return k, namespace, name, true
	}
	return Kind{}, "", "", false
}

func (s *Server) get(w http.ResponseWriter, r *http.Request, k Kind, namespace, name string) {
	for _, o := range s.stored(k) {
		if key(o) == namespace+"/"+name {
			s.object(w, r, o)
			return
		}
	}
	status(w, http.StatusNotFound, metav1.StatusReasonNotFound, fmt.Sprintf("%s %q not found", k.resource().GroupResource(), name))
}

func (s *Server) list(w http.ResponseWriter, r *http.Request, k Kind, namespace string) {
	params := r.URL.Query()
	labelSelector, err := labels.Parse(params.Get("labelSelector"))
	if err != nil {
		status(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
		return
	}
	fieldSelector, err := fields.ParseSelector(params.Get("fieldSelector"))
	if err != nil {
		status(w, http.StatusBadRequest, metav1.StatusReasonBadRequest, err.Error())
		return
	}
	var found []runtime.Object
	for _, o := range s.stored(k) {
		m, err := meta.Accessor(o)
		if err == nil && (namespace == "" || m.GetNamespace() == namespace) &&
			labelSelector.Matches(labels.Set(m.GetLabels())) && fieldSelector.Matches(fieldsOf(o, m)) {
			found = append(found, o)
		}
	}
	from, _ := strconv.Atoi(params.Get("continue")) // the token is an index
	limit, _ := strconv.Atoi(params.Get("limit"))
	token, end := "", len(found)
	if limit > 0 && from+limit < end {
		end = from + limit
		token = strconv.Itoa(end)
	}
	s.listed(w, r, k, slices.Clone(found[from:end]), token)
}

// fieldsOf are the selectable fields of a kind (pkg/registry/core/{pod,event}/strategy.go, v1.37); any other
// matches nothing.
func fieldsOf(o runtime.Object, m metav1.Object) fields.Set {
	set := fields.Set{"metadata.name": m.GetName(), "metadata.namespace": m.GetNamespace()}
	switch o := o.(type) {
	case *corev1.Pod:
		set["spec.nodeName"], set["status.phase"] = o.Spec.NodeName, string(o.Status.Phase)
	case *corev1.Event:
		set["reason"], set["type"] = o.Reason, o.Type
		set["involvedObject.kind"], set["involvedObject.name"] = o.InvolvedObject.Kind, o.InvolvedObject.Name
		set["involvedObject.namespace"], set["involvedObject.uid"] = o.InvolvedObject.Namespace, string(o.InvolvedObject.UID)
	}
	return set
}

// object answers with one object, in the form and the encoding that were asked for.
func (s *Server) object(w http.ResponseWriter, r *http.Request, o runtime.Object) {
	if partial(r) {
		o = metadata(o)
	}
	s.encode(w, r, o)
}

func (s *Server) listed(w http.ResponseWriter, r *http.Request, k Kind, items []runtime.Object, token string) {
	listMeta := metav1.ListMeta{ResourceVersion: "1", Continue: token}
	if partial(r) {
		list := &metav1.PartialObjectMetadataList{ListMeta: listMeta}
		list.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadataList"))
		list.APIVersion = "meta.k8s.io/v1"
		for _, o := range items {
			list.Items = append(list.Items, *metadata(o))
		}
		s.encode(w, r, list)
		return
	}
	gvk := k.GroupVersion().WithKind(k.Kind + "List")
	list, err := scheme.Scheme.New(gvk)
	if err != nil {
		u := &unstructured.UnstructuredList{}
		u.SetContinue(token)
		for _, o := range items {
			u.Items = append(u.Items, *o.(*unstructured.Unstructured))
		}
		list = u
	} else if err := meta.SetList(list, items); err != nil {
		s.t.Errorf("fakeapi: list of %s: %v", k.Plural, err)
	}
	list.GetObjectKind().SetGroupVersionKind(gvk)
	if m, err := meta.ListAccessor(list); err == nil {
		m.SetContinue(token)
		m.SetResourceVersion("1")
	}
	s.encode(w, r, list)
}

func partial(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
}

func metadata(o runtime.Object) *metav1.PartialObjectMetadata {
	m, err := meta.Accessor(o)
	if err != nil {
		return nil
	}
	out := meta.AsPartialObjectMetadata(m)
	out.SetGroupVersionKind(schema.GroupVersionKind{Group: "meta.k8s.io", Version: "v1", Kind: "PartialObjectMetadata"})
	return out
}

// encode writes protobuf when that is asked for first and the kind has it; custom kinds never do.
func (s *Server) encode(w http.ResponseWriter, r *http.Request, o runtime.Object) {
	_, custom := o.(runtime.Unstructured)
	if custom || !strings.HasPrefix(r.Header.Get("Accept"), "application/vnd.kubernetes.protobuf") {
		writeJSON(w, http.StatusOK, o)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(o, w); err != nil {
		s.t.Errorf("fakeapi: encode %T: %v", o, err)
	}
}

func writeJSON(w http.ResponseWriter, code int, o any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(o) // the client may be gone
}

func isDiscovery(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return parts[0] == "api" && len(parts) <= 2 || parts[0] == "apis" && len(parts) <= 3
}

// discover answers in the form of before v1.26, which clients still take.
func (s *Server) discover(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api" {
		writeJSON(w, http.StatusOK, &metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}})
		return
	}
	if r.URL.Path == "/apis" {
		writeJSON(w, http.StatusOK, s.groups())
		return
	}
	list := &metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"}}
	for _, k := range s.kinds {
		if k.prefix() == r.URL.Path {
			list.GroupVersion = k.GroupVersion().String()
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: k.Plural, SingularName: strings.ToLower(k.Kind), Namespaced: !k.ClusterScoped, Kind: k.Kind,
				ShortNames: k.ShortNames, Verbs: metav1.Verbs{"get", "list"},
			})
		}
	}
	writeJSON(w, http.StatusOK, list)
}

func (s *Server) groups() *metav1.APIGroupList {
	out := &metav1.APIGroupList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroupList"}}
	seen := map[string]bool{"": true}
	for _, k := range s.kinds {
		if seen[k.Group] {
			continue
		}
		seen[k.Group] = true
		version := metav1.GroupVersionForDiscovery{GroupVersion: k.GroupVersion().String(), Version: k.Version}
		out.Groups = append(out.Groups, metav1.APIGroup{Name: k.Group, Versions: []metav1.GroupVersionForDiscovery{version}, PreferredVersion: version})
	}
	return out
}
