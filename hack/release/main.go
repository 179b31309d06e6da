// Command release prints what goreleaser is to say about a version. The tests beside it check what goreleaser made:
// see docs/adr/0014-releases.md.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 || os.Args[1] != "notes" {
		fmt.Fprintln(os.Stderr, "usage: go run . notes VERSION")
		os.Exit(2)
	}
	if err := printNotes(os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func printNotes(version string) error {
	changelog, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		return fmt.Errorf("%w: run this in hack/release", err)
	}
	text, err := notes(string(changelog), version)
	if err != nil {
		return err
	}
	_, err = fmt.Println(text)
	return err
}
