package probe

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

// FuzzSeconds writes and reads back: what is printed below a year is what can be typed.
func FuzzSeconds(f *testing.F) {
	for _, n := range []int64{0, 1, 59, 60, 3599, 3600, 86400, year - 1, year, 10 * year, -1, 1<<63 - 1, -1 << 63} {
		f.Add(n, strconv.FormatInt(n, 10))
	}
	for _, text := range []string{"30s", "2m", "1h1s", "1.5s", "1_0", "+5", "0x10", " 5", "5 ", "1d", "9223372036854775808", "9223372036854775807s", "µs"} {
		f.Add(int64(1), text)
	}
	f.Fuzz(func(t *testing.T, n int64, text string) {
		if n >= 0 && n < year {
			if got, err := parseSeconds(FormatSeconds(n)); err != nil || got != n {
				t.Errorf("%d is printed %s and read %d, %v", n, FormatSeconds(n), got, err)
			}
		}
		got, err := parseSeconds(text)
		if err != nil {
			return
		}
		whole, err := strconv.ParseInt(text, 10, 64)
		if d, durationErr := time.ParseDuration(text); err != nil && (durationErr != nil || d != time.Duration(got)*time.Second) || err == nil && whole != got {
			t.Errorf("%q is read %d", text, got)
		}
	})
}

// FuzzSplitWords takes any command: what it is split into can be written as a command again.
func FuzzSplitWords(f *testing.F) {
	for _, seed := range []string{`sh -c 'a "b" \c'`, `a\ b "c$d" $(POD_NAME)`, "#", "a|b", `"`, `\`, "a\\\nb", "$($(X)", "''\t\"\"", "\xff\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		words, err := SplitWords(command)
		if err != nil {
			return
		}
		again, err := SplitWords(QuoteWords(words...))
		if err != nil || !slices.Equal(words, again) {
			t.Errorf("%q is %q, and written as %q that is %q, %v", command, words, QuoteWords(words...), again, err)
		}
	})
}
