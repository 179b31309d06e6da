package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-probes/kubectl-probes/internal/change"
	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// runLocal prints the manifests with the change, and asks no cluster.
func (o *setOptions) runLocal() error {
	if !slices.Contains([]string{"", "yaml", "json", "name"}, o.output) {
		return fmt.Errorf("--local prints manifests: -o is yaml, json or name, not %s", o.output)
	}
	in, err := o.manifests()
	if err != nil {
		return err
	}
	options := change.LocalOptions{Wanted: o.wanted}
	if o.output != "name" {
		options.Format = o.output
	}
	out, plan, err := change.Local(o.request, in, options)
	if err != nil {
		return err
	}
	p := &change.Printer{Out: io.Discard, Err: o.streams.ErrOut, Names: true, Escape: render.Escape, Width: render.DisplayWidth}
	if o.output == "name" {
		p.Out = o.streams.Out
	}
	p.Start(plan)
	for _, r := range change.Preview(plan) {
		p.Result(r)
	}
	if o.output == "name" {
		return nil
	}
	_, err = o.streams.dataOut().Write(out)
	return err
}

// wanted holds a manifest against names, namespace and selector, as a reading of the files would.
func (o *setOptions) wanted(ref change.Ref, podLabels map[string]string) bool {
	if namespace := *o.connection.Namespace; namespace != "" && ref.Namespace != "" && ref.Namespace != namespace {
		return false
	}
	if !o.query.Selector.Matches(labels.Set(podLabels)) {
		return false
	}
	return len(o.query.Targets) == 0 || slices.ContainsFunc(o.query.Targets, func(t snapshot.Target) bool {
		kind, ok := snapshot.BuiltinKind(t.Type)
		if !ok {
			return t.String() == ref.String()
		}
		return (t.Name == "" || t.Name == ref.Name) && kind == snapshot.GroupKind{Group: ref.Group, Kind: ref.Kind}
	})
}

func (o *setOptions) manifests() ([]change.Manifest, error) {
	var in []change.Manifest
	for _, name := range o.filenames {
		if name == "-" {
			data, err := io.ReadAll(o.streams.In)
			if err != nil {
				return nil, fmt.Errorf("read standard input: %w", err)
			}
			in = append(in, change.Manifest{Name: "standard input", Data: data})
			continue
		}
		err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && path != name && !o.recursive:
				return filepath.SkipDir
			case entry.IsDir() || path != name && !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)):
				return nil
			}
			data, err := os.ReadFile(path)
			in = append(in, change.Manifest{Name: path, Data: data})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}
