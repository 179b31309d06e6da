package main

import (
	"runtime"
	"strings"
)

// binary is one program to build.
type binary struct {
	name, pkg string
	estimate  string // how long it takes on 2 cores with nothing compiled before
	patched   bool
}

var (
	etcd      = binary{name: "etcd", pkg: etcdModule, estimate: "1 minute"}
	kubectl   = binary{name: "kubectl", pkg: kubernetesModule + "/cmd/kubectl", estimate: "1 to 2 minutes"}
	apiServer = binary{name: "kube-apiserver", pkg: kubernetesModule + "/cmd/kube-apiserver", estimate: "5 minutes"}

	mutableAPIServer = binary{name: apiServer.name, pkg: apiServer.pkg, estimate: "5 minutes, 1 after the stock one", patched: true}
)

func (b binary) file() string {
	if runtime.GOOS == "windows" {
		return b.name + ".exe"
	}
	return b.name
}

// version is for people to read.
func (b binary) version(p pins) string {
	switch {
	case b.pkg == etcdModule:
		return p.etcd
	case b.patched:
		return p.kubernetes + " with mutable probes"
	default:
		return p.kubernetes
	}
}

// buildFlags leave out optimizing and debug data, which take long and which tests
// do not miss. Builds share what they compiled only with builds of the same flags.
var buildFlags = []string{"-trimpath", "-gcflags=all=-N -l -dwarf=false"}

// buildEnvironment keeps the surroundings out of the build. GOFLAGS is set, not
// emptied: an empty one would not override that of `go env -w`.
var buildEnvironment = []string{"CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-buildvcs=false"}

// linkerFlags tell the binary its version, which a build from a module lacks.
func (b binary) linkerFlags(p pins) string {
	tree := "clean"
	if b.patched {
		tree = "dirty"
	}
	numbers := strings.SplitN(strings.TrimPrefix(p.kubernetes, "v"), ".", 3)
	flags := []string{"-s", "-w"}
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		for _, setting := range []string{
			"gitVersion=" + p.kubernetes,
			"gitMajor=" + numbers[0],
			"gitMinor=" + numbers[1],
			"gitTreeState=" + tree,
			"gitCommit=unknown",
		} {
			flags = append(flags, "-X "+pkg+"."+setting)
		}
	}
	return strings.Join(flags, " ")
}
