package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
)

// parseHTTP reads [http://|https://][HOST]:PORT[/PATH]. What the API server would fill in is filled in.
func parseHTTP(_ Kind, value string) (json.RawMessage, error) {
	scheme, rest := corev1.URISchemeHTTP, value
	if before, after, found := strings.Cut(value, "://"); found && !strings.ContainsAny(before, ":/[") {
		switch strings.ToLower(before) {
		case "http":
		case "https":
			scheme = corev1.URISchemeHTTPS
		default:
			return nil, fmt.Errorf("the scheme is http or https, not %q", before)
		}
		rest = after
	}
	address, path := rest, "/"
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		address, path = rest[:i], rest[i:]
	}
	host, port, err := parseAddress(address, "http=:8080/healthz")
	if err != nil {
		return nil, err
	}
	return json.Marshal(corev1.HTTPGetAction{Path: path, Port: port, Host: host, Scheme: scheme})
}

// parseTCP reads [HOST]:PORT.
func parseTCP(_ Kind, value string) (json.RawMessage, error) {
	host, port, err := parseAddress(value, "tcp=:5432")
	if err != nil {
		return nil, err
	}
	return json.Marshal(corev1.TCPSocketAction{Host: host, Port: port})
}

// parseGRPC reads :PORT[/SERVICE]. The API has no host and no port names here.
func parseGRPC(_ Kind, value string) (json.RawMessage, error) {
	address, service, _ := strings.Cut(value, "/")
	host, port, err := parseAddress(address, "grpc=:9090/my.Service")
	switch {
	case err != nil:
		return nil, err
	case host != "":
		return nil, errors.New("a grpc probe has no host: it always asks the Pod's own address")
	case port.Type == intstr.String:
		return nil, fmt.Errorf("a grpc probe takes a port number, not the name %q", port.StrVal)
	}
	return json.Marshal(corev1.GRPCAction{Port: port.IntVal, Service: &service})
}

// parseExec splits a command as a POSIX shell would, expanding nothing. No shell is added: the kubelet runs the words.
func parseExec(_ Kind, value string) (json.RawMessage, error) {
	words, err := splitWords(value)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("a command is missing: exec=cat /tmp/healthy")
	}
	command := make([]string, 0, len(words))
	for i, w := range words {
		if name, found := w.fieldBehind(i > 0 && words[i-1].endsInComma()); found {
			return nil, fmt.Errorf("exec= takes the rest as its command: put %s before exec=, or quote the word if it belongs to the command", name)
		}
		command = append(command, w.text)
	}
	return json.Marshal(corev1.ExecAction{Command: command})
}

// parseAddress splits [HOST]:PORT; an IPv6 host stands in brackets.
func parseAddress(address, example string) (string, intstr.IntOrString, error) {
	var none intstr.IntOrString
	if !strings.Contains(address, ":") || strings.HasSuffix(address, "]") {
		if _, err := parsePort(address); err == nil && address != "" {
			return "", none, fmt.Errorf("the port comes after a colon (%s): did you mean :%s?", example, address)
		}
		return "", none, fmt.Errorf("the port is missing: the API has no default for it (%s)", example)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", none, fmt.Errorf("not [HOST]:PORT (%s): put an IPv6 host in brackets, [::1]:80", example)
	}
	if strings.ContainsAny(host, " \t\r\n@,'\"") {
		return "", none, fmt.Errorf("%q is not a host", host)
	}
	parsed, err := parsePort(port)
	return host, parsed, err
}

// parsePort takes digits for a number and all else for the name of one of the container's ports.
func parsePort(port string) (intstr.IntOrString, error) {
	if port == "" {
		return intstr.IntOrString{}, errors.New("the port is missing")
	}
	if strings.Trim(port, "0123456789") == "" {
		n, err := strconv.ParseInt(port, 10, 32)
		if err != nil || n < 1 || n > 65535 {
			return intstr.IntOrString{}, fmt.Errorf("port %s: must be between 1 and 65535", port)
		}
		return intstr.FromInt32(int32(n)), nil
	}
	if problems := validation.IsValidPortName(port); len(problems) > 0 {
		return intstr.IntOrString{}, fmt.Errorf("port %q: neither a number nor a port name: %s", port, strings.Join(problems, "; "))
	}
	return intstr.FromString(port), nil
}
