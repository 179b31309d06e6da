package files

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadTexts(t *testing.T) {
	folderOf(t, map[string]string{
		"a.yaml": "a: 1\r\n", "b.json": "\ufeff{}", "d/c.yml": "\xff\xfea\x00:\x00", "d/kustomization.yaml": "x", "e.txt": "e", "f.gz": zipped("a"),
	})
	texts, notes, err := ReadTexts(context.Background(), Options{Filenames: []string{"a.yaml", "b.json", "d", "a.yaml", "-"}, Stdin: strings.NewReader("s")})
	want := []Text{{"a.yaml", []byte("a: 1\r\n")}, {"b.json", []byte("\ufeff{}")}, {"d/c.yml", []byte("a:")}, {"stdin", []byte("s")}}
	if diff := cmp.Diff(want, texts); diff != "" || err != nil || len(notes) != 1 {
		t.Errorf("%v, %q\n%s", err, notes, diff)
	}
	_, _, err = ReadTexts(context.Background(), Options{Filenames: []string{"nope", "f.gz"}})
	const wrong = "the path \"nope\" does not exist\nf.gz: it is compressed; unpack it first, with gunzip"
	if err == nil || err.Error() != wrong {
		t.Errorf("%v, want %s", err, wrong)
	}
}

// unending is a stream that never ends, and counts what was taken of it.
type unending struct{ read int }

func (e *unending) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.read += len(p)
	return len(p), nil
}

func TestReadTextsIsBounded(t *testing.T) {
	stream := &unending{}
	_, _, err := ReadTexts(context.Background(), Options{Filenames: []string{"-"}, Stdin: stream})
	if err == nil || !strings.Contains(err.Error(), "stdin: more than 64 MiB in all") || stream.read > maxTexts+1<<20 {
		t.Errorf("%v after %d bytes", err, stream.read)
	}
	if err := os.Truncate(largeFile(t), 1<<30); err != nil {
		t.Fatal(err)
	}
	texts, _, err := ReadTexts(context.Background(), Options{Filenames: []string{"large.yaml", "nope.yaml"}})
	if err == nil || len(texts) != 0 || !strings.Contains(err.Error(), "large.yaml: more than 64 MiB in all") {
		t.Errorf("%d texts, %v", len(texts), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := ReadTexts(ctx, Options{Filenames: []string{"-"}, Stdin: io.LimitReader(stream, 1)}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// largeFile begins as text does.
func largeFile(t *testing.T) string {
	t.Helper()
	folderOf(t, map[string]string{"large.yaml": strings.Repeat("# text\n", 1000)})
	return "large.yaml"
}
