package files

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// lister writes a long List, and watches how far behind it the reader is.
type lister struct {
	reader    *reader
	item      string
	total     int
	written   int
	rest      string
	lag       int
	countedAs string
}

func (l *lister) Read(p []byte) (int, error) {
	if l.rest == "" {
		l.lag = max(l.lag, l.written-l.reader.info.Objects)
		switch {
		case l.written > l.total:
			return 0, io.EOF
		case l.written == l.total:
			l.rest = "]" + l.countedAs + "}"
		case l.written == 0:
			l.rest = fmt.Sprintf(l.item, l.written)
		default:
			l.rest = "," + fmt.Sprintf(l.item, l.written)
		}
		l.written++
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// A List of a large cluster must never be held: an item is decoded, converted and dropped before much more of
// the List is read.
func TestListsAreStreamed(t *testing.T) {
	padding := strings.Repeat("x", 10_000)
	typed := `{"metadata":{"name":"p%d","annotations":{"pad":"` + padding + `"}}}`
	plain := `{"apiVersion":"v1","kind":"Pod",` + typed[1:]
	tests := []struct{ name, head, item, tail string }{
		{"List", `{"apiVersion":"v1","items":[`, plain, `,"kind":"List"`},
		{"PodList", `{"kind":"PodList","apiVersion":"v1","items":[`, typed, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newReader(Options{})
			list := &lister{reader: r, item: test.item, total: 500, countedAs: test.tail}
			r.read(context.Background(), stream("x", io.MultiReader(strings.NewReader(test.head), list)))
			if err := r.problems.join(); err != nil {
				t.Fatal(err)
			}
			if len(r.collected.pods.all) != list.total {
				t.Errorf("read %d Pods, want %d", len(r.collected.pods.all), list.total)
			}
			if most := 4 * sniffed / len(padding); list.lag > most {
				t.Errorf("%d items were read ahead, want at most %d", list.lag, most)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	one := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","namespace":"shop"},"spec":{"containers":[{"name":"app","livenessProbe":{"httpGet":{"path":"/","port":8080}}}]},"status":{"phase":"Running"}}`
	var list strings.Builder
	list.WriteString(`{"apiVersion":"v1","items":[` + fmt.Sprintf(one, 0))
	for i := range 10_000 {
		list.WriteString("," + fmt.Sprintf(one, i+1))
	}
	list.WriteString(`],"kind":"List"}`)
	b.SetBytes(int64(list.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Read(context.Background(), Options{Filenames: []string{"-"}, Stdin: strings.NewReader(list.String())}); err != nil {
			b.Fatal(err)
		}
	}
}

// What was told adds up to what was read.
func TestProgress(t *testing.T) {
	text := "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app}]}\n"
	told := 0
	_, _, err := Read(context.Background(), Options{
		Filenames: []string{"-"}, Stdin: strings.NewReader(text), Progress: func(bytes int) { told += bytes },
	})
	if err != nil {
		t.Fatal(err)
	}
	if told != len(text) {
		t.Errorf("told of %d bytes, of %d", told, len(text))
	}
}
