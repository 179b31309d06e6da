package mutable

import (
	"math/rand/v2"
	"testing"

	"github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// TestDefaultsOfAlphaFields is about httpGet.protocol and grpc.mode, which a server drops as released.
func TestDefaultsOfAlphaFields(t *testing.T) {
	random := fixture.Random{Rand: rand.New(rand.NewPCG(6318, 2)), Alpha: true}
	for _, holder := range fixture.Holders() {
		t.Run(holder.Kind, func(t *testing.T) {
			for range 3 {
				holder.CheckDefaults(t, server.Dynamic, random.PodSpec(50, holder.Policy))
			}
		})
	}
}
