package rules

import (
	"testing"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/golden"
)

// TestPage keeps docs/rules.md what the rules are.
func TestPage(t *testing.T) { golden.Check(t, "../../../docs/rules.md", Page()) }
