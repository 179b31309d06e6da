package files

import (
	"fmt"
	"os"
	"path/filepath"
)

// extensions are those by which kubectl knows manifests in a folder; a file that is named needs none.
func extensions() []string { return []string{".json", ".yaml", ".yml"} }

// folder finds the files of a folder, and of those inside it when recursive or when it is a dump.
// Links to folders are not followed, as in kubectl, so a loop of them cannot hang a reading.
func (r *reader) folder(root string, recursive bool) []input {
	dump := isDump(root)
	found, accessible := r.walk(root, recursive || dump)
	for i := range found {
		found[i].lenient = dump
	}
	if len(found) == 0 && accessible {
		hint := ""
		if !recursive {
			hint = " (-R reads its subfolders)"
		}
		r.note(fmt.Sprintf("%s holds no .json, .yaml or .yml file%s", root, hint))
	}
	return found
}

// walk goes on past a folder that cannot be read, which it says; false: it is this one.
func (r *reader) walk(folder string, deep bool) ([]input, bool) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		r.inaccessible(folder, err)
		return nil, false
	}
	var found []input
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.IsDir() && deep:
			below, _ := r.walk(path, deep)
			found = append(found, below...)
		case e.IsDir() || !hasExtension(path) || !readable(path):
		case isKustomization(e.Name()):
			r.note(fmt.Sprintf("%s is left out: -k %s builds it", path, filepath.Dir(path)))
		default:
			found = append(found, file(path))
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
