package inspect

import (
	"math/rand/v2"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestDefaults holds the product's table of defaults against the server's, in Pods and in all templates:
// a manifest that never met a server must read as if it had.
func TestDefaults(t *testing.T) {
	random := fixture.Random{Rand: rand.New(rand.NewPCG(6318, 1))}
	for _, holder := range fixture.Holders() {
		t.Run(holder.Kind, func(t *testing.T) {
			for range 3 {
				holder.CheckDefaults(t, server.Dynamic, random.PodSpec(50, holder.Policy))
			}
		})
	}
}
