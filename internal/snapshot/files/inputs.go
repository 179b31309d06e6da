package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// input is one stream of documents.
type input struct {
	name string // as errors and a Source name it
	// lenient lets documents pass that are no Kubernetes objects: a dump folder holds other files too
	// (kubectl version -o json).
	lenient bool
	open    func(context.Context) (io.ReadCloser, error)
}

// inputs finds the streams to read. What cannot be found is added to the problems; the error is for
// options that contradict each other, in kubectl's words.
func (r *reader) inputs(opts Options) ([]input, error) {
	switch {
	case len(opts.Filenames) > 0 && opts.Kustomize != "":
		return nil, errors.New("only one of -f or -k can be specified")
	case opts.Recursive && opts.Kustomize != "":
		return nil, errors.New("the -k flag can't be used with -f or -R")
	case opts.Kustomize != "":
		return []input{kustomization(opts.Kustomize)}, nil
	case len(opts.Filenames) == 0:
		return nil, errors.New("must specify one of -f and -k")
	}
	var found []input
	for _, name := range opts.Filenames {
		more, err := r.named(name, opts)
		if err != nil {
			r.problems.add(name, err)
		}
		found = append(found, more...)
	}
	return once(found), nil
}

func (r *reader) named(name string, opts Options) ([]input, error) {
	switch {
	case name == snapshot.Stdin:
		if opts.Stdin == nil {
			return nil, errors.New("there is no standard input to read")
		}
		return []input{stream(snapshot.Stdin, opts.Stdin)}, nil
	case strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://"):
		in, err := web(name, opts.HTTPClient)
		if err != nil {
			return nil, err
		}
		return []input{in}, nil
	}
	paths, err := expand(name)
	if err != nil {
		return nil, err
	}
	var found []input
	for _, path := range paths {
		found = append(found, r.path(path, opts.Recursive)...)
	}
	return found, nil
}

// expand resolves a glob pattern; a path that exists is never one.
func expand(name string) ([]string, error) {
	_, err := os.Stat(name)
	if err == nil {
		return []string{name}, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the path %q cannot be accessed: %w", name, err)
	}
	matches, err := filepath.Glob(name)
	if err != nil {
		return nil, fmt.Errorf("pattern %q is not valid: %w", name, err)
	}
	if len(matches) == 0 {
		return nil, fmt.Errorf("the path %q does not exist", name)
	}
	return matches, nil
}

func (r *reader) path(path string, recursive bool) []input {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		r.inaccessible(path, err)
		return nil
	case info.IsDir():
		return r.folder(path, recursive)
	default:
		return []input{file(path)}
	}
}

func (r *reader) inaccessible(path string, err error) {
	r.problems.add(path, fmt.Errorf("the path %q cannot be accessed: %w", path, err))
}

func file(path string) input {
	return input{name: path, open: func(context.Context) (io.ReadCloser, error) { return os.Open(path) }}
}

func stream(name string, from io.Reader) input {
	return input{name: name, open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(from), nil }}
}

// once drops a file that is named twice, or named and found in a folder: it holds no second object.
func once(all []input) []input {
	seen := map[string]bool{}
	var kept []input
	for _, in := range all {
		key := in.name
		if !strings.Contains(key, "://") {
			key = filepath.Clean(key)
		}
		if !seen[key] {
			seen[key] = true
			kept = append(kept, in)
		}
	}
	return kept
}
