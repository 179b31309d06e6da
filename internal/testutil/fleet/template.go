package fleet

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func (m maker) port() int32 { return 8080 + int32(m.number%20) }

// template has two containers with all three probes each.
func (m maker) template(hash, rev string) corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels: m.labels(hash),
			Annotations: map[string]string{
				"checksum/config": fmt.Sprintf("%064x", m.number+1), "prometheus.io/scrape": "true", "prometheus.io/port": "9090",
			},
		},
		Spec: corev1.PodSpec{
			Containers:                    []corev1.Container{m.application(rev), m.proxy()},
			TerminationGracePeriodSeconds: new(int64(60)),
			RestartPolicy:                 corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, SchedulerName: corev1.DefaultSchedulerName,
			ServiceAccountName: m.app, AutomountServiceAccountToken: new(true),
			SecurityContext: &corev1.PodSecurityContext{RunAsNonRoot: new(true), RunAsUser: new(int64(1000)), FSGroup: new(int64(1000))},
			Volumes: []corev1.Volume{
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: m.app + "-config"}, DefaultMode: new(int32(420)),
				}}},
				{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			},
		},
	}
	if m.shape.Ballast > 0 {
		m.load(&t)
	}
	return t
}

// load puts half of the ballast into annotations, and the other half into the environment of both containers.
func (m maker) load(t *corev1.PodTemplateSpec) {
	const some = "ballast "
	t.Annotations["fleet.example/ballast"] = strings.Repeat(some, m.shape.Ballast/2/len(some))
	for i := range t.Spec.Containers {
		c := &t.Spec.Containers[i]
		c.Env = append(c.Env, corev1.EnvVar{Name: "BALLAST", Value: strings.Repeat(some, m.shape.Ballast/4/len(some))})
	}
}

// application is the container that the workload is about; rev is in its image, as in a rollout.
func (m maker) application(rev string) corev1.Container {
	c := m.container(m.app, "registry.example/"+m.namespace+"/"+m.app+":1."+rev, m.port())
	c.StartupProbe = httpProbe("/healthz/startup", corev1.Probe{PeriodSeconds: 5, FailureThreshold: 30, TimeoutSeconds: 2})
	c.ReadinessProbe = httpProbe("/healthz/ready", corev1.Probe{PeriodSeconds: 5 + int32(m.number%3), FailureThreshold: 3, TimeoutSeconds: 2})
	c.LivenessProbe = httpProbe("/healthz/live", corev1.Probe{PeriodSeconds: 10, FailureThreshold: 3 + int32(m.number%2), TimeoutSeconds: 2})
	return c
}

func (m maker) proxy() corev1.Container {
	c := m.container("proxy", "registry.example/mesh/proxy:v1.29.4", 15020)
	c.StartupProbe = httpProbe("/healthz/ready", corev1.Probe{PeriodSeconds: 1, FailureThreshold: 600, TimeoutSeconds: 3})
	c.ReadinessProbe = httpProbe("/healthz/ready", corev1.Probe{PeriodSeconds: 15, FailureThreshold: 4, TimeoutSeconds: 3})
	c.LivenessProbe = httpProbe("/quitz", corev1.Probe{InitialDelaySeconds: 10, PeriodSeconds: 30, FailureThreshold: 3, TimeoutSeconds: 3})
	return c
}

func httpProbe(path string, p corev1.Probe) *corev1.Probe {
	p.SuccessThreshold = 1
	p.HTTPGet = &corev1.HTTPGetAction{Path: path, Port: intstr.FromString("http"), Scheme: corev1.URISchemeHTTP}
	return &p
}

func (m maker) container(name, image string, port int32) corev1.Container {
	return corev1.Container{
		Name: name, Image: image, ImagePullPolicy: corev1.PullIfNotPresent,
		TerminationMessagePath: corev1.TerminationMessagePathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		Args:      []string{"--config=/etc/config/" + name + ".yaml", "--log-format=json"},
		Ports:     []corev1.ContainerPort{{Name: "http", ContainerPort: port, Protocol: corev1.ProtocolTCP}},
		Resources: resources(),
		Env: []corev1.EnvVar{
			{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}},
			{Name: "POD_IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "status.podIP"}}},
			{Name: "SERVICE_NAME", Value: m.app},
			{Name: "GOMAXPROCS", Value: "2"},
		},
		VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config", ReadOnly: true}, {Name: "tmp", MountPath: "/tmp"}},
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true), Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
	}
}

func resources() corev1.ResourceRequirements {
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi")},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("512Mi")},
	}
}
