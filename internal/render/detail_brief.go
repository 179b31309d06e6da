package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// fewAlike are containers that have a line each, alike or not.
const fewAlike = 3

// briefs are the containers with nothing to say, a line each; one for those that are alike, where they are many.
func (v *view) briefs() {
	names := map[string][]string{}
	var order []string
	for _, c := range v.brief {
		text := v.briefly(c)
		if names[text] == nil {
			order = append(order, text)
		}
		names[text] = append(names[text], token(c.Name))
	}
	for _, text := range order {
		alike := names[text]
		if len(alike) > fewAlike {
			v.page.sayAt(0, cell{}, cell{}, fmt.Sprintf("%d containers (%s): %s", len(alike), some(alike), text))
			continue
		}
		for _, name := range alike {
			v.page.sayAt(displayWidth(name)+len(between), cell{text: name}, cell{}, text)
		}
	}
}

// briefly is all there is to say of a container.
func (v *view) briefly(c *report.Container) string {
	var parts []string
	for _, kind := range probe.Kinds() {
		if p := c.Probes.Get(kind); p != nil {
			parts = append(parts, fmt.Sprintf("%s %s:%s", kind, handlerType(p), headline(p)))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "no probes")
	}
	if v.report.Running && c.Total > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d ready", c.Ready, c.Total))
	}
	switch {
	case c.Injected:
		parts = append(parts, "injected")
	case c.Sidecar:
		parts = append(parts, "sidecar")
	case c.OnlyIn == report.OnlyInPods:
		parts = append(parts, "not in the template")
	case c.OnlyIn == report.OnlyInTemplate:
		parts = append(parts, "only in the template")
	case c.OnlyIn == report.OnlyInPast:
		parts = append(parts, "of Pods that are gone")
	}
	return strings.Join(parts, ", ")
}
