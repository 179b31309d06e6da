package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-probes/kubectl-probes/internal/testutil/fleet"
)

// The names of what is measured, as the tables have them.
const (
	probes      = "kubectl probes -A"
	theFloor    = "the floor"
	getPods     = "kubectl get pods -A"
	getPodsJSON = "kubectl get pods -A -o json"
	inCrowd     = "one workload among 10 000 Pods"
	crowdFloor  = "the floor of that: its lists, all at once"
	alone       = "the same workload alone"
	asTheyAre   = "1 000 Pods"
	loaded      = "1 000 Pods, each larger by 24 KB"
)

// How many Pods are weighed, and by how many bytes they are larger.
const (
	weighedPods = 1000
	ballast     = 24_000
)

// results are all that was measured.
type results struct {
	sizes    []sizeResult
	named    map[string]*figures
	weight   map[string]*figures
	files    *filesResult
	overview *overviewResult
}

type sizeResult struct {
	pods     int
	podBytes podBytes
	figures  map[string]*figures
	order    []string
}

// podBytes is how large a Pod is, on average of a page.
type podBytes struct{ protobuf, json int }

// size measures a cluster of that many Pods.
func (b *bench) size(ctx context.Context, pods int) error {
	fromFiles := pods == targetPods && b.wants("files")
	if !fromFiles && !b.wants("clusters") {
		return nil
	}
	return b.on(ctx, spread(pods), func(s *server) error {
		if b.wants("clusters") {
			if err := b.cluster(ctx, s, pods); err != nil {
				return err
			}
		}
		if fromFiles {
			return b.fromFiles(ctx, s)
		}
		return nil
	})
}

func (b *bench) cluster(ctx context.Context, s *server, pods int) error {
	res := sizeResult{pods: pods}
	var err error
	if res.podBytes, err = sizeOfPods(ctx, s); err != nil {
		return err
	}
	ours := subject{name: probes, argv: []string{b.binary, "-A"}}
	others := []subject{{name: getPods, argv: []string{b.kubectl(), "get", "pods", "-A"}}}
	if pods <= b.jsonUpTo {
		others = append(others, subject{name: getPodsJSON, argv: []string{b.kubectl(), "get", "pods", "-A", "-o", "json"}})
	}
	if res.figures, err = b.compare(ctx, s, ours, others); err != nil {
		return err
	}
	for _, name := range []string{probes, theFloor, getPods, getPodsJSON} {
		if res.figures[name] != nil {
			res.order = append(res.order, name)
		}
	}
	b.results.sizes = append(b.results.sizes, res)
	b.text.add(fmt.Sprintf("pods-%d", pods), b.sizeText(res))
	return nil
}

func (b *bench) kubectl() string { return filepath.Join(b.assets, "kubectl") }

func sizeOfPods(ctx context.Context, s *server) (podBytes, error) {
	list, err := s.core.CoreV1().Pods("").List(ctx, metav1.ListOptions{Limit: 500})
	if err != nil {
		return podBytes{}, err
	}
	var sum podBytes
	for i := range list.Items {
		raw, err := json.Marshal(&list.Items[i])
		if err != nil {
			return podBytes{}, err
		}
		sum.protobuf += list.Items[i].Size()
		sum.json += len(raw)
	}
	return podBytes{sum.protobuf / len(list.Items), sum.json / len(list.Items)}, nil
}

// compare first lets each subject run through the counting proxy, then measures them and the floor in turns. The
// floor's lists are those that ours was seen to ask for, so the two cannot drift apart.
func (b *bench) compare(ctx context.Context, s *server, ours subject, others []subject) (map[string]*figures, error) {
	counts, asked, err := b.count(ctx, s, append([]subject{ours}, others...))
	if err != nil {
		return nil, err
	}
	floor := subject{name: theFloor}
	if floor.argv, err = b.floorOf(s, asked[ours.name]); err != nil {
		return nil, err
	}
	measured, err := b.runner.inTurns(ctx, b.rounds, b.share, append([]subject{ours, floor}, others...), s.kubeconfig)
	if err != nil {
		return nil, err
	}
	for name, c := range counts {
		measured[name].requests, measured[name].bytes = c.requests, c.bytes
	}
	return measured, nil
}

// count lets subjects run once each through the proxy, and before that once without: the discovery cache of a
// user is warm.
func (b *bench) count(ctx context.Context, s *server, subjects []subject) (counts map[string]*figures, asked map[string][]*request, err error) {
	kubeconfig := filepath.Join(b.dir, "counting")
	p, err := startProxy(s.config, kubeconfig)
	if err != nil {
		return nil, nil, err
	}
	defer p.stop()
	counts, asked = map[string]*figures{}, map[string][]*request{}
	for _, sub := range subjects {
		warm := sub
		if sub.name != probes { // a small reading is enough to find out what the server serves
			warm.argv = []string{b.kubectl(), "get", "pods", "-n", "default"}
		}
		if _, err := b.runner.run(ctx, warm, kubeconfig); err != nil {
			return nil, nil, err
		}
		p.take()
		if _, err := b.runner.run(ctx, sub, kubeconfig); err != nil {
			return nil, nil, err
		}
		requests := p.take()
		asked[sub.name] = requests
		if b.requests {
			for _, r := range requests {
				progress("%s: %s", sub.name, r)
			}
		}
		counts[sub.name] = &figures{requests: len(requests), bytes: total(requests)}
	}
	return counts, asked, nil
}

// floorOf is the command line that fetches the same lists and nothing more.
func (b *bench) floorOf(s *server, requests []*request) ([]string, error) {
	same, err := lists(requests)
	if err != nil {
		return nil, err
	}
	job, err := json.Marshal(map[string]any{
		"Host": s.config.Host, "CA": s.config.CAData, "Cert": s.config.CertData, "Key": s.config.KeyData, "Lists": same,
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(b.dir, "floor.json")
	return []string{b.floor, file}, os.WriteFile(file, job, 0o600)
}

// weigh measures what Pods cost that are larger in everything but probes.
func (b *bench) weigh(ctx context.Context) error {
	b.results.weight = map[string]*figures{}
	for name, d := range map[string]dataset{asTheyAre: spread(weighedPods), loaded: heavy(weighedPods, ballast)} {
		err := b.on(ctx, d, func(s *server) error {
			measured, err := b.runner.inTurns(ctx, b.rounds, b.share, []subject{{name: name, argv: []string{b.binary, "-A"}}}, s.kubeconfig)
			maps.Copy(b.results.weight, measured)
			return err
		})
		if err != nil {
			return err
		}
	}
	b.text.add("weight", b.table("", b.results.weight, []string{asTheyAre, loaded}))
	return nil
}

// crowd measures one named workload in a namespace of many Pods, and in one that holds nothing else.
func (b *bench) crowd(ctx context.Context, pods int) error {
	d := crowded(pods)
	return b.on(ctx, d, func(s *server) error {
		workload := "deploy/" + d.shapes[0].Workload(0).Deployment.Name
		subjects := []subject{
			{name: inCrowd, argv: []string{b.binary, workload, "-n", d.shapes[0].Namespace(0)}},
			{name: alone, argv: []string{b.binary, workload, "-n", d.shapes[1].Namespace(0)}},
		}
		counts, asked, err := b.count(ctx, s, subjects)
		if err != nil {
			return err
		}
		floor := subject{name: crowdFloor}
		if floor.argv, err = b.floorOf(s, asked[inCrowd]); err != nil {
			return err
		}
		const moreRounds = 5 // they are short
		if b.results.named, err = b.runner.inTurns(ctx, b.rounds*moreRounds, b.share, append(subjects, floor), s.kubeconfig); err != nil {
			return err
		}
		for name, c := range counts {
			b.results.named[name].requests, b.results.named[name].bytes = c.requests, c.bytes
		}
		b.text.add("named", b.table("", b.results.named, []string{inCrowd, crowdFloor, alone}))
		return nil
	})
}

// profiles writes profiles of one run at each size.
func (b *bench) profiles(ctx context.Context) error {
	profiled, err := build(ctx, b.dir, "profiled", "-gcflags", b.gcflags)
	if err != nil {
		return err
	}
	for _, pods := range b.pods {
		dir, err := filepath.Abs(filepath.Join(b.profile, fmt.Sprintf("pods-%d", pods)))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		err = b.on(ctx, spread(pods), func(s *server) error {
			r := b.runner
			r.env = append(r.env, "PROFILE_DIR="+dir)
			u, err := r.run(ctx, subject{name: "profiled", argv: []string{profiled, "-A"}}, s.kubeconfig)
			progress("%d Pods: wall %.2f s, CPU %.2f s, peak RSS %.0f MB; profiles in %s", pods, u.Wall.Seconds(), u.CPU.Seconds(), megabytes(u.RSS), dir)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

const targetPods = 1000 * fleet.PodsEach
