package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

const (
	mostMessages = 3   // of one cause are told, where all is asked for
	messageWidth = 240 // columns of one, unless all is asked for
)

// words are what somebody else says of a cause: a registry, the scheduler, a quota, a node.
func (v *view) words(c *report.Container, cause string) {
	switch cause {
	case "FailedCreate":
		if f := v.workload.FailedCreate; f != nil {
			v.message(f.Message)
		}
	case "gate":
		v.gates(c)
	case "NodeNotReady":
		v.nodes(c)
	default:
		v.messages(c, cause)
	}
}

func (v *view) message(text string) {
	text = sentence(text)
	if !v.full {
		text = cutEnd(text, messageWidth)
	}
	if text != "" {
		v.page.say(cell{}, text)
	}
}

// messages are those of the Pods that are down for a cause, the most frequent first.
func (v *view) messages(c *report.Container, cause string) {
	pods, latest := map[string]int{}, map[string]string{}
	for _, p := range c.Pods {
		if p.Cause == cause && p.Message != "" {
			alike := v.answers.alike(p.Message)
			pods[alike]++
			latest[alike] = p.Message
		}
	}
	order := keysOf(pods)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(pods[b], pods[a]) })
	most := 1
	if v.full {
		most = mostMessages
	}
	for _, alike := range order[:min(most, len(order))] {
		v.message(latest[alike])
	}
	if more := len(order) - most; more > 0 {
		v.page.say(cell{}, fmt.Sprintf("and %s", plural(int64(more), "other message")))
	}
}

// keysOf are in a stable order.
func keysOf[T any](m map[string]T) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (v *view) gates(c *report.Container) {
	seen := map[string]bool{}
	for _, p := range c.Pods {
		for _, gate := range p.FalseGates {
			seen[token(gate)] = true
		}
	}
	if names := keysOf(seen); len(names) > 0 {
		v.page.say(cell{}, "not true: "+some(names))
	}
}

func (v *view) nodes(c *report.Container) {
	down := map[string]*report.Condition{}
	for _, p := range c.Pods {
		if p.NodeNotReady != nil && p.Phase == report.Live {
			down[p.Node] = p.NodeNotReady
		}
	}
	for i, node := range keysOf(down) {
		if i == 3 && !v.full {
			v.page.say(cell{}, fmt.Sprintf("and %s", plural(int64(len(down)-i), "other node")))
			return
		}
		v.page.say(cell{}, token(node)+v.conditionText(down[node]))
	}
}

// conditionText is " since 13:39 UTC (5m), KubeletNotReady: no network".
func (v *view) conditionText(c *report.Condition) string {
	text := ""
	if since := v.since(c.Since); since != "" {
		text = " since " + since
	}
	why := sentence(c.Message)
	if !v.full {
		why = cutEnd(why, messageWidth)
	}
	if why = strings.Trim(token(c.Reason)+": "+why, ": "); why != "" {
		text += ", " + why
	}
	return text
}

// resizes are Pods that wait for an in-place resize, or are in one.
func (v *view) resizes() {
	v.resize("waits", func(p *report.Pod) *report.Condition { return p.ResizePending })
	v.resize("goes on", func(p *report.Pod) *report.Condition { return p.ResizeInProgress })
}

func (v *view) resize(how string, of func(*report.Pod) *report.Condition) {
	type resizing struct {
		condition *report.Condition
		pods      []string
	}
	byWhy := map[string]*resizing{}
	for _, p := range v.livePods() {
		c := of(p)
		if c == nil {
			continue
		}
		why := c.Reason + v.answers.alike(c.Message)
		if byWhy[why] == nil {
			byWhy[why] = &resizing{condition: c}
		}
		byWhy[why].pods = append(byWhy[why].pods, token(p.Name))
	}
	for _, why := range keysOf(byWhy) {
		one := byWhy[why]
		v.page.say(cell{text: "resize", tint: yellow}, fmt.Sprintf("in place, %s in %s (%s)%s", how, pods(len(one.pods)), some(one.pods), v.conditionText(one.condition)))
	}
}

// evicted has the words of Pods that were ended from outside.
func (v *view) evicted() {
	latest, names := map[string]string{}, map[string][]string{}
	said := map[[2]string]bool{}
	for i := range v.workload.Containers {
		for _, p := range v.workload.Containers[i].Pods {
			name := token(p.Name)
			if at := [2]string{p.Reason, name}; p.Phase == report.Finished && p.Message != "" && !said[at] {
				said[at], latest[p.Reason], names[p.Reason] = true, p.Message, append(names[p.Reason], name)
			}
		}
	}
	for _, reason := range keysOf(names) {
		v.page.say(cell{text: "why"}, strings.TrimPrefix(fmt.Sprintf("%s, %s (%s)", token(reason), pods(len(names[reason])), some(names[reason])), ", "))
		v.message(latest[reason])
	}
}

// livePods are one entry for each live Pod, of whichever container.
func (v *view) livePods() []*report.Pod {
	seen := map[string]bool{}
	var out []*report.Pod
	for i := range v.workload.Containers {
		for j := range v.workload.Containers[i].Pods {
			p := &v.workload.Containers[i].Pods[j]
			if p.Phase == report.Live && !seen[p.Name] {
				seen[p.Name] = true
				out = append(out, p)
			}
		}
	}
	return out
}
