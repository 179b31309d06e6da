package main

import (
	"strings"
	"testing"
)

const changelog = `# Changelog

## [Unreleased]

### Added
- something [new](docs/new.md)

## [0.2.0] - 2026-11-30

### Fixed
- a fault

## [0.1.1]

## [0.1.0] - 2026-11-01

- all of it

## [0.0.1] - 2026-10-01

[0.2.0]: https://example.com/compare/v0.1.0...v0.2.0
`

func TestNotes(t *testing.T) {
	tests := []struct{ name, in, want, wantErr string }{
		{name: "a release", in: "v0.2.0", want: "### Fixed\n- a fault"},
		{name: "before the end", in: "v0.1.0", want: "- all of it"},
		{name: "a pre-release is what is unreleased", in: "v0.3.0-rc.1", want: "### Added\n- something [new](docs/new.md)"},
		{name: "no section", in: "v0.3.0", wantErr: `CHANGELOG.md has no section "## [0.3.0] - YYYY-MM-DD"`},
		{name: "a dot is a dot", in: "v0.200.0", wantErr: "no section"},
		{name: "no date", in: "v0.1.1", wantErr: "no date for 0.1.1"},
		{name: "links are no text", in: "v0.0.1", wantErr: "empty"},
		{name: "no tag", in: "574fea5", wantErr: `"574fea5" is not a tag`},
		{name: "not clean", in: "v0.2.0-3-g574fea5 dirty", wantErr: "is not a tag"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := notes(changelog, test.in)
			if message := errorText(err); test.wantErr == "" && err != nil || !strings.Contains(message, test.wantErr) {
				t.Fatalf("error %q, want %q", message, test.wantErr)
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
