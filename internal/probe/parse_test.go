package probe

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const existing = `{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP","httpHeaders":[{"name":"X","value":"y"}]},` +
	`"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3,"terminationGracePeriodSeconds":20}`

func TestApplyJSON(t *testing.T) {
	tests := []struct {
		name   string
		values []string
		old    string
		want   string
	}{
		{"numbers", []string{"period=30,timeout=2m,failure=5,delay=0"}, existing, `{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP","httpHeaders":[{"name":"X","value":"y"}]},"initialDelaySeconds":0,"timeoutSeconds":120,"periodSeconds":30,"successThreshold":1,"failureThreshold":5,"terminationGracePeriodSeconds":20}`},
		{"API names, twice the flag, blanks", []string{"periodSeconds = 30s, failureThreshold=4", "grace=1h30m"}, `{"tcpSocket":{"port":1}}`, `{"tcpSocket":{"port":1},"periodSeconds":30,"failureThreshold":4,"terminationGracePeriodSeconds":5400}`},
		{"no grace", []string{"grace="}, existing, `{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP","httpHeaders":[{"name":"X","value":"y"}]},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`},
		{"a handler replaces the whole handler", []string{"tcp=:5432"}, existing, `{"tcpSocket":{"port":5432},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3,"terminationGracePeriodSeconds":20}`},
		{"what this program does not know is kept", []string{"period=5"}, `{"exec":{"command":["a"],"new":1},"newer":[2]}`, `{"exec":{"command":["a"],"new":1},"newer":[2],"periodSeconds":5}`},
		{"http", []string{"http=:8080"}, "", `{"httpGet":{"path":"/","port":8080,"scheme":"HTTP"}}`},
		{"http with all", []string{"http=https://example.com:web/a?b=c:d"}, "", `{"httpGet":{"path":"/a?b=c:d","port":"web","host":"example.com","scheme":"HTTPS"}}`},
		{"http as a URL", []string{"http=http://:80/x"}, "", `{"httpGet":{"path":"/x","port":80,"scheme":"HTTP"}}`},
		{"http IPv6", []string{"http=[::1]:80"}, "", `{"httpGet":{"path":"/","port":80,"host":"::1","scheme":"HTTP"}}`},
		{"a URL in the path", []string{"http=:80/go?to=http://x:1/"}, "", `{"httpGet":{"path":"/go?to=http://x:1/","port":80,"scheme":"HTTP"}}`},
		{"a quoted comma", []string{`http=":80/a,b",period=5`}, "", `{"httpGet":{"path":"/a,b","port":80,"scheme":"HTTP"},"periodSeconds":5}`},
		{"single quotes", []string{`http=':80/a,"b"'`}, "", `{"httpGet":{"path":"/a,\"b\"","port":80,"scheme":"HTTP"}}`},
		{"tcp with a host", []string{"tcp=db:5432"}, "", `{"tcpSocket":{"port":5432,"host":"db"}}`},
		{"tcp IPv6", []string{"tcp=[fd00::1]:pg"}, "", `{"tcpSocket":{"port":"pg","host":"fd00::1"}}`},
		{"grpc", []string{"grpc=:9090"}, "", `{"grpc":{"port":9090,"service":""}}`},
		{"grpc service", []string{"grpc=:9090/a.B/c"}, "", `{"grpc":{"port":9090,"service":"a.B/c"}}`},
		{"exec takes the rest", []string{"period=5,exec=sh -c 'a, b | c' --x=1,2"}, "", `{"exec":{"command":["sh","-c","a, b | c","--x=1,2"]},"periodSeconds":5}`},
		{"exec quoted field", []string{`exec=mount -o "rw,timeout=5"`}, "", `{"exec":{"command":["mount","-o","rw,timeout=5"]}}`},
		{"whole", []string{` {"exec": {"command": ["a  b"]}} `}, existing, `{"exec":{"command":["a  b"]}}`},
		{"the third kind of number", []string{"success=1"}, `{"tcpSocket":{"port":1}}`, `{"tcpSocket":{"port":1},"successThreshold":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ParseEdit(Liveness, tt.values)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.ApplyJSON(json.RawMessage(tt.old))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decoded(t, tt.want), decoded(t, string(got))); diff != "" {
				t.Errorf("probe (-want +got):\n%s", diff)
			}
		})
	}
}

func decoded(t *testing.T, raw string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestApply(t *testing.T) {
	old := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"a"}}}, PeriodSeconds: 10}
	kept := old.DeepCopy()
	e, err := ParseEdit(Readiness, []string{"period=3,success=2"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Apply(old)
	if err != nil {
		t.Fatal(err)
	}
	want := old.DeepCopy()
	want.PeriodSeconds, want.SuccessThreshold = 3, 2
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("probe (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(kept, old); diff != "" {
		t.Errorf("the old probe was changed (-want +got):\n%s", diff)
	}
	if got, err := Off(Readiness).Apply(old); got != nil || err != nil {
		t.Errorf("off = %v, %v", got, err)
	}
	if _, err := e.Apply(nil); !errors.Is(err, ErrNoProbe) || !strings.Contains(err.Error(), "give a handler") {
		t.Errorf("fields without a probe: %v", err)
	}
}

func TestParseEditErrors(t *testing.T) {
	tests := []struct {
		name   string
		kind   Kind
		values []string
		want   string
	}{
		{"unknown field", Liveness, []string{"perod=5"}, "did you mean period?"},
		{"unknown API field", Liveness, []string{"periodseconds=5"}, "did you mean periodSeconds?"},
		{"far from any", Liveness, []string{"zzzzzz=5"}, "fields are delay, period"},
		{"part of a handler", Liveness, []string{"path=/x"}, "part of the handler"},
		{"two handlers", Liveness, []string{"http=:80,tcp=:81"}, "tcp after another handler"},
		{"two handlers, two flags", Liveness, []string{"http=:80", "exec=a"}, "exec after another handler"},
		{"twice", Liveness, []string{"period=5", "periodSeconds=6"}, "period is given twice"},
		{"port 0", Liveness, []string{"http=:0/"}, "port 0: must be between 1 and 65535"},
		{"port too large", Liveness, []string{"tcp=:70000"}, "port 70000: must be between"},
		{"port name", Liveness, []string{"tcp=:we_b"}, "neither a number nor a port name"},
		{"no colon", Liveness, []string{"http=8080/x"}, "did you mean :8080?"},
		{"no port", Liveness, []string{"http=https://example.com/x"}, "the port is missing"},
		{"empty port", Liveness, []string{"http=:/x"}, "the port is missing"},
		{"only a path", Liveness, []string{"http=/x"}, "the port is missing"},
		{"bare IPv6", Liveness, []string{"http=::1:80"}, "in brackets"},
		{"scheme", Liveness, []string{"http=ftp://:80"}, "http or https"},
		{"grpc host", Liveness, []string{"grpc=db:80"}, "no host"},
		{"grpc port name", Liveness, []string{"grpc=:web"}, "a port number"},
		{"exec without command", Liveness, []string{"exec= "}, "a command is missing"},
		{"exec and a field", Liveness, []string{"exec=cat /x,period=5"}, "put period before exec="},
		{"exec and two fields", Liveness, []string{"exec=cat /x, periodSeconds=5,timeout=3"}, "put periodSeconds before exec="},
		{"exec and a handler", Liveness, []string{"exec=cat /x,http=:80"}, "put http before exec="},
		{"open quote", Liveness, []string{"exec=sh -c 'a"}, "a closing ' is missing"},
		{"pipe", Liveness, []string{"exec=cat x | grep y"}, "needs a shell"},
		{"period 0", Liveness, []string{"period=0"}, "period=0: must be at least 1"},
		{"timeout 0", Readiness, []string{"timeout=0s"}, "must be at least 1"},
		{"failure 0", Readiness, []string{"failure=0"}, "must be at least 1"},
		{"negative", Readiness, []string{"delay=-1"}, "must be at least 0"},
		{"half seconds", Readiness, []string{"period=1500ms"}, "whole seconds"},
		{"words", Readiness, []string{"period=ten"}, "whole seconds"},
		{"too large", Readiness, []string{"period=3000000000"}, "at most"},
		{"far too large", Readiness, []string{"failure=99999999999999999999"}, "too large"},
		{"seconds for checks", Readiness, []string{"failure=3s"}, "whole number of checks"},
		{"no number", Readiness, []string{"period="}, "missing"},
		{"success 2 on liveness", Liveness, []string{"success=2"}, "must be 1 for a liveness probe"},
		{"success 2 on startup", Startup, []string{"success=2"}, "must be 1 for a startup probe"},
		{"grace on readiness", Readiness, []string{"grace=5"}, "never kills"},
		{"grace 0", Liveness, []string{"grace=0"}, "grace= without a value removes it"},
		{"no value", Liveness, []string{""}, "give FIELD=VALUE"},
		{"no field", Liveness, []string{"period=5,"}, "missing before or after a comma"},
		{"no equals", Liveness, []string{":8080"}, "is not FIELD=VALUE"},
		{"off as value", Liveness, []string{"off"}, "the flag that ends in -off"},
		{"a comma in a path", Liveness, []string{"http=:80/a,b"}, "must be quoted"},
		{"behind a quote", Liveness, []string{`http=":80"/a`}, "quote the value as a whole"},
		{"oc timeout", Liveness, []string{"--timeout-seconds=5"}, "--liveness=timeout=5"},
		{"oc url", Readiness, []string{"--get-url=http://:8080/x"}, "--readiness=http=:8080/x"},
		{"oc tcp", Readiness, []string{"--open-tcp=3306"}, "--readiness=tcp=:3306"},
		{"oc grace", Liveness, []string{"--termination-grace-period-seconds=7"}, "--liveness=grace=7"},
		{"oc remove", Startup, []string{"--remove"}, "--startup-off"},
		{"another flag", Startup, []string{"--namespace=x"}, "is a flag and not a value"},
		{"JSON with a typo", Liveness, []string{`{"exec":{"command":["a"]},"periodSecond":5}`}, "did you mean periodSeconds?"},
		{"JSON with a short name", Liveness, []string{`{"exec":{"command":["a"]},"period":5}`}, `in JSON it is "periodSeconds"`},
		{"JSON twice", Liveness, []string{`{"exec":{"command":["a"]},"periodSeconds":5,"periodSeconds":6}`}, "duplicate field"},
		{"JSON with a typo in the handler", Liveness, []string{`{"tcpSocket":{"prt":1}}`}, `unknown field "tcpSocket.prt": did you mean tcpSocket.port?`},
		{"JSON with a typo in a header", Liveness, []string{`{"httpGet":{"port":1,"httpHeaders":[{"nme":"a"}]}}`}, "did you mean httpGet.httpHeaders[0].name?"},
		{"JSON with what no handler has", Liveness, []string{`{"exec":{"shell":"a"}}`}, `unknown field "exec.shell"; fields of exec are command`},
		{"JSON with case", Liveness, []string{`{"httpget":{"port":80}}`}, "did you mean httpGet?"},
		{"JSON cut off", Liveness, []string{`{"exec":`}, "not a probe in JSON"},
		{"JSON and more", Liveness, []string{`{"exec":{"command":["a"]}} x`}, "not a probe in JSON"},
		{"JSON without handler", Liveness, []string{`{"periodSeconds":5}`}, "must specify a handler type"},
		{"JSON with two", Liveness, []string{`{"exec":{"command":["a"]},"tcpSocket":{"port":1}}`}, "may not specify more than 1 handler type"},
		{"JSON and fields", Liveness, []string{`{"exec":{"command":["a"]}}`, "period=5"}, "cannot be combined"},
		{"fields and JSON", Liveness, []string{"period=5", `{"exec":{"command":["a"]}}`}, "cannot be combined"},
		{"JSON success", Liveness, []string{`{"exec":{"command":["a"]},"successThreshold":2}`}, "must be 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseEdit(tt.kind, tt.values)
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.HasPrefix(err.Error(), "--"+string(tt.kind)+": ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q, want it to say %q", err, tt.want)
			}
		})
	}
}

func TestValidateWords(t *testing.T) {
	two := int32(2)
	zero := int64(0)
	bad := &corev1.Probe{
		ProbeHandler:     corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/"}, GRPC: &corev1.GRPCAction{}},
		PeriodSeconds:    -1,
		SuccessThreshold: two, TerminationGracePeriodSeconds: &zero,
	}
	var got []string
	for _, err := range Validate(Liveness, bad, field.NewPath("spec", "containers").Index(0).Child("livenessProbe")) {
		got = append(got, err.Error())
	}
	at := "spec.containers[0].livenessProbe"
	want := []string{
		at + ".httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive",
		at + ".grpc: Forbidden: may not specify more than 1 handler type",
		at + ".periodSeconds: Invalid value: -1: must be greater than or equal to 0",
		at + ".terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0",
		at + ".successThreshold: Invalid value: 2: must be 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}
