package demo

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestAnswers asks the nginx configurations what the probes ask. Whether a probe passes is up to the application: a
// page for everything would answer a wrong path as well.
func TestAnswers(t *testing.T) {
	everyday := map[string]string{
		"web readiness": "200", "web liveness": "200", "api readiness": "200", "api liveness": "200", "cart readiness": "200", "cart liveness": "200",
		"checkout readiness": "200", "checkout liveness": "200", "payments startup": "200", "payments readiness": "200", "payments liveness": "200",
		"search readiness": "index", "search liveness": "200", "catalog readiness": "workers", "catalog liveness": "200", "admin readiness": "302",
		"router liveness": "200", "proxy liveness": "200",
	}
	if diff := cmp.Diff(everyday, answers(t, "manifests")); diff != "" {
		t.Errorf("every day (-want +got):\n%s", diff)
	}
	everyday["web readiness"], everyday["cart liveness"] = "404", "404"
	if diff := cmp.Diff(everyday, answers(t, "chaos")); diff != "" {
		t.Errorf("on a bad day (-want +got):\n%s", diff)
	}
}

// answers are those of every HTTP probe of a container with an nginx configuration.
func answers(t *testing.T, folder string) map[string]string {
	t.Helper()
	configs := map[string]string{}
	var pods []corev1.PodSpec
	for _, object := range built(t, folder) {
		switch o := object.(type) {
		case *corev1.ConfigMap:
			configs[o.Name] = o.Data["default.conf"]
		case *appsv1.Deployment:
			pods = append(pods, o.Spec.Template.Spec)
		}
	}
	all := map[string]string{}
	for _, spec := range pods {
		for _, c := range append(spec.InitContainers, spec.Containers...) {
			config := configs[configOf(spec, c)]
			for kind, p := range map[string]*corev1.Probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe, "liveness": c.LivenessProbe} {
				if config != "" && p != nil && p.HTTPGet != nil {
					all[c.Name+" "+kind] = answer(config, p.HTTPGet.Path)
				}
			}
		}
	}
	return all
}

// built are the objects of a kustomization.
func built(t *testing.T, folder string) []runtime.Object {
	t.Helper()
	out, err := newDesk(t).kubectl(t, "kustomize", at(folder))
	if err != nil {
		t.Fatal(out)
	}
	var all []runtime.Object
	documents := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(out)))
	for {
		text, err := documents.Read()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(bytes.TrimSpace(text), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
}

// configOf is the ConfigMap that the container has as its configuration, empty where it has none.
func configOf(spec corev1.PodSpec, c corev1.Container) string {
	for _, mount := range c.VolumeMounts {
		for _, v := range spec.Volumes {
			if v.Name == mount.Name && v.ConfigMap != nil {
				return v.ConfigMap.Name
			}
		}
	}
	return ""
}

// answer is the status with which the first server of an nginx configuration answers, or the host that it asks itself.
func answer(config, path string) string {
	for _, location := range []string{"= " + regexp.QuoteMeta(path), "/"} {
		match := regexp.MustCompile(`(?s)location ` + location + ` \{(.*?)\}`).FindStringSubmatch(config)
		if match == nil {
			continue
		}
		says := regexp.MustCompile(`return (\d+)|proxy_pass http://(\w+)`).FindStringSubmatch(match[1])
		if says == nil {
			return match[0]
		}
		return says[1] + says[2]
	}
	return "nothing"
}
