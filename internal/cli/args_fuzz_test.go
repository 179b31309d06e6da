package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-probes/kubectl-probes/internal/render"
	"github.com/kubectl-probes/kubectl-probes/internal/report"
)

// FuzzTargets reads arguments: an error, or targets that read the same when they are typed as they are shown.
func FuzzTargets(f *testing.F) {
	for _, args := range []string{"", "deploy", "deploy/web", "deploy,sts", "deploy web api", "deploy/web sts/db", "a/b/c", "/", "a/", ",", "deploy.v1.apps/web", "pod \x1b[2J"} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, " ")
		targets, err := parseTargets(args)
		if err != nil {
			return
		}
		if len(targets) == 0 {
			t.Fatalf("%q names nothing", args)
		}
		for _, target := range targets {
			again, err := parseTargets([]string{target.String()})
			if target.Name == "" && target.Word == "" {
				target.Word, target.Type = target.Type, "" // alone it may be a name too
			}
			if strings.Contains(target.Name, ",") || strings.Contains(target.Type, ",") {
				continue // no type and no name
			}
			if err != nil || len(again) != 1 || again[0] != target {
				t.Errorf("%+v of %q is shown %q, which is read %+v, %v", target, args, target, again, err)
			}
		}
	})
}

// FuzzJSONPath runs templates over a report: an error or an output, and nothing that a terminal would obey.
func FuzzJSONPath(f *testing.F) {
	for _, template := range []string{
		"{.workloads[*].displayName}", "{range .workloads[*]}{.kind}{\"\\n\"}{end}", "{..name}", "{.workloads[?(@.kind==\"Pod\")].name}", "{.workloads[0:9:2]}",
		"{.workloads[-1:]}", "{end}", "{range}", "{", "}", "{.a['b']}", "{$}", "{@}", "{'\x1b[2J'}", "{1.5}", "{true}", "{..}", "{.workloads[99999999999999999999]}",
	} {
		f.Add(template)
	}
	name := "web\x1b[2J\u202e"
	r := &report.Report{Workloads: []report.Workload{{Kind: "Pod", Name: name, DisplayName: "pod/" + name, Containers: []report.Container{{Name: "app"}}}}}
	f.Fuzz(func(t *testing.T, template string) {
		for _, form := range []string{"jsonpath=", "jsonpath-as-json="} {
			p, err := machinePrinter(form + template)
			if err != nil {
				continue
			}
			var out bytes.Buffer
			streams := Streams{IOStreams: genericiooptions.IOStreams{Out: &out}, Terminal: true}
			if err := p.PrintObj(machineReadable{r}, streams.dataOut()); err != nil {
				continue
			}
			clean(t, template, result{out: out.String()}, false, true)
		}
	})
}

// FuzzShown: JSON on a terminal is the same JSON, and shows all that is in it.
func FuzzShown(f *testing.F) {
	for _, s := range []string{"a", "\x1b[2J", "\u202e", "\U000e0001", "\xff", "日本", "\x7f\u009b", "\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		raw, err := json.Marshal(map[string]string{"a": s})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := (shown{&out}).Write(raw); err != nil {
			t.Fatal(err)
		}
		clean(t, s, result{out: out.String()}, false, true)
		var back map[string]string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(s) && back["a"] != s {
			t.Errorf("%q came back as %q", s, back["a"])
		}
	})
}

// FuzzPropose: proposals go on from what was typed, and a terminal shows them as they are.
func FuzzPropose(f *testing.F) {
	for _, typed := range []string{"", "app,", "a,b", "pod/", ",,"} {
		f.Add(typed, "app\tits container")
		f.Add(typed, "app\x1b[2J")
	}
	f.Fuzz(func(t *testing.T, typed, word string) {
		proposed, _ := propose(typed, afterComma(typed, []string{word}))
		for _, p := range proposed {
			if !strings.HasPrefix(p, typed) {
				t.Errorf("%q is no way to go on from %q", p, typed)
			}
			if strings.ContainsFunc(strings.Replace(p, "\t", "", 1), render.Hidden) {
				t.Errorf("%q does something to a terminal", p)
			}
		}
	})
}
