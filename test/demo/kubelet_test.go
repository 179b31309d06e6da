package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// up is how long the shop has been running.
const up = 20 * time.Minute

func (s *shop) ago(d time.Duration) metav1.Time { return metav1.NewTime(s.now.Add(-d)) }

// well is a Pod that was ready a second after it started.
func (s *shop) well(p *corev1.Pod) { s.readyAfter(time.Second)(p) }

// readyAfter is a Pod that took so long to become ready.
func (s *shop) readyAfter(took time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		started, ready := s.ago(up), s.ago(up-took)
		p.Status.Phase = corev1.PodRunning
		p.Status.StartTime = &started
		p.Status.Conditions = []corev1.PodCondition{
			{Type: corev1.ContainersReady, Status: corev1.ConditionTrue, LastTransitionTime: ready},
			{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ready},
		}
		p.Status.InitContainerStatuses = running(p.Spec.InitContainers, started)
		p.Status.ContainerStatuses = running(p.Spec.Containers, started)
	}
}

func running(all []corev1.Container, since metav1.Time) []corev1.ContainerStatus {
	var out []corev1.ContainerStatus
	for _, c := range all {
		out = append(out, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true, Started: new(true),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: since}},
		})
	}
	return out
}

// unready is what a kubelet makes of a Pod whose readiness probe goes on failing.
func (s *shop) unready(p *corev1.Pod) {
	for i := range p.Status.Conditions {
		p.Status.Conditions[i].Status, p.Status.Conditions[i].LastTransitionTime = corev1.ConditionFalse, s.ago(time.Minute)
	}
	for i := range p.Status.ContainerStatuses {
		p.Status.ContainerStatuses[i].Ready = false
	}
}

// said is an Event as a kubelet writes and counts it.
type said struct {
	reason, field, message string
	count                  int32
	first, last            time.Duration // ago
}

func says(all ...said) func(*shop, *corev1.Pod) {
	return func(s *shop, p *corev1.Pod) {
		for _, e := range all {
			s.event(p, corev1.Event{
				Type: corev1.EventTypeWarning, Reason: e.reason, Message: e.message, Count: e.count,
				FirstTimestamp: s.ago(e.first), LastTimestamp: s.ago(e.last),
				InvolvedObject: corev1.ObjectReference{FieldPath: e.field},
			})
		}
	}
}

func (s *shop) event(p *corev1.Pod, e corev1.Event) {
	e.ObjectMeta = metav1.ObjectMeta{GenerateName: p.Name + "."}
	e.Source = corev1.EventSource{Component: "kubelet", Host: node}
	e.InvolvedObject = corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: p.UID, FieldPath: e.InvolvedObject.FieldPath,
	}
	_, err := s.server.Core.CoreV1().Events(p.Namespace).Create(context.Background(), &e, metav1.CreateOptions{})
	s.must(err)
}

// like plays what a real kubelet wrote of a Pod in one of the captures: its status and its Events, as of now.
func (s *shop) like(capture, name, container string, words ...string) play {
	var pods corev1.PodList
	s.read(capture, "pods.json", &pods)
	var events corev1.EventList
	s.read(capture, "events.json", &events)
	reword := strings.NewReplacer(append(words, "{app}", "{"+container+"}", "ontainer app", "ontainer "+container)...)
	return play{
		stuck: true,
		status: func(p *corev1.Pod) {
			for _, captured := range pods.Items {
				if captured.Name == name {
					p.Status = captured.Status
					p.Status.ContainerStatuses[0].Name = container
				}
			}
		},
		events: func(s *shop, p *corev1.Pod) {
			for _, e := range events.Items {
				if e.InvolvedObject.Name == name && e.InvolvedObject.FieldPath != "" {
					e.Message, e.InvolvedObject.FieldPath = reword.Replace(e.Message), reword.Replace(e.InvolvedObject.FieldPath)
					s.event(p, e)
				}
			}
		},
	}
}

// read reads a file of a capture as if it had been made now.
func (s *shop) read(capture, file string, into any) {
	root := filepath.Join("..", "..", "testdata", "captures")
	at, err := os.ReadFile(filepath.Join(root, "captured-at.txt"))
	s.must(err)
	captured, err := time.Parse(time.RFC3339, strings.TrimSpace(string(at)))
	s.must(err)
	text, err := os.ReadFile(filepath.Join(root, capture, file))
	s.must(err)
	later := s.now.Sub(captured)
	times := regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	text = times.ReplaceAllFunc(text, func(captured []byte) []byte {
		layout := "2006-01-02T15:04:05Z"
		if bytes.Contains(captured, []byte(".")) {
			layout = metav1.RFC3339Micro
		}
		t, err := time.Parse(time.RFC3339, string(captured))
		s.must(err)
		return []byte(t.Add(later).UTC().Format(layout))
	})
	s.must(json.Unmarshal(text, into))
}
