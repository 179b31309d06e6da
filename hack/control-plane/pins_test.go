package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParsePinsRefuses(t *testing.T) {
	tests := map[string]struct{ goMod, wantErr string }{
		"another module": {`{"Module":{"Path":"example.com/other"}}`, "not in its own folder"},
		"no version":     {`{"Module":{"Path":"` + ownModule + `"}}`, "names no version"},
		"no JSON":        {`go: error`, "reading go.mod"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := parsePins([]byte(test.goMod)); err == nil || !strings.Contains(err.Error(), test.wantErr) {
				t.Errorf("error %v, want one with %q", err, test.wantErr)
			}
		})
	}
}

func TestKeysTellBuildsApart(t *testing.T) {
	pins := pins{kubernetes: "v1.2.3", etcd: "v4.5.6", all: "one"}
	otherDependency := pins
	otherDependency.all = "two"

	seen := map[string]bool{}
	for _, key := range []string{pins.key(), pins.mutableKey(), otherDependency.key(), otherDependency.mutableKey()} {
		if seen[key] {
			t.Errorf("two builds share %s", key)
		}
		seen[key] = true
		if !strings.HasPrefix(key, "kubernetes-v1.2.3-etcd-v4.5.6-") {
			t.Errorf("%s does not name the versions", key)
		}
	}
}

func TestHelperChangesOnlyTheMutableKey(t *testing.T) {
	pins := pins{kubernetes: "v1.2.3", etcd: "v4.5.6"}
	stock, mutable, helper := pins.key(), pins.mutableKey(), patchHelper
	t.Cleanup(func() { patchHelper = helper })
	patchHelper += "// changed"
	if pins.key() != stock {
		t.Error("the stock binaries would be built again")
	}
	if pins.mutableKey() == mutable {
		t.Error("the old API server would be used")
	}
}

// Each release of Kubernetes v1.x.y has its libraries at v0.x.y.
func TestReplacesFollowKubernetes(t *testing.T) {
	goMod, err := goCommand(t.Context(), ".", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	pins, err := parsePins(goMod)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Replace []struct {
			New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(goMod, &file); err != nil {
		t.Fatal(err)
	}
	want := "v0" + strings.TrimPrefix(pins.kubernetes, "v1")
	if len(file.Replace) == 0 {
		t.Error("go.mod has no replaces")
	}
	for _, replace := range file.Replace {
		if replace.New.Version != want {
			t.Errorf("%s is at %s, want %s", replace.New.Path, replace.New.Version, want)
		}
	}
}
