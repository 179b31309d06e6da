package probe

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func get(edit func(h *Handler)) *Probe {
	p := timed(0, 10, 1, 1, 3)
	p.Handler = Handler{Type: HTTP, Path: "/", Scheme: "HTTP", Port: intstr.FromInt32(8080)}
	if edit != nil {
		edit(&p.Handler)
	}
	return p
}

func with(h Handler) *Probe { return &Probe{Handler: h} }

func TestDiff(t *testing.T) {
	grace := get(nil)
	grace.TerminationGracePeriodSeconds = new(int64(5))
	numbers := timed(1, 2, 3, 4, 5)
	numbers.Handler = get(nil).Handler
	tests := []struct {
		name          string
		pod, template *Probe
		want          []FieldChange
	}{
		{"no probe on either side", nil, nil, nil},
		{"no probe in the Pod", nil, get(nil), []FieldChange{{"probe", "", "GET :8080/ period=10 timeout=1 failure=3"}}},
		{"no probe in the template", get(nil), nil, []FieldChange{{"probe", "GET :8080/ period=10 timeout=1 failure=3", ""}}},
		{"the same", get(nil), get(nil), nil},
		{"every number", numbers, get(nil), []FieldChange{
			{"initialDelaySeconds", "1", "0"},
			{"timeoutSeconds", "3", "1"},
			{"periodSeconds", "2", "10"},
			{"successThreshold", "4", "1"},
			{"failureThreshold", "5", "3"},
		}},
		{"grace", grace, get(nil), []FieldChange{{"terminationGracePeriodSeconds", "5", ""}}},
		{
			"path, host and scheme", get(func(h *Handler) { h.Path, h.Host, h.Scheme = "/x", "h", "HTTPS" }), get(nil),
			[]FieldChange{{"httpGet.path", "/x", "/"}, {"httpGet.host", "h", ""}, {"httpGet.scheme", "HTTPS", "HTTP"}},
		},
		{
			"another handler", with(Handler{Type: TCP, Port: intstr.FromInt32(1)}), with(Handler{Type: Exec, Command: []string{"a b"}}),
			[]FieldChange{{"handler", "tcp :1", "exec 'a b'"}},
		},
		{
			"no handler", with(Handler{}), with(Handler{Type: TCP, Port: intstr.FromInt32(1)}),
			[]FieldChange{{"handler", "no handler", "tcp :1"}},
		},
		{
			"tcp", with(Handler{Type: TCP, Port: intstr.FromInt32(1), Host: "a"}), with(Handler{Type: TCP, Port: intstr.FromInt32(2)}),
			[]FieldChange{{"tcpSocket.port", "1", "2"}, {"tcpSocket.host", "a", ""}},
		},
		{
			"grpc", with(Handler{Type: GRPC, Port: intstr.FromInt32(1), Service: "a"}), with(Handler{Type: GRPC, Port: intstr.FromInt32(2)}),
			[]FieldChange{{"grpc.port", "1", "2"}, {"grpc.service", "a", ""}},
		},
		{
			"words of a command", with(Handler{Type: Exec, Command: []string{"a", "b"}}), with(Handler{Type: Exec, Command: []string{"a b"}}),
			[]FieldChange{{"exec.command", "a b", "'a b'"}},
		},
		{"an empty command", with(Handler{Type: Exec}), with(Handler{Type: Exec, Command: []string{}}), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Diff(tt.pod, tt.template, nil, nil)); diff != "" {
				t.Error(diff)
			}
			if Equal(tt.pod, tt.template, nil, nil) != (len(tt.want) == 0) {
				t.Error("Equal does not follow Diff")
			}
			if (tt.pod.Key(nil) == tt.template.Key(nil)) != (len(tt.want) == 0) {
				t.Error("Key does not follow Diff")
			}
		})
	}
}

// Guards against the fields of v1.37 going unseen: h2c and TLS are differences, their spelled-out defaults are not.
func TestPeerFault24NewFieldsCompared(t *testing.T) {
	protocol := func(value string) *Probe { return get(func(h *Handler) { h.Protocol = value }) }
	mode := func(value string) *Probe { return with(Handler{Type: GRPC, Port: intstr.FromInt32(9090), Mode: value}) }
	tests := []struct {
		name          string
		pod, template *Probe
		want          []FieldChange
	}{
		{"h2c", protocol("HTTP2"), protocol(""), []FieldChange{{"httpGet.protocol", "HTTP2", "HTTP1"}}},
		{"the default protocol", protocol("HTTP1"), protocol(""), nil},
		{"tls", mode(""), mode("TLS"), []FieldChange{{"grpc.mode", "Plaintext", "TLS"}}},
		{"the default mode", mode("Plaintext"), mode(""), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Diff(tt.pod, tt.template, nil, nil)); diff != "" {
				t.Error(diff)
			}
			if got := SameHandler(tt.pod.Handler, tt.template.Handler, nil, nil); got != (len(tt.want) == 0) {
				t.Errorf("same handler: %t", got)
			}
		})
	}
}

// Guards against a port name taken for another port than its number, and against one that leads nowhere going unseen.
func TestPeerFault25NamedPortsResolved(t *testing.T) {
	web := func(number int32) []Port { return []Port{{"metrics", 9090}, {"web", number}} }
	port := func(port intstr.IntOrString) *Probe { return get(func(h *Handler) { h.Port = port }) }
	name, number := intstr.FromString("web"), intstr.FromInt32(8080)
	tests := []struct {
		name                    string
		pod, template           intstr.IntOrString
		podPorts, templatePorts []Port
		want                    []FieldChange
	}{
		{"name and number", name, number, web(8080), nil, nil},
		{"one name, two numbers", name, name, web(8080), web(80), []FieldChange{{"httpGet.port", "web (8080)", "web (80)"}}},
		{"two names, one number", name, intstr.FromString("http"), web(80), []Port{{"http", 80}}, nil},
		{"a name that leads nowhere", name, number, nil, nil, []FieldChange{{"httpGet.port", "web (no such port)", "8080"}}},
		{"on one side only", name, name, nil, web(80), []FieldChange{{"httpGet.port", "web (no such port)", "web (80)"}}},
		{"one name that leads nowhere", name, name, nil, nil, nil},
		{
			"two names that lead nowhere", name, intstr.FromString("x"), nil, nil,
			[]FieldChange{{"httpGet.port", "web (no such port)", "x (no such port)"}},
		},
		{
			"digits in quotes are a name", intstr.FromString("8080"), number, nil, nil,
			[]FieldChange{{"httpGet.port", "8080 (no such port)", "8080"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Diff(port(tt.pod), port(tt.template), tt.podPorts, tt.templatePorts)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestResolvePort(t *testing.T) {
	ports := []Port{{"web", 8080}, {"web", 9090}, {"", 1}}
	tests := []struct {
		name   string
		in     intstr.IntOrString
		want   int32
		wantOK bool
	}{
		{"number", intstr.FromInt32(5), 5, true},
		{"undeclared numbers work too", intstr.FromInt32(65535), 65535, true},
		{"the first of that name", intstr.FromString("web"), 8080, true},
		{"unknown name", intstr.FromString("x"), 0, false},
		{"zero", intstr.FromInt32(0), 0, false},
		{"too large", intstr.FromInt32(65536), 65536, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := ResolvePort(tt.in, ports); got != tt.want || ok != tt.wantOK {
				t.Errorf("got %d %t, want %d %t", got, ok, tt.want, tt.wantOK)
			}
		})
	}
}

// Guards against drift by header order, and against a difference whose two sides look alike.
func TestPeerFault26HeaderOrderIgnoredAndDiffShowsSides(t *testing.T) {
	headers := func(headers ...Header) *Probe { return get(func(h *Handler) { h.Headers = headers }) }
	a, b := Header{"A", "1"}, Header{"B", "2"}
	tests := []struct {
		name          string
		pod, template *Probe
		want          []FieldChange
	}{
		{"order", headers(a, b), headers(b, a), nil},
		{"case of the name", headers(Header{"X-Y", "1"}), headers(Header{"x-y", "1"}), nil},
		{"order and case", headers(Header{"b", "2"}, a), headers(a, b), nil},
		{"case of the value", headers(Header{"A", "x"}), headers(Header{"A", "X"}), []FieldChange{{"httpGet.httpHeaders", "A: x", "A: X"}}},
		{"one more", headers(b, a), headers(a), []FieldChange{{"httpGet.httpHeaders", "A: 1; B: 2", "A: 1"}}},
		{"one twice", headers(a, a), headers(a), []FieldChange{{"httpGet.httpHeaders", "A: 1; A: 1", "A: 1"}}},
		{"twice another one", headers(a, a, b), headers(a, b, b), []FieldChange{{"httpGet.httpHeaders", "A: 1; A: 1; B: 2", "A: 1; B: 2; B: 2"}}},
		{
			"a value that looks like two", headers(Header{"A", "1; B: 2"}), headers(a, b),
			[]FieldChange{{"httpGet.httpHeaders", `A: "1; B: 2"`, "A: 1; B: 2"}},
		},
		{"a newline", headers(Header{"A", "1\n"}), headers(a), []FieldChange{{"httpGet.httpHeaders", "A: \"1\n\"", "A: 1"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Diff(tt.pod, tt.template, nil, nil)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDiffSides draws handlers from values that are easily taken for one another: two sides that differ never look
// alike, and a side never differs from itself.
func TestDiffSides(t *testing.T) {
	rnd := rand.New(rand.NewPCG(26, 1))
	words := []string{"", " ", "a", "A", "a b", "'", `"`, `\`, "a: b", "a; a: b", "8080", "a (8080)", "\n", "\x1b[31m", "\xff", "é"}
	word := func() string { return words[rnd.IntN(len(words))] }
	draw := func() (*Probe, []Port) {
		p := with(Handler{
			Type: []HandlerType{"", HTTP, TCP, GRPC, Exec}[rnd.IntN(5)],
			Path: word(), Host: word(), Scheme: word(), Protocol: word(), Service: word(), Mode: word(),
			Port: intstr.IntOrString{Type: intstr.Type(rnd.IntN(2)), IntVal: []int32{0, 80, 8080}[rnd.IntN(3)], StrVal: word()},
		})
		for range rnd.IntN(3) {
			p.Headers = append(p.Headers, Header{word(), word()})
			p.Command = append(p.Command, word())
		}
		return p, []Port{{word(), 8080}, {word(), 80}}
	}
	for range 20000 {
		a, aPorts := draw()
		b, bPorts := draw()
		for _, change := range Diff(a, b, aPorts, bPorts) {
			if change.Pod == change.Template {
				t.Fatalf("two sides look alike: %q\n%+v\n%+v", change, a, b)
			}
		}
		if changes := Diff(a, a, aPorts, aPorts); changes != nil {
			t.Fatalf("%+v differs from itself: %v", a, changes)
		}
		if Equal(a, b, aPorts, bPorts) != Equal(b, a, bPorts, aPorts) {
			t.Fatalf("equal in one direction only:\n%+v\n%+v", a, b)
		}
		turned := *a
		turned.Headers = slices.Clone(a.Headers)
		slices.Reverse(turned.Headers)
		for _, other := range []*Probe{b, a, &turned} {
			if Equal(a, other, aPorts, bPorts) != (a.Key(aPorts) == other.Key(bPorts)) {
				t.Fatalf("Key does not follow Equal:\n%+v %v\n%+v %v", a, aPorts, other, bPorts)
			}
		}
	}
}
