package main

import (
	"fmt"
	"regexp"
	"strings"
)

// releaseVersion is a tag that can be released, with what makes it a pre-release in the second group.
var releaseVersion = regexp.MustCompile(`^v(\d+\.\d+\.\d+)(-[0-9A-Za-z.-]+)?$`)

// notes is the changelog's section for a version. A pre-release has what is unreleased yet. A version without a section
// is an error: nobody would know what is in it.
func notes(changelog, version string) (string, error) {
	parts := releaseVersion.FindStringSubmatch(version)
	if parts == nil {
		return "", fmt.Errorf("%q is not a tag like v1.2.3 or v1.2.3-rc.1", version)
	}
	name, preRelease := parts[1], parts[2] != ""
	if preRelease {
		name = "Unreleased"
	}
	heading := regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(name) + `\]( - \d{4}-\d{2}-\d{2})?$`)
	at := heading.FindStringSubmatchIndex(changelog)
	if at == nil {
		return "", fmt.Errorf("CHANGELOG.md has no section %q: move there what is unreleased", "## ["+name+"] - YYYY-MM-DD")
	}
	if dated := at[2] >= 0; !dated && !preRelease {
		return "", fmt.Errorf("CHANGELOG.md has no date for %s: write %q", name, "## ["+name+"] - YYYY-MM-DD")
	}
	text := strings.TrimSpace(section(changelog[at[1]:]))
	if text == "" {
		return "", fmt.Errorf("the section %q of CHANGELOG.md is empty", name)
	}
	return text, nil
}

// section is what stands before the next heading of its rank, or before the link definitions at the end.
func section(text string) string {
	if end := regexp.MustCompile(`(?m)^(## |\[[^\]]+\]: )`).FindStringIndex(text); end != nil {
		return text[:end[0]]
	}
	return text
}
