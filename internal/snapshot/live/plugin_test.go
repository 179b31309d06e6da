package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fakeapi"
)

// Many lists are asked for at once. A plugin that fails, as Ctrl-C makes it, or refuses, is not asked by all of them.
func TestPluginIsAskedOnce(t *testing.T) {
	for name, tt := range map[string]struct{ script, want string }{
		"gives": {`echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"x"}}'`, ""},
		"fails": {"exit 1", "getting credentials: exec: executable sh failed with exit code 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fakeapi.NewTLS(t, time.Now().Add(time.Hour))
			s.Add(pod("a", "web"))
			starts := filepath.Join(t.TempDir(), "starts")
			config := &rest.Config{Host: s.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}, ExecProvider: &api.ExecConfig{
				APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode,
				Command: "sh", Args: []string{"-c", fmt.Sprintf("echo . >> %q; sleep 0.2; %s", starts, tt.script)},
			}}
			clients, err := NewClientsForConfig(config, nil, options())
			if err != nil {
				t.Fatal(err)
			}
			_, err = Read(context.Background(), clients, everywhere(), options())
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if got, _ := os.ReadFile(starts); string(got) != ".\n" {
				t.Errorf("started %d times", strings.Count(string(got), "."))
			}
		})
	}
}
