package change

import (
	"context"

	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
	"github.com/kubectl-probes/kubectl-probes/test/kubelet"
)

// The nodes, by what their kubelets do about changed probes.
const (
	follows  = "node-follows"  // v1.38 with the gate: sees, applies, and says so
	ignores  = "node-ignores"  // v1.37: sees, and goes on as before
	ignores2 = "node-ignores2" // v1.36, which ignores more
	restarts = "node-restarts" // v1.30, which restarts the container
	quiet    = "node-quiet"    // v1.38, sees and says nothing
	down     = "node-down"     // v1.38, does nothing at all
	virtual  = "node-virtual"
)

func startNodes(ctx context.Context, server *controlplane.Server) error {
	return kubelet.Start(ctx, server.Core,
		kubelet.Node{Name: follows, Version: "v1.38.0", Sees: true, Speaks: true},
		kubelet.Node{Name: ignores, Version: "v1.37.2", Sees: true},
		kubelet.Node{Name: ignores2, Version: "v1.36.1", Sees: true},
		kubelet.Node{Name: restarts, Version: "v1.30.4", Sees: true},
		kubelet.Node{Name: quiet, Version: "v1.38.0", Sees: true},
		kubelet.Node{Name: down, Version: "v1.38.0"},
		kubelet.Node{Name: virtual, Version: "v1.19.10-vk-azure-aci-1.4", Virtual: true},
	)
}
