package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInsertAfter(t *testing.T) {
	tests := []struct {
		name, source, want, wantErr string
	}{
		{
			name:   "once, with the indent of the anchor",
			source: "func f() {\n\tx := 1\n\ty = x\n}\n",
			want:   "func f() {\n\tx := 1\n\tcall(&x)\n\ty = x\n}\n",
		},
		{name: "missing", source: "func f() {\n\tx := 2\n}\n", wantErr: `0 lines read "x := 1"`},
		{name: "only as a part of a line", source: "\tx := 1 // one\n\txx := 1\n", wantErr: "0 lines"},
		{name: "twice", source: "\tx := 1\n\t\tx := 1\n", wantErr: "2 lines"},
		{name: "empty", wantErr: "0 lines"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := insertAfter(test.source, "x := 1", "call(&x)")
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Fatalf("error %v, want one with %q", err, test.wantErr)
				}
				return
			}
			if err != nil || got != test.want {
				t.Errorf("got %q and error %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestPatchAddsTheHelperAndItsCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "validation.go")
	if err := os.WriteFile(file, []byte("package validation\n\nfunc f() {\n\t"+patchAnchor+"\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := patch(file); err != nil {
		t.Fatal(err)
	}
	called, _, _ := strings.Cut(patchCall, "(")
	for name, want := range map[string]string{
		"validation.go":     "\t" + patchAnchor + "\n\t" + patchCall + "\n",
		"mutable_probes.go": "func " + called + "(",
	} {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(file), name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(content), want) {
			t.Errorf("%s lacks %q:\n%s", name, want, content)
		}
	}
}
