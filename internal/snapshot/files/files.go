// Package files reads manifests, the output of kubectl get, kubectl's dumps and standard input into a
// Snapshot. It filters nothing and asks no cluster.
package files

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// Options say what to read.
type Options struct {
	// Filenames are files, folders, glob patterns and URLs; "-" is Stdin.
	Filenames []string
	// Recursive reads the folders inside folders too. A kubectl cluster-info dump needs no telling.
	Recursive bool
	// Kustomize is a folder with a kustomization, or a URL that kustomize understands. It excludes Filenames.
	Kustomize string
	Stdin     io.Reader
	// DefaultNamespace is where an object without a namespace is; "default" when empty.
	DefaultNamespace string
	// HTTPClient reads URLs; nil is a client without a timeout of its own: the context ends a reading.
	HTTPClient *http.Client
	// Progress is told of bytes as they are read; nil: nobody wants to know.
	Progress func(bytes int)
}

// Info says what a reading came across.
type Info struct {
	Files     int            // files, URLs and streams that were read
	Documents int            // YAML documents and JSON values that held something
	Objects   int            // objects in them that could be read, each item of a List counted by itself
	Skipped   map[string]int // objects of no use here, by Kind or Kind.group
	Notes     []string       // for the user, no more than 21: which of two objects was kept, which file was left out
}

// Read reads everything that opts name. Its error names every bad document, not only the first. What could be
// read is returned beside it, with a Gap for each of them, so that half of what was asked for does not look like
// all of it; there is no Snapshot only where nothing could be read.
func Read(ctx context.Context, opts Options) (*snapshot.Snapshot, *Info, error) {
	r := newReader(opts)
	inputs, err := r.inputs(opts)
	if err != nil {
		return nil, nil, err
	}
	for _, in := range inputs {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		r.read(ctx, in)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	err = r.problems.join()
	if err != nil && r.info.Objects == 0 {
		return nil, nil, err
	}
	s := r.snapshot()
	r.hintAtSubfolders(s)
	if r.moreNotes > 0 {
		r.info.Notes = append(r.info.Notes, fmt.Sprintf("and %d more notes about the files", r.moreNotes))
	}
	s.Gaps = append(s.Gaps, r.problems.gaps()...)
	return s, &r.info, err
}

// reader is one reading.
type reader struct {
	converter *snapshot.Converter
	readings  readings
	namespace string
	info      Info
	moreNotes int
	shallow   []string // folders of which the subfolders were not read
	problems  problems
	collected collected
	progress  func(bytes int)
}

func newReader(opts Options) *reader {
	namespace := opts.DefaultNamespace
	if namespace == "" {
		namespace = "default"
	}
	converter := snapshot.NewConverter()
	converter.Validate = true
	return &reader{
		converter: converter,
		readings:  newReadings(),
		namespace: namespace,
		info:      Info{Skipped: map[string]int{}},
		collected: newCollected(),
		progress:  opts.Progress,
	}
}

func (r *reader) note(text string) {
	if len(r.info.Notes) < maxProblems {
		r.info.Notes = append(r.info.Notes, onOneLine(clip(text)))
		return
	}
	r.moreNotes++
}
