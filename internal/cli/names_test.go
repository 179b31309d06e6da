package cli

import (
	"strings"
	"testing"
)

// A name without a type shows what it names by itself, as with its type.
func TestABareNameIsOneThing(t *testing.T) {
	const captures = "../../testdata/captures/"
	for _, tt := range []struct{ dump, word, typed string }{
		{"rollout-stall", "web", "deploy/web"},
		{"rollout-stall", "web-bbdb5d966-lbjdg", "pod/web-bbdb5d966-lbjdg"},
		{"sets", "db-0", "pod/db-0"},
	} {
		bare, typed := pipe(t, "-f", captures+tt.dump, tt.word), pipe(t, "-f", captures+tt.dump, tt.typed)
		if bare.status != ExitOK || bare.out != typed.out || !strings.HasPrefix(bare.out, tt.typed) {
			t.Errorf("%s ends with %d:\n%swant that of %s:\n%s", tt.word, bare.status, bare.out, tt.typed, typed.out)
		}
	}
	if r := pipe(t, "-f", captures+"rollout-stall", "deploy"); !strings.HasPrefix(r.out, "WORKLOAD") {
		t.Errorf("a type shows one thing by itself:\n%s", r.out)
	}
}
