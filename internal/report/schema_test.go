package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

// TestSchema keeps docs/report.schema.json, the contract with scripts, what the types are. A change of the
// types shows as a change of that file.
func TestSchema(t *testing.T) {
	s := schemaWriter{defs: map[string]any{}}
	s.define(reflect.TypeFor[Report]())
	root := map[string]any{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://kubectl-probes.github.io/report.v1alpha1.schema.json",
		"title":       "ProbeReport " + APIVersion,
		"description": "What `kubectl probes -o json` prints. Times are integer seconds or RFC 3339; absent means unknown or not read in this view.",
		"$ref":        "#/$defs/Report",
		"$defs":       s.defs,
	}
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "../../../docs/report.schema.json", string(out)+"\n")
}

// schemaWriter derives a JSON Schema from Go types as encoding/json sees them.
type schemaWriter struct{ defs map[string]any }

// enums are the values of the types that have few.
func enums() map[reflect.Type][]string {
	return map[reflect.Type][]string{
		reflect.TypeFor[TemplateState](): {string(TemplateKnown), string(TemplateUnknown), string(TemplateNone)},
		reflect.TypeFor[Place]():         {string(OnlyInPods), string(OnlyInTemplate), string(OnlyInPast)},
		reflect.TypeFor[Phase]():         {string(Live), string(Terminating), string(Finished), string(Gone)},
		reflect.TypeFor[EvidenceState](): {string(StateNow), string(StateStarting), string(StateRecovered), string(StatePast)},
		reflect.TypeFor[RolloutState]():  {string(RolloutComplete), string(RolloutProgressing), string(RolloutStalled), string(RolloutPaused)},
		reflect.TypeFor[DriftKind]():     {string(Stale), string(Changed)},
		reflect.TypeFor[Schedule]():      {string(ScheduleTicks), string(ScheduleEndOfCheck), string(ScheduleUnproven), string(ScheduleOwn)},
		reflect.TypeFor[Severity]():      {string(SeverityError), string(SeverityWarning), string(SeverityInfo)},
		reflect.TypeFor[Change]():        {string(Added), string(Removed), string(Fields)},
		reflect.TypeFor[probe.Kind]():    {string(probe.Startup), string(probe.Readiness), string(probe.Liveness)},
	}
}

func (s schemaWriter) schema(t reflect.Type) map[string]any {
	switch t {
	case reflect.TypeFor[metav1.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[intstr.IntOrString]():
		return map[string]any{"type": []string{"integer", "string"}}
	}
	if values, ok := enums()[t]; ok {
		return map[string]any{"enum": values}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.schema(t.Elem())
	case reflect.Struct:
		s.define(t)
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.schema(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.schema(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.String:
		return map[string]any{"type": "string"}
	default:
		return map[string]any{"type": "integer"}
	}
}

func (s schemaWriter) define(t reflect.Type) {
	if _, done := s.defs[t.Name()]; done {
		return
	}
	properties, required := map[string]any{}, []string{}
	s.defs[t.Name()] = nil // ends recursion
	s.fields(t, properties, &required)
	s.defs[t.Name()] = map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

func (s schemaWriter) fields(t reflect.Type, properties map[string]any, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && strings.Contains(options, "inline"):
			properties["apiVersion"] = map[string]any{"const": APIVersion}
			properties["kind"] = map[string]any{"const": Kind}
			*required = append(*required, "apiVersion", "kind")
		case f.Anonymous && name == "":
			s.fields(f.Type, properties, required)
		case f.IsExported() && name != "-":
			properties[name] = s.schema(f.Type)
			if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
				*required = append(*required, name)
			}
		}
	}
}
