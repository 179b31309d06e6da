package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes what an application or a manifest wrote safe and visible on one line: nothing in it can move the cursor,
// change colours, start a line, turn the reading direction around or hide. What Go does not count as printable, and
// what has no shape of its own, is written \n, \r, \t, \x1b (a byte) or \u202e, \U000e0001 (a character).
//
// A backslash stays itself, so that paths and patterns stay readable, except where it would look like the start of one
// of these forms: there it is doubled. So different texts never look the same.
func Escape(s string) string { return escape(s, false) }

// token escapes blanks too: a name must not look like two columns.
func token(s string) string { return escape(s, true) }

// visible is for text whose backslashes are escapes already: it only makes sure that nothing in it hides.
func visible(s string) string {
	if plain(strings.ReplaceAll(s, `\`, ""), false) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r, false):
			b.WriteString(escapeRune(r))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func escape(s string, blanks bool) string {
	if plain(s, blanks) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		rest := s[i+size:]
		switch {
		case r == '\\':
			b.WriteString(backslash(rest, blanks))
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r, blanks) || i == 0 && unicode.Is(unicode.M, r):
			b.WriteString(escapeRune(r))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// plain is the common case: printable ASCII without a backslash.
func plain(s string, blanks bool) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == '\\' || blanks && s[i] == ' ' {
			return false
		}
	}
	return true
}

// Hidden says that a terminal does not show r but does something else with it, or shows nothing.
func Hidden(r rune) bool { return hidden(r, false) }

// hidden says that r does something else than show a shape: controls, format characters (bidirectional and zero-width
// ones), separators, blanks other than U+0020, unassigned, private and ignorable characters; and what some terminals draw
// into the character before and others beside it, so that nobody knows how wide it is. A mark that begins a text, which
// would sit on the neighbouring column, is the caller's to see.
func hidden(r rune, blanks bool) bool {
	return !unicode.IsPrint(r) || blanks && r == ' ' || isRegional(r) || isSkinTone(r) || isJoined(r) ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// isRegional holds for the letters that make flags, two by two.
func isRegional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

func isSkinTone(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// isJoined holds for vowels and final consonants of Hangul, which are drawn into the consonant before.
func isJoined(r rune) bool { return 0x1160 <= r && r <= 0x11ff || 0xd7b0 <= r && r <= 0xd7fb }

func escapeRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	default:
		return fmt.Sprintf(`\U%08x`, r)
	}
}

// backslash writes one that rest follows.
func backslash(rest string, blanks bool) string {
	r, size := utf8.DecodeRuneInString(rest)
	if size == 0 {
		return `\`
	}
	if strings.ContainsRune(`\nrtxuU`, r) || hidden(r, blanks) || r == utf8.RuneError && size == 1 {
		return `\\`
	}
	return `\`
}
