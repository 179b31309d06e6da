package rules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// edit is what one flag of `kubectl probes set` asks.
type edit struct {
	kind probe.Kind
	text string // FIELD=VALUE[,FIELD=VALUE...]
}

func setTo(kind probe.Kind, format string, args ...any) edit {
	return edit{kind, fmt.Sprintf(format, args...)}
}

// change is the command for some edits of the container's probes, and what to know about it. There is none
// where it would not last: then the words say what to change, and where.
func (f facts) change(edits ...edit) (note, command string) {
	switch where := f.elsewhere(); {
	case len(edits) == 0:
		return "", ""
	case where != "":
		return fmt.Sprintf("try %s: %s", editsText(edits), where), ""
	case f.isManifest():
		return f.inManifest(edits)
	case f.workload.Kind == "Pod":
		return "on the running Pod, if this server allows it:", f.set("", edits)
	default:
		return f.templateNote(), f.set("--pod-template", edits)
	}
}

// elsewhere says where the container's probes have to be changed when `set` is not the way; empty when it is.
func (f facts) elsewhere() string {
	w := f.workload
	switch {
	case f.container.Injected:
		return "an injector adds this container, and its settings are the place"
	case f.isStatic():
		return fmt.Sprintf("a static Pod, whose manifest on %s is the place", w.RootOwner.Name)
	case w.RootOwner != nil:
		return fmt.Sprintf("%s manages %s, and is the place", owner(w.RootOwner), w.DisplayName)
	case f.isManifest() && (w.Kind == "Job" || w.Kind == "Pod"):
		return ""
	case w.Kind == "Job":
		return "create the Job anew with that, since the template of a Job cannot change"
	case w.Kind == "Pod" && !f.mutable():
		return "create the Pod anew with that: it has no workload, and before v1.38 probes of a running Pod are fixed"
	case w.Kind != "Pod" && !hasKnownTemplate(w):
		return fmt.Sprintf("in the template, where %s has it", w.DisplayName)
	default:
		return ""
	}
}

// isManifest says that the workload is from a file and has never been in a cluster, as far as anything tells.
func (f facts) isManifest() bool {
	w := f.workload
	switch {
	case w.Source == nil || w.Revision != "":
		return false
	case w.Kind == "Pod":
		return !slices.ContainsFunc(f.container.Pods, hasStatus)
	default:
		return w.Pods == report.PodCounts{}
	}
}

func hasStatus(p report.Pod) bool {
	return p.Phase != report.Live || p.Node != "" || p.State != "" || p.Cause != ""
}

// inManifest is the command for a file; where the manifest came another way, the words have to do.
func (f facts) inManifest(edits []edit) (note, command string) {
	file := f.workload.Source.File
	if isFile := file == "-" || slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)); !isFile || strings.Contains(file, "://") || f.repeated[f.container.Name] {
		return fmt.Sprintf("try %s: in the manifest", editsText(edits)), ""
	}
	words := []string{"kubectl", "probes", "set", "-f", file, "--local", f.workload.DisplayName, "-c", f.container.Name}
	return "prints the manifest with the change:", probe.QuoteWords(append(words, flags(edits)...)...)
}

func flags(edits []edit) []string {
	var words []string
	for _, e := range edits {
		words = append(words, "--"+string(e.kind)+"="+e.text)
	}
	return words
}

func editsText(edits []edit) string {
	texts := make([]string, 0, len(edits))
	for _, e := range edits {
		texts = append(texts, string(e.kind)+" "+e.text)
	}
	return strings.Join(texts, ", ")
}

// set is one line to paste. It asks the server and changes nothing until --dry-run is taken off.
func (f facts) set(where string, edits []edit) string {
	words := []string{"kubectl", "probes", "set", f.workload.DisplayName, "-n", f.workload.Namespace, "-c", f.container.Name}
	if where != "" {
		words = append(words, where)
	}
	words = append(words, flags(edits)...)
	return probe.QuoteWords(append(words, "--dry-run=server")...)
}

func owner(o *report.OwnerRef) string {
	name := strings.ToLower(o.Kind)
	if o.Group != "" {
		name += "." + o.Group
	}
	return name + "/" + o.Name
}

// hasKnownTemplate says that `set --pod-template` knows where the kind keeps its template.
func hasKnownTemplate(w *report.Workload) bool {
	switch w.Group + "/" + w.Kind {
	case "apps/Deployment", "apps/StatefulSet", "apps/DaemonSet", "apps/ReplicaSet", "/ReplicationController", "batch/CronJob",
		"argoproj.io/Rollout", "apps.kruise.io/CloneSet", "apps.kruise.io/StatefulSet", "apps.kruise.io/DaemonSet":
		return true
	default:
		return false
	}
}

func (f facts) templateNote() string {
	note := "in the template, which starts a rollout"
	switch f.workload.Kind {
	case "CronJob":
		return "in the template, for its next Job:"
	case "ReplicaSet", "ReplicationController":
		return "in the template, for Pods that are yet to be made:"
	}
	if f.mutable() {
		note += "; with --pods instead of --pod-template on the running Pods, if this server allows it"
	}
	return note + ":"
}

// mutableFrom is the release whose servers can be told to accept changes of probes on running Pods (KEP-6318).
const mutableFrom = 38

// mutable says that the server may accept changes of probes on running Pods.
func (f facts) mutable() bool {
	return RunningPodsOf(f.report.ServerVersion) == PodsGated
}

// immutableNote tells in an incident why the running Pods are not the place; empty where that is not known.
func (f facts) immutableNote() string {
	if RunningPodsOf(f.report.ServerVersion) != PodsFixed {
		return ""
	}
	minor, _ := minorVersion(f.report.ServerVersion)
	return fmt.Sprintf("(this server is v1.%d: probes of running Pods cannot be changed)", minor)
}

// RunningPods is what a server of a version can do about the probes of running Pods.
type RunningPods string

// What the version of a server tells. Whether the feature gate is on is not to be had from it: only a change tells.
const (
	PodsFixed   RunningPods = "fixed"   // none of that release takes a change (KEP-6318)
	PodsGated   RunningPods = "gated"   // it does if its feature gate MutableContainerProbes is on
	PodsUnknown RunningPods = "unknown" // the version says nothing
)

// RunningPodsOf reads a server's version as its /version tells it.
func RunningPodsOf(serverVersion string) RunningPods {
	switch minor, ok := minorVersion(serverVersion); {
	case !ok:
		return PodsUnknown
	case minor < mutableFrom:
		return PodsFixed
	default:
		return PodsGated
	}
}

// minorVersion reads v1.34.2, and what distributions hang on to it.
func minorVersion(version string) (int, bool) {
	rest, ok := strings.CutPrefix(version, "v1.")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		rest = rest[:end]
	}
	minor, err := strconv.Atoi(rest)
	return minor, ok && err == nil
}

// undo takes a rollout back, where that is a command and would last.
func (f facts) undo() (note, command string) {
	w := f.workload
	switch {
	case w.RootOwner != nil:
		return fmt.Sprintf("%s manages %s: it is the place to take the change back", owner(w.RootOwner), w.DisplayName), ""
	case w.Group != "apps" || w.Kind == "ReplicaSet":
		return "take the change of the template back", ""
	default:
		return "to go back to the previous template:", probe.QuoteWords("kubectl", "rollout", "undo", w.DisplayName, "-n", w.Namespace)
	}
}

// handlerField is a handler as `set` takes it; false for what only a whole probe in JSON can say. It has to
// come last: exec takes the rest.
func handlerField(h report.Handler) (string, bool) {
	if h.Port == nil && h.Type != string(probe.Exec) || len(h.Headers) > 0 || h.Protocol != "" && h.Protocol != "HTTP1" || h.Mode != "" && h.Mode != "Plaintext" {
		return "", false
	}
	host := h.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	switch probe.HandlerType(h.Type) {
	case probe.HTTP:
		value := host + ":" + h.Port.String() + h.Path
		if h.Scheme == "HTTPS" {
			value = "https://" + value
		}
		return "http=" + fieldValue(value), strings.HasPrefix(h.Path, "/")
	case probe.TCP:
		return "tcp=" + fieldValue(host+":"+h.Port.String()), true
	case probe.GRPC:
		value := ":" + h.Port.String()
		if h.Service != nil && *h.Service != "" {
			value += "/" + *h.Service
		}
		return "grpc=" + fieldValue(value), true
	case probe.Exec:
		return "exec=" + probe.QuoteWords(h.Command...), len(h.Command) > 0
	default:
		return "", false
	}
}

// fieldValue quotes a value with a comma, which would end it.
func fieldValue(s string) string {
	if strings.ContainsAny(s, ", '\"") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}
