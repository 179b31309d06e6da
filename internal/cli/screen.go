package cli

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// screen is what the two output streams of a run share. On a terminal it has one line that says how far a read is: it
// is gone before anything else is printed, on either stream, since both may be the same terminal. Once a run is left
// behind, nothing of it is printed any more.
type screen struct {
	terminal io.Writer  // standard error
	columns  func() int // nil: no line is wanted

	mu     sync.Mutex
	shown  bool
	failed error // the first write to standard output that failed

	left     atomic.Bool // the run was interrupted and is left behind
	quiet    atomic.Bool // something else writes to the terminal
	changing atomic.Bool // the run has something to tell when it is interrupted
}

// newScreen returns the streams with their writers behind a screen.
func newScreen(streams Streams) Streams {
	s := &screen{terminal: streams.ErrOut, columns: streams.ErrColumns}
	if !takesControl(streams.Getenv) {
		s.columns = nil
	}
	streams.screen = s
	streams.Out = &guarded{screen: s, to: streams.Out, failed: &s.failed}
	streams.ErrOut = &guarded{screen: s, to: streams.ErrOut, failed: new(error)}
	return streams
}

// takesControl says whether a terminal can erase a line. The console of Windows can when something says that it is a
// newer one.
func takesControl(getenv func(string) string) bool {
	if runtime.GOOS == "windows" && getenv("WT_SESSION") == "" && getenv("TERM") == "" {
		return false
	}
	return getenv("TERM") != "dumb"
}

// guarded is one of the output streams.
type guarded struct {
	screen *screen
	to     io.Writer
	failed *error // the first that did
}

func (g *guarded) Write(text []byte) (int, error) {
	g.screen.mu.Lock()
	defer g.screen.mu.Unlock()
	if g.screen.left.Load() {
		return 0, context.Canceled
	}
	g.screen.erase()
	n, err := g.to.Write(text)
	if *g.failed == nil {
		*g.failed = err
	}
	return n, err
}

const (
	eraseLine = "\r\x1b[K"
	lineAfter = 500 * time.Millisecond // what is quicker needs no line
	lineEvery = 200 * time.Millisecond
)

func (s *screen) erase() {
	if s.shown {
		_, _ = io.WriteString(s.terminal, eraseLine) // a line that cannot be erased could not be written
		s.shown = false
	}
}

// draw writes the line, or the newer over the older one.
func (s *screen) draw(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	columns := s.columns()
	if s.left.Load() || s.quiet.Load() || columns < 2 || text == "" {
		return
	}
	if len(text) >= columns { // a character in the last column would wrap
		text = text[:columns-1]
	}
	_, _ = io.WriteString(s.terminal, eraseLine+text)
	s.shown = true
}

// during shows what text returns, which is plain ASCII, until the function it returns is called: from half a second on,
// and only on a terminal.
func (s *screen) during(text func() string) (end func()) {
	if s == nil || s.columns == nil || s.quiet.Load() || s.columns() == 0 {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for wait := lineAfter; ; wait = lineEvery {
			select {
			case <-stop:
				return
			case <-time.After(wait):
				s.draw(text())
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
		s.mu.Lock()
		defer s.mu.Unlock()
		s.erase()
	})
}

// silence keeps the line away for the rest of the run.
func (s *screen) silence() {
	if s != nil {
		s.quiet.Store(true)
	}
}

// change says that the run changes something from here on, and has to say what it did when it is interrupted.
func (s *screen) change() {
	if s != nil {
		s.changing.Store(true)
	}
}

// leave takes the line away and lets nothing more be printed. A write that hangs in a full pipe is not waited for.
func (s *screen) leave() {
	s.left.Store(true)
	for range 100 {
		if s.mu.TryLock() {
			s.erase()
			s.mu.Unlock()
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// lost is the first error of writing to standard output.
func (s *screen) lost() error {
	if !s.mu.TryLock() {
		return nil // the write hangs
	}
	defer s.mu.Unlock()
	return s.failed
}
