package render

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// IsTerminal says that f shows what is written to it.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Width is how many columns f shows, 0 when it is no terminal. On a terminal COLUMNS overrides what it says of itself;
// a pipe is never cut, whatever the environment holds.
func Width(f *os.File) int {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return 0
	}
	return terminalWidth(os.Getenv("COLUMNS"), func() (int, int, error) { return term.GetSize(fd) })
}

func terminalWidth(columns string, size func() (width, height int, err error)) int {
	if n, err := strconv.Atoi(columns); err == nil && n > 0 {
		return n
	}
	width, _, err := size()
	if err != nil {
		return 0
	}
	return width
}
