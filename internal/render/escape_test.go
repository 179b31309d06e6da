package render

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "GET :8080/readyz", "GET :8080/readyz"},
		{"empty", "", ""},
		{"newline, return, tab", "a\nb\rc\td", `a\nb\rc\td`},
		{"escape sequence", "\x1b[2J\x1b]0;pwned\x07", `\x1b[2J\x1b]0;pwned\x07`},
		{"NUL and DEL", "a\x00b\x7f", `a\x00b\x7f`},
		{"C1", "a\u009b31m", `a\u009b31m`},
		{"bidirectional", "\u202Eabc\u202c\u2066\u2069\u200e\u200f\u061c", `\u202eabc\u202c\u2066\u2069\u200e\u200f\u061c`},
		{"zero width", "a\u200bb\u200c\u200d\u2060\ufeff", `a\u200bb\u200c\u200d\u2060\ufeff`},
		{"separators", "a\u2028b\u2029c\u0085d", `a\u2028b\u2029c\u0085d`},
		{"other blanks", "a\u00a0b\u3000c", `a\u00a0b\u3000c`},
		{"ignorable", "a\u00ad\u034f\u115f\ufe0f\U000e0041", `a\u00ad\u034f\u115f\ufe0f\U000e0041`},
		{"unassigned and private", "\u0378\ue000\U0010ffff", `\u0378\ue000\U0010ffff`},
		{"invalid UTF-8", "a\xffb\xc3", `a\xffb\xc3`},
		{"surrogate as bytes", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"the replacement character itself", "a\ufffd", "a\ufffd"},
		{"letters of the world", "größe 日本語 cafe\u0301 😀", "größe 日本語 cafe\u0301 😀"},
		{"what is one character here and two there", "🇩🇪 👍🏽", `\U0001f1e9\U0001f1ea 👍\U0001f3fd`},
		{"Hangul in parts", "\u1112\u1161\u11ab", "\u1112\\u1161\\u11ab"},
		{"a mark has no letter to sit on", "\u0301a", `\u0301a`},
		{"backslash", `grep '\.' \d \`, `grep '\.' \d \`},
		{"backslash that looks like an escape", `C:\new\x \u \\`, `C:\\new\\x \\u \\\`},
		{"backslash before what is escaped", "\\\n\\\xff", `\\\n\\\xff`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTokenIsOneToken(t *testing.T) {
	if got, want := token(" a b\\ c"), `\x20a\x20b\\\x20c`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No two texts look the same, or a difference could be printed as two equal sides; and what is printed is harmless.
// Longer texts have nothing that shorter ones have not, and Go takes minutes to shorten each.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a b", "\x1b[31m", `\`, `\\n`, "\\\n", "\xff\\xff", "\u202e", "e\u0301", "\U000e0001", `\u202e`, "\u009b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = s[:min(len(s), 48)]
		printed := token(s)
		for name, got := range map[string]string{"Escape": Escape(s), "token": printed} {
			if back := unescape(t, got); back != s {
				t.Errorf("%s(%q) = %q reads as %q", name, s, got, back)
			}
			if !utf8.ValidString(got) {
				t.Errorf("%s(%q) = %q is not UTF-8", name, s, got)
			}
			if i := strings.IndexFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("%s(%q) = %q is not printable at %d", name, s, got, i)
			}
		}
		if strings.Contains(printed, " ") {
			t.Errorf("token(%q) has a blank", s)
		}
	})
}

// unescape reads what Escape wrote.
func unescape(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	for len(s) > 0 {
		if s[0] != '\\' || len(s) == 1 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
		switch {
		case strings.IndexByte(`nrt\`, s[1]) >= 0:
			b.WriteByte(map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\'}[s[1]])
			s = s[2:]
		case digits > 0:
			if len(s) < 2+digits {
				t.Fatalf("cut escape at %q", s)
			}
			n, err := strconv.ParseUint(s[2:2+digits], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			if digits == 2 {
				b.WriteByte(byte(n))
			} else {
				b.WriteRune(rune(n))
			}
			s = s[2+digits:]
		default:
			b.WriteByte('\\')
			s = s[1:]
		}
	}
	return b.String()
}
