package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// Detail prints a Report of exactly one workload: the answer first, then what it rests on. Its length does not grow with
// the number of Pods, except where every Pod was asked for: in wide, and for one Pod that was named.
func Detail(w io.Writer, r *report.Report, o Options) error {
	if n := len(r.Workloads); n != 1 {
		return fmt.Errorf("the view of one workload needs exactly one, not %d", n)
	}
	v := newView(r, o)
	v.header()
	v.findings()
	v.pods()
	v.drift()
	v.configuration()
	v.evidence()
	v.limits()
	if err := v.page.writeTo(w); err != nil {
		return fmt.Errorf("print the workload: %w", err)
	}
	return nil
}

// view is the one workload of a Report.
type view struct {
	report   *report.Report
	workload *report.Workload
	page     *page
	asOf     time.Time
	answers  answers
	named    string // the one Pod that the view is about, if it is about one
	full     bool   // every Pod, every Event, whole sentences
	noRules  bool
	told     []*report.Container // those with something to say; the others have one line each
	brief    []*report.Container
	said     map[report.Cause]bool // causes of whole Pods

	revisions func() bool   // that there are several, to tell Pods apart by
	leaving   func() string // what it is that a Pod leaves which is not ready
}

func newView(r *report.Report, o Options) *view {
	v := &view{report: r, workload: &r.Workloads[0], page: newPage(o), answers: newAnswers(), noRules: o.NoFindings, said: map[report.Cause]bool{}}
	v.revisions, v.leaving = sync.OnceValue(v.severalRevisions), sync.OnceValue(v.outOf)
	if r.AsOf != nil {
		v.asOf = r.AsOf.Time
	}
	v.named = namedPod(r)
	v.full = o.Wide || v.named != ""
	for i := range v.workload.Containers {
		c := &v.workload.Containers[i]
		if v.full || v.speaks(c) {
			v.told = append(v.told, c)
		} else {
			v.brief = append(v.brief, c)
		}
	}
	if len(v.told) == 0 && len(v.brief) > 0 {
		v.told, v.brief = v.brief[:1], v.brief[1:]
	}
	return v
}

// speaks says that there is more to a container than what its probes are. What is wrong with whole Pods is told with the
// first.
func (v *view) speaks(c *report.Container) bool {
	own := slices.ContainsFunc(c.Causes, func(cause report.Cause) bool { return !ofPod(cause.Cause) })
	return own || c.Ready < c.Total && len(c.Causes) == 0 || len(c.Drift) > 0 || failingNow(c.Pods) ||
		slices.ContainsFunc(standing(c.Findings), func(f report.Finding) bool { return rank(f.Severity) < rank(report.SeverityInfo) })
}

func (v *view) row(c *report.Container) row {
	return row{
		workload: v.workload, container: c, observed: v.report.Running, asOf: v.asOf,
		unread: v.workload.Pods.Total == 0 && podsUnread(v.report.Gaps)(v.workload.Namespace),
	}
}

// namedPod is the Pod that stands for itself, or that was asked for by its name alone; empty when there is no such Pod.
func namedPod(r *report.Report) string {
	w := &r.Workloads[0]
	if w.Kind == "Pod" && w.Group == "" {
		return w.Name
	}
	if !w.Narrowed {
		return ""
	}
	names := map[string]bool{}
	last := ""
	for _, c := range w.Containers {
		for _, p := range c.Pods {
			names[p.Name], last = true, p.Name
		}
	}
	asked := slices.ContainsFunc(r.Scope.Arguments, func(arg string) bool { return arg == last || strings.HasSuffix(arg, "/"+last) })
	if len(names) != 1 || !asked {
		return ""
	}
	return last
}

// age is how long ago that was; empty when it is not known.
func (v *view) age(at *metav1.Time) string {
	if at == nil || v.asOf.IsZero() {
		return ""
	}
	return age(*at, v.asOf)
}

// since is "02:41 UTC (31m)", with the day where it is another; empty when it is not known.
func (v *view) since(at *metav1.Time) string {
	if at == nil || v.asOf.IsZero() {
		return ""
	}
	format := "15:04 UTC"
	if t := at.UTC(); t.YearDay() != v.asOf.UTC().YearDay() || t.Year() != v.asOf.UTC().Year() {
		format = "2006-01-02 15:04 UTC"
	}
	return fmt.Sprintf("%s (%s)", at.UTC().Format(format), age(*at, v.asOf))
}

// span is "1m to 4m ago", or "2m ago" when both are the same.
func (v *view) span(newest, oldest metav1.Time) string {
	from, to := age(newest, v.asOf), age(oldest, v.asOf)
	if from == to {
		return from + " ago"
	}
	return from + " to " + to + " ago"
}

// count is "1 Pod", "2 Pods".
func plural(n int64, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func pods(n int) string { return plural(int64(n), "Pod") }

// firstOf lists names that are the first of so many.
func firstOf(names []string, n int) string {
	escaped := make([]string, 0, len(names))
	for _, name := range names {
		escaped = append(escaped, token(name))
	}
	list := strings.Join(escaped, ", ")
	if more := n - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// some lists up to three, and how many more there are.
func some(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
