package files

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

func TestReadGaps(t *testing.T) {
	const known = `{"apiVersion":"v1","kind":"EventList","items":[]}{"apiVersion":"v1","kind":"ServiceList","items":null}{"apiVersion":"v1","kind":"NodeList","items":[]}`
	running := "---\napiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, uid: u}\nstatus: {phase: Running}\n"
	absent := func(what, namespace, message string) snapshot.Gap {
		return snapshot.Gap{What: what, Namespace: namespace, Reason: snapshot.Absent, Message: message}
	}
	noEvents, noServices, noNodes := absent("events", "", "no Events in the files"), absent("services", "", "no Services in the files"), absent("nodes", "", "no Nodes in the files")
	empty := `{"apiVersion":"v1","kind":"List","items":[]}`
	tests := []struct {
		name string
		in   map[string]string
		want []snapshot.Gap
	}{
		{"manifests", map[string]string{"x.yaml": podYAML}, []snapshot.Gap{noServices}},
		{"no workload", map[string]string{"x.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}, nil},
		{"nothing but a Pod", map[string]string{"x.yaml": running}, []snapshot.Gap{noEvents, noServices, noNodes}},
		{"empty typed lists", map[string]string{"x.yaml": running, "y.json": known}, nil},
		{"empty lists in files named for them", map[string]string{"x.yaml": running, "events.json": empty, "services-shop.yaml": empty, "nodes.yml": empty}, nil},
		{"an empty list in a file of another name", map[string]string{"x.yaml": running, "myevents.json": empty}, []snapshot.Gap{noEvents, noServices, noNodes}},
		{
			"a list of something else in a file named for Events",
			map[string]string{"x.yaml": running, "events.json": `{"apiVersion":"v1","kind":"List","items":[` + deployJSON + `]}`},
			[]snapshot.Gap{noEvents, noServices, noNodes},
		},
		{"an Event, a Service and a Node", map[string]string{"x.yaml": running + "---\napiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: shop}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: shop}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: node}\n"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, test.in)
			s, _ := readFiles(t, ".")
			if diff := cmp.Diff(test.want, s.Gaps); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What was read of one namespace says nothing about another.
func TestReadGapsByNamespace(t *testing.T) {
	object := func(kind, namespace, uid string) string {
		return `{"apiVersion":"v1","kind":"` + kind + `","metadata":{"name":"x","namespace":"` + namespace + `"` + uid + `},"status":{"phase":"Running"}}`
	}
	pod := func(namespace string) string { return object("Pod", namespace, `,"uid":"pod-`+namespace+`"`) }
	service := func(namespace string) string { return object("Service", namespace, `,"uid":"svc-`+namespace+`"`) }
	event := func(namespace string) string { return object("Event", namespace, `,"uid":"e-`+namespace+`"`) }
	list := func(items ...string) string {
		return `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",") + `]}`
	}
	// A List whose kind stands below its items, and one in YAML as kubectl prints it.
	backwards := func(items ...string) string {
		return `{"items":[` + strings.Join(items, ",") + `],"apiVersion":"v1","kind":"List"}`
	}
	inYAML := func(items ...string) string {
		return "apiVersion: v1\nitems:\n- " + strings.Join(items, "\n- ") + "\nkind: List\n"
	}
	const noServices, noEvents = `{"apiVersion":"v1","kind":"ServiceList","items":[]}`, `{"apiVersion":"v1","kind":"EventList","items":null}`
	tests := []struct {
		name string
		in   map[string]string
		want string
	}{
		{"a Service elsewhere", map[string]string{"x": pod("a") + service("b")}, "events services/a"},
		{"an Event elsewhere", map[string]string{"x": pod("a") + event("b")}, "events/a services"},
		{"manifests and a Service elsewhere", map[string]string{"x": strings.ReplaceAll(podYAML, "shop", "a") + "---\n" + object("Service", "b", "")}, "services/a"},
		{"one of two", map[string]string{"x": pod("a") + pod("b") + service("b") + event("a")}, "events/b services/a"},
		{"a list of all namespaces", map[string]string{"x": pod("a") + pod("c"), "y": list(service("a"), service("b"))}, "events"},
		{"a list of all namespaces and several kinds", map[string]string{"x": list(pod("a"), pod("c"), service("a"), event("c"))}, ""},
		{"the same, its kind last", map[string]string{"x": backwards(pod("a"), pod("c"), service("a"), event("c"))}, ""},
		{"the same in YAML", map[string]string{"x": inYAML(pod("a"), pod("c"), service("a"), event("c"))}, ""},
		{"a list of one namespace", map[string]string{"x": pod("a") + pod("c"), "y": list(service("a"))}, "events services/c"},
		{"lists of one namespace each", map[string]string{"x": pod("a") + pod("c"), "y": list(service("a")) + list(service("b"))}, "events services/c"},
		{
			"a list that somebody wrote",
			map[string]string{"x": pod("a") + pod("c"), "y": list(object("Service", "a", ""), object("Service", "b", ""))},
			"events services/c",
		},
		{
			"a dump in one stream",
			map[string]string{"x": noEvents + noServices + list(pod("a")) + noEvents + list(service("b")) + list(pod("b"))},
			"",
		},
		{"one empty list for two", map[string]string{"x": noEvents + noServices + list(pod("a"), pod("b"))}, "events services"},
		{"an empty list in another folder", map[string]string{"a/pods.json": list(pod("a")), "b/pods.json": list(pod("b")), "b/services.json": list()}, "events services/a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, test.in)
			s, _, err := Read(context.Background(), Options{Filenames: slices.Sorted(maps.Keys(test.in))})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, g := range s.Gaps {
				if g.What != "nodes" {
					got = append(got, strings.TrimSuffix(g.What+"/"+g.Namespace, "/"))
				}
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("gaps %q, want %q", got, test.want)
			}
		})
	}
}

func TestReadRunning(t *testing.T) {
	for in, want := range map[string]bool{
		podYAML:                                false,
		podYAML + "status: {}\n":               false,
		podYAML + "status: {phase: Failed}\n":  true,
		deployYAML + "status: {replicas: 3}\n": false,
	} {
		folderOf(t, map[string]string{"x": in})
		if s, _ := readFiles(t, "x"); s.Running != want {
			t.Errorf("running is %v for\n%s", s.Running, in)
		}
	}
}

func TestReadAsOf(t *testing.T) {
	pod := func(metadata, status string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: u" + metadata + "}\nstatus: {phase: Running" + status + "}\n"
	}
	const at = `"2026-03-04T05:06:07Z"`
	tests := []struct{ name, in string }{
		{"created", pod(", creationTimestamp: "+at, "")},
		{"deleted", pod(`, deletionTimestamp: "2026-03-04T05:06:37Z", deletionGracePeriodSeconds: 30`, "")},
		{"managedFields", pod(", managedFields: [{manager: a, time: "+at+"}, {manager: b}]", "")},
		{"started", pod("", ", startTime: "+at)},
		{"condition", pod("", ", conditions: [{type: Ready, lastTransitionTime: "+at+"}]")},
		{"running", pod("", ", containerStatuses: [{name: a, state: {running: {startedAt: "+at+"}}}]")},
		{"ended", pod("", ", containerStatuses: [{name: a, state: {terminated: {finishedAt: "+at+"}}}]")},
		{"ended before", pod("", ", initContainerStatuses: [{name: a, lastState: {terminated: {finishedAt: "+at+"}}}]")},
		{"Event", "apiVersion: v1\nkind: Event\nmetadata: {name: e}\nlastTimestamp: " + at + "\n"},
		{"Event of the newer group", "apiVersion: events.k8s.io/v1\nkind: Event\nmetadata: {name: e}\nseries: {count: 3, lastObservedTime: \"2026-03-04T05:06:07.000000Z\"}\n"},
		{"a Deployment's condition", deployYAML + "status: {conditions: [{type: Available, lastTransitionTime: " + at + "}]}\n"},
		{"a Node's condition", "apiVersion: v1\nkind: Node\nmetadata: {name: node}\nstatus: {conditions: [{type: Ready, lastTransitionTime: " + at + "}]}\n"},
		{"managedFields of a Service", "apiVersion: v1\nkind: Service\nmetadata: {name: s, managedFields: [{manager: a, time: " + at + "}]}\n"},
	}
	older := strings.ReplaceAll(pod(`, creationTimestamp: "2026-03-04T00:00:00Z"`, ""), "name: p, uid: u", "name: older, uid: v")
	want := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folderOf(t, map[string]string{"x": older + "---\n" + test.in})
			if s, _ := readFiles(t, "x"); !s.AsOf.Equal(want) {
				t.Errorf("as of %v, want %v", s.AsOf, want)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		folderOf(t, map[string]string{"x": podYAML})
		if s, _ := readFiles(t, "x"); !s.AsOf.IsZero() {
			t.Errorf("as of %v, want nothing", s.AsOf)
		}
	})
}
