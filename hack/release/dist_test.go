package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// dist is a folder that goreleaser wrote.
type dist struct{ dir, version, tag string }

// snapshot is what `make release-snapshot` wrote.
func snapshot(t *testing.T) dist {
	t.Helper()
	return openDist(t, repository(t, "dist"))
}

func openDist(t *testing.T, dir string) dist {
	t.Helper()
	var metadata struct{ Version, Tag string }
	content, err := os.ReadFile(filepath.Join(dir, "metadata.json"))
	if err != nil {
		t.Fatalf("%v: run `make test-release`", err)
	}
	if err := json.Unmarshal(content, &metadata); err != nil {
		t.Fatal(err)
	}
	return dist{dir: dir, version: "v" + metadata.Version, tag: metadata.Tag}
}

func repository(t *testing.T, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{"..", ".."}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (d dist) read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

type platform struct{ os, arch string }

var platforms = []platform{
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

var host = platform{runtime.GOOS, runtime.GOARCH}

func (p platform) String() string { return p.os + "_" + p.arch }

func (p platform) binary() string {
	if p.os == "windows" {
		return "kubectl-probes.exe"
	}
	return "kubectl-probes"
}

// completion is what kubectl looks for on the PATH: on Windows only with an extension.
func (p platform) completion() string {
	if p.os == "windows" {
		return "kubectl_complete-probes.cmd"
	}
	return "kubectl_complete-probes"
}

func (d dist) archive(p platform) string {
	if p.os == "windows" {
		return d.asset(p) + ".zip"
	}
	return d.asset(p) + ".tar.gz"
}

func (d dist) sbom(p platform) string { return d.asset(p) + ".cdx.json" }

func (d dist) asset(p platform) string { return fmt.Sprintf("kubectl-probes_%s_%s", d.version, p) }

func TestArchives(t *testing.T) {
	d := snapshot(t)
	committed := commitTime(t)
	for _, p := range platforms {
		t.Run(p.String(), func(t *testing.T) {
			files := unpack(t, filepath.Join(d.dir, d.archive(p)))
			want := map[string]os.FileMode{
				p.binary():                      0o755,
				"completions/" + p.completion(): 0o755,
				"CHANGELOG.md":                  0o644,
				"LICENSE":                       0o644,
				"README.md":                     0o644,
			}
			if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
				t.Fatalf("files %q", got)
			}
			for name, mode := range want {
				checkFile(t, name, files[name], archived{mode: mode, modified: committed, owner: "root:root"})
				if name != p.binary() && !bytes.Equal(files[name].content, readFile(t, repository(t, name))) {
					t.Errorf("%s is not the repository's", name)
				}
			}
			checkBinary(t, p, files[p.binary()].content)
		})
	}
}

// checkFile compares all but the content.
func checkFile(t *testing.T, name string, got, want archived) {
	t.Helper()
	if got.mode != want.mode {
		t.Errorf("%s: mode %v, want %v", name, got.mode, want.mode)
	}
	if !got.modified.Equal(want.modified) {
		t.Errorf("%s: of %v, want the time of the commit, %v", name, got.modified, want.modified)
	}
	if got.owner != "" && got.owner != want.owner {
		t.Errorf("%s: of %s, whom other machines do not know; want %s", name, got.owner, want.owner)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func checkBinary(t *testing.T, p platform, binary []byte) {
	t.Helper()
	t.Logf("%.1f MB", float64(len(binary))/1e6)
	if got, err := machine(p.os, binary); err != nil || got != p.arch {
		t.Errorf("is for %q (%v), want %s", got, err, p.arch)
	}
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		t.Fatal(err)
	}
	if info.GoVersion != runtime.Version() {
		t.Errorf("built with %s, want %s", info.GoVersion, runtime.Version())
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	want := map[string]string{
		"GOOS": p.os, "GOARCH": p.arch, "CGO_ENABLED": "0", "-trimpath": "true", "-gcflags": environment(t, "GCFLAGS"),
		"vcs.revision": "", "vcs.modified": "", // would differ between a clone and a source archive
	}
	for key, value := range want {
		if settings[key] != value {
			t.Errorf("build setting %s=%q, want %q", key, settings[key], value)
		}
	}
}

// machine is the architecture that the loader of an operating system sees, in Go's word.
func machine(os string, binary []byte) (string, error) {
	reader := bytes.NewReader(binary)
	switch os {
	case "linux":
		file, err := elf.NewFile(reader)
		if err != nil {
			return "", err
		}
		return map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[file.Machine], nil
	case "darwin":
		file, err := macho.NewFile(reader)
		if err != nil {
			return "", err
		}
		return map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[file.Cpu], nil
	default:
		file, err := pe.NewFile(reader)
		if err != nil {
			return "", err
		}
		return map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[file.Machine], nil
	}
}

func TestHostBinaryNamesItsVersion(t *testing.T) {
	d := snapshot(t)
	binary := filepath.Join(t.TempDir(), host.binary())
	content := unpack(t, filepath.Join(d.dir, d.archive(host)))[host.binary()].content
	if err := os.WriteFile(binary, content, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(binary, "version", "--client").Output()
	if want := "Client Version: " + d.version + "\n"; err != nil || string(out) != want {
		t.Errorf("version --client says %q (%v), want %q", out, err, want)
	}
}

func TestChecksums(t *testing.T) {
	d := snapshot(t)
	want := map[string]string{}
	for _, p := range platforms {
		for _, name := range []string{d.archive(p), d.sbom(p)} {
			want[name] = sha256sum(d.read(t, name))
		}
	}
	got := map[string]string{}
	for line := range strings.Lines(string(d.read(t, "checksums.txt"))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		got[name] = sum
	}
	if !maps.Equal(got, want) {
		t.Errorf("checksums.txt has %v, want %v", got, want)
	}
}

func sha256sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// TestSBOMs holds each bill of materials against what the linker recorded in the binary.
func TestSBOMs(t *testing.T) {
	type component struct{ Name, Version, PURL string }
	d := snapshot(t)
	for _, p := range platforms {
		t.Run(p.String(), func(t *testing.T) {
			var bill struct {
				Metadata   struct{ Component component }
				Components []component
			}
			if err := json.Unmarshal(d.read(t, d.sbom(p)), &bill); err != nil {
				t.Fatal(err)
			}
			info, err := buildinfo.Read(bytes.NewReader(unpack(t, filepath.Join(d.dir, d.archive(p)))[p.binary()].content))
			if err != nil {
				t.Fatal(err)
			}
			if main := bill.Metadata.Component; main.Name != info.Main.Path || main.Version != d.version {
				t.Errorf("is of %s %s, want %s %s", main.Name, main.Version, info.Main.Path, d.version)
			}
			got := []string{}
			for _, c := range bill.Components {
				got = append(got, c.Name+" "+c.Version)
				if !strings.HasPrefix(c.PURL, "pkg:golang/") {
					t.Errorf("%s: package URL %q", c.Name, c.PURL)
				}
			}
			want := []string{"std " + info.GoVersion}
			for _, module := range info.Deps {
				want = append(want, module.Path+" "+module.Version)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("has %q, want %q", got, want)
			}
			t.Logf("%d components", len(got))
		})
	}
}

// TestCask looks for what Homebrew will download and link. There is no Homebrew here to install it.
func TestCask(t *testing.T) {
	d := snapshot(t)
	cask := string(d.read(t, filepath.Join("homebrew", "Casks", "kubectl-probes.rb")))
	want := []string{
		`version "` + strings.TrimPrefix(d.version, "v") + `"`,
		`binary "kubectl-probes"`,
		`binary "completions/kubectl_complete-probes"`,
	}
	for _, p := range platforms {
		if p.os != "windows" {
			want = append(want, `sha256 "`+sha256sum(d.read(t, d.archive(p)))+`"`)
		}
	}
	for _, line := range want {
		if !strings.Contains(cask, line) {
			t.Errorf("no %s in\n%s", line, cask)
		}
	}
}
