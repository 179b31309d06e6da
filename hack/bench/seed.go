package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

const atOnce = 24

// The managers that managedFields names: the server notes who wrote what.
var (
	asController = metav1.CreateOptions{FieldManager: "kube-controller-manager"}
	asKubelet    = metav1.UpdateOptions{FieldManager: "kubelet"}
)

// seeder makes the objects of one shape on a server.
type seeder struct {
	core  kubernetes.Interface
	shape fleet.Shape
}

func newSeeder(s *server, shape fleet.Shape) (*seeder, error) {
	config := rest.CopyConfig(s.config)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.WarningHandler = rest.NoWarnings{}
	core, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	shape.Now = time.Now()
	return &seeder{core, shape}, nil
}

// seed fills an empty server.
func seed(ctx context.Context, s *server, shapes []fleet.Shape) error {
	for i, shape := range shapes {
		sd, err := newSeeder(s, shape)
		if err != nil {
			return err
		}
		if i == 0 {
			if err := each(ctx, shape.Nodes(), sd.node); err != nil {
				return err
			}
		}
		if err := each(ctx, shape.Namespaces, sd.namespace); err != nil {
			return err
		}
		if err := each(ctx, shape.Workloads(), sd.workload); err != nil {
			return err
		}
	}
	return nil
}

// each does something with 0 to n-1, some at once.
func each(ctx context.Context, n int, do func(context.Context, int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i := range n {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return do(ctx, i)
		})
	}
	return group.Wait()
}

func (s *seeder) node(ctx context.Context, i int) error {
	n := s.shape.Node(i)
	made, err := s.core.CoreV1().Nodes().Create(ctx, n, asController)
	if err != nil {
		return err
	}
	made.Status = n.Status
	_, err = s.core.CoreV1().Nodes().UpdateStatus(ctx, made, asKubelet)
	return err
}

func (s *seeder) namespace(ctx context.Context, i int) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.shape.Namespace(i)}}
	_, err := s.core.CoreV1().Namespaces().Create(ctx, ns, asController)
	return err
}

// workload makes a Deployment and what belongs to it; the server gives the UIDs that own.
func (s *seeder) workload(ctx context.Context, i int) error {
	w := s.shape.Workload(i)
	apps := s.core.AppsV1()
	d, err := apps.Deployments(w.Deployment.Namespace).Create(ctx, w.Deployment, asController)
	if err != nil {
		return fmt.Errorf("deployment %s: %w", w.Deployment.Name, err)
	}
	d.Status = w.Deployment.Status
	if d, err = apps.Deployments(d.Namespace).UpdateStatus(ctx, d, metav1.UpdateOptions{}); err != nil {
		return err
	}
	for _, rs := range w.ReplicaSets {
		rs.OwnerReferences[0].UID = d.UID
		made, err := apps.ReplicaSets(rs.Namespace).Create(ctx, rs, asController)
		if err != nil {
			return fmt.Errorf("replicaset %s: %w", rs.Name, err)
		}
		made.Status = rs.Status
		if _, err := apps.ReplicaSets(rs.Namespace).UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
			return err
		}
		for _, p := range w.Pods {
			if p.OwnerReferences[0].Name == rs.Name {
				p.OwnerReferences[0].UID = made.UID
			}
		}
	}
	if _, err := s.core.CoreV1().Services(w.Service.Namespace).Create(ctx, w.Service, asController); err != nil {
		return err
	}
	for i, p := range w.Pods {
		made, err := s.pod(ctx, p)
		if err != nil {
			return fmt.Errorf("pod %s: %w", p.Name, err)
		}
		w.Endpoints.Endpoints[i].TargetRef.UID = made.UID
	}
	_, err = s.core.DiscoveryV1().EndpointSlices(w.Endpoints.Namespace).Create(ctx, w.Endpoints, asController)
	return err
}

func (s *seeder) pod(ctx context.Context, p *corev1.Pod) (*corev1.Pod, error) {
	api := s.core.CoreV1().Pods(p.Namespace)
	made, err := api.Create(ctx, p, asController)
	if err != nil {
		return nil, err
	}
	made.Status = p.Status
	return api.UpdateStatus(ctx, made, asKubelet)
}

// happen makes the troubles of a tenth of the Pods anew, minutes ago: what is older than an hour is no evidence,
// and reading it would cost less than in a cluster where things happen.
func happen(ctx context.Context, s *server, shapes []fleet.Shape) error {
	for _, shape := range shapes {
		sd, err := newSeeder(s, shape)
		if err != nil {
			return err
		}
		if err := each(ctx, shape.Namespaces, sd.forget); err != nil {
			return err
		}
		if err := each(ctx, shape.Workloads(), sd.trouble); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeder) forget(ctx context.Context, i int) error {
	return s.core.CoreV1().Events(s.shape.Namespace(i)).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
}

func (s *seeder) trouble(ctx context.Context, i int) error {
	for _, p := range s.shape.Workload(i).Pods {
		if !fleet.Troubled(p) {
			continue
		}
		api := s.core.CoreV1().Pods(p.Namespace)
		made, err := api.Get(ctx, p.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		made.Status = p.Status
		if made, err = api.UpdateStatus(ctx, made, asKubelet); err != nil {
			return err
		}
		for _, e := range s.shape.Events(made) {
			if _, err := s.core.CoreV1().Events(e.Namespace).Create(ctx, e, asController); err != nil {
				return err
			}
		}
	}
	return nil
}
