package demo

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-probes/kubectl-probes/test/command"
	"github.com/kubectl-probes/kubectl-probes/test/controlplane"
)

// everyday is how the shop fares after `make up`.
func (s *shop) everyday() map[string]play {
	pass := func(container string, e said) play { // it stays ready all the same
		e.field = "spec.containers{" + container + "}"
		return play{status: s.well, events: says(e)}
	}
	payments := pass("payments", said{
		reason: "Unhealthy", count: 8, first: up - time.Second, last: up - 36*time.Second,
		message: `Startup probe failed: Get "http://10.244.0.9:8080/healthz": dial tcp 10.244.0.9:8080: connect: connection refused`,
	})
	payments.status = s.readyAfter(42 * time.Second)
	return map[string]play{
		"cache":    s.like("tcp-refused", "db-66cf57cf4b-d79vt", "redis"),
		"legacy":   {status: s.well, events: s.like("exec-timeout", "exec-missing-command", "legacy", "Readiness probe", "Liveness probe").events},
		"payments": payments,
		"catalog": pass("catalog", said{
			reason: "Unhealthy", count: 59, first: up - 15*time.Second, last: 25 * time.Second,
			message: "Readiness probe failed: HTTP probe failed with statuscode: 503",
		}),
		"admin": pass("admin", said{
			reason: "ProbeWarning", count: 120, first: up, last: 4 * time.Second,
			message: "Readiness probe warning: Probe terminated redirects, Response body: <html>\r\n<head><title>302 Found</title></head>",
		}),
		"gateway": {status: s.well, events: says(said{
			reason: "Unhealthy", field: "spec.initContainers{proxy}", count: 120, first: up, last: 4 * time.Second,
			message: `Liveness probe errored and resulted in failure state: strconv.Atoi: parsing "http": invalid syntax`,
		})},
	}
}

// badDay is how the new Pods fare that `make chaos` brings.
func (s *shop) badDay() map[string]play {
	cart := s.like("liveness-404", "web-65bb45864c-cfkd5", "cart")
	cart.stuck = false // it was ready before it was killed for the first time
	return map[string]play{
		"web":      s.like("rollout-stall", "web-bbdb5d966-lbjdg", "web"),
		"cart":     cart,
		"payments": s.like("startup-failing", "slow-5bb9cd96b-9zd2j", "payments"),
	}
}

// searchHangs is what happens to Pods that nobody has touched, and searchAnswers what becomes of them.
func (s *shop) searchHangs() {
	hangs := says(said{
		reason: "Unhealthy", field: "spec.containers{search}", count: 9, first: 100 * time.Second, last: 4 * time.Second,
		message: `Readiness probe failed: Get "http://10.244.0.12:8080/readyz": ` +
			"context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
	})
	for _, p := range s.pods("search") {
		s.unready(&p)
		_, err := s.server.Core.CoreV1().Pods("shop").UpdateStatus(context.Background(), &p, metav1.UpdateOptions{})
		s.must(err)
		hangs(s, &p)
	}
}

func (s *shop) searchAnswers() {
	for _, p := range s.pods("search") {
		s.well(&p)
		for i := range p.Status.Conditions {
			p.Status.Conditions[i].LastTransitionTime = s.ago(0)
		}
		_, err := s.server.Core.CoreV1().Pods("shop").UpdateStatus(context.Background(), &p, metav1.UpdateOptions{})
		s.must(err)
	}
}

// realDesk has the server's kubectl, and a kind whose cluster is the server.
func realDesk(t *testing.T, server *controlplane.Server) *desk {
	t.Helper()
	d := newDesk(t)
	d.installKubectl(t, server, "")
	d.install(t, "kind", `[ "$1" != create ] || kubectl config set current-context `+demoContext)
	config, err := clientcmd.LoadFromFile(server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	current := *config.Contexts[config.CurrentContext]
	config.Clusters["prod"] = &clientcmdapi.Cluster{Server: "https://127.0.0.1:1"} // nobody is there
	config.Contexts = map[string]*clientcmdapi.Context{
		demoContext: &current, "prod": {Cluster: "prod", AuthInfo: current.AuthInfo, Namespace: "shop"},
	}
	config.CurrentContext = "prod"
	if err := clientcmd.WriteToFile(*config, d.kubeconfig); err != nil {
		t.Fatal(err)
	}
	return d
}

// installKubectl installs the real one, which leaves out what the words begin with.
func (d *desk) installKubectl(t *testing.T, server *controlplane.Server, leavesOut string) {
	t.Helper()
	d.install(t, "kubectl", `case "$3 $4" in "`+leavesOut+`") ;; *) '`+filepath.Join(server.Assets, "kubectl")+`' "$@" ;; esac`)
}

func (d *desk) currentContext(t *testing.T) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(d.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return config.CurrentContext
}

// twice makes a target, and makes it again. Nothing is rolled out meanwhile, so nothing is waited for.
func (d *desk) twice(t *testing.T, server *controlplane.Server, target string) {
	t.Helper()
	d.installKubectl(t, server, "rollout status")
	defer d.installKubectl(t, server, "")
	for range 2 {
		if out, ok := d.make(t, target); !ok {
			t.Fatal(out)
		}
	}
	if got := d.currentContext(t); got != "prod" {
		t.Errorf("make %s leaves the current context at %q", target, got)
	}
}

// TestShop goes through the README from its beginning to its end.
func TestShop(t *testing.T) {
	d := realDesk(t, server)
	s := newShop(t, server)
	line := command.Line{Kubeconfig: d.kubeconfig, CacheDir: t.TempDir(), Arguments: []string{"--context", demoContext}, Now: s.now}
	report := func(t *testing.T, args ...string) command.Result {
		return line.Must(t, append([]string{"-n", "shop", "-o", "json"}, args...)...)
	}

	d.twice(t, server, "up")
	healthy := specs(t, server)
	s.run(s.everyday())
	t.Run("up", func(t *testing.T) { kept(t, report(t), promises(t, "files", "up")) })
	t.Run("up waits for all that gets ready", func(t *testing.T) {
		if out, ok := d.make(t, "up", "TIMEOUT=20s"); !ok {
			t.Error(out)
		}
	})
	t.Run("draft", func(t *testing.T) { draftIsRefused(t, d) })

	d.twice(t, server, "chaos")
	s.run(s.badDay())
	s.searchHangs()
	t.Run("chaos", func(t *testing.T) { kept(t, report(t), promises(t, "files", "up", "chaos")) })
	t.Run("drift", func(t *testing.T) {
		if diff := cmp.Diff(inReadme(t, "`kubectl probes --only=drifted` shows (.*?)\\."), drifted(t, line)); diff != "" {
			t.Errorf("drifted (-promised +found):\n%s", diff)
		}
	})

	t.Run("incident", func(t *testing.T) { incident(t, d, line) })
	spoil(s)
	d.twice(t, server, "heal")
	t.Run("heal puts every object back", func(t *testing.T) {
		if diff := cmp.Diff(healthy, specs(t, server)); diff != "" {
			t.Errorf("(-after up +after heal):\n%s", diff)
		}
	})
	s.run(s.everyday())
	s.searchAnswers()
	t.Run("heal", func(t *testing.T) {
		want := promises(t, "files", "up")
		for _, p := range promises(t, "chaos") {
			if p.rule == "killed-by-probe" { // Events stay for an hour
				p.says = "gone, going or finished"
				want = append(want, p)
			}
		}
		kept(t, report(t), want)
		if got := drifted(t, line); got != nil {
			t.Errorf("drifted is %v", got)
		}
	})
}

func drifted(t *testing.T, line command.Line) []string {
	t.Helper()
	return sorted(strings.Fields(line.Must(t, "-n", "shop", "--only=drifted", "-o", "jsonpath={range .workloads[*]}{.displayName} {end}").Out))
}

// inReadme are the workloads that a sentence of the README names.
func inReadme(t *testing.T, sentence string) []string {
	t.Helper()
	text := strings.Join(strings.Fields(readme(t)), " ")
	match := regexp.MustCompile(sentence).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("the README does not say %s", sentence)
	}
	return sorted(regexp.MustCompile(`[a-z]+/[a-z]+`).FindAllString(match[1], -1))
}

// draftIsRefused holds the words of the finding against the API server's own.
func draftIsRefused(t *testing.T, d *desk) {
	for _, p := range promises(t, "draft") {
		out, err := d.kubectl(t, "--context", demoContext, "create", "--validate=strict", "-f", at("drafts"))
		if err == nil || !strings.Contains(out, p.says) {
			t.Errorf("the server says %q, the README %q", out, p.says)
		}
	}
}

// TestStrict applies everything to a server that fails for a field it does not know, and for what it would only warn of.
func TestStrict(t *testing.T) {
	d := realDesk(t, server)
	newShop(t, server)
	apply := func(folder string) (string, error) {
		return d.kubectl(t, "--context", demoContext, "apply", "--server-side", "--force-conflicts", "--dry-run=server",
			"--validate=strict", "--warnings-as-errors", "-k", folder)
	}
	for _, folder := range []string{"manifests", "chaos"} {
		if out, err := apply(at(folder)); err != nil {
			t.Errorf("%s: %v\n%s", folder, err, out)
		}
	}
	misspelled := t.TempDir()
	if err := os.CopyFS(misspelled, os.DirFS(at("manifests"))); err != nil {
		t.Fatal(err)
	}
	web := filepath.Join(misspelled, "web.yaml")
	text, err := os.ReadFile(web)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(web, []byte(strings.Replace(string(text), "failureThreshold:", "failureTreshold:", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := apply(misspelled); err == nil || !strings.Contains(out, "failureTreshold") {
		t.Errorf("a misspelled field passes: %s", out)
	}
}

// incident types the commands of the README's walk-through on a server without the gate.
func incident(t *testing.T, d *desk, line command.Line) {
	_, text, ok := strings.Cut(readme(t), "\n## An incident, told in commands\n")
	if !ok {
		t.Fatal("the README tells of no incident")
	}
	text, mutable, _ := strings.Cut(text, withGate)
	typed := commands(text)
	if len(typed) < 8 || !slices.ContainsFunc(typed, func(s string) bool { return strings.Contains(s, " set ") }) {
		t.Fatalf("the incident is told in %d commands: %q", len(typed), typed)
	}
	for _, text := range typed {
		words := strings.Fields(text)
		switch {
		case strings.HasPrefix(text, "kubectl probes "):
			line.Must(t, words[2:]...)
		case words[0] == "kubectl":
			if out, err := d.kubectl(t, append([]string{"--context", demoContext}, words[1:]...)...); err != nil {
				t.Errorf("%s: %v\n%s", text, err, out)
			}
		case !strings.HasPrefix(text, "make -C hack/demo-cluster heal"): // comes next
			t.Errorf("%s is not typed here", text)
		}
	}
	refused := line.Run(t, strings.Fields(commands(mutable)[0])[2:]...)
	if refused.Status == 0 || !strings.Contains(refused.Err, "MutableContainerProbes") || !strings.Contains(refused.Err, "--pod-template") {
		t.Errorf("not refused as the README says: %s", refused)
	}
}

// withGate is the heading of what only a server with the feature gate can do.
const withGate = "\n### With `MutableContainerProbes`\n"

// commands are the lines of the sh blocks.
func commands(text string) []string {
	var all []string
	for _, block := range regexp.MustCompile("(?s)\n```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for l := range strings.Lines(block[1]) {
			all = append(all, strings.TrimSpace(l))
		}
	}
	return all
}

// spoil does what people do beside `make chaos`: a field and a probe that the manifest does not have, and an object that
// is gone.
func spoil(s *shop) {
	ctx := context.Background()
	api := s.server.Core.AppsV1().Deployments("shop")
	d, err := api.Get(ctx, "api", metav1.GetOptions{})
	s.must(err)
	c := &d.Spec.Template.Spec.Containers[0]
	c.StartupProbe = c.ReadinessProbe.DeepCopy()
	c.LivenessProbe.InitialDelaySeconds = 20
	_, err = api.Update(ctx, d, metav1.UpdateOptions{FieldManager: "kubectl-probes"})
	s.must(err)
	s.must(s.server.Core.CoreV1().Services("shop").Delete(ctx, "admin", metav1.DeleteOptions{}))
}

// specs are the objects of the shop without what the server and controllers add.
func specs(t *testing.T, server *controlplane.Server) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, resource := range []schema.GroupVersionResource{
		{Version: "v1", Resource: "services"},
		{Version: "v1", Resource: "configmaps"},
		{Group: "apps", Version: "v1", Resource: "deployments"},
		{Group: "apps", Version: "v1", Resource: "statefulsets"},
		{Group: "apps", Version: "v1", Resource: "daemonsets"},
		{Group: "batch", Version: "v1", Resource: "cronjobs"},
	} {
		list, err := server.Dynamic.Resource(resource).Namespace("shop").List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			name := item.GetName()
			for _, added := range [][]string{{"status"}, {"metadata"}, {"spec", "clusterIP"}, {"spec", "clusterIPs"}} {
				unstructured.RemoveNestedField(item.Object, added...)
			}
			all[resource.Resource+"/"+name] = item.Object
		}
	}
	return all
}
