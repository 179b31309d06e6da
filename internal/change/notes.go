package change

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// notes are what a person should know beside the changes themselves.
func notes(p *ObjectPlan) []string {
	switch {
	case p.Manifest:
		return nil
	case !p.Changed():
		return append(goneNotes(p), staleNotes(p)...)
	case p.Pod == nil:
		return append(rolloutNotes(p), revertNotes(p.Meta)...)
	default:
		return append(goneNotes(p), replacementNotes(p)...)
	}
}

// goneNotes are of containers whose probes would be restored, were they still there.
func goneNotes(p *ObjectPlan) []string {
	if !p.request.Restore {
		return nil
	}
	var out []string
	for name := range p.first {
		if _, found := p.slot(name); !found {
			out = append(out, fmt.Sprintf("its annotation %s names a container %s, which it does not have", snapshot.OriginalAnnotation, name))
		}
	}
	slices.Sort(out)
	return out
}

// staleNotes are for who asks a second time for what a kubelet without the gate did not do the first time.
func staleNotes(p *ObjectPlan) []string {
	if p.Pod == nil || !p.Node.withoutGate() {
		return nil
	}
	for _, c := range p.Changes {
		if _, changed := p.first.get(c.key()); changed {
			return []string{p.Node.text() + ", which may still go by the probe from before it was changed, until it restarts"}
		}
	}
	return nil
}

// replacementNotes say that the next Pod will not have the change.
func replacementNotes(p *ObjectPlan) []string {
	switch {
	case p.Workload == "":
		return nil
	case p.Current == nil || p.Current.Err != nil:
		return []string{fmt.Sprintf("a replacement Pod comes from %s's template, which this does not change", p.Workload)}
	}
	var out []string
	for _, c := range p.Changes {
		container := p.Current.container(c.Container)
		if c.Action == Unchanged || container == nil {
			continue
		}
		template := probe.FromAPI(probe.Of(container, c.Kind))
		switch {
		case sameEffective(template, c.new):
			continue
		case template == nil:
			out = append(out, fmt.Sprintf("a replacement Pod comes from %s's template, which has no %s probe", p.Workload, c.Kind))
		case sameEffective(template, c.old):
			out = append(out, fmt.Sprintf("a replacement Pod comes from %s's template, which still has this probe", p.Workload))
		default:
			out = append(out, fmt.Sprintf("a replacement Pod comes from %s's template, which has another %s probe", p.Workload, c.Kind))
		}
	}
	return distinct(out)
}

// rolloutNotes say what follows from a change of the template.
func rolloutNotes(p *ObjectPlan) []string {
	w, pods := p.workload, countPods(p.Pods)
	switch {
	case w.gk.Kind == "CronJob":
		return []string{"Jobs that run go on as they are; the next one has the change"}
	case w.gk.Kind == "ReplicaSet" || w.gk.Kind == "ReplicationController":
		return []string{"Pods that run stay as they are; the next one has the change"}
	case w.paused:
		return []string{fmt.Sprintf("the rollout is paused: %s stay as they are until it is resumed", pods)}
	case w.onDelete:
		return []string{fmt.Sprintf("the update strategy is OnDelete: each of %s stays as it is until somebody deletes it", pods)}
	}
	out := []string{"starts a rollout, which replaces " + pods}
	if p.Pods == 0 {
		out[0] = "starts a rollout; it has no running Pods"
	}
	if w.partition > 0 {
		out[0] += fmt.Sprintf(" (only those with ordinal %d and above)", w.partition)
	}
	if w.ordered {
		out = append(out, "the Pods are replaced one after the other, and a Pod that is not Ready now holds the rollout up: delete that Pod if it does not go on")
	}
	return append(out, "the undo is another rollout")
}

func countPods(n int) string {
	switch n {
	case 0:
		return "no running Pods"
	case 1:
		return "1 Pod"
	default:
		return fmt.Sprintf("%d Pods", n)
	}
}

// keeper is a tool that sets objects back to what it was told elsewhere.
type keeper struct {
	name, does          string
	labels, annotations []string // keys that mark its objects, with = and a value where the key alone says nothing
	managers            []string // field managers under which it writes
}

func keepers() []keeper {
	return []keeper{
		{
			"Argo CD", "manages it and may set it back: change it in git",
			[]string{"argocd.argoproj.io/instance"},
			[]string{"argocd.argoproj.io/tracking-id"},
			[]string{"argocd-controller", "argocd-application-controller"},
		},
		{
			"Flux", "manages it and may set it back: change it in git",
			[]string{"kustomize.toolkit.fluxcd.io/name", "helm.toolkit.fluxcd.io/name"},
			nil,
			[]string{"kustomize-controller", "helm-controller"},
		},
		{
			"Helm", "manages it, and its next upgrade may set it back: change the chart's values",
			[]string{"app.kubernetes.io/managed-by=Helm"},
			[]string{"meta.helm.sh/release-name"},
			[]string{"helm"},
		},
	}
}

// revertNotes say who may set the template back.
func revertNotes(meta metav1.ObjectMeta) []string {
	var out []string
	if owner := metav1.GetControllerOfNoCopy(&meta); owner != nil {
		out = append(out, fmt.Sprintf("%s controls it and may set it back: change it there", ownerText(owner)))
	}
	for _, k := range keepers() {
		if k.marks(meta) {
			out = append(out, k.name+" "+k.does)
		}
	}
	return out
}

func (k keeper) marks(meta metav1.ObjectMeta) bool {
	has := func(in map[string]string, marks []string) bool {
		for _, mark := range marks {
			key, value, valued := strings.Cut(mark, "=")
			if got, ok := in[key]; ok && (!valued || got == value) {
				return true
			}
		}
		return false
	}
	if has(meta.Labels, k.labels) || has(meta.Annotations, k.annotations) {
		return true
	}
	for _, entry := range meta.ManagedFields {
		for _, manager := range k.managers {
			if entry.Manager == manager {
				return true
			}
		}
	}
	return false
}

func distinct(in []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range in {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
