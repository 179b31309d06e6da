package render

import (
	"slices"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		name, in     string
		width, taken int
		want         []string
	}{
		{"nothing", "", 10, 0, []string{""}},
		{"fits", "one two", 10, 0, []string{"one two"}},
		{"exactly", "one two", 7, 0, []string{"one two"}},
		{"breaks", "one two three", 7, 0, []string{"one two", "three"}},
		{"a long word stays whole", "a verylongword b", 5, 0, []string{"a", "verylongword", "b"}},
		{"behind a lead", "one two three", 9, 5, []string{"one", "two three"}},
		{"no room behind a lead", "one two", 7, 6, []string{"", "one two"}},
		{"wide characters", "日本 日本", 8, 0, []string{"日本", "日本"}},
	} {
		if got := wrap(tt.in, tt.width, tt.taken); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Findings come escaped; only what hides is escaped again.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", `a\nb\x1b`: `a\nb\x1b`, "a\x1bb\nc": `a\x1bb\nc`, "\xff": `\xff`, `\` + "\u202e": `\\u202e`, "日本…": "日本…",
	} {
		if got := visible(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestAlike(t *testing.T) {
	a := newAnswers()
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"addresses", `Get "http://10.1.2.3:80/x": dial tcp 10.1.2.3:80: refused`, `Get "http://10.1.20.30:80/x": dial tcp 10.1.20.30:80: refused`, true},
		{"IPv6 addresses", `dial tcp [fd00::1]:80: refused`, `dial tcp [fd00:10:244::a1]:80: refused`, true},
		{"ports that ask", `read tcp 10.0.0.1:41234->10.0.0.2:80: reset`, `read tcp 10.0.0.1:5->10.0.0.2:80: reset`, true},
		{"ports that are asked", `dial tcp 10.1.2.3:80: refused`, `dial tcp 10.1.2.3:81: refused`, false},
		{"status codes", `HTTP probe failed with statuscode: 404`, `HTTP probe failed with statuscode: 503`, false},
	} {
		if got := a.alike(tt.a) == a.alike(tt.b); got != tt.same {
			t.Errorf("%s: %q and %q", tt.name, a.alike(tt.a), a.alike(tt.b))
		}
	}
}
