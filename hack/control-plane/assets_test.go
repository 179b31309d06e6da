package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGivenAssetsAreCheckedAndPrinted(t *testing.T) {
	complete, incomplete := t.TempDir(), t.TempDir()
	for _, file := range []string{
		filepath.Join(complete, etcd.file()),
		filepath.Join(complete, apiServer.file()),
		filepath.Join(incomplete, etcd.file()),
	} {
		if err := os.WriteFile(file, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct{ dir, wantErr string }{
		"complete but for kubectl": {complete, ""},
		"no API server":            {incomplete, "no kube-apiserver"},
		"no such folder":           {filepath.Join(complete, "none"), "no etcd"},
		"relative":                 {"bin", "absolute path"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv(givenAssets, test.dir)
			var stdout strings.Builder
			err := run(t.Context(), []string{"assets"}, &stdout)
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) || stdout.Len() > 0 {
					t.Fatalf("error %v and output %q, want an error with %q", err, &stdout, test.wantErr)
				}
				return
			}
			if err != nil || stdout.String() != test.dir+"\n" {
				t.Errorf("error %v and output %q, want %q", err, &stdout, test.dir)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"asset"}, {"assets", "more"}, {"assets", "--mutable"}} {
		if err := run(t.Context(), args, nil); err != errUsage {
			t.Errorf("%q: error %v, want the usage", args, err)
		}
	}
}
