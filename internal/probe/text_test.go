package probe

import (
	"math"
	"testing"

	"k8s.io/apimachinery/pkg/util/intstr"
)

func TestHandlerText(t *testing.T) {
	port := intstr.FromInt32
	tests := []struct {
		name string
		in   Handler
		want string
	}{
		{"none", Handler{}, "no handler"},
		{"http", Handler{Type: HTTP, Port: port(8080), Path: "/readyz", Scheme: "HTTP"}, "GET :8080/readyz"},
		{"named port", Handler{Type: HTTP, Port: intstr.FromString("http"), Path: "/ready"}, "GET :http/ready"},
		{"path without slash", Handler{Type: HTTP, Port: port(80), Path: "x"}, "GET :80/x"},
		{"host", Handler{Type: HTTP, Port: port(80), Path: "/x", Host: "10.0.0.1"}, "GET 10.0.0.1:80/x"},
		{"IPv6 host", Handler{Type: HTTP, Port: port(80), Path: "/", Host: "::1"}, "GET [::1]:80/"},
		{"https", Handler{Type: HTTP, Port: port(8443), Path: "/x", Scheme: "HTTPS"}, "GET https://:8443/x"},
		{"h2c", Handler{Type: HTTP, Port: port(80), Path: "/", Protocol: "HTTP2"}, "GET :80/ h2c"},
		{"the default protocol", Handler{Type: HTTP, Port: port(80), Path: "/", Protocol: "HTTP1"}, "GET :80/"},
		{
			"headers",
			Handler{Type: HTTP, Port: port(80), Path: "/", Headers: []Header{{"X-B", "a; b"}, {"Host", "x:1"}, {"Accept", ""}}},
			`GET :80/ [Accept: ""; Host: x:1; X-B: "a; b"]`,
		},
		{"tcp", Handler{Type: TCP, Port: port(5671)}, "tcp :5671"},
		{"tcp host", Handler{Type: TCP, Port: intstr.FromString("amqp"), Host: "2001:db8::1"}, "tcp [2001:db8::1]:amqp"},
		{"grpc", Handler{Type: GRPC, Port: port(9090)}, "grpc :9090"},
		{"grpc service", Handler{Type: GRPC, Port: port(9090), Service: "my.Service"}, "grpc :9090 my.Service"},
		{"grpc tls", Handler{Type: GRPC, Port: port(9090), Service: "s", Mode: "TLS"}, "grpc :9090 s tls"},
		{"grpc service tls", Handler{Type: GRPC, Port: port(9090), Service: "tls"}, "grpc :9090 'tls'"},
		{"grpc plaintext", Handler{Type: GRPC, Port: port(9090), Mode: "Plaintext"}, "grpc :9090"},
		{"exec", Handler{Type: Exec, Command: []string{"cat", "/tmp/healthy"}}, "exec cat /tmp/healthy"},
		{"exec shell", Handler{Type: Exec, Command: []string{"sh", "-c", "a b | c"}}, "exec sh -c 'a b | c'"},
		{"exec single quote", Handler{Type: Exec, Command: []string{"echo", "it's"}}, `exec echo "it's"`},
		{"exec both quotes", Handler{Type: Exec, Command: []string{`it's "$X"`}}, `exec 'it'\''s "$X"'`},
		{"exec empty word", Handler{Type: Exec, Command: []string{"test", "-z", ""}}, "exec test -z ''"},
		{"exec newline", Handler{Type: Exec, Command: []string{"sh", "-c", "a\nb"}}, "exec sh -c 'a\nb'"},
		{"exec nothing", Handler{Type: Exec}, "exec"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Text(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestConfigText(t *testing.T) {
	full := timed(5, 10, 2, 3, 4)
	full.TerminationGracePeriodSeconds = new(int64(7))
	tests := []struct {
		name string
		in   *Probe
		want string
	}{
		{"what is always said", timed(0, 10, 1, 1, 3), "period=10 timeout=1 failure=3"},
		{"everything", full, "delay=5 period=10 timeout=2 success=3 failure=4 grace=7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.ConfigText(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestFormatSeconds(t *testing.T) {
	tests := []struct {
		in   int64
		want string
	}{
		{0, "0s"},
		{31, "31s"},
		{60, "1m"},
		{65, "1m5s"},
		{3600, "1h"},
		{3601, "1h1s"},
		{2*hour + 5*minute, "2h5m"},
		{100 * hour, "100h"},
		{year - 1, "8759h59m59s"},
		{year, "1y"},
		{2*year - 1, "1y364d"},
		{10*year + 364*day, "10y"},
		{10 * math.MaxInt32, "680y"},
		{-65, "-1m5s"},
		{math.MaxInt64, "292471208677y"},
		{math.MinInt64, "-292471208677y"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if got := FormatSeconds(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
