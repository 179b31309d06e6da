package files

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Bounds on what is held at once. Lists and files may be of any size; a single object may not, since whoever wrote
// it may mean harm: a byte of YAML costs up to 140 bytes of memory, a byte of JSON up to 300.
const (
	// maxObject is in bytes. An API server takes requests of 3 MiB and etcd keeps 1.5 MiB of an object, which
	// kubectl's indentation makes up to four times as long.
	maxObject = 8 << 20
	// wholeYAML is how much of a YAML document is looked at before a List among them must be read item by item.
	wholeYAML = 1 << 20
	// maxMaps bounds the maps of an object: the API's types take up to a kilobyte for an empty one. An object of
	// 3 MiB with as many managedFields as there can be has fewer.
	maxMaps = 1 << 18
	// maxNodes bounds the values of a YAML document, of which an alias (*name) repeats those that it stands for.
	maxNodes = 1 << 20
	// maxTags bounds the directives %TAG, each of which is compared with all others.
	maxTags = 100
	// maxWaiting bounds, in bytes, the items that do not say what they are and stand before what says it.
	maxWaiting = 128 << 20
	// maxLists is how deep Lists may stand in Lists; jq makes two.
	maxLists = 8
	// maxMessage is the length in bytes at which an error is cut: it may quote from the file.
	maxMessage = 500
)

func tooLarge(wayOut string) error {
	return sizeError(fmt.Sprintf("larger than %d MiB, which no API server takes; %s; what follows is not read", maxObject>>20, wayOut))
}

// sizeError is for what cannot be read past.
type sizeError string

func (s sizeError) Error() string { return string(s) }

func errTooLargeJSON() error {
	return tooLarge("a List is read item by item, with its items under \"items\"")
}

func errTooLargeYAML() error {
	return tooLarge("a List is read item by item if its items are in block style (- ...) under \"items:\"; kubectl get -o json is always")
}

// checkMaps refuses an object whose memory would be out of proportion to its text.
func checkMaps(raw []byte) error {
	if len(raw) > maxMaps && bytes.Count(raw, []byte("{")) > maxMaps {
		return fmt.Errorf("more than %d maps ({) in one object, which no API server takes", maxMaps)
	}
	return nil
}

// checkYAML does the same for a YAML document before it is parsed: every value in it stands beside one of these.
func checkYAML(text []byte) error {
	if bytes.Count(text, []byte("%TAG")) > maxTags {
		return fmt.Errorf("more than %d %%TAG directives in one document", maxTags)
	}
	if len(text) <= maxNodes {
		return nil
	}
	nodes := 0
	for _, b := range text {
		switch b {
		case '\n', '\r', ',', ':', '[', '{', '-', '?':
			nodes++
		}
	}
	if nodes > maxNodes {
		return fmt.Errorf("more than %d values in one document; divide it by ---, or use JSON (kubectl get -o json)", maxNodes)
	}
	return nil
}

// clipped cuts an error that quotes too much.
func clipped(err error) error {
	if text := err.Error(); len(text) > maxMessage {
		return errors.New(clip(text))
	}
	return err
}

func clip(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + " ..."
}
