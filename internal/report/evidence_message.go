package report

import (
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// verb is what an Event says happened to a container.
type verb int

const (
	failed       verb = iota + 1 // a check failed
	errored                      // a check could not run; the kubelet drops its result
	warned                       // a check succeeded on an answer worth a look
	killed                       // a probe had the container killed
	stopped                      // killed, and the message does not say why
	redefined                    // killed for a change of its definition
	resized                      // killed for an in-place resize
	backedOff                    // a restart was put off
	reconfigured                 // a probe was changed while running (KEP-6318)
)

// signal is one Event, understood.
type signal struct {
	verb      verb
	probe     probe.Kind
	action    string // of reconfigured
	container string // empty: nothing says which
	text      string
}

// combinedPrefix marks the one Event that stands for all further messages of a Pod, type and reason. Its
// fieldPath is that of whichever container came first (client-go tools/record/events_cache.go).
const combinedPrefix = "(combined from similar events): "

// understand reads an Event about a Pod: nothing, when it says nothing about containers and probes.
func understand(e *snapshot.Event) []signal {
	message, combined := strings.CutPrefix(e.Message, combinedPrefix)
	container, known := containerOf(e.FieldPath)
	if !known {
		return nil
	}
	if combined {
		container = ""
	}
	signals := readMessage(e.Reason, message)
	for i := range signals {
		switch {
		case combined:
			signals[i].container = ""
		case container != "":
			signals[i].container = container
		}
	}
	return signals
}

// containerOf takes the name out of a fieldPath (pkg/kubelet/container/ref.go); false for ephemeral
// containers, which cannot have probes.
func containerOf(fieldPath string) (string, bool) {
	list, name, _ := strings.Cut(strings.TrimPrefix(fieldPath, "spec."), "{")
	name = strings.TrimSuffix(name, "}")
	return name, list != "ephemeralContainers"
}

func readMessage(reason, message string) []signal {
	switch reason {
	case "Unhealthy", "ProbeWarning":
		return readCheck(message)
	case "Killing":
		return readKilling(message)
	case "BackOff": // of an image pull it is a Normal event: Back-off pulling image
		if rest, ok := strings.CutPrefix(message, "Back-off restarting failed container"); ok {
			name, _, _ := strings.Cut(strings.TrimPrefix(rest, " "), " ")
			return []signal{{verb: backedOff, container: name, text: message}}
		}
	case "ContainerProbeChanged":
		return readChange(message)
	}
	return nil
}

// readCheck reads what pkg/kubelet/prober/prober.go writes: "Liveness probe failed: ...", "Liveness probe
// errored: ..." (until v1.32), "Liveness probe errored and resulted in unknown state: ..." (from v1.33 on),
// "Liveness probe warning: ...".
func readCheck(message string) []signal {
	subject, rest, ok := strings.Cut(message, " probe ")
	if !ok {
		return nil
	}
	kind, ok := kindNamed(subject)
	if !ok {
		return nil
	}
	predicate, text, ok := strings.Cut(rest, ":")
	if !ok {
		return nil
	}
	s := signal{probe: kind, text: strings.TrimSpace(text)}
	switch {
	case predicate == "failed":
		s.verb = failed
	case predicate == "errored" || strings.HasPrefix(predicate, "errored and resulted in "):
		s.verb = errored
	case predicate == "warning":
		s.verb = warned
	default:
		return nil
	}
	return []signal{s}
}

func kindNamed(word string) (probe.Kind, bool) {
	for _, kind := range probe.Kinds() {
		if strings.EqualFold(word, string(kind)) {
			return kind, true
		}
	}
	return "", false
}

// readKilling reads why a container is killed (pkg/kubelet/kuberuntime/kuberuntime_manager.go
// computePodActions; kuberuntime_container.go for sidecars and for "Stopping container").
func readKilling(message string) []signal {
	if name, ok := strings.CutPrefix(message, "Stopping container "); ok {
		return []signal{{verb: stopped, container: name, text: message}}
	}
	rest, ok := strings.CutPrefix(message, "Init container ")
	if !ok {
		rest, ok = strings.CutPrefix(message, "Container ")
	}
	if !ok {
		return nil
	}
	name, why, _ := strings.Cut(rest, " ")
	why = strings.TrimSuffix(why, ", will be restarted")
	s := signal{container: name, text: message}
	switch why {
	case "failed liveness probe":
		s.verb, s.probe = killed, probe.Liveness
	case "failed startup probe":
		s.verb, s.probe = killed, probe.Startup
	case "definition changed":
		s.verb = redefined
	case "resize requires restart":
		s.verb = resized
	default:
		return nil
	}
	return []signal{s}
}

// readChange reads a ContainerProbeChanged event. Its wording is not fixed yet: the KEP says that it names
// the container, the probe and what was done.
func readChange(message string) []signal {
	words := strings.FieldsFunc(message, func(r rune) bool { return !isNameRune(r) })
	var signals []signal
	for _, kind := range probe.Kinds() {
		for _, word := range words {
			if strings.EqualFold(strings.TrimSuffix(strings.ToLower(word), "probe"), string(kind)) {
				signals = append(signals, signal{verb: reconfigured, probe: kind, action: actionIn(words), container: nameAfterContainer(words), text: message})
				break
			}
		}
	}
	return signals
}

func isNameRune(r rune) bool {
	return r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

func nameAfterContainer(words []string) string {
	for i := range len(words) - 1 {
		if strings.EqualFold(words[i], "container") {
			return words[i+1]
		}
	}
	return ""
}

// actionIn finds what was done; "changed" may only introduce it.
func actionIn(words []string) string {
	action := ""
	for _, word := range words {
		switch strings.ToLower(word) {
		case "add", "added", "adding":
			return "added"
		case "remove", "removed", "removing", "delete", "deleted":
			return "removed"
		case "update", "updated", "updating", "change", "changed", "modified":
			action = "updated"
		}
	}
	return action
}

// isTimeout says whether a failed check's output means that it ran into its timeout. The forms are those of
// pkg/probe/exec (until v1.30, and since), pkg/probe/http, pkg/probe/tcp and pkg/probe/grpc.
func isTimeout(output string) bool {
	switch {
	case strings.HasPrefix(output, "command timed out: "), strings.HasPrefix(output, "timeout: "):
		return true
	case strings.HasPrefix(output, `command "`):
		return strings.HasSuffix(output, " timed out")
	case strings.HasPrefix(output, "Get "):
		return strings.Contains(output, "context deadline exceeded") || strings.Contains(output, "Client.Timeout") || strings.Contains(output, "i/o timeout")
	case strings.HasPrefix(output, "dial tcp "):
		return strings.HasSuffix(output, "i/o timeout")
	default:
		return false
	}
}
