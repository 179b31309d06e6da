package files

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// metered writes a beginning, many items and an end, and measures what is alive while they are read.
type metered struct {
	head, item, tail string
	items            int
	written          int
	rest             string
	live             uint64 // the most that was alive
}

func (m *metered) Read(p []byte) (int, error) {
	for m.rest == "" {
		switch {
		case m.written == 0:
			m.rest = m.head
		case m.written <= m.items:
			m.rest = fmt.Sprintf(m.item, m.written)
		case m.written == m.items+1:
			m.rest = m.tail
		default:
			return 0, io.EOF
		}
		if m.written%(m.items/8) == 0 {
			m.measure()
		}
		m.written++
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func (m *metered) measure() {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	m.live = max(m.live, stats.HeapAlloc)
}

// A large file must cost no more than what is kept of it: four times as many items may not keep a fifth of their
// text alive, where a reader that holds the file keeps all of it and what is parsed of it besides.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	padding := strings.Repeat("x", 20_000)
	const asYAML = "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p%d\n    annotations:\n      pad: "
	typedJSON := `{"metadata":{"name":"p%d","annotations":{"pad":"` + padding + `"}}}`
	plainJSON := `{"apiVersion":"v1","kind":"Pod",` + typedJSON[1:]
	tests := []struct{ name, head, item, tail string }{
		{"a List in YAML", "apiVersion: v1\nitems:\n", asYAML + padding + "\n", "kind: List\nmetadata:\n  resourceVersion: \"\"\n"},
		{"a List in YAML further right", "apiVersion: v1\nkind: List\nitems:\n", strings.ReplaceAll("\n"+asYAML, "\n", "\n  ")[1:] + padding + "\n", ""},
		{"a List in YAML of items in flow style", "apiVersion: v1\nkind: List\nitems:\n", "- " + plainJSON + "\n", ""},
		{"documents in YAML", "", strings.ReplaceAll(asYAML[2:], "\n  ", "\n") + padding + "\n---\n", ""},
		{"a List in JSON", `{"apiVersion":"v1","items":[`, plainJSON + ",", podJSON + `],"kind":"List"}`},
		{"a List in a List in JSON", `{"apiVersion":"v1","kind":"List","items":[{"kind":"PodList","apiVersion":"v1","items":[`, typedJSON + ",", `{"metadata":{"name":"z"}}]}]}`},
		{"values in JSON", "", plainJSON + "\n", ""},
		{"comments", "", "#%d" + padding + "\n", podYAML},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			live := func(items int) int {
				from := &metered{head: test.head, item: test.item, tail: test.tail, items: items}
				if _, _, err := Read(context.Background(), Options{Filenames: []string{"-"}, Stdin: from}); err != nil {
					t.Fatal(err)
				}
				return int(from.live)
			}
			few, many := live(64), live(256)
			t.Logf("%d KiB and %d KiB alive", few>>10, many>>10)
			if more, text := many-few, 192*len(test.item); more > text/5 {
				t.Errorf("%d KiB more text keeps %d KiB more alive", text>>10, more>>10)
			}
		})
	}
}
