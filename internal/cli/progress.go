package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// progress is how far the reading of a run is.
type progress struct {
	mu        sync.Mutex
	resources []string // in the order in which their lists began
	objects   map[string]int
	lists     map[string]int // under way
	bytes     int64
	silent    bool // until an answer comes
}

func newProgress() *progress {
	return &progress{objects: map[string]int{}, lists: map[string]int{}}
}

// show puts the progress on the screen until the function it returns is called, unless somebody is typing what is read.
func (p *progress) show(streams Streams, filenames []string) (end func()) {
	if typed(filenames, streams.In) {
		return func() {}
	}
	return streams.screen.during(p.String)
}

// await says nothing until an answer comes where a credential plugin runs before: it may ask for a password.
func (p *progress) await(getter genericclioptions.RESTClientGetter) {
	config, err := getter.ToRESTConfig()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = err == nil && config.ExecProvider != nil
}

// list is a live.Progress.
func (p *progress) list(resource string, objects, lists int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.lists[resource]; !known {
		p.resources = append(p.resources, resource)
	}
	p.objects[resource] += objects
	p.lists[resource] += lists
	if objects > 0 || lists < 0 {
		p.silent = false
	}
}

// String is the line: "reading: 4500 pods, 120 deployments, events ...".
func (p *progress) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var parts []string
	for _, resource := range p.resources {
		name, _, _ := strings.Cut(resource, ".")
		switch {
		case p.objects[resource] > 0:
			parts = append(parts, fmt.Sprintf("%d %s", p.objects[resource], name))
		case p.lists[resource] > 0:
			parts = append(parts, name+" ...")
		}
	}
	if p.bytes > 0 {
		parts = append(parts, size(p.bytes))
	}
	switch {
	case p.silent:
		return ""
	case len(parts) == 0:
		return "reading ..."
	default:
		return strings.Map(printable, "reading: "+strings.Join(parts, ", "))
	}
}

// printable: the names of custom kinds are somebody else's.
func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}

func size(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// file counts what is read of files.
func (p *progress) file(bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes += int64(bytes)
	p.silent = false
}

// typed says whether somebody is typing one of the files.
func typed(filenames []string, in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && slices.Contains(filenames, "-") && term.IsTerminal(int(f.Fd()))
}

// errColumns is how wide the terminal on standard error is now: it may change during a read. COLUMNS does not count, a
// line that wraps cannot be erased.
func errColumns() int {
	fd := int(os.Stderr.Fd())
	if !term.IsTerminal(fd) {
		return 0
	}
	if columns, _, err := term.GetSize(fd); err == nil && columns > 0 {
		return columns
	}
	return 80
}
