package main

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const downloads = "https://github.com/kubectl-probes/kubectl-probes/releases/download/"

// krew is an installation of it, and nothing else, in a folder of its own.
type krew struct {
	kubectl string
	root    string
	tools   string // has krew and kubectl: krew's own validator looks for both
}

func newKrew(t *testing.T) krew {
	t.Helper()
	k := krew{kubectl: kubectl(t), root: filepath.Join(t.TempDir(), "krew"), tools: t.TempDir()}
	for name, target := range map[string]string{"kubectl": k.kubectl, "kubectl-krew": repository(t, "bin", "krew")} {
		if err := os.Symlink(target, filepath.Join(k.tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

// krew runs `kubectl krew`.
func (k krew) krew(t *testing.T, args ...string) {
	t.Helper()
	t.Logf("$ kubectl krew %s\n%s", strings.Join(args, " "), k.run(t, k.kubectl, append([]string{"krew"}, args...)...))
}

// run is a command that has to work; all that it prints.
func (k krew) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	command := k.command(name, args...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, out)
	}
	return string(out)
}

// command has krew, kubectl and the tools of the machine.
func (k krew) command(name string, args ...string) *exec.Cmd {
	command := exec.Command(name, args...)
	command.Env = append(
		os.Environ(), "KREW_ROOT="+k.root, "KREW_NO_UPGRADE_CHECK=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"PATH="+strings.Join([]string{k.bin(), k.tools, os.Getenv("PATH")}, string(os.PathListSeparator)))
	return command
}

func (k krew) bin() string { return filepath.Join(k.root, "bin") }

// probes runs `kubectl probes` where the PATH has only what krew linked.
func (k krew) probes(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errOut bytes.Buffer
	command := exec.Command(k.kubectl, append([]string{"probes"}, args...)...)
	command.Dir = repository(t)
	command.Env = []string{"PATH=" + k.bin(), "HOME=" + t.TempDir()}
	command.Stdout, command.Stderr = &out, &errOut
	err = command.Run()
	t.Logf("$ kubectl probes %s\n%s%s", strings.Join(args, " "), out.String(), errOut.String())
	return out.String(), errOut.String(), err
}

func (k krew) checkVersion(t *testing.T, version string) {
	t.Helper()
	out, _, err := k.probes(t, "version", "--client")
	if want := "Client Version: " + version + "\n"; err != nil || out != want {
		t.Errorf("kubectl probes version says %q (%v), want %q", out, err, want)
	}
	versions, err := os.ReadDir(filepath.Join(k.root, "store", "probes"))
	if err != nil || len(versions) != 1 || versions[0].Name() != version {
		t.Errorf("krew keeps %v (%v), want %s alone", versions, err, version)
	}
}

// uninstall removes the plugin, and fails when a file of it stays.
func (k krew) uninstall(t *testing.T) {
	t.Helper()
	k.krew(t, "uninstall", "probes")
	if left := k.files(t); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if out, _, err := k.probes(t, "version", "--client"); err == nil {
		t.Errorf("kubectl probes still works: %s", out)
	}
}

// files are krew's, its indexes aside.
func (k krew) files(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(k.root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path == filepath.Join(k.root, "index") {
			return fs.SkipDir
		}
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestKrewInstallsFromTheArchive(t *testing.T) {
	d, k := snapshot(t), newKrew(t)
	manifest := filepath.Join(d.dir, "krew", "probes.yaml")
	k.newIndex(t) // krew uninstalls nothing without one

	k.krew(t, "install", "--manifest="+manifest, "--archive="+filepath.Join(d.dir, d.archive(host)))
	k.checkVersion(t, d.version)
	k.checkReport(t)
	k.checkCompletion(t, manifest)
	k.uninstall(t)
}

// checkReport holds the installed plugin against the golden file of the command line's own tests.
func (k krew) checkReport(t *testing.T) {
	t.Helper()
	capture := filepath.Join("testdata", "captures", "rollout-stall")
	out, errOut, err := k.probes(t, "-f", capture)
	want := string(readFile(t, repository(t, "internal", "cli", capture, "pipe.txt")))
	if got := out + "--- stderr\n" + errOut; err != nil || got != want {
		t.Errorf("prints (%v)\n%s\nwant\n%s", err, got, want)
	}
}

// checkCompletion does what the caveat of the manifest says, and asks kubectl to complete.
func (k krew) checkCompletion(t *testing.T, manifest string) {
	t.Helper()
	var content struct{ Spec struct{ Caveats string } }
	if err := yaml.Unmarshal(readFile(t, manifest), &content); err != nil {
		t.Fatal(err)
	}
	sentence, commands, _ := strings.Cut(content.Spec.Caveats, ":\n")
	t.Logf("%s:\n%s%s", sentence, commands, k.run(t, "sh", "-c", commands))
	if out := run(t, k.command(k.kubectl, "__complete", "probes", "versio")); !strings.HasPrefix(out, "version\t") {
		t.Errorf("kubectl completes versio with %q", out)
	}
	if err := os.Remove(filepath.Join(k.bin(), "kubectl_complete-probes")); err != nil {
		t.Fatal(err)
	}
}

// TestKrewManifest lets the validator of krew-index judge, which installs the archives of all platforms.
func TestKrewManifest(t *testing.T) {
	d, k := snapshot(t), newKrew(t)
	validator := repository(t, "bin", "validate-krew-manifest")
	t.Log(k.run(t, validator, "-skip-install", "-manifest", filepath.Join(d.dir, "krew", "probes.yaml")))

	served := filepath.Join(t.TempDir(), "probes.yaml")
	if err := os.WriteFile(served, d.servedManifest(t), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log(k.run(t, validator, "-manifest", served))
}

// servedManifest is the manifest with the archives on this machine, in place of a release that does not exist yet.
func (d dist) servedManifest(t *testing.T) []byte {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(d.dir)))
	t.Cleanup(server.Close)
	manifest := d.read(t, filepath.Join("krew", "probes.yaml"))
	released := []byte(downloads + d.tag + "/")
	if !bytes.Contains(manifest, released) {
		t.Fatalf("nothing to download from %s in\n%s", released, manifest)
	}
	return bytes.ReplaceAll(manifest, released, []byte(server.URL+"/"))
}

// TestKrewUpgrades installs, upgrades and removes from an index, which is how people do it.
func TestKrewUpgrades(t *testing.T) {
	snapshot, k := snapshot(t), newKrew(t)
	release := tagged(t, "v9.0.0", "022")
	index := k.newIndex(t)

	publish(t, index, snapshot)
	k.krew(t, "update")
	k.krew(t, "install", "local/probes")
	k.checkVersion(t, snapshot.version)

	publish(t, index, release)
	k.krew(t, "upgrade", "probes")
	k.checkVersion(t, release.version)
	k.checkReport(t)
	k.uninstall(t)
}

// newIndex makes an index that has no plugin yet, and the only one that krew knows: it is called local.
func (k krew) newIndex(t *testing.T) string {
	t.Helper()
	index := t.TempDir()
	git(t, index, "init", "--quiet")
	git(t, index, "commit", "--quiet", "--allow-empty", "-m", "nothing yet")
	k.krew(t, "index", "add", "local", index)
	return index
}

func publish(t *testing.T, index string, d dist) {
	t.Helper()
	plugins := filepath.Join(index, "plugins")
	if err := os.MkdirAll(plugins, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(plugins, "probes.yaml"), d.servedManifest(t), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, index, "add", ".")
	git(t, index, "commit", "--quiet", "-m", "probes "+d.version)
}
