package fakeapi

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// patch applies a JSON Patch as an API server does that lets every field change.
func (s *Server) patch(w http.ResponseWriter, r *http.Request, k Kind, namespace, name string) {
	for _, old := range s.stored(k) {
		if key(old) != namespace+"/"+name {
			continue
		}
		patched, err := apply(old, r.Body)
		if err != nil {
			status(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "the server rejected our request due to an error in our request")
			return
		}
		s.Add(patched)
		s.encode(w, r, patched)
		return
	}
	status(w, http.StatusNotFound, metav1.StatusReasonNotFound, k.Plural+" \""+name+"\" not found")
}

func apply(old runtime.Object, body io.Reader) (runtime.Object, error) {
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	patch, err := jsonpatch.DecodePatch(raw)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(old)
	if err != nil {
		return nil, err
	}
	after, err := patch.Apply(before)
	if err != nil {
		return nil, err
	}
	patched := reflect.New(reflect.TypeOf(old).Elem()).Interface().(runtime.Object)
	return patched, json.Unmarshal(after, patched)
}
