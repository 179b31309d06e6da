package render

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// barWidth is that of the longest bar of a histogram.
const barWidth = 20

// Summary prints all workloads in figures. A Report without a Summary prints nothing.
func Summary(w io.Writer, r *report.Report, o Options) error {
	s := r.Summary
	if s == nil {
		return nil
	}
	v := &summary{s, r, newPage(o)}
	v.now()
	v.coverage()
	v.distribution("readiness", s.Detection.Readiness)
	v.distribution("liveness", s.Detection.Liveness)
	v.load()
	v.limits()
	if err := v.page.writeTo(w); err != nil {
		return fmt.Errorf("print the summary: %w", err)
	}
	return nil
}

type summary struct {
	*report.Summary
	report *report.Report
	page   *page
}

// now is how much there is, and what goes wrong.
func (v *summary) now() {
	text := fmt.Sprintf("Summary: %s in %s", plural(int64(v.Containers), "container"), plural(int64(v.Workloads), "workload"))
	if len(v.report.Scope.Only) > 0 {
		text += ", with those that --only hides"
	}
	v.page.line(cell{text: text})
	if !v.report.Running {
		return
	}
	failing, kills, drifted := unknown(), unknown(), unknown()
	if v.Failing != nil {
		failing = tally(int64(*v.Failing), v.EventsPartial, red)
	}
	if v.Kills != nil {
		kills = tally(*v.Kills, v.EventsPartial || *v.Kills > 0, red)
	}
	if v.Drifted != nil {
		drifted = tally(int64(*v.Drifted), v.DriftUnknown > 0, yellow)
	}
	v.page.section()
	v.page.table([]column{{header: "FAILING NOW"}, {header: "KILLS BY PROBES"}, {header: "DRIFTED"}}, [][]cell{{failing, kills, drifted}})
}

// tally marks a count where what was not read may hold more.
func tally(n int64, atLeast bool, bad tint) cell {
	c := cell{text: strconv.FormatInt(n, 10)}
	if n > 0 {
		c.tint = bad
	}
	if atLeast {
		c.text += atLeastMark
	}
	return c
}

// coverage is how many containers have each probe.
func (v *summary) coverage() {
	v.page.section()
	lines := [][]cell{}
	for _, one := range []struct {
		name  string
		share report.Share
		note  string
	}{
		{"startup", v.Coverage.Startup, ""},
		{"readiness", v.Coverage.Readiness, v.jobs()},
		{"liveness", v.Coverage.Liveness, ""},
		{"none", v.Coverage.None, ""},
	} {
		lines = append(lines, []cell{{text: one.name}, {text: fmt.Sprintf("%d/%d", one.share.Count, one.share.Of)}, {text: percent(one.share)}, {text: one.note, tint: grey}})
	}
	v.page.table([]column{{header: "PROBES"}, {header: "CONTAINERS"}, {header: "SHARE"}, {}}, lines)
}

func (v *summary) jobs() string {
	if v.Jobs == 0 {
		return ""
	}
	return fmt.Sprintf("(%d of Jobs and CronJobs not counted)", v.Jobs)
}

// percent rounds so that only all is 100% and only none is 0%.
func percent(s report.Share) string {
	switch {
	case s.Of == 0:
		return "-"
	case s.Count == 0 || s.Count == s.Of:
		return fmt.Sprintf("%d%%", 100*s.Count/s.Of)
	default:
		return fmt.Sprintf("%d%%", min(max(int(math.Round(100*float64(s.Count)/float64(s.Of))), 1), 99))
	}
}

// distribution names a container for each percentile, so that an outlier is one command away.
func (v *summary) distribution(kind string, d report.Distribution) {
	if d.Containers+d.NeverActs+d.Unknown == 0 {
		return
	}
	v.page.section()
	of := plural(int64(d.Containers), "container")
	if d.NeverActs > 0 {
		of += fmt.Sprintf("; of %d more it can never act", d.NeverActs)
	}
	if d.Unknown > 0 {
		of += fmt.Sprintf("; of %d more that is unknown", d.Unknown)
	}
	v.page.line(cell{text: fmt.Sprintf("How long a failure can go on before %s acts (%s)", kind, of)})
	if d.Containers == 0 {
		return
	}
	lines := [][]cell{}
	for _, one := range mergedPercentiles(d.Percentiles) {
		lines = append(lines, []cell{{text: one.name}, {text: probe.FormatSeconds(one.Seconds)}, {text: arguments(one.Percentile)}})
	}
	v.page.table([]column{{header: "PERCENTILE"}, {header: "BUDGET"}, {header: "CONTAINER"}}, lines)
	v.page.section()
	v.histogram(d.Histogram)
}

// arguments are what to type to see a container.
func arguments(p report.Percentile) string {
	text := token(p.Workload)
	if p.Namespace != "" {
		text += " -n " + token(p.Namespace)
	}
	return text + " -c " + token(p.Container)
}

// namedPercentile is one, or several that are the same container's.
type namedPercentile struct {
	report.Percentile
	name string
}

// mergedPercentiles does not repeat a container: of few, most percentiles are one's.
func mergedPercentiles(all []report.Percentile) []namedPercentile {
	var out []namedPercentile
	for _, p := range all {
		name := "P" + strconv.Itoa(p.Percentile)
		last := len(out) - 1
		if last < 0 || !same(out[last].Percentile, p) {
			out = append(out, namedPercentile{p, name})
			continue
		}
		first, _, _ := strings.Cut(out[last].name, "-")
		out[last].name = first + "-" + name
	}
	return out
}

func same(a, b report.Percentile) bool {
	a.Percentile = b.Percentile
	return a == b
}

func (v *summary) histogram(buckets []report.Bucket) {
	most := 1
	for _, b := range buckets {
		most = max(most, b.Count)
	}
	lines := [][]cell{}
	from := ""
	for _, b := range buckets {
		lines = append(lines, []cell{{text: bounds(from, b.UpToSeconds)}, {text: strconv.Itoa(b.Count)}, {text: bar(b.Count, most)}})
		if b.UpToSeconds != nil {
			from = probe.FormatSeconds(*b.UpToSeconds)
		}
	}
	v.page.table([]column{{header: "BUDGET"}, {header: "CONTAINERS"}, {}}, lines)
}

// bounds are those of a bucket, the upper one included.
func bounds(from string, upTo *int64) string {
	switch {
	case upTo == nil:
		return "over " + from
	case from == "":
		return "up to " + probe.FormatSeconds(*upTo)
	default:
		return from + " to " + probe.FormatSeconds(*upTo)
	}
}

// bar is never empty for what is not none.
func bar(count, most int) string {
	n := (count*barWidth + most/2) / most
	if count > 0 {
		n = max(n, 1)
	}
	return strings.Repeat("█", n)
}

// load is what the kubelets have to do for it.
func (v *summary) load() {
	l := v.CheckLoad
	if l == nil {
		return
	}
	v.page.section()
	text := rounded(l.ChecksPerMinute) + " checks a minute" + byHandler(l.ByHandler)
	if l.ByHandler.Exec > 0 {
		text += " (each exec check starts a process)"
	}
	v.page.sayAt(0, cell{}, cell{}, text)
	if n := l.BusiestNode; n != nil {
		v.page.line(cell{text: fmt.Sprintf("busiest node: %s with %s checks a minute, %s of them exec", token(n.Name), rounded(n.ChecksPerMinute), rounded(n.ExecChecksPerMinute))})
	}
}

// byHandler is ": http 60, exec 12", without what there is none of.
func byHandler(l report.HandlerLoads) string {
	var parts []string
	for _, one := range []struct {
		name   string
		checks float64
	}{{"http", l.HTTP}, {"tcp", l.TCP}, {"grpc", l.GRPC}, {"exec", l.Exec}} {
		if one.checks > 0 {
			parts = append(parts, one.name+" "+rounded(one.checks))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// rounded keeps a decimal of small numbers only.
func rounded(n float64) string {
	if n >= 10 || n == math.Trunc(n) {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'f', 1, 64)
}

// limits explain the marks, and what Events cannot tell.
func (v *summary) limits() {
	if !v.report.Running {
		return
	}
	v.page.section()
	switch {
	case v.Failing == nil:
		v.page.sayAt(0, cell{}, cell{}, "Events could not be read: which probes fail now, and what they killed, is unknown.")
	case v.EventsPartial:
		v.page.sayAt(0, cell{}, cell{}, "The Events of some containers could not be read: there may be more failures and kills than are counted.")
	}
	if v.DriftUnknown > 0 {
		v.page.sayAt(0, cell{}, cell{}, fmt.Sprintf("The template of %s could not be read: drift there is unknown.", plural(int64(v.DriftUnknown), "container")))
	}
	if v.Failing != nil {
		v.page.sayAt(0, cell{}, cell{}, caveat)
	}
}
