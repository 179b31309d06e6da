package files

import (
	"path/filepath"
	"strings"

	"github.com/kubectl-probes/kubectl-probes/internal/snapshot"
)

// coverage says of which namespaces all objects of a resource were read. That one was read says so of its own namespace
// alone: the files may hold the rest of another one's, or not.
type coverage struct {
	everywhere bool // there was a list of all namespaces
	namespaces map[string]bool
	// empty counts empty lists by folder. They do not say of which namespace they are.
	empty map[string]int
}

func newCoverage() *coverage {
	return &coverage{namespaces: map[string]bool{}, empty: map[string]int{}}
}

// contents are what a List held.
type contents struct {
	namespaces map[string]bool
	resources  map[string]bool
	manifests  bool // someone wrote the List: what it leaves out may be elsewhere
}

func newContents() *contents {
	return &contents{namespaces: map[string]bool{}, resources: map[string]bool{}}
}

func (c *contents) add(id identity) {
	c.manifests = c.manifests || id.uid == ""
	c.resources[resourceOf(id.GroupKind)] = true
	if id.namespace != "" {
		c.namespaces[id.namespace] = true
	}
}

// resourceOf is empty for what nobody has to know whether it was read.
func resourceOf(kind snapshot.GroupKind) string {
	switch kind {
	case snapshot.GroupKind{Kind: "Event"}:
		return "events"
	case snapshot.GroupKind{Kind: "Service"}:
		return "services"
	default:
		return ""
	}
}

// sawList notes a list, since what it does not hold is an answer too. kubectl makes a List of several namespaces only of
// all of them (-A): whatever resource it holds, it holds of each.
func (c *collected) sawList(kind string, items int, held *contents, file string) {
	for resource, covered := range c.covered {
		switch {
		case items == 0 && isListOf(resource, kind, file):
			covered.empty[folderOfFile(file)]++
		case items > 0 && held.resources[resource] && len(held.namespaces) > 1 && !held.manifests:
			covered.everywhere = true
		}
	}
	c.nodesListed = c.nodesListed || kind == "NodeList" || items == 0 && isListOf("nodes", kind, file)
}

// isListOf says what an empty list would hold. A plain List does not say so; kubectl's users do, by the file's name.
func isListOf(resource, kind, file string) bool {
	switch kind {
	case "List":
		return strings.HasPrefix(filepath.Base(file), resource)
	default:
		return strings.EqualFold(kind, strings.TrimSuffix(resource, "s")+"List")
	}
}

// folderOfFile is where files lie that were written together: a stream is one by itself.
func folderOfFile(file string) string {
	if file == snapshot.Stdin || strings.Contains(file, "://") {
		return file
	}
	return filepath.Dir(file)
}

// missing are the namespaces of which the resource was not read, if it exists there. An empty list is that of one
// namespace: a folder, or a dump in one stream, that has one for each namespace without such an object has told of all.
func (c *coverage) missing(places map[string]map[string]bool) map[string]bool {
	told := map[string]bool{}
	for folder, empty := range c.empty {
		var silent []string
		for namespace, folders := range places {
			if folders[folder] && !c.namespaces[namespace] {
				silent = append(silent, namespace)
			}
		}
		for _, namespace := range silent {
			told[namespace] = told[namespace] || len(silent) <= empty
		}
	}
	out := map[string]bool{}
	for namespace := range places {
		if !c.everywhere && !c.namespaces[namespace] && !told[namespace] {
			out[namespace] = true
		}
	}
	return out
}
