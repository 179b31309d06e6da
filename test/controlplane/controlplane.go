// Package controlplane runs a real etcd and API server for the tests of one package.
package controlplane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest" //nolint:depguard // this is the module for it
)

// The folders with etcd, kube-apiserver and kubectl, as the Makefile sets them.
const (
	Stock   = "KUBEBUILDER_ASSETS"    // as released
	Mutable = "MUTABLE_PROBES_ASSETS" // lets the probes of a running Pod change
)

// startTimeout is for a machine that is busy with other things.
const startTimeout = 2 * time.Minute

// Server is a running API server, and the ways to reach it.
type Server struct {
	Assets     string       // the folder it was started from
	Config     *rest.Config // of an administrator
	Kubeconfig string       // a file that says the same
	Core       kubernetes.Interface
	Dynamic    dynamic.Interface

	environment *envtest.Environment
	dir         string
}

// Start starts the API server of the folder that the variable names, with these feature gates.
func Start(variable string, gates ...string) (*Server, error) {
	assets := os.Getenv(variable)
	if assets == "" {
		return nil, fmt.Errorf("%s is not set: run `make test` in the repository's root, which builds the API server and sets it", variable)
	}
	dir, err := os.MkdirTemp("", "probes-controlplane")
	if err != nil {
		return nil, err
	}
	s := &Server{Assets: assets, dir: dir, Kubeconfig: filepath.Join(dir, "kubeconfig")}
	if err := s.start(gates); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// Run is TestMain of a package: it starts a server, lets prepare fill it, runs the tests and stops the server again.
// The exit status is for os.Exit, which ends the process before anything deferred there.
func Run(m *testing.M, prepare func(*Server) error, variable string, gates ...string) int {
	status, err := run(m, prepare, variable, gates)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return status
}

func run(m *testing.M, prepare func(*Server) error, variable string, gates []string) (status int, err error) {
	server, err := Start(variable, gates...)
	if err != nil {
		return 0, err
	}
	defer func() {
		if stopErr := server.Stop(); err == nil {
			err = stopErr
		}
	}()
	if err := prepare(server); err != nil {
		return 0, fmt.Errorf("prepare the server: %w", err)
	}
	return m.Run(), nil
}

func (s *Server) start(gates []string) error {
	s.environment = &envtest.Environment{
		ControlPlaneStartTimeout: startTimeout,
		ControlPlaneStopTimeout:  startTimeout,
	}
	// envtest would take KUBEBUILDER_ASSETS before a field that names the folder.
	apiServer := s.environment.ControlPlane.GetAPIServer()
	apiServer.Path = s.binary("kube-apiserver")
	if len(gates) > 0 {
		apiServer.Configure().Append("feature-gates", gates...)
	}
	s.environment.ControlPlane.Etcd = &envtest.Etcd{Path: s.binary("etcd")}
	s.environment.ControlPlane.KubectlPath = s.binary("kubectl")
	var err error
	if s.Config, err = s.environment.Start(); err != nil {
		return fmt.Errorf("start the API server of %s: %w", s.Assets, err)
	}
	if err := os.WriteFile(s.Kubeconfig, s.environment.KubeConfig, 0o600); err != nil {
		return err
	}
	if s.Core, err = kubernetes.NewForConfig(s.Config); err != nil {
		return err
	}
	s.Dynamic, err = dynamic.NewForConfig(s.Config)
	return err
}

func (s *Server) binary(name string) string { return filepath.Join(s.Assets, name) }

// Stop stops the server and removes its files.
func (s *Server) Stop() error {
	return errors.Join(s.environment.Stop(), os.RemoveAll(s.dir))
}
