package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// harmless stands where the hostile text stands: what is printed of both has to agree.
const harmless = "zz"

// hostile is text of applications and users that would do something to a terminal, or break a table.
func hostile() map[string]string {
	return map[string]string{
		"obeyed":             "\x1b[1;1h\x1b[31m\x1b]0;owned\x07\x1b]8;;x\x1b\\\r00\nfake\ta\vb\fc\bd\x00\x7f\u0085\u009b31m",
		"hidden":             "\u202etxt\u2066\u061c\u200f\u200b\u200d\ufeff\u2060\ufe0f\u034f\u2028\u2029\u00a0\u3000\U000e0041\U000e0001x",
		"wide":               "日本語テスト한국어\u1112\u1161\u11ab👩\u200d👩\u200d👧🇩🇪👍🏽e\u0301\u0308\u20dd",
		"blanks and escapes": "  b   c\\x1b[31m\\n\\u202e",
		"signs":              `'"` + "`$;|&,=:#%s{}[]",
		"a long line":        strings.Repeat("x", 10<<10),
		"a long wide line":   strings.Repeat("日本", 2<<10),
		"a long hidden line": strings.Repeat("\u202e", 3<<10),
	}
}

// world is a little of everything that is printed somewhere: all of it is of text that somebody else wrote.
func world() []runtime.Object {
	whole := corev1.Container{
		Name: "app", Image: "registry/app",
		Ports:        []corev1.ContainerPort{{Name: "web", ContainerPort: 8080}},
		StartupProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"cat", "/ready"}}}},
		ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
			Host: "host", Path: "/path", Port: intstr.FromString("web"),
			HTTPHeaders: []corev1.HTTPHeader{{Name: "X-Header", Value: "value"}},
		}}},
		LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: 9090, Service: ptr("service")}}},
	}
	sidecar := corev1.Container{Name: "proxy", RestartPolicy: ptr(corev1.ContainerRestartPolicyAlways), LivenessProbe: &corev1.Probe{
		ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Host: "localhost", Port: intstr.FromString("nowhere")}},
	}}
	web := deployment("web", 3, whole)
	web.Annotations["kubectl-probes.github.io/ignore"] = "app:no-readiness-probe,nonsense"
	web.Spec.Template.Spec.InitContainers = []corev1.Container{{Name: "migrate"}, sidecar}
	other := *whole.DeepCopy()
	other.ReadinessProbe.HTTPGet.Path, other.LivenessProbe = "/other", nil
	objects := []runtime.Object{web, replicaSet(web, 1, other), replicaSet(web, 2, whole)}
	owner := replicaSet(web, 2, whole)
	failing := unready(running("web-a", ownedBy(owner, "apps/v1", "ReplicaSet"), whole, sidecar))
	failing.Status.ContainerStatuses[0].RestartCount = 4
	failing.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off of app"}}
	failing.Status.ContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		ExitCode: 143, Reason: "Error", Message: "terminated", FinishedAt: metav1.NewTime(noon().Add(-90e9)),
	}
	changed := running("web-b", ownedBy(owner, "apps/v1", "ReplicaSet"), other)
	changed.Generation = 2
	changed.ManagedFields = []metav1.ManagedFieldsEntry{{
		Manager: "manager", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: ptr(metav1.NewTime(noon().Add(-60e9))),
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:readinessProbe":{"f:httpGet":{"f:path":{}}}}}}}`),
	}}
	old := running("web-old", ownedBy(replicaSet(web, 1, other), "apps/v1", "ReplicaSet"), other)
	gated := unready(running("gated", nil, whole))
	gated.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "example.com/gate"}}
	gated.Status.Conditions = append(gated.Status.Conditions, corev1.PodCondition{Type: "example.com/gate", Status: corev1.ConditionFalse, Reason: "NotYet", Message: "not yet"})
	pulling := unready(running("pulling", nil, whole))
	pulling.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "StrangeReason", Message: "no such image"}}
	evicted := ended(running("evicted", nil, whole), corev1.PodFailed, "Evicted")
	evicted.Status.Message = "the node was low on memory"
	resizing := running("resizing", nil, whole)
	resizing.Status.Conditions = append(resizing.Status.Conditions, corev1.PodCondition{Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: "Infeasible", Message: "does not fit"})
	custom := running("custom-0", nil, whole)
	custom.OwnerReferences = []metav1.OwnerReference{{APIVersion: "example.com/v1", Kind: "Widget", Name: "widget", UID: "uid-widget", Controller: ptr(true)}}
	objects = append(objects, failing, changed, old, gated, pulling, evicted, resizing, custom,
		&unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "widget", "namespace": "shop", "uid": "uid-widget"}}},
		statefulSet("db", 1, whole), cronJob("backup", whole), job("once", whole),
		service("front", "web"), endpoints("front", failing, changed), node("node-1"),
		unhealthy(failing, "Liveness"), unhealthy(failing, "Startup"), unhealthy(gated, "Readiness"), killed(failing),
		eventOf(failing, "BackOff", "Back-off restarting failed container app in pod web-a", corev1.EventTypeWarning),
		eventOf(changed, "ProbeWarning", "Readiness probe warning: Probe terminated redirects, Response body: body", corev1.EventTypeWarning),
		eventOf(changed, "ContainerProbeChanged", "Container app: readiness probe updated in place", corev1.EventTypeNormal),
		eventOf(old, "Unhealthy", "(combined from similar events): Readiness probe failed: answer", corev1.EventTypeWarning),
		createFailed(statefulSet("db", 1, whole)))
	return objects
}

func ptr[T any](v T) *T { return &v }

func node(name string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: meta(name)}
	n.Namespace = ""
	n.Status.NodeInfo.KubeletVersion = "v1.38.0"
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: "KubeletNotReady", Message: "no network", LastTransitionTime: metav1.NewTime(noon().Add(-60e9))}}
	return n
}

func endpoints(service string, pods ...*corev1.Pod) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{ObjectMeta: meta(service + "-1")}
	s.Labels = map[string]string{discoveryv1.LabelServiceName: service}
	for _, p := range pods {
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
			Conditions: discoveryv1.EndpointConditions{Ready: ptr(false)},
			TargetRef:  &corev1.ObjectReference{Kind: "Pod", Name: p.Name, Namespace: p.Namespace, UID: p.UID},
		})
	}
	return s
}

func createFailed(o metav1.Object) *corev1.Event {
	at := metav1.NewTime(noon().Add(-60e9))
	return &corev1.Event{
		ObjectMeta:     meta("create." + o.GetName()),
		InvolvedObject: corev1.ObjectReference{Kind: "StatefulSet", APIVersion: "apps/v1", Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID()},
		Reason:         "FailedCreate", Message: "create Pod db-0 failed: exceeded quota", Type: corev1.EventTypeWarning, Count: 3, FirstTimestamp: at, LastTimestamp: at,
	}
}

// injected puts a text behind every string of the objects, the same string always the same, so that what belongs together
// still does. Left alone is what Kubernetes itself gives a meaning.
func injected(text string) []runtime.Object {
	var objects []runtime.Object
	for _, o := range world() {
		o = o.DeepCopyObject() // they share their probes
		objects = append(objects, o)
		if u, ok := o.(*unstructured.Unstructured); ok {
			text := name(text)
			u.Object["apiVersion"], u.Object["kind"] = groupWith("example.com/v1", text), "Widget"+text
			u.SetName(u.GetName() + text)
			u.SetNamespace(u.GetNamespace() + text)
			u.SetUID(u.GetUID() + types.UID(text))
			continue
		}
		inject(reflect.ValueOf(o).Elem(), text)
	}
	return objects
}

func groupWith(apiVersion, text string) string {
	group, version, _ := strings.Cut(apiVersion, "/")
	return group + text + "/" + version
}

func inject(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			inject(v.Elem(), text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			inject(v.Index(i), text)
		}
	case reflect.Map:
		injectMap(v, text)
	case reflect.String:
		if v.String() != "" && !keeps(v) {
			v.SetString(v.String() + text)
		}
	case reflect.Struct:
		injectStruct(v, text)
	}
}

// name is as much of a text as a name can be long, and some more.
func name(text string) string { return text[:min(len(text), 120)] }

// isProse tells the fields that may be as long as anybody likes.
func isProse(field string) bool {
	return slices.Contains([]string{"Message", "Command", "Path", "Value", "Host", "Service"}, field)
}

// keeps tells which strings are words of the API.
func keeps(v reflect.Value) bool {
	switch s := v.Interface().(type) {
	case corev1.PodPhase, corev1.ConditionStatus, corev1.RestartPolicy, corev1.ContainerRestartPolicy, metav1.ManagedFieldsOperationType:
		return true
	case corev1.PodConditionType:
		return !strings.Contains(string(s), "/") // a readiness gate is somebody's
	case corev1.NodeConditionType:
		return true
	default:
		return false
	}
}

func injectMap(v reflect.Value, text string) {
	for _, key := range v.MapKeys() {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		inject(value, text)
		v.SetMapIndex(key, value)
	}
}

func injectStruct(v reflect.Value, text string) {
	whole := text
	text = name(text)
	switch s := v.Addr().Interface().(type) {
	case *metav1.Time, *metav1.TypeMeta:
		return
	case *metav1.FieldsV1:
		name, _ := json.Marshal(map[string]string{"name": "app" + text})
		key, _ := json.Marshal("k:" + string(name))
		s.SetRawString(strings.ReplaceAll(s.GetRawString(), `"k:{\"name\":\"app\"}"`, string(key)))
		return
	case *metav1.ManagedFieldsEntry:
		inject(reflect.ValueOf(&s.Manager), text)
		inject(reflect.ValueOf(&s.FieldsV1), text)
		return
	case *metav1.OwnerReference:
		if s.Kind == "Widget" {
			s.APIVersion, s.Kind = groupWith(s.APIVersion, text), s.Kind+text
		}
		s.Name, s.UID = s.Name+text, s.UID+types.UID(text)
		return
	case *corev1.ObjectReference:
		s.Name, s.Namespace, s.UID = s.Name+text, s.Namespace+text, s.UID+types.UID(text)
		s.FieldPath = strings.Replace(s.FieldPath, "{app}", "{app"+text+"}", 1)
		return
	case *corev1.Event:
		inject(reflect.ValueOf(&s.ObjectMeta), text)
		inject(reflect.ValueOf(&s.InvolvedObject), text)
		inject(reflect.ValueOf(&s.Source), text)
		if s.Reason != "Killing" { // of which every word counts
			s.Message += whole
		}
		return
	}
	for i := range v.NumField() {
		if isProse(v.Type().Field(i).Name) {
			inject(v.Field(i), whole)
		} else {
			inject(v.Field(i), text)
		}
	}
}

// outputs are all ways to print what was read of files.
func outputs() map[string][]string {
	return map[string][]string{
		"overview":         nil,
		"without headers":  {"--no-headers"},
		"wide":             {"-o", "wide"},
		"by severity":      {"--sort-by=severity"},
		"failing":          {"--only=failing"},
		"findings":         {"--only=info"},
		"names":            {"-o", "name"},
		"summary":          {"--summary=only"},
		"with the summary": {"--summary"},
		"JSON":             {"-o", "json"},
		"YAML":             {"-o", "yaml"},
		"KYAML":            {"-o", "kyaml"},
		"jsonpath":         {"-o", `jsonpath={range .workloads[*]}{.displayName}{"\n"}{end}`},
		"jsonpath as JSON": {"-o", "jsonpath-as-json={.workloads[*].containers[*].name}"},
		"fail":             {"--fail-on=error"},
	}
}

// isData tells whether an output is for programs, which take the data as it is from a pipe.
func isData(name string) bool {
	return slices.Contains([]string{"JSON", "YAML", "KYAML", "jsonpath", "jsonpath as JSON"}, name)
}

// isTable tells whether an output is a table of one line a row.
func isTable(name string) bool {
	return slices.Contains([]string{"overview", "without headers", "wide", "by severity", "failing", "findings"}, name)
}

// view is where a command line prints: a pipe, or a terminal of a width.
type view struct {
	width int
	color string
}

func views() []view { return []view{{0, "never"}, {80, "never"}, {160, "never"}, {80, "always"}} }

func TestHostileData(t *testing.T) {
	tame := dump(t, injected(harmless)...)
	expected := map[string]result{}
	run := func(t *testing.T, v view, args []string, file string) (string, result) {
		line := slices.Concat([]string{"--color=" + v.color}, args, []string{"-f", file})
		return strings.Join(line[:len(line)-2], " "), terminal(t, v.width, "", line...)
	}
	for output, args := range outputs() {
		for _, v := range views() {
			_, expected[fmt.Sprint(output, v)] = run(t, v, args, tame)
		}
	}
	for what, text := range hostile() {
		t.Run(what, func(t *testing.T) {
			file := dump(t, injected(text)...)
			for output, args := range outputs() {
				for _, v := range views() {
					if isData(output) && (v.width == 160 || v.color == "always") {
						continue // it has neither a width nor colours
					}
					want := expected[fmt.Sprint(output, v)]
					where, got := run(t, v, args, file)
					if got.status != want.status {
						t.Errorf("%s: ended with %d, and with harmless data with %d: %.300s", where, got.status, want.status, got.err)
					}
					if v.width > 0 || !isData(output) {
						clean(t, where, got, v.color == "always", isData(output))
					}
					if !isTable(output) {
						continue
					}
					if rows, wanted := strings.Count(got.out, "\n"), strings.Count(want.out, "\n"); rows != wanted || rows == 0 {
						t.Errorf("%s: %d lines, and %d of harmless data", where, rows, wanted)
					}
					if v.color == "never" && output != "without headers" {
						aligned(t, where, got.out)
					}
				}
			}
		})
	}
}

// clean holds what a terminal gets against what it may get: text, line ends, the colours that are this program's own, and
// of data tabs, which a template may ask for.
func clean(t *testing.T, where string, r result, color, tabs bool) {
	t.Helper()
	where = fmt.Sprintf("%.120q", where)
	for stream, text := range map[string]string{"stdout": r.out, "stderr": r.err} {
		if color {
			text = regexp.MustCompile("\x1b\\[(0|22|31|33|90)(;[0-9]+)*m").ReplaceAllString(text, "")
		}
		if !utf8.ValidString(text) {
			t.Errorf("%s: %s is not UTF-8", where, stream)
		}
		at := strings.IndexFunc(text, func(r rune) bool {
			return r != '\n' && (r != '\t' || !tabs) && (!unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
		})
		if at >= 0 {
			t.Errorf("%s: %s has %+q", where, stream, text[max(at-40, 0):min(at+20, len(text))])
		}
	}
}

// aligned holds the rows of a table against its header: at every column, blanks end and a cell begins.
func aligned(t *testing.T, where, out string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	var starts []int
	for _, at := range regexp.MustCompile(`(^|  )[^ ]`).FindAllStringIndex(lines[0], -1) {
		starts = append(starts, widthOf(lines[0][:at[1]-1]))
	}
	for _, line := range lines[1:] {
		for _, start := range starts[1:] {
			before, cell := column(line, start)
			if !strings.HasSuffix(before, "  ") || cell == "" || cell == " " {
				t.Errorf("%s: not aligned at column %d:\n%.300q\n%.300q", where, start, lines[0], line)
				break
			}
		}
	}
}

// column cuts a line before a column of the terminal, and returns the character there.
func column(line string, start int) (before, cell string) {
	width := 0
	for i, r := range line {
		if width == start && runeWidth(r) > 0 {
			return line[:i], string(r)
		}
		width += runeWidth(r)
	}
	return line, ""
}

func widthOf(s string) int {
	width := 0
	for _, r := range s {
		width += runeWidth(r)
	}
	return width
}

// runeWidth is measured by another library than the tables are.
func runeWidth(r rune) int {
	c := &runewidth.Condition{StrictEmojiNeutral: true}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0 // of which it knows only the common ones
	}
	return c.RuneWidth(r)
}

// TestDetailsOfHostileData shows every workload by itself, in short and in full, and the Pods.
func TestDetailsOfHostileData(t *testing.T) {
	for what, text := range hostile() {
		t.Run(what, func(t *testing.T) {
			file := dump(t, injected(text)...)
			for _, w := range reportOf(t, "-f", file).Workloads {
				for _, args := range [][]string{{w.DisplayName}, {w.DisplayName, "-o", "wide"}, {w.DisplayName, "--only=no-startup", "--summary"}} {
					r := terminal(t, 80, "", append(args, "-f", file, "--color=never")...)
					clean(t, strings.Join(args, " "), r, false, false)
					if strings.Count(w.DisplayName, "/") == 1 && !strings.Contains(w.DisplayName, ",") && r.status != ExitOK {
						t.Errorf("%q: ended with %d: %.300s", args, r.status, r.err)
					}
				}
			}
		})
	}
}

// TestWordsOfHostileData has them in what the user types, and in what is said of it.
func TestWordsOfHostileData(t *testing.T) {
	good := dump(t, injected(harmless)...)
	for what, text := range hostile() {
		t.Run(what, func(t *testing.T) {
			broken := write(t, "broken.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: \""+text+"\nx: [")
			folder := t.TempDir()
			fileName := filepath.Join(folder, strings.Map(pathRune, name(text)[:min(len(text), 60)])+".yaml")
			manifest := "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: x, livenessProbe: {tcpSocket: {port: 1}}}]}\n"
			if err := os.WriteFile(fileName, []byte(manifest), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{
				{"-f", good, "deploy/" + text},
				{"-f", good, text},
				{"-f", good, text + "/web"},
				{"-f", good, "-n", text},
				{"-f", good, "-l", "a=" + text},
				{"-f", good, "-c", text},
				{"-f", good, "-c", "[" + text},
				{"-f", good, "--only=" + text},
				{"-f", good, "--fail-on=" + text},
				{"-f", good, "--sort-by=" + text},
				{"-f", good, "--summary=" + text},
				{"-f", good, "-o", text},
				{"-f", good, "-o", "jsonpath={" + text + "}"},
				{"-f", good, "--color=" + text},
				{"-f", good, "--" + text},
				{"-f", good, "--chunk-size=" + text},
				{"-f", text},
				{"-f", broken},
				{"-f", fileName},
				{"-f", folder, "--fail-on=info"},
				{"-k", text},
				{"--kubeconfig", broken},
				{"--context", text, "--kubeconfig", write(t, "config", "")},
				{text, "--server", "http://127.0.0.1:1/" + text},
				{"set", text, "--liveness-off", "--kubeconfig", broken},
				{"set", "pod/a", "--liveness=" + text},
				{"set", "pod/a", "--liveness=exec=" + text, "-o", text},
				{"set", "pod/a", "--liveness=http=" + text},
				{"set", "pod/a", "--liveness-off", "-c", text, "--kubeconfig", broken},
				{"set", text + "/x", "--liveness-off"},
				{"set", "-f", broken, "--local", "--liveness-off"},
				{"set", "-f", fileName, "--local", "--liveness-off"},
				{"set", "-f", text, "--local", "--liveness-off"},
				{"set", "-f", fileName, "--local", "--liveness-off", "-c", text},
				{"version", "--kubeconfig", broken},
				{"version", "--" + text},
				{text, "-x"},
			} {
				clean(t, fmt.Sprintf("%.200q", args), terminal(t, 80, "", args...), true, false)
			}
		})
	}
}

// headerRune leaves out what ends a header, or makes its answer none of HTTP.
func headerRune(r rune) rune {
	if r < ' ' || r == 0x7f || r == '"' || r == '\\' {
		return -1
	}
	return r
}

// pathRune leaves out what no file name can have.
func pathRune(r rune) rune {
	if r == 0 || r == '/' {
		return -1
	}
	return r
}

// TestServerOfHostileData has a server say them, in errors, warnings and objects, also as bytes that are no UTF-8.
func TestServerOfHostileData(t *testing.T) {
	texts := hostile()
	texts["no UTF-8"] = "\xff\xc3(\xed\xa0\x80"
	for what, text := range texts {
		t.Run(what, func(t *testing.T) {
			s := fakeapi.New(t)
			s.Serve(fakeapi.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, Plural: "widgets"})
			for _, o := range injected(text) {
				if _, custom := o.(*unstructured.Unstructured); !custom {
					s.Add(o)
				}
			}
			s.Fail(fakeapi.Failure{Path: "/apis/batch/v1/cronjobs", Answer: refusal(500, text)})
			s.Fail(fakeapi.Failure{Path: "/api/v1/services", Answer: refusal(403, text)})
			flags := []string{"--kubeconfig", write(t, "config", ""), "--cache-dir", t.TempDir(), "--server", s.URL}
			for output, args := range outputs() {
				r := terminal(t, 80, "", slices.Concat(flags, []string{"-A", "--color=always"}, args)...)
				clean(t, output, r, true, isData(output))
				if undecided := []string{"fail", "findings", "failing"}; r.status == ExitError && !slices.Contains(undecided, output) {
					t.Errorf("%s: %.300s", output, r.err)
				}
			}
			for _, line := range [][]string{{"pod/"}, {"deploy", ""}, {"svc/"}, {"-c", ""}, {"set", "pod/"}, {"set", "--all", "-c", ""}} {
				clean(t, fmt.Sprintf("complete %q", line), terminal(t, 80, "", slices.Concat([]string{"__complete"}, flags, []string{"-n", "shop" + name(text)}, line)...), false, false)
			}
			broken := fakeapi.New(t)
			broken.Fail(fakeapi.Failure{Path: "/api/v1/pods", Answer: refusal(500, text)})
			r := terminal(t, 80, "", append(flags, "--server", broken.URL, "-A")...)
			clean(t, "no Pods", r, true, false)
			if r.status != ExitError {
				t.Errorf("ended with %d", r.status)
			}
		})
	}
}

// TestSetOfHostileData plans, and is refused, changes of such objects.
func TestSetOfHostileData(t *testing.T) {
	for what, text := range hostile() {
		t.Run(what, func(t *testing.T) {
			s := fakeapi.New(t)
			for _, o := range injected(text) {
				if _, custom := o.(*unstructured.Unstructured); !custom {
					s.Add(o)
				}
			}
			s.Fail(fakeapi.Failure{Method: http.MethodPatch, Path: "/api/v1/*", Answer: refusal(403, text)})
			flags := []string{"--kubeconfig", write(t, "config", ""), "--cache-dir", t.TempDir(), "--server", s.URL, "-n", "shop" + name(text), "--all", "-c", "app*", "--startup=period=7"}
			for _, args := range [][]string{{"--dry-run=client"}, {"--dry-run=client", "-o", "json"}, {"--dry-run=client", "-o", "yaml"}, {"--dry-run=client", "-o", "name"}, {"--at-once"}, {"--at-once", "-o", "json"}} {
				r := terminal(t, 80, "", slices.Concat([]string{"set"}, flags, args)...)
				clean(t, fmt.Sprintf("set %q", args), r, true, false)
				if slices.Contains(args, "--dry-run=client") && !strings.Contains(text, "%") && (r.status != ExitOK || r.out == "") {
					t.Errorf("set %q: ended with %d: %.300s", args, r.status, r.err)
				}
			}
			file := dump(t, injected(text)...)
			local := []string{"set", "-f", file, "--local", "--startup=period=7", "-c", "app*"}
			data, shown := terminal(t, 0, "", local...), terminal(t, 80, "", local...)
			clean(t, "set --local", shown, false, true)
			var was, is any
			if err := json.Unmarshal([]byte(data.out), &was); err != nil {
				t.Fatalf("%v: %.300s", err, data.err)
			}
			if err := json.Unmarshal([]byte(shown.out), &is); err != nil || !reflect.DeepEqual(was, is) {
				t.Errorf("a terminal gets other data than a pipe: %v", err)
			}
		})
	}
}

// refusal is an answer with a text in all that is read of it.
func refusal(code int, text string) http.HandlerFunc {
	reason := metav1.StatusReason("Reason" + text)
	if code == http.StatusForbidden {
		reason = metav1.StatusReasonForbidden // else it is tried again
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Warning", `299 - "beware `+strings.Map(headerRune, text)+`"`)
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: int32(code),
			Reason: reason, Message: "no " + text,
		})
	}
}

// What machines read is what was read, whatever it is. JSON has no bytes that are not UTF-8, and no file of it either.
func TestHostileDataForMachines(t *testing.T) {
	want := stripped(harmless, decoded(t, dump(t, injected(harmless)...)))
	for what, text := range hostile() {
		t.Run(what, func(t *testing.T) {
			if diff := cmp.Diff(want, stripped(text, decoded(t, dump(t, injected(text)...)))); diff != "" {
				t.Errorf("the report has not the strings of the objects (-want +got):\n%s", diff)
			}
		})
	}
}

func decoded(t *testing.T, file string) any {
	t.Helper()
	var report any
	if err := json.Unmarshal([]byte(pipe(t, "-f", file, "-o", "json").out), &report); err != nil {
		t.Fatal(err)
	}
	return report
}

// stripped takes the text out of all strings of a report, but for sentences, which quote it in ways of their own, and lists
// that were cut out of one string.
func stripped(text string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, sentences := range []string{"findings", "invalid", "text", "whyNot", "files", "file", "ignore"} {
			delete(v, sentences)
		}
		if _, drift := v["field"]; drift {
			delete(v, "pod")
			delete(v, "template")
		}
		for key := range v {
			v[key] = stripped(text, v[key])
		}
	case []any:
		for i := range v {
			v[i] = stripped(text, v[i])
		}
	case string:
		return strings.ReplaceAll(strings.ReplaceAll(v, text, ""), name(text), "")
	}
	return value
}
