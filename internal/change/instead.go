package change

import (
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// Instead is a way to the same end that works on servers which let nobody change the probes of a running Pod.
type Instead struct {
	Command string // empty where no single command does it
	Means   string // what that does besides, or what to do
}

// instead is empty for a workload, whose template every server lets change.
func (p *ObjectPlan) instead() Instead {
	known := p.Current != nil && p.Current.Err == nil
	switch {
	case p.Pod == nil:
		return Instead{}
	case p.Workload == "":
		return p.makeAgain()
	case p.request.Restore:
		return Instead{p.words("kubectl delete", p.String()), fmt.Sprintf("its replacement comes from %s's template", p.Workload)}
	case strings.HasPrefix(p.Workload, "job/"):
		return Instead{Means: "a Job's template cannot change once it exists: delete the Job and create it with the change"}
	case !known:
		return Instead{Means: fmt.Sprintf("change the template of %s, from which its Pods are made", p.Workload)}
	}
	command := p.words("kubectl probes set", p.Workload) + " --pod-template " + p.asked()
	switch kind, _, _ := strings.Cut(p.Workload, "/"); kind {
	case "cj":
		return Instead{command, "the next Job has it"}
	case "rs", "rc":
		return Instead{command, "the next Pods have it"}
	default:
		return Instead{command, "starts a rollout"}
	}
}

// makeAgain is for a Pod that nobody would replace.
func (p *ObjectPlan) makeAgain() Instead {
	if p.request.Restore {
		return Instead{Means: "delete the Pod and create it from its manifest"}
	}
	flags := ""
	if len(p.request.Flags) > 0 {
		flags = " " + probe.QuoteWords(p.request.Flags...)
	}
	return Instead{
		p.words("kubectl get", p.String()) + " -o yaml | kubectl probes set -f - --local " + p.asked() + " | kubectl replace --force -f -" + flags,
		"deletes the Pod and makes it again",
	}
}

// words begins a command about an object of the Pod's namespace.
func (p *ObjectPlan) words(verb, name string) string {
	return verb + " " + probe.QuoteWords(append([]string{name, "-n", p.Namespace}, p.request.Flags...)...)
}

// asked are the flags that ask for the same change.
func (p *ObjectPlan) asked() string {
	var words []string
	for _, name := range p.containers() {
		words = append(words, probe.QuoteWords("-c", name))
	}
	for _, e := range p.request.Edits {
		words = append(words, e.Flags()...)
	}
	return strings.Join(words, " ")
}
