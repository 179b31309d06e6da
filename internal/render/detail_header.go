package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// header is what and how many, the revision, and who sends traffic.
func (v *view) header() {
	items := []cell{{text: v.title()}, v.counts()}
	items = append(items, v.revision()...)
	items = append(items, v.services()...)
	if owner := v.workload.RootOwner; owner != nil {
		items = append(items, cell{text: "of " + token(ownerName(owner))})
	}
	if s := v.workload.Source; s != nil && !v.report.Running {
		items = append(items, cell{text: fmt.Sprintf("%s, document %d", report.FileName(token(s.File)), s.Document)})
	}
	v.page.items(items...)
	v.rollout()
}

// title can be pasted back. A Pod, or an owner between the workload and its Pods, keeps the workload's name.
func (v *view) title() string {
	name := token(v.workload.DisplayName)
	if v.workload.Narrowed {
		if part := v.part(); part != "" && part != name {
			name = part + " of " + name
		}
	}
	if v.workload.Namespace != "" {
		name += " -n " + token(v.workload.Namespace)
	}
	return name
}

func (v *view) part() string {
	if v.named != "" {
		return "pod/" + token(v.named)
	}
	args := v.report.Scope.Arguments
	sep := " "
	if len(args) == 2 && !strings.Contains(args[0]+args[1], "/") {
		sep = "/"
	}
	return Escape(strings.Join(args, sep))
}

// counts is how many Pods there are, and what became of the others.
func (v *view) counts() cell {
	w, n := v.workload, v.workload.Pods
	in := v.row(&report.Container{Ready: n.Ready, Total: n.Total})
	counted := in.readyCount()
	switch {
	case in.unread:
		return cell{text: "Pods unknown", tint: yellow}
	case counted.why == whyManifest && w.Desired != nil:
		return cell{text: "a manifest, for " + pods(int(*w.Desired))}
	case counted.why == whyManifest:
		return cell{text: "a manifest"}
	}
	c := cell{text: v.howMany(n, counted)}
	for _, other := range []struct {
		n    int
		word string
	}{{n.Terminating, "terminating"}, {n.Finished, "finished"}, {n.Gone, "gone"}} {
		if other.n > 0 {
			c.text += fmt.Sprintf(", %d %s", other.n, other.word)
		}
	}
	if n.Ready < counted.whole {
		c.tint = red
	}
	return c
}

func (v *view) howMany(n report.PodCounts, r readyCount) string {
	switch {
	case r.why == whyDone:
		return "done"
	case n.Total == 0 && r.whole == 0 && r.why == counted:
		return "scaled to zero"
	case n.Total == 0 && r.whole == 0:
		return "no live Pods"
	case r.whole > n.Total:
		return fmt.Sprintf("%d of %s, %d ready", n.Total, pods(r.whole), n.Ready)
	default:
		return fmt.Sprintf("%s, %d ready", pods(n.Total), n.Ready)
	}
}

// revision is that of the current template and since when; and whether there are Pods of another.
func (v *view) revision() []cell {
	w := v.workload
	if w.Revision == "" {
		return nil
	}
	c := cell{text: "revision " + token(w.Revision)}
	if since := v.age(w.RevisionSince); since != "" {
		c.text += " for " + since
	}
	if w.Rollout != nil && w.Rollout.State == report.RolloutComplete {
		c.text += " (no rollout)"
	}
	return []cell{c}
}

// services are those in front, as far as they were read.
func (v *view) services() []cell {
	const most = 3
	var out []cell
	for i, s := range v.workload.Services {
		if i == most && !v.full {
			return append(out, cell{text: fmt.Sprintf("and %d more Services", len(v.workload.Services)-most)})
		}
		out = append(out, serviceItem(s))
	}
	if v.workload.Services != nil && len(out) == 0 && v.report.Running {
		return []cell{{text: "no Service", tint: grey}}
	}
	return out
}

func serviceItem(s report.Service) cell {
	c := cell{text: "svc/" + token(s.Name)}
	switch {
	case s.Endpoints == nil || s.Ready == nil:
		c.text += ": endpoints unknown"
	case *s.Endpoints == 0:
		c.text += ": no endpoints"
		c.tint = red
	default:
		c.text += fmt.Sprintf(": %d of %s ready", *s.Ready, plural(int64(*s.Endpoints), "endpoint"))
		if *s.Ready < *s.Endpoints {
			c.tint = red
		}
	}
	if s.PublishNotReadyAddresses {
		c.text += " (keeps unready Pods)"
	}
	return c
}

// rollout is who does not become ready, who serves meanwhile, since when and why.
func (v *view) rollout() {
	o := v.workload.Rollout
	if o == nil || o.State == report.RolloutComplete {
		return
	}
	label := cell{text: "rollout", tint: yellow}
	if o.State == report.RolloutStalled {
		label.tint = red
	}
	text := string(o.State)
	if since := v.since(o.Since); since != "" {
		text += " since " + since
	}
	v.page.say(label, text+v.newPods(o)+v.oldPods(o))
	why := strings.Trim(token(o.Reason)+": "+sentence(o.Message), ": ")
	if why != "" {
		v.page.say(cell{}, why)
	}
}

func (v *view) newPods(o *report.Rollout) string {
	if o.NewPods == nil || o.NewReady == nil {
		if o.NewRevision == "" {
			return ""
		}
		return ", to " + token(o.NewRevision)
	}
	text := ": " + cmp.Or(token(o.NewRevision), "the new revision")
	switch {
	case *o.NewPods == 0:
		text += " has no Pods"
	case *o.NewReady == *o.NewPods:
		text += fmt.Sprintf(" has all its %s ready", pods(*o.NewPods))
	case *o.NewReady == 0 && o.State == report.RolloutStalled:
		text += " does not become ready, 0 of " + pods(*o.NewPods)
	default:
		text += fmt.Sprintf(" has %d of %s ready", *o.NewReady, pods(*o.NewPods))
	}
	if len(o.NotReady) > 0 {
		text += " (" + firstOf(o.NotReady, *o.NewPods-*o.NewReady) + ")"
	}
	return text
}

func (v *view) oldPods(o *report.Rollout) string {
	who := "Pods of the previous revision"
	if len(o.OldRevisions) > 0 {
		escaped := make([]string, 0, len(o.OldRevisions))
		for _, name := range o.OldRevisions {
			escaped = append(escaped, token(name))
		}
		who = "Pods of " + some(escaped)
	}
	serving := o.KeepServing != nil && *o.KeepServing
	switch {
	case o.OldPods != nil && o.OldReady != nil && *o.OldPods > 0 && serving:
		return fmt.Sprintf("; %d of %d %s keep serving", *o.OldReady, *o.OldPods, who)
	case serving:
		return "; " + who + " keep serving"
	case o.OldPods != nil && *o.OldPods > 0:
		return fmt.Sprintf("; none of %d %s is ready either", *o.OldPods, who)
	default:
		return ""
	}
}

// sentence is a message as one line without a full stop.
func sentence(s string) string { return strings.TrimSuffix(strings.TrimSpace(Escape(s)), ".") }
