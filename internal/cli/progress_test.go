package cli

import "testing"

func TestProgressLine(t *testing.T) {
	tests := []struct {
		name string
		do   func(*progress)
		want string
	}{
		{"nothing yet", func(*progress) {}, "reading ..."},
		{"lists begin", func(p *progress) { p.list("pods", 0, 1); p.list("events", 0, 1) }, "reading: pods ..., events ..."},
		{"pages come", func(p *progress) {
			p.list("pods", 0, 1)
			p.list("deployments.apps", 0, 1)
			p.list("pods", 500, 0)
			p.list("deployments.apps", 12, 0)
			p.list("pods", 500, 0)
		}, "reading: 1000 pods, 12 deployments"},
		{"a list starts again", func(p *progress) { p.list("pods", 0, 1); p.list("pods", 500, 0); p.list("pods", -500, 0) }, "reading: pods ..."},
		{"an empty list ends", func(p *progress) { p.list("jobs.batch", 0, 1); p.list("jobs.batch", 0, -1) }, "reading ..."},
		{"files", func(p *progress) { p.file(1500); p.file(1_000_000) }, "reading: 1.0 MB"},
		{"few bytes", func(p *progress) { p.file(1500) }, "reading: 1.5 kB"},
		{"a kind of somebody", func(p *progress) { p.list("x\x1b[2J.evil", 3, 0) }, "reading: 3 x?[2J"},
		{"somebody may be asked for a password", func(p *progress) { p.silent = true; p.list("pods", 0, 1) }, ""},
		{"who was asked has answered", func(p *progress) { p.silent = true; p.list("pods", 1, 1) }, "reading: 1 pods"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgress()
			tt.do(p)
			if got := p.String(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
