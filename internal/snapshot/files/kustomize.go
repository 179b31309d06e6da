package files

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// kustomization is the output of kustomize as an input; its documents are numbered as kubectl kustomize
// prints them. Plugins stay disabled, as in kubectl.
func kustomization(folder string) input {
	return input{name: folder, open: func(context.Context) (io.ReadCloser, error) {
		objects, err := build(folder)
		if err != nil {
			return nil, fmt.Errorf("kustomize: %w", err)
		}
		return io.NopCloser(objects), nil
	}}
}

func build(folder string) (io.Reader, error) {
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy
	built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for _, resource := range built.Resources() {
		raw, err := resource.MarshalJSON()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", resource.CurId(), err)
		}
		all.Write(raw)
		all.WriteByte('\n')
	}
	return &all, nil
}
