package cli

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
)

// dataOut is where data for machines goes: as it is into a pipe or a file. A terminal gets what it would not show, or
// would obey, as JSON writes it (docs/adr/0012-what-a-terminal-gets.md).
func (s Streams) dataOut() io.Writer {
	if !s.Terminal {
		return s.Out
	}
	return shown{s.Out}
}

// shown is a terminal. What is written to it comes in one piece, so that no character is cut.
type shown struct{ to io.Writer }

func (s shown) Write(data []byte) (int, error) {
	text := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	out := escapeJSON(text, func(r rune) bool { return r != '\n' && r != '\t' && (r < ' ' || render.Hidden(r)) })
	if _, err := s.to.Write(out); err != nil {
		return 0, err
	}
	return len(data), nil
}

// escapeJSON writes characters as \uXXXX, in pairs above U+FFFF; what is no UTF-8 becomes the character for that.
func escapeJSON(text []byte, which func(rune) bool) []byte {
	var out bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			out.WriteString(`\ufffd`)
		case !which(r):
			out.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		}
		text = text[size:]
	}
	return out.Bytes()
}
