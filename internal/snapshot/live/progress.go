package live

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// Progress is told by how much the objects read of a resource and the number of its lists under way have changed; from
// several goroutines. A list that has to start again takes its objects back.
type Progress func(resource string, objects, lists int)

type pageKey struct{}

// observed makes the pages of one list known to the Progress, and returns the call for its end. It goes by the context
// as net/http/httptrace does: between here and the pages are clients of every kind.
func (r *reader) observed(ctx context.Context, resource string) (context.Context, func()) {
	tell := r.opts.Progress
	if tell == nil {
		return ctx, func() {}
	}
	tell(resource, 0, 1)
	page := func(objects int) { tell(resource, objects, 0) }
	return context.WithValue(ctx, pageKey{}, page), func() { tell(resource, 0, -1) }
}

// pageRead tells how many objects a page had, or that so many are to be read again.
func pageRead(ctx context.Context, objects int) {
	if tell, ok := ctx.Value(pageKey{}).(func(int)); ok {
		tell(objects)
	}
}

// itemsOf counts the objects of a page.
func itemsOf(page any) int {
	if list, ok := page.(runtime.Object); ok && meta.IsListType(list) {
		return meta.LenList(list)
	}
	return 0
}
