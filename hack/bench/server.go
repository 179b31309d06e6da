package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// startTimeout is for a machine that is busy, and for a large store that the server has to load.
const startTimeout = 5 * time.Minute

// server is a real API server over a kept store.
type server struct {
	config     *rest.Config
	core       kubernetes.Interface
	kubeconfig string // a file
	version    string

	environment *envtest.Environment
}

// startServer starts etcd over the data folder, and an API server over that. Files of its own go to dir.
func startServer(assets, data, dir string) (*server, error) {
	log.SetLogger(logr.Discard()) // envtest has nothing to say that its errors do not
	s := &server{kubeconfig: filepath.Join(dir, "kubeconfig"), environment: &envtest.Environment{
		ControlPlaneStartTimeout: startTimeout, ControlPlaneStopTimeout: startTimeout,
	}}
	etcd := &envtest.Etcd{Path: filepath.Join(assets, "etcd"), DataDir: data}
	// A bench's data is made again when it is lost; and a seeded store of 50 000 Pods has more than 2 GB.
	etcd.Configure().Append("unsafe-no-fsync", "true").Append("quota-backend-bytes", "8589934592")
	s.environment.ControlPlane.Etcd = etcd
	api := s.environment.ControlPlane.GetAPIServer()
	api.Path = filepath.Join(assets, "kube-apiserver")
	api.Configure().Set("event-ttl", "6h").Set("service-cluster-ip-range", "10.0.0.0/16") // a Service for ten Pods
	s.environment.ControlPlane.KubectlPath = filepath.Join(assets, "kubectl")
	if err := s.start(); err != nil {
		return nil, errors.Join(err, s.environment.Stop())
	}
	return s, nil
}

func (s *server) start() (err error) {
	if s.config, err = s.environment.Start(); err != nil {
		return fmt.Errorf("start the API server: %w", err)
	}
	s.config.QPS = -1 // no limit: the server is there for nothing else
	if err := os.WriteFile(s.kubeconfig, s.environment.KubeConfig, 0o600); err != nil {
		return err
	}
	if s.core, err = kubernetes.NewForConfig(s.config); err != nil {
		return err
	}
	version, err := s.core.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	s.version = version.GitVersion
	return nil
}

func (s *server) stop() error { return s.environment.Stop() }

// awaitPods waits until a list tells of that many Pods: a server that was just started fills its caches first.
func (s *server) awaitPods(ctx context.Context, want int) error {
	got := 0
	err := wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, startTimeout, true, func(ctx context.Context) (bool, error) {
		list, err := s.core.CoreV1().Pods("").List(ctx, metav1.ListOptions{Limit: 1})
		if err != nil {
			return false, nil //nolint:nilerr // it is starting
		}
		got = len(list.Items)
		if list.RemainingItemCount != nil {
			got += int(*list.RemainingItemCount)
		}
		return got == want, nil
	})
	if err != nil {
		return fmt.Errorf("the server has %d Pods, want %d: %w", got, want, err)
	}
	return nil
}
