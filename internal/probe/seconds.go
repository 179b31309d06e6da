package probe

import (
	"strconv"
	"strings"
)

// The units of FormatSeconds, in seconds. A year is 365 days.
const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	year   = 365 * day
)

// FormatSeconds writes whole seconds in hours, minutes and seconds without the parts that are zero: "0s", "31s",
// "1m5s", "2m", "1h1s", "100h". Nothing is lost below a year. From a year on it is years and days ("1y", "1y364d"), from
// ten years on years alone ("680y"), both cut: such figures mean never.
func FormatSeconds(s int64) string {
	sign, n := "", uint64(s)
	if s < 0 {
		sign, n = "-", -n
	}
	switch {
	case n == 0:
		return "0s"
	case n >= 10*year:
		return sign + parts(n, unit{"y", year})
	case n >= year:
		return sign + parts(n, unit{"y", year}, unit{"d", day})
	default:
		return sign + parts(n, unit{"h", hour}, unit{"m", minute}, unit{"s", 1})
	}
}

type unit struct {
	name    string
	seconds uint64
}

func parts(n uint64, units ...unit) string {
	var b strings.Builder
	for _, u := range units {
		if n >= u.seconds {
			b.WriteString(strconv.FormatUint(n/u.seconds, 10) + u.name)
			n %= u.seconds
		}
	}
	return b.String()
}
