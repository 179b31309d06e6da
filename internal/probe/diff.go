package probe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FieldChange is one field in which a Pod's probe is not its template's. Field is the name in the API, below the probe
// ("httpGet.path", "periodSeconds"); "handler" when the two ask in different ways, "probe" when one side has no probe.
// The two texts always differ; one is empty where the field is not set.
type FieldChange struct {
	Field    string
	Pod      string
	Template string
}

// Diff returns the fields in which two effective probes differ in what they do, in the order of the API; none when they
// do the same. A named port counts as the number it resolves to among its own container's ports, the order of headers
// and the case of their names do not count, and an absent protocol or mode is the default one.
func Diff(pod, template *Probe, podPorts, templatePorts []Port) []FieldChange {
	var c changes
	if pod == nil || template == nil {
		c.compare("probe", probeText(pod), probeText(template))
		return c
	}
	c.handlers(pod.Handler, template.Handler, podPorts, templatePorts)
	c.compareInt("initialDelaySeconds", pod.InitialDelaySeconds, template.InitialDelaySeconds)
	c.compareInt("timeoutSeconds", pod.TimeoutSeconds, template.TimeoutSeconds)
	c.compareInt("periodSeconds", pod.PeriodSeconds, template.PeriodSeconds)
	c.compareInt("successThreshold", pod.SuccessThreshold, template.SuccessThreshold)
	c.compareInt("failureThreshold", pod.FailureThreshold, template.FailureThreshold)
	c.compare("terminationGracePeriodSeconds",
		graceText(pod.TerminationGracePeriodSeconds), graceText(template.TerminationGracePeriodSeconds))
	return c
}

// Equal tells whether two effective probes, each with its own container's ports, do the same; see Diff.
func Equal(a, b *Probe, aPorts, bPorts []Port) bool { return len(Diff(a, b, aPorts, bPorts)) == 0 }

// SameHandler tells whether two handlers, each with its own container's ports, ask the same; see Diff.
func SameHandler(a, b Handler, aPorts, bPorts []Port) bool {
	var c changes
	c.handlers(a, b, aPorts, bPorts)
	return len(c) == 0
}

type changes []FieldChange

func (c *changes) compare(field, pod, template string) {
	if pod != template {
		*c = append(*c, FieldChange{Field: field, Pod: pod, Template: template})
	}
}

func (c *changes) compareInt(field string, pod, template int32) {
	c.compare(field, strconv.Itoa(int(pod)), strconv.Itoa(int(template)))
}

func (c *changes) handlers(pod, template Handler, podPorts, templatePorts []Port) {
	if pod.Type != template.Type {
		c.compare("handler", pod.Text(), template.Text())
		return
	}
	comparePort := func(field string) {
		if !samePort(pod.Port, template.Port, podPorts, templatePorts) {
			c.compare(field, portText(pod.Port, podPorts), portText(template.Port, templatePorts))
		}
	}
	switch pod.Type {
	case HTTP:
		c.compare("httpGet.path", pod.Path, template.Path)
		comparePort("httpGet.port")
		c.compare("httpGet.host", pod.Host, template.Host)
		c.compare("httpGet.scheme", pod.Scheme, template.Scheme)
		if !sameHeaders(pod.Headers, template.Headers) {
			c.compare("httpGet.httpHeaders", headersText(pod.Headers), headersText(template.Headers))
		}
		c.compare("httpGet.protocol", pod.protocol(), template.protocol())
	case TCP:
		comparePort("tcpSocket.port")
		c.compare("tcpSocket.host", pod.Host, template.Host)
	case GRPC:
		comparePort("grpc.port")
		c.compare("grpc.service", pod.Service, template.Service)
		c.compare("grpc.mode", pod.mode(), template.mode())
	case Exec:
		c.compare("exec.command", commandText(pod.Command), commandText(template.Command))
	}
}

// protocol is httpGet.protocol, which is HTTP/1.1 when absent (v1.37 H2CContainerProbe).
func (h Handler) protocol() string { return orDefault(h.Protocol, "HTTP1") }

// mode is grpc.mode, which is plaintext when absent (v1.37 GRPCContainerProbeTLS).
func (h Handler) mode() string { return orDefault(h.Mode, "Plaintext") }

// sameHeaders compares what the request would carry: header names have no case, their order means nothing, but a
// header given twice is sent twice (pkg/probe/http/request.go v1HeaderToHTTPHeader, v1.37).
func sameHeaders(a, b []Header) bool {
	return slices.Equal(canonicalHeaders(a), canonicalHeaders(b))
}

func canonicalHeaders(headers []Header) []Header {
	out := make([]Header, 0, len(headers))
	for _, h := range headers {
		out = append(out, Header{Name: strings.ToLower(h.Name), Value: h.Value})
	}
	slices.SortFunc(out, compareHeaders)
	return out
}

func compareHeaders(a, b Header) int {
	if c := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)); c != 0 {
		return c
	}
	return strings.Compare(a.Value, b.Value)
}

func graceText(seconds *int64) string {
	if seconds == nil {
		return ""
	}
	return strconv.FormatInt(*seconds, 10)
}

func probeText(p *Probe) string {
	if p == nil {
		return ""
	}
	return p.Text() + " " + p.ConfigText()
}

// Key is the same for two effective probes, each with its own container's ports, where they are Equal, and only there: to
// find equal ones among many.
func (p *Probe) Key(ports []Port) string {
	if p == nil {
		return ""
	}
	h := p.Handler
	asks := []string{string(h.Type)}
	switch h.Type {
	case HTTP:
		asks = append(asks, h.Path, portKey(h.Port, ports), h.Host, h.Scheme, h.protocol())
		for _, header := range canonicalHeaders(h.Headers) {
			asks = append(asks, header.Name, header.Value)
		}
	case TCP:
		asks = append(asks, portKey(h.Port, ports), h.Host)
	case GRPC:
		asks = append(asks, portKey(h.Port, ports), h.Service, h.mode())
	case Exec:
		asks = append(asks, commandText(h.Command))
	}
	return fmt.Sprintf("%q %v %q", asks, p.numbers(), graceText(p.TerminationGracePeriodSeconds))
}
