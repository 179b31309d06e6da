package report

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Severity says how much a finding matters.
type Severity string

// The severities, gravest first.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityInfo    Severity = "info"
)

// Severities lists them, gravest first.
func Severities() []Severity { return []Severity{SeverityError, SeverityWarning, SeverityInfo} }

// Finding is a named opinion about a container's probes. Its texts hold what applications wrote, control
// characters escaped.
type Finding struct {
	Rule     string     `json:"rule"`
	Severity Severity   `json:"severity"`
	Probe    probe.Kind `json:"probe,omitempty"`   // absent: it is about the container
	Message  string     `json:"message"`           // one line
	Hint     string     `json:"hint"`              // may be several lines
	Command  string     `json:"command,omitempty"` // to try, as it can be pasted
	Source   *Source    `json:"source,omitempty"`
	// Suppressed says that an annotation asks to leave it be: it is told, and counts for nothing.
	Suppressed bool `json:"suppressed"`
}

// Invalid is what the API server would say against a container of a manifest, as far as it concerns its probes.
type Invalid struct {
	Container string     `json:"container"`
	Probe     probe.Kind `json:"probe,omitempty"` // absent: it is about the container
	Message   string     `json:"message"`
}

// Port is a port that a container declares.
type Port struct {
	Name   string `json:"name,omitempty"`
	Number int32  `json:"number"`
}

// ignoreAnnotation names rules that are not to speak of a workload, or of one of its containers.
const ignoreAnnotation = "kubectl-probes.github.io/ignore"

// ignored are the entries of the annotation on the workload and its template; without one, on its newest Pod,
// which has its template's. An entry is RULE or CONTAINER:RULE.
func (g *workloadGroup) ignored() []string {
	var texts []string
	if o := g.object; o != nil {
		texts = append(texts, o.Annotations[ignoreAnnotation])
		if o.Template != nil {
			texts = append(texts, o.Template.Annotations[ignoreAnnotation])
		}
	}
	if p := newestOf(g.live); p != nil && g.template() == nil {
		texts = append(texts, p.Annotations[ignoreAnnotation])
	}
	return strings.FieldsFunc(strings.Join(texts, ","), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// ports are those that a container declares.
func ports(c *snapshot.Container) []Port {
	var out []Port
	for _, p := range c.Ports {
		out = append(out, Port{p.Name, p.ContainerPort})
	}
	return out
}

// invalid is what the API server would say against the containers of the example, by their place there. What it says of
// containers that are no rows is told with the first row.
func (g *workloadGroup) invalid() map[*snapshot.Container][]Invalid {
	spec := g.at.example
	if spec == nil || len(spec.Problems) == 0 || len(spec.Containers) == 0 {
		return nil
	}
	at, path := map[*snapshot.Container][]Invalid{}, g.templatePath()
	for _, p := range spec.Problems {
		row := g.book.container(spec, p.Container)
		if i, ok := regularIndex(p.Message); ok && i < len(spec.Containers) {
			row = &spec.Containers[i] // others may have its name
		}
		if row == nil {
			row = &spec.Containers[0]
		}
		at[row] = append(at[row], Invalid{p.Container, p.Probe, path + p.Message})
	}
	return at
}

// regularIndex is which of the regular containers a field is of, as seen from the Pod.
func regularIndex(field string) (int, bool) {
	rest, ok := strings.CutPrefix(field, "spec.containers[")
	number, _, _ := strings.Cut(rest, "]")
	i, err := strconv.Atoi(number)
	return i, ok && err == nil
}

// templatePath is the way from the object to the Pod spec, as the server writes it in front of a field.
func (g *workloadGroup) templatePath() string {
	switch {
	case g.self != nil:
		return ""
	case g.ref.Kind == "CronJob":
		return "spec.jobTemplate.spec.template."
	default:
		return "spec.template."
	}
}
