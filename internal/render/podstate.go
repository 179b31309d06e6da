package render

import (
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// podState is a container's state in one Pod, as kubectl's STATUS has it and with what a probe makes of it.
func podState(p *report.Pod) cell {
	switch p.Phase {
	case report.Terminating, report.Finished, report.Gone:
		return cell{text: reasoned(string(p.Phase), p.Reason), tint: grey}
	}
	switch {
	case p.Ready && p.PodReady:
		return cell{text: "ready"}
	case p.Ready:
		return cell{text: "ready, its Pod is not", tint: red}
	case p.State == "waiting":
		return cell{text: token(p.Reason), tint: red}
	case p.State == "terminated":
		return cell{text: reasoned("ended", p.Reason), tint: red}
	case p.State == "running" && p.Started != nil && !*p.Started:
		return cell{text: "running, starting", tint: red}
	case p.State == "running":
		return cell{text: "running, not ready", tint: red}
	case p.Node == "":
		return cell{text: reasoned("not scheduled", p.Reason), tint: red}
	default:
		return cell{text: reasoned("not started", p.Reason), tint: red}
	}
}

func reasoned(state, reason string) string {
	if reason == "" {
		return state
	}
	return state + " (" + token(reason) + ")"
}
