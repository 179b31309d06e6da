package render

import "github.com/fatih/color"

// tint is what a cell wants to be seen as.
type tint int

const (
	uncoloured tint = iota
	red             // failing
	yellow          // look here: restarts, drift
	grey            // nothing
)

// palette holds colours of its own, switched by the caller: the library's global switch looks at standard output and
// the environment when the program starts, whatever is printed to.
type palette struct{ red, yellow, grey *color.Color }

func newPalette(on bool) palette {
	p := palette{color.New(color.FgRed), color.New(color.FgYellow), color.New(color.FgHiBlack)}
	for _, c := range []*color.Color{p.red, p.yellow, p.grey} {
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

func (p palette) paint(c cell) string {
	switch {
	case c.text == "":
		return ""
	case c.tint == red:
		return p.red.Sprint(c.text)
	case c.tint == yellow:
		return p.yellow.Sprint(c.text)
	case c.tint == grey:
		return p.grey.Sprint(c.text)
	default:
		return c.text
	}
}
