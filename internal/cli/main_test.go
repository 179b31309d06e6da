package cli

import (
	"testing"

	"go.uber.org/goleak"
)

// A credential plugin that hangs is left behind with the run that needed it: client-go waits for it without a context
// (plugin/pkg/client/auth/exec/exec.go, v0.37), and the process ends with the run. That is one goroutine in the plugin,
// those that wait for it, and the one that copies what it prints.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("k8s.io/client-go/plugin/pkg/client/auth/exec.(*Authenticator).getCreds"),
		goleak.IgnoreAnyFunction("os/exec.(*Cmd).writerDescriptor.func1"),
	)
}
