package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-probes/kubectl-probes/internal/probe"
)

// lines joins the lines of a hint, without the empty ones.
func lines(all []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "" }), "\n")
}

// maxQuoted is how much of what an application wrote goes into a line.
const maxQuoted = 200

// quoted is what an application wrote, on one line, with the middle of a long text left out: errors begin with
// what was tried and end with why it failed. Control characters are whoever prints it to escape.
func quoted(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) > maxQuoted {
		half := maxQuoted / 2
		return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
	}
	return string(runes)
}

func seconds[T int32 | int64](n T) string { return probe.FormatSeconds(int64(n)) }

// since is a time and its age: "since 02:41 UTC (31m)".
func (f facts) since(at time.Time) string {
	return fmt.Sprintf("since %s UTC (%s)", at.UTC().Format("15:04"), f.age(at))
}

// age is kubectl's; a node's clock that runs ahead is no negative age.
func (f facts) age(at time.Time) string { return duration.HumanDuration(max(f.asOf.Sub(at), 0)) }

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// share is a rate as people say it: "every check", "1 in 9 checks".
func share(perCheck float64) string {
	switch {
	case perCheck >= 0.9:
		return "every check"
	case perCheck > 0.5:
		return fmt.Sprintf("%.0f%% of checks", perCheck*100)
	default:
		return fmt.Sprintf("1 in %.0f checks", 1/perCheck)
	}
}
