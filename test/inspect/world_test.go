package inspect

import (
	"errors"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	. "github.com/kubectl-probes/kubectl-probes/test/fixture"
)

// makeWorld makes three namespaces that hold everything workloads are made of.
func makeWorld(c *Cluster) error {
	c.Define(Kinds()...)
	node := c.Node("node-1")
	c.Node("node-2")
	shop := c.Namespace("shop")
	makeRollouts(shop)
	makeMeshed(shop)
	makeServices(shop)
	platform := c.Namespace("platform")
	makeOperated(platform)
	makeDaemons(platform)
	makePods(platform, node)
	makeTwins(c.Namespace("twins"))
	makeCrowd(c.Namespace("crowd"))
	jobs := c.Namespace("jobs")
	makeJobs(jobs)
	makeOddOwners(jobs)
	return errors.Join(c.Err(), makeQuota(jobs))
}

// web is the template of an ordinary application; path is what its readiness probe asks for.
func web(app, path string) corev1.PodTemplateSpec {
	return Template(app, Container(app, Port("http", 8080),
		Readiness(HTTP(path, Name("http"), Period(5))),
		Liveness(HTTP("/healthz", Number(8080), Failures(5)))))
}

// makeRollouts makes Deployments at every stage of a rollout.
func makeRollouts(ns *Namespace) {
	before, after := web("web", "/readyz"), web("web", "/readyz-broken")
	deploy := ns.Deployment(Meta{Name: "web", Replicas: 3, Revision: "2"}, after, Stalled())
	old := ns.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "1", Replicas: 2}, "58b7b6f6f9", before)
	current := ns.ReplicaSet(Meta{Name: "web", Owner: deploy, Revision: "2", Replicas: 1}, "7c9d8f5b64", after)
	ns.Pod("web-58b7b6f6f9-aaaaa", old, Ready, On("node-1"))
	ns.Pod("web-58b7b6f6f9-bbbbb", old, Ready, On("node-2"))
	broken := ns.Pod("web-7c9d8f5b64-ccccc", current, Unready, On("node-1"))
	ns.Failed(broken, "web", "Readiness probe failed: HTTP probe failed with statuscode: 404", 678)
	ns.Pod("web-58b7b6f6f9-ddddd", old, Evicted, On("node-1"))
	ns.Delete(ns.Pod("web-58b7b6f6f9-eeeee", old, Ready, On("node-1"), Holding()))

	api := Template("api", Grace(60), Init("migrate"),
		Container("api", Port("grpc", 9000),
			Startup(GRPC(9000, "", Failures(30))), Readiness(GRPC(9000, "api.v1.Shop")), Liveness(GRPC(9000, "", GraceOf(5)))),
		Sidecar("logs", Readiness(Exec([]string{"cat", "/tmp/ok\n"}))))
	deploy = ns.Deployment(Meta{Name: "api", Replicas: 2, Revision: "1"}, api)
	current = ns.ReplicaSet(Meta{Name: "api", Owner: deploy, Revision: "1", Replicas: 2}, "6d4f9b7c58", api)
	ns.Pod("api-6d4f9b7c58-aaaaa", current, Ready, On("node-1"))
	looping := ns.Pod("api-6d4f9b7c58-bbbbb", current, CrashLooping(7), On("node-2"))
	ns.Failed(looping, "api", "Liveness probe failed: service unhealthy (responded with \"NOT_SERVING\")", 21)
	ns.Killed(looping, "api", "Container api failed liveness probe, will be restarted", 7)

	idle := web("idle", "/readyz")
	deploy = ns.Deployment(Meta{Name: "idle", Replicas: 0, Revision: "1"}, idle)
	ns.ReplicaSet(Meta{Name: "idle", Owner: deploy, Revision: "1"}, "5f6c7d8e9f", idle)

	blue, green := web("canary", "/blue"), web("canary", "/green")
	rollout := ns.Custom(Rollout(), Meta{Name: "canary", Replicas: 2}, &green, map[string]any{"currentPodHash": "66666666b6"})
	stable := ns.ReplicaSet(Meta{Name: "canary", Owner: rollout, Replicas: 1}, "55555555a5", blue)
	next := ns.ReplicaSet(Meta{Name: "canary", Owner: rollout, Replicas: 1}, "66666666b6", green)
	ns.Pod("canary-55555555a5-aaaaa", stable, Ready, On("node-1"))
	ns.Pod("canary-66666666b6-bbbbb", next, Ready, On("node-1"))
}

// makeMeshed makes Deployments whose probes admission rewrites, one of them in mid-rollout.
func makeMeshed(ns *Namespace) {
	cart := web("cart", "/readyz")
	deploy := ns.Deployment(Meta{Name: "cart", Replicas: 2, Revision: "1"}, cart)
	current := ns.ReplicaSet(Meta{Name: "cart", Owner: deploy, Revision: "1", Replicas: 2}, "99999999c9", cart)
	ns.Pod("cart-99999999c9-aaaaa", current, Ready, On("node-1"), Meshed())
	ns.Pod("cart-99999999c9-bbbbb", current, Ready, On("node-2"), Meshed())

	before, after := web("pay", "/readyz"), web("pay", "/ready/v2")
	deploy = ns.Deployment(Meta{Name: "pay", Replicas: 2, Revision: "4"}, after)
	old := ns.ReplicaSet(Meta{Name: "pay", Owner: deploy, Revision: "3", Replicas: 1}, "77777777d7", before)
	current = ns.ReplicaSet(Meta{Name: "pay", Owner: deploy, Revision: "4", Replicas: 1}, "88888888e8", after)
	ns.Pod("pay-77777777d7-aaaaa", old, Ready, On("node-1"), Meshed())
	ns.Pod("pay-88888888e8-bbbbb", current, Ready, On("node-2"), Meshed())
}

func makeServices(ns *Namespace) {
	for _, app := range []string{"web", "api", "idle", "canary"} {
		ns.Service(app, app)
	}
	ns.Service("nothing", "nobody")
	ns.Endpoints("web", []string{"web-58b7b6f6f9-aaaaa", "web-58b7b6f6f9-bbbbb"}, []string{"web-7c9d8f5b64-ccccc"})
	ns.Endpoints("api", []string{"api-6d4f9b7c58-aaaaa"}, []string{"api-6d4f9b7c58-bbbbb"})
}

// makeOperated makes what operators stand above.
func makeOperated(ns *Namespace) {
	prom := Template("prometheus", Container("prometheus", Port("web", 9090),
		Startup(HTTP("/-/ready", Name("web"), Period(15), Failures(60))), Readiness(HTTP("/-/ready", Name("web"), Period(5), Timeout(3)))),
		Container("config-reloader"))
	root := ns.Custom(Prometheus(), Meta{Name: "k8s"}, nil, nil)
	sts := ns.StatefulSet(Meta{Name: "prometheus-k8s", Owner: root, Replicas: 2}, "prometheus-k8s-new", prom)
	ns.Pod("prometheus-k8s-0", sts.With("controller-revision-hash", "prometheus-k8s-old"), Ready, On("node-1"))
	ns.Pod("prometheus-k8s-1", sts.With("controller-revision-hash", "prometheus-k8s-new"), Ready, On("node-2"))

	game := web("game", "/readyz")
	clones := ns.Custom(CloneSet(), Meta{Name: "game", Replicas: 2}, &game, map[string]any{"updateRevision": "game-2"})
	ns.Pod("game-aaaaa", clones.With("controller-revision-hash", "game-2"), Ready, On("node-1"))
	ns.Pod("game-bbbbb", clones.With("controller-revision-hash", "game-2"), Unready, On("node-1"))

	hello := web("hello", "/")
	ksvc := ns.Custom(KnativeService(), Meta{Name: "hello", Replicas: 1}, &hello, nil)
	deploy := ns.Deployment(Meta{Name: "hello-00001", Owner: ksvc, Replicas: 1, Revision: "1"}, hello)
	current := ns.ReplicaSet(Meta{Name: "hello-00001", Owner: deploy, Revision: "1", Replicas: 1}, "44444444f4", hello)
	ns.Pod("hello-00001-44444444f4-aaaaa", current, Ready, On("node-1"))

	edge := web("edge", "/readyz")
	fleet := ns.Custom(Fleet(), Meta{Name: "world"}, nil, nil)
	deploy = ns.Deployment(Meta{Name: "edge", Owner: fleet, Replicas: 1, Revision: "1"}, edge)
	current = ns.ReplicaSet(Meta{Name: "edge", Owner: deploy, Revision: "1", Replicas: 1}, "22222222a2", edge)
	ns.Pod("edge-22222222a2-aaaaa", current, Ready, On("node-1"))
}

func makeDaemons(ns *Namespace) {
	before, after := web("agent", "/v1"), web("agent", "/v2")
	ds := ns.DaemonSet(Meta{Name: "agent", Replicas: 2}, before, after)
	old := ds
	old.Template = before
	ns.Pod("agent-aaaaa", old.With("pod-template-generation", "1").With("controller-revision-hash", "5d5d5d5d5d"), Ready, On("node-1"))
	ns.Pod("agent-bbbbb", ds.With("pod-template-generation", "2").With("controller-revision-hash", "6d6d6d6d6d"), Ready, On("node-2"))
}

// makePods makes Pods that stand for themselves.
func makePods(ns *Namespace, node Owner) {
	etcd := Template("etcd", Container("etcd", Liveness(HTTP("/health?serializable=true", Number(2381), Failures(8)))))
	static := node
	static.Template = etcd
	ns.Pod("etcd-node-1", static, Ready, On("node-1"), Mirrors("0123456789abcdef"))

	bare := Nobody()
	bare.Template = Template("debug", Container("shell"))
	ns.Pod("debug", bare, Ready, On("node-2"))
	bare.Template = everyProbe()
	ns.Pod("kinds-of-probes", bare, Ready, On("node-2"))
	bare.Template = Template("later", Container("later", Readiness(TCP(Number(1)))))
	ns.Pod("later", bare, Waiting)

	rc := ns.ReplicationController(Meta{Name: "ancient", Replicas: 1}, web("ancient", "/"))
	ns.Pod("ancient-aaaaa", rc, Ready, On("node-1"))
	rs := ns.ReplicaSet(Meta{Name: "lonely", Replicas: 1}, "", web("lonely", "/"))
	ns.Pod("lonely-aaaaa", rs, Ready, On("node-1"))
	ns.ReplicaSet(Meta{Name: "vacant", Replicas: 0}, "", web("vacant", "/"))
}

// everyProbe has a container for each way to write a probe.
func everyProbe() corev1.PodTemplateSpec {
	headers := HTTP("/h", Number(80))
	headers.HTTPGet.HTTPHeaders = []corev1.HTTPHeader{{Name: "Host", Value: "shop.example"}, {Name: "X-A", Value: "a,b"}}
	elsewhere := HTTP("", Number(443))
	elsewhere.HTTPGet.Host, elsewhere.HTTPGet.Scheme = "127.0.0.1", corev1.URISchemeHTTPS
	probes := []*corev1.Probe{
		HTTP("/", Number(80)), headers, elsewhere, HTTP("/named", Name("http")),
		TCP(Number(5432)), TCP(Name("http")), GRPC(9000, ""), GRPC(9000, "shop.v1"),
		Exec([]string{"sh", "-c", "echo \"a\tb\"; exit 1"}),
		TCP(Number(1), Delay(3), Period(7), Timeout(9), Successes(2), Failures(11)),
	}
	parts := []Part{Container("none", Port("http", 8080))}
	for i, p := range probes {
		parts = append(parts, Container("c"+strconv.Itoa(i), Readiness(p)))
	}
	return Template("kinds", parts...)
}

// makeJobs makes Jobs of both ages, and a CronJob that was changed since its last run.
func makeJobs(ns *Namespace) {
	work := Template("work", Never(), Container("work", Liveness(Exec([]string{"true"}, Period(60)))))
	running := ns.Job(Meta{Name: "import"}, work, false)
	ns.Pod("import-aaaaa", running, Ready, On("node-1"))
	done := ns.Job(Meta{Name: "migrate"}, work, true)
	ns.Pod("migrate-aaaaa", done, Succeeded, On("node-1"))

	before := Template("backup", Never(), Container("backup", Liveness(TCP(Number(1)))))
	now := Template("backup", Never(), Container("backup", Liveness(TCP(Number(2)))))
	cron := ns.CronJob(Meta{Name: "backup"}, now)
	first := ns.Job(Meta{Name: "backup-29000000", Owner: cron}, before, false)
	ns.Pod("backup-29000000-aaaaa", first, Ready, On("node-2"))
	ns.CronJob(Meta{Name: "never-run"}, now)
}

// makeOddOwners makes chains that end where they should not.
func makeOddOwners(ns *Namespace) {
	left := web("left", "/")
	deploy := ns.Deployment(Meta{Name: "left", Replicas: 1, Revision: "1"}, left)
	current := ns.ReplicaSet(Meta{Name: "left", Owner: deploy.Recreated(), Revision: "1", Replicas: 1}, "33333333b3", left)
	ns.Pod("left-33333333b3-aaaaa", current, Ready, On("node-1"))

	ring := web("ring", "/")
	a := ns.ReplicaSet(Meta{Name: "ring-a", Replicas: 1}, "", ring)
	b := ns.ReplicaSet(Meta{Name: "ring-b", Owner: a, Replicas: 0}, "", ring)
	ns.SetOwner("ring-a", b)
	ns.Pod("ring-a-aaaaa", a, Ready, On("node-1"))
}

// makeTwins makes two workloads of one name behind one Service, one of them scaled to zero.
func makeTwins(ns *Namespace) {
	template := web("double", "/")
	deploy := ns.Deployment(Meta{Name: "double", Replicas: 1, Revision: "1"}, template)
	current := ns.ReplicaSet(Meta{Name: "double", Owner: deploy, Revision: "1", Replicas: 1}, "88888888f8", template)
	ns.Pods(1, current, Ready, On("node-1"))
	ns.StatefulSet(Meta{Name: "double"}, "double-1", template)
	ns.Service("double", "double")
}

// makeCrowd makes a small Deployment beside a large one.
func makeCrowd(ns *Namespace) {
	for name, pods := range map[string]int32{"small": 2, "large": 150} {
		template := web(name, "/")
		deploy := ns.Deployment(Meta{Name: name, Replicas: pods, Revision: "1"}, template)
		current := ns.ReplicaSet(Meta{Name: name, Owner: deploy, Revision: "1", Replicas: pods}, "5555555555", template)
		ns.Pods(int(pods), current, Ready, On("node-1"))
		ns.Service(name, name)
	}
}

// makeQuota makes a Deployment of which a quota lets one Pod be made.
func makeQuota(ns *Namespace) error {
	template := web("greedy", "/readyz")
	deploy := ns.Deployment(Meta{Name: "greedy", Replicas: 3, Revision: "1"}, template, NotAllCreated())
	current := ns.ReplicaSet(Meta{Name: "greedy", Owner: deploy, Revision: "1", Replicas: 3}, "11111111c1", template)
	ns.Pod("greedy-11111111c1-aaaaa", current, Ready, On("node-1"))
	ns.Quota("0")
	ns.Refused("greedy-11111111c1-bbbbb", current)
	ns.NotCreated(current, "Error creating: pods is forbidden: exceeded quota: pods", 14)
	return ns.Err()
}
