package change

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// tries bounds how often one object's patch is sent. To send it again is safe: once made, its tests fail.
const tries = 4

// send sends one object's patch until there is an answer. It returns the object as the server has it afterwards, nil
// when it is not known to be changed. A patch whose answer was lost may still be made by a slow server, whatever a read
// or a second try says: then nobody is told that nothing was changed.
func (a *Applier) send(ctx context.Context, p *ObjectPlan) (ObjectResult, *Subject) {
	var lost error // the last answer that was
	result, subject := a.sendUntilAnswered(ctx, p, &lost)
	if lost != nil && subject == nil {
		result.Outcome = Failed
		result.Message = fmt.Sprintf("whether it was changed is not known: the answer was lost (%s), and a slow server may still change it; %s; look with: %s",
			explain(lost, p), result.Message, p.inspection())
	}
	return result, subject
}

// inspection is the command that shows the object as it is.
func (p *ObjectPlan) inspection() string {
	words := []string{"kubectl", "probes", p.String()}
	if p.Namespace != "" {
		words = append(words, "-n", p.Namespace)
	}
	return probe.QuoteWords(append(words, p.request.Flags...)...)
}

func (a *Applier) sendUntilAnswered(ctx context.Context, p *ObjectPlan, lost *error) (ObjectResult, *Subject) {
	for try := 1; ; try++ {
		patch, err := p.Patch()
		if err != nil {
			return ObjectResult{Plan: p, Outcome: Failed, Message: err.Error()}, nil
		}
		body, err := a.API.Patch(ctx, p.Ref, patch, PatchOptions{DryRun: a.DryRun, FieldManager: a.FieldManager})
		var subject *Subject
		if err == nil {
			subject, err = answered(p, body)
		}
		if err == nil {
			return a.made(p, subject, "")
		}
		last := try == tries || ctx.Err() != nil
		switch classify(err) {
		case answerFailedTest:
			again, now, why := a.readAgain(ctx, p)
			switch {
			case *lost != nil && now != nil && hasChanges(now, p): // by the try before
				return a.made(p, now, lateNote(*lost, p))
			case why != "":
				return ObjectResult{Plan: p, Outcome: Failed, Message: why}, nil
			case last:
				return ObjectResult{Plan: p, Outcome: Failed, Message: "it changes all the time: try again"}, nil
			}
			p = again
			continue
		case answerUnknown:
			if !a.DryRun {
				*lost = err
			}
			if result, subject, decided := a.afterUnknown(ctx, p, lost, err, last); decided {
				return result, subject
			}
		case answerLater:
			if last {
				return ObjectResult{Plan: p, Outcome: Failed, Message: explain(err, p)}, nil
			}
		case answerNever:
			if withoutGate(err) {
				if reason := a.endedMeanwhile(ctx, p); reason != "" {
					return ObjectResult{Plan: p, Outcome: Rejected, Message: reason}, nil
				}
			}
			result := ObjectResult{Plan: p, Outcome: Rejected, Message: explain(err, p), Stop: true}
			if withoutGate(err) {
				result.Instead = p.instead()
			}
			return result, nil
		default:
			return ObjectResult{Plan: p, Outcome: Rejected, Message: explain(err, p)}, nil
		}
		if a.Clock.Sleep(ctx, pause(try, err)) != nil {
			if *lost != nil {
				return ObjectResult{Plan: p, Outcome: Failed, Message: "interrupted"}, nil
			}
			return ObjectResult{Plan: p, Outcome: Failed, Message: "interrupted: " + explain(err, p)}, nil
		}
	}
}

// endedMeanwhile: a Pod that terminates or has finished gets the same refusal from a server with the gate as any Pod from
// one without (KEP-6318).
func (a *Applier) endedMeanwhile(ctx context.Context, p *ObjectPlan) string {
	if p.Pod == nil {
		return ""
	}
	body, err := a.API.Get(ctx, p.Ref)
	if apierrors.IsNotFound(err) {
		return "it is gone: deleted since it was read"
	}
	if err != nil {
		return ""
	}
	now, err := PodFromJSON(body)
	if err != nil {
		return ""
	}
	reason, _ := refusePod(now.Pod)
	return reason
}

// pause is how long to wait before the next try: as long as the server says, else longer each time.
func pause(try int, err error) time.Duration {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		return time.Duration(seconds) * time.Second
	}
	return time.Duration(try*try) * 200 * time.Millisecond
}

// answered is the object in the answer to a patch. Anything else, with whatever status it came, proves nothing.
func answered(p *ObjectPlan, body []byte) (*Subject, error) {
	subject, err := decode(p, body)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the server's answer to the patch is no %s: %w", strings.ToLower(p.Kind), err)
	case subject.UID != p.UID:
		return nil, fmt.Errorf("the server's answer to the patch is not %s", p.Ref)
	default:
		return subject, nil
	}
}

func (a *Applier) made(p *ObjectPlan, subject *Subject, note string) (ObjectResult, *Subject) {
	result := ObjectResult{Plan: p, Outcome: Patched, Message: note}
	if a.DryRun {
		result.Outcome = DryRun
	}
	if note == "" && !hasChanges(subject, p) {
		result.Message = "the server made something else of it: an admission webhook or policy changes probes here; look at the object"
	}
	return result, subject
}

func decode(p *ObjectPlan, body []byte) (*Subject, error) {
	if p.Pod != nil {
		return PodFromJSON(body)
	}
	return WorkloadFromJSON(body)
}

// How long to read back what became of a patch. An interrupted run ends within a second, and has to say so until then.
const (
	readBackTimeout    = 10 * time.Second
	interruptedTimeout = 500 * time.Millisecond
)

// afterUnknown reads back what became of a patch whose answer was lost. Undecided means that it was not made yet: to
// send it again is safe.
func (a *Applier) afterUnknown(ctx context.Context, p *ObjectPlan, lost *error, cause error, last bool) (ObjectResult, *Subject, bool) {
	failed := func(text string) (ObjectResult, *Subject, bool) {
		return ObjectResult{Plan: p, Outcome: Failed, Message: text}, nil, true
	}
	if a.DryRun {
		if last {
			return failed(explain(cause, p))
		}
		return ObjectResult{}, nil, false
	}
	// The run may have been interrupted in the middle: what became of it is still worth a short look.
	timeout := readBackTimeout
	if ctx.Err() != nil {
		timeout = interruptedTimeout
	}
	readCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	body, err := a.API.Get(readCtx, p.Ref)
	if err != nil {
		return failed(fmt.Sprintf("it cannot be read back (%s)", err))
	}
	now, err := decode(p, body)
	switch {
	case err != nil:
		return failed(fmt.Sprintf("it cannot be read back (%s)", err))
	case now.UID != p.UID:
		*lost = nil // nothing can be made of it any more
		return failed("it is gone: another of that name is there now")
	case hasChanges(now, p):
		result, subject := a.made(p, now, lateNote(cause, p))
		return result, subject, true
	case last:
		return failed("read back it was not changed yet")
	default:
		return ObjectResult{}, nil, false
	}
}

func lateNote(lost error, p *ObjectPlan) string {
	return fmt.Sprintf("the answer was lost (%s), but read back the change is there", explain(lost, p))
}

// hasChanges tells whether all changes are in the object.
func hasChanges(now *Subject, p *ObjectPlan) bool {
	for _, c := range p.Changes {
		if !sameProbe(now.raw[c.key()], c.after) {
			return false
		}
	}
	return true
}

// readAgain finds out which of a patch's tests failed. When it was none that matters, the plan is made again on the
// object as it is now, which is returned as well.
func (a *Applier) readAgain(ctx context.Context, p *ObjectPlan) (again *ObjectPlan, now *Subject, why string) {
	body, err := a.API.Get(ctx, p.Ref)
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil, "it is gone: deleted since it was read"
	case err != nil:
		return nil, nil, fmt.Sprintf("it changed since it was read, and cannot be read again: %s", err)
	}
	now, err = decode(p, body)
	switch {
	case err != nil:
		return nil, nil, err.Error()
	case now.UID != p.UID:
		return nil, nil, fmt.Sprintf("it was replaced: another of that name was created at %s", now.Meta.CreationTimestamp.UTC().Format(time.RFC3339))
	}
	target := p.Target
	target.Subject = now
	if reason, _ := refuseTarget(target); reason != "" {
		return nil, now, reason
	}
	copied := *p
	copied.Target = target
	copied.Changes = append([]Change{}, p.Changes...)
	for i, c := range copied.Changes {
		sl, found := now.slot(c.Container)
		switch {
		case !found:
			return nil, now, fmt.Sprintf("it has no container %s any more", c.Container)
		case c.Action != Unchanged && !sameJSON(now.raw[c.key()], c.before):
			return nil, now, changedMeanwhile(p.Subject, now, c)
		}
		copied.Changes[i].slot = sl
	}
	if now.Pod != nil {
		if copied.first, err = readOriginals(now); err != nil {
			return nil, now, err.Error()
		}
	}
	copied.Undo = copied.undo()
	return &copied, now, ""
}

// changedMeanwhile says what somebody else made of the probe, and who, as far as managedFields tell.
func changedMeanwhile(before, now *Subject, c Change) string {
	is := "it has none now"
	if p, err := probe.Decode(now.raw[c.key()]); err == nil && p != nil {
		effective := probe.FromAPI(p)
		is = "it is now " + effective.Text() + " " + effective.ConfigText()
	}
	text := fmt.Sprintf("the %s probe of container %s was changed meanwhile", c.Kind, c.Container)
	if by, at := lastWriter(before, now, c); by != "" {
		text += fmt.Sprintf(" by %s at %s", by, at.UTC().Format(time.RFC3339))
	}
	return text + ": " + is
}

// lastWriter finds who has written the probe since it was read. A probe that is gone has no owner any more.
func lastWriter(before, now *Subject, c Change) (manager string, at time.Time) {
	if now.Pod == nil {
		return "", time.Time{}
	}
	converter := snapshot.NewConverter()
	old := converter.Pod(before.Pod).ProbeWrites
	for _, w := range converter.Pod(now.Pod).ProbeWrites { // oldest first
		if w.Container == c.Container && w.Probe == c.Kind && !slices.Contains(old, w) {
			manager, at = w.Manager, w.Time
		}
	}
	return manager, at
}
