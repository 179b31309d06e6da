package probe

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func FuzzParseEdit(f *testing.F) {
	for _, seed := range []string{
		"period=10,timeout=1m,failure=3", `http=":80/a,b",grace=5`, "tcp=[::1]:80,delay=1h", "grpc=:9/s.S", "grace=",
		`exec=sh -c 'a "b" \c' "d\"e" f\ g $(X)`, existing, `{"exec":{"command":["é\u0001\u2028😀</script>"]}}`,
		"exec=a,period=5", "--timeout-seconds=5", "http='", "=,=", "success=1,success=1", "http=https://h:p/?q#f",
	} {
		f.Add(0, seed, "")
		f.Add(1, seed, "timeout=3")
	}
	f.Fuzz(func(t *testing.T, kind int, first, second string) {
		k := Kinds()[uint(kind)%3]
		values := []string{first}
		if second != "" {
			values = append(values, second)
		}
		e, err := ParseEdit(k, values)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "--"+string(k)+": ") {
				t.Errorf("error without the flag: %v", err)
			}
			return
		}
		for _, old := range []string{"", existing} {
			roundTrip(t, e, json.RawMessage(old))
		}
	})
}

// roundTrip prints the flag that makes the probe, has it read back, and wants the same probe of the API.
func roundTrip(t *testing.T, e Edit, old json.RawMessage) {
	t.Helper()
	raw, err := e.ApplyJSON(old)
	if err != nil {
		return
	}
	p, err := Decode(raw)
	if err != nil {
		t.Fatalf("decode what was made: %v", err)
	}
	want, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	flag := Flag(e.Kind, raw)
	if strings.ContainsFunc(flag, func(r rune) bool { return r < ' ' || r > '~' }) {
		t.Errorf("%q is not printable ASCII", flag)
	}
	words, err := SplitWords(flag)
	if err != nil || len(words) != 1 {
		t.Fatalf("the shell's words of %s: %q, %v", flag, words, err)
	}
	_, value, _ := strings.Cut(words[0], "=")
	back, err := ParseEdit(e.Kind, []string{value})
	if err != nil {
		t.Fatalf("%s cannot be read back: %v", flag, err)
	}
	again, err := back.Apply(nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("read back from %s:\n%s\nwant\n%s", flag, got, want)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("a", "b c", "it's")
	f.Add(`\`, "$x`y`!", "#\n\t\"")
	f.Add("", "~*?[]{}", ",period=5")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		want := []string{a, b, c}
		got, err := SplitWords(QuoteWords(want...))
		if err != nil || !slices.Equal(want, got) {
			t.Errorf("%q came back as %q, %v", want, got, err)
		}
	})
}

// TestWordsAsTheShell holds the splitting against sh itself.
func TestWordsAsTheShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	for _, command := range []string{
		`a b  c`, "a\tb", `"a b" 'c d'e"f"`, `a\ b \\ \'`, `"\a \" \\ \` + "`" + `"`, `'\a'`, `"" ''`, `a"b"'c'`, "a\\\nb", "\"a\\\nb\"", `x='y z'`, `a#b`,
	} {
		out, err := exec.Command(sh, "-c", `set -f; printf '%s\0' `+command).Output()
		if err != nil {
			t.Fatalf("sh: %v", err)
		}
		want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		got, err := SplitWords(command)
		if err != nil || !slices.Equal(want, got) {
			t.Errorf("%s: %q, %v; sh has %q", command, got, err, want)
		}
	}
}

func TestWordsKeepWhatTheKubeletExpands(t *testing.T) {
	got, err := SplitWords(`echo $HOME $(POD_NAME)/x $$(Y) "$(a b)" *`)
	want := []string{"echo", "$HOME", "$(POD_NAME)/x", "$$(Y)", "$(a b)", "*"}
	if err != nil || !slices.Equal(want, got) {
		t.Errorf("words %q, %v", got, err)
	}
}
