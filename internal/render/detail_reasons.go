package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// restarts splits them by what is proven.
func (v *view) restarts(c *report.Container) {
	if c.Restarts == 0 || len(c.RestartCauses) == 0 {
		return
	}
	var parts []string
	for _, rc := range c.RestartCauses {
		parts = append(parts, fmt.Sprintf("%d %s", rc.Restarts, endedBy(rc.Cause)))
	}
	subject := ""
	if len(v.workload.Containers) > 1 {
		subject = token(c.Name) + ": "
	}
	v.page.say(cell{text: "restart", tint: yellow}, subject+strings.Join(parts, ", "))
}

// subject names a container where there are several.
func (v *view) subject(c *report.Container) string {
	if len(v.workload.Containers) < 2 {
		return ""
	}
	return token(c.Name) + " "
}

// endedBy is a cause of restarts in words.
func endedBy(cause string) string {
	switch {
	case cause == lost:
		return "for unknown reasons (no Event tells them any more)"
	case cause == "liveness" || cause == "startup":
		return "by the " + cause + " probe"
	case cause == "OOMKilled":
		return "for want of memory (OOMKilled)"
	case cause == "resize":
		return "for an in-place resize"
	case cause == "definition-changed":
		return "for a change of the container"
	case strings.HasPrefix(cause, "exit-"):
		return "after it exited by itself with " + token(strings.TrimPrefix(cause, "exit-"))
	default:
		return "for " + token(cause)
	}
}

// reasons says what else than a probe keeps Pods down or had them restarted, so that nobody tunes a probe for it. What is
// wrong with whole Pods is said once.
func (v *view) reasons(c *report.Container) {
	for _, cause := range c.Causes {
		text := elsewhere(cause.Cause)
		if neverRan(c, cause.Cause) {
			text = "the container cannot be started; nothing has been checked"
		}
		if text == "" || ofPod(cause.Cause) && v.said[cause] {
			continue
		}
		v.said[cause] = true
		subject := pods(cause.Pods)
		if len(v.workload.Containers) > 1 && !ofPod(cause.Cause) {
			subject = token(c.Name) + " in " + subject
		}
		name := token(cause.Cause)
		if cause.Cause == lost {
			name = "unknown"
		}
		v.page.say(cell{text: "why", tint: yellow}, fmt.Sprintf("%s, %s: %s", name, subject, text))
		v.words(c, cause.Cause)
	}
}

// neverRan says that the runtime could not start any of the containers that are down for that: their exit code is its own.
func neverRan(c *report.Container, cause string) bool {
	found := false
	for _, p := range c.Pods {
		if p.Cause != cause {
			continue
		}
		if p.LastTermination == nil || p.LastTermination.Reason != "StartError" && p.LastTermination.Reason != "ContainerCannotRun" {
			return false
		}
		found = true
	}
	return found
}

// ofPod holds for causes that concern all containers of a Pod alike.
func ofPod(cause string) bool {
	return slices.Contains([]string{"Pending", "Init", "NodeNotReady", "gate", "FailedCreate"}, cause)
}

// elsewhere explains a cause that is no probe; empty for those that are.
func elsewhere(cause string) string {
	switch cause {
	case "startup", "readiness", "liveness":
		return ""
	case lost:
		return "restarted, and nothing tells any more why; it may have been a probe"
	case "OOMKilled":
		return "the container used more memory than its limit; no probe did this"
	case "ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable":
		return "the image cannot be pulled; nothing is checked before the container runs"
	case "CreateContainerConfigError", "CreateContainerError", "RunContainerError":
		return "the container cannot be made (a ConfigMap, a Secret, a command); nothing has been checked"
	case "CrashLoopBackOff":
		return "it waits for its next start"
	case "ContainerCreating":
		return "volumes, network or image are not there yet"
	case "Pending":
		return "not scheduled, or not started by its node; nothing is checked yet"
	case "Init":
		return "what comes before it is not done, and it is not checked yet"
	case "NodeNotReady":
		return "the node does not report, so its Pods are not ready whatever their probes say"
	case "gate":
		return "all containers are ready, but not a readiness gate, which something else sets"
	case "resize":
		return "restarted for an in-place resize"
	case "definition-changed":
		return "restarted because the container was changed"
	case "FailedCreate":
		return "they could not be created (a quota, a webhook); no probe is concerned"
	}
	if strings.HasPrefix(cause, "exit-") {
		return "the container ends by itself; checks that fail meanwhile fail for that"
	}
	return "the container does not run"
}
