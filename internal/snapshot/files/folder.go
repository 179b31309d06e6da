package files

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// extensions are those by which kubectl knows manifests in a folder; a file that is named needs none.
func extensions() []string { return []string{".json", ".yaml", ".yml"} }

// folder finds the files of a folder, and of those inside it when recursive or when it is a dump.
// Links to folders are not followed, as in kubectl, so a loop of them cannot hang a reading.
func (r *reader) folder(root string, recursive bool) []input {
	dump := isDump(root)
	found, accessible := r.walk(root, recursive || dump)
	for i := range found.inputs {
		found.inputs[i].lenient = dump
	}
	switch {
	case !accessible:
	case len(found.inputs) == 0 && !found.kustomization:
		r.note(root + " holds no .json, .yaml or .yml file" + found.hint())
	case found.subfolders:
		r.shallow = append(r.shallow, root)
	}
	return found.inputs
}

// inFolder is what a folder holds.
type inFolder struct {
	inputs        []input
	kustomization bool // that was left out
	subfolders    bool // that were not read
}

func (f inFolder) hint() string {
	if !f.subfolders {
		return ""
	}
	return " (-R reads its subfolders)"
}

// hintAtSubfolders says what was not read where nothing that was read has a probe.
func (r *reader) hintAtSubfolders(s *snapshot.Snapshot) {
	if len(s.Pods) > 0 || len(s.Objects) > 0 {
		return
	}
	for _, root := range r.shallow {
		r.note(fmt.Sprintf("the subfolders of %s were not read (-R reads them)", root))
	}
}

// walk goes on past a folder that cannot be read, which it says; false: it is this one.
func (r *reader) walk(folder string, deep bool) (inFolder, bool) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		r.inaccessible(folder, err)
		return inFolder{}, false
	}
	var found inFolder
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.IsDir() && deep:
			below, _ := r.walk(path, deep)
			found.inputs = append(found.inputs, below.inputs...)
			found.kustomization = found.kustomization || below.kustomization
		case e.IsDir():
			found.subfolders = true
		case !hasExtension(path) || !readable(path):
		case isKustomization(e.Name()):
			found.kustomization = true
			r.note(fmt.Sprintf("%s is left out: -k %s builds it", path, filepath.Dir(path)))
		default:
			found.inputs = append(found.inputs, file(path))
		}
	}
	return found, true
}

// isDump says whether a folder is what kubectl cluster-info dump --output-directory writes: a folder for
// each namespace, with its Pods in pods.json.
func isDump(root string) bool {
	entries, err := os.ReadDir(root)
	if err != nil { // walk says so
		return false
	}
	for _, e := range entries {
		for _, extension := range extensions() {
			if _, err := os.Stat(filepath.Join(root, e.Name(), "pods"+extension)); e.IsDir() && err == nil {
				return true
			}
		}
	}
	return false
}

func hasExtension(path string) bool {
	for _, extension := range extensions() {
		if filepath.Ext(path) == extension {
			return true
		}
	}
	return false
}

// readable leaves out pipes, sockets and links to folders, which would block or never end. What is broken
// or forbidden stays, so that opening it says why.
func readable(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

func isKustomization(name string) bool {
	return name == "kustomization.yaml" || name == "kustomization.yml"
}
