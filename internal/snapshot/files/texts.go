package files

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	kjson "sigs.k8s.io/json"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// MaxLists is how deep Lists may stand in Lists.
const MaxLists = maxLists

// maxTexts bounds, in bytes, what ReadTexts holds at once: manifests that people write are a thousandth of it.
const maxTexts = 64 << 20

// Text is what a file, a URL or a stream holds.
type Text struct {
	Name string // as errors name it
	Data []byte // as it came; UTF-16 is made UTF-8
}

// ReadTexts reads everything that opts name, without looking at what it means. Its error names everything that cannot
// be read; the notes are for the user, as those of Read.
func ReadTexts(ctx context.Context, opts Options) (texts []Text, notes []string, err error) {
	r := newReader(opts)
	inputs, err := r.inputs(opts)
	if err != nil {
		return nil, nil, err
	}
	left := maxTexts
	for _, in := range inputs {
		data, err := r.text(ctx, in, left)
		if err != nil {
			r.problems.add(in.name, fmt.Errorf("%s: %w", snapshot.FileName(in.name), err))
		}
		if errors.As(err, new(sizeError)) || ctx.Err() != nil {
			break
		}
		left -= len(data)
		texts = append(texts, Text{snapshot.FileName(in.name), data})
	}
	return texts, r.info.Notes, errors.Join(r.problems.join(), ctx.Err())
}

func (r *reader) text(ctx context.Context, in input, limit int) ([]byte, error) {
	from, err := in.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }() // nothing was written
	raw := bufio.NewReader(r.counted(from))
	if err := checkText(raw); err != nil {
		return nil, err
	}
	var text io.Reader = raw
	if mark, _ := raw.Peek(2); bytes.Equal(mark, []byte("\xff\xfe")) || bytes.Equal(mark, []byte("\xfe\xff")) {
		text = transform.NewReader(raw, unicode.BOMOverride(unicode.UTF8.NewDecoder()))
	}
	data, err := io.ReadAll(io.LimitReader(text, int64(limit)+1))
	if err == nil && len(data) > limit {
		return nil, sizeError(fmt.Sprintf("more than %d MiB in all, which is held at once: give fewer files at a time", maxTexts>>20))
	}
	return data, err
}

// ToJSON makes JSON of one document, and nothing of one that holds nothing. Its bounds, and what it takes for an error,
// are those of Read (docs/adr/0010-bounds-of-files.md). line is where the text begins in its file.
func ToJSON(text []byte, line int) ([]byte, error) {
	if len(text) > maxObject {
		return nil, sizeError(fmt.Sprintf("larger than %d MiB, which no API server takes; divide a List by ---", maxObject>>20))
	}
	if json.Valid(text) {
		return text, checkFields(text)
	}
	value, err := parseYAML(text, line)
	switch {
	case err != nil:
		return nil, clipped(err)
	case value == nil:
		return nil, nil
	}
	converted, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return converted, checkMaps(converted)
}

// checkFields refuses JSON in which a field stands twice.
func checkFields(text []byte) error {
	if err := checkMaps(text); err != nil {
		return err
	}
	var value any
	faults, err := kjson.UnmarshalStrict(text, &value, kjson.DisallowDuplicateFields)
	if err = errors.Join(append(faults, err)...); err != nil {
		return clipped(oneLine(err))
	}
	return nil
}
