package live

import "testing"

func TestPageSize(t *testing.T) {
	r := newReader(&Clients{}, shop(), options())
	for _, tt := range []struct {
		name            string
		src             source
		chunkSize, want int64
	}{
		{"Pods", source{}, DefaultChunkSize, 500},
		{"Events", r.events("", everyEvent), DefaultChunkSize, 5000},
		{"Events, another size", r.events("", everyEvent), 100, 100},
		{"Events, all at once", r.events("", everyEvent), 0, 0},
	} {
		want(t, tt.name, tt.src.pageSize(tt.chunkSize), tt.want)
	}
}
